"""Regulars: guests who play on through every power cut, and note all that they were told."""

import asyncio
import hashlib
import itertools
import json
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Any

import httpx
from clubhouse import PATIENCE, Club, Guest, Json, Refused
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

PAUSE = 0.1
"""Seconds after which something that was not saved, or not even heard, is sent again."""

PARTIES = [
    ("qwixx", 2, []),
    ("qwixx", 2, ["greedy", "greedy"]),
    ("qwantum", 3, []),
    ("qwantum", 1, ["greedy"]),
    ("qwirkle", 2, []),
    ("qwirkle", 2, ["greedy"]),
]
"""Who comes: the game, how many regulars, and the bots beside them."""


class Notes:
    """What the regulars of one club have sent and been told, to be compared with its logs."""

    def __init__(self, on_sent: Callable[[], None]) -> None:
        self.on_sent = on_sent
        """Called whenever a command has left."""
        self.counts: Counter[str] = Counter()
        self.tables: dict[str, Json] = {}
        """The tables that were opened, and how they were wished for."""
        self.acks: dict[str, dict[str, tuple[int, Json]]] = {}
        """By table and command: the number that was acknowledged, and the command itself."""
        self.told: dict[str, set[tuple[int, str, int, bytes]]] = {}
        """By table: the last entry that was told, to whom, since which entry, the update's digest."""
        self.records: dict[str, Json] = {}
        self.is_closing = False

    def acknowledge(self, table: str, command: str, seq: int, body: Json) -> None:
        """Take note that a command is stored, and where."""
        self.acks.setdefault(table, {})[command] = seq, body
        self.counts["moves acknowledged"] += body["do"] == "move"


class Regular:
    """A guest who sends a command again, with the same id, until it is acknowledged."""

    def __init__(self, guest: Guest, notes: Notes, rng: Random) -> None:
        self.guest = guest
        self.notes = notes
        self.rng = rng
        self.id = guest.http.cookies["qlub_guest"].rpartition(".")[0]
        self.pending: Json | None = None
        self._table = ""
        self._seat: int | None = None
        self._acknowledged = 0
        self._last: Json = {}
        """The last update."""
        self._events: dict[int, list[list[Any]]] = {}
        """What happened, by entry, as far as it was told or revealed."""

    @property
    def is_over(self) -> bool:
        return bool(self._last["state"]["status"] == "over")

    async def ask(self, method: str, path: str, body: object = None) -> Any:
        """Send a request until it is answered."""
        while True:
            try:
                return await asyncio.to_thread(self.guest.ask, method, path, body)
            except httpx.TransportError:
                pass
            except Refused as refused:
                if (refused.status, refused.word) != (503, "not-saved"):
                    raise
            await asyncio.sleep(PAUSE)

    async def play(self, table: str, seat: int | None) -> None:
        """Stay at a table until its game is over or the club closes; without a seat, look on."""
        self._table, self._seat, self._acknowledged = table, seat, 0
        self._last, self._events = {"seq": 0, "state": {"status": "unknown"}}, {}
        self._numbers = itertools.count(1)
        while not self._may_go():
            with suppress(OSError, WebSocketException):
                await self._stay()
            await asyncio.sleep(PAUSE)

    async def _stay(self) -> None:
        """Be at the table as long as the connection lasts."""
        address = self.guest.club.url.replace("http", "ws") + "/api/socket"
        cookies = [f"{name}={value}" for name, value in self.guest.http.cookies.items()]
        async with connect(
            address,
            additional_headers={"Cookie": "; ".join(cookies)},
            open_timeout=PATIENCE,
            max_size=None,
            compression=None,
            ping_interval=None,
        ) as socket:
            self.notes.counts["reconnects"] += self._last["seq"] > 0
            await self._watch(socket)
            if self.pending:
                await self._send_again(socket)
            async for text in socket:
                await self._take(socket, str(text))
                if self._may_go():
                    return

    async def _watch(self, socket: ClientConnection) -> None:
        frame = {"do": "watch", "table": self._table, "since": self._last["seq"]}
        await socket.send(json.dumps(frame))

    async def _send(self, socket: ClientConnection) -> None:
        frame = {"do": "command", "table": self._table, "command": self.pending}
        await socket.send(json.dumps(frame))
        self.notes.on_sent()

    async def _send_again(self, socket: ClientConnection) -> None:
        self.notes.counts["resends"] += 1
        await self._send(socket)

    async def _take(self, socket: ClientConnection, text: str) -> None:
        """Take a frame, and do what is to be done then."""
        frame = json.loads(text)
        match frame["type"]:
            case "update":
                self._read(frame, text)
            case "ack":
                self._check_off(frame)
            case "error":
                assert frame["error"] == "not-saved", frame
                await asyncio.sleep(PAUSE)
                await (self._send_again(socket) if frame["id"] else self._watch(socket))
        if self.pending is None and not self._may_go() and (command := self._wish()):
            self.pending = {**command, "id": f"command-{next(self._numbers)}"}
            await self._send(socket)

    def _read(self, update: Json, text: str) -> None:
        """Read an update: it has exactly the entries that came after those one has."""
        before, last = self._last["seq"], update["seq"]
        assert (update["table"], update["since"]) == (self._table, before)
        assert [one["seq"] for one in update["entries"]] == list(range(before + 1, last + 1))
        told = self.notes.told.setdefault(self._table, set())
        told.add((last, self.id, before, digest(text.encode())))
        for entry in (*update["entries"], *update["revealed"]):
            self._events[entry["seq"]] = entry.get("events", [])
        self._last = update

    def check_memory(self, record: Json) -> None:
        """Whoever saw the end has seen every event of the game, and nothing is sealed any more."""
        events = [event for seq in sorted(self._events) for event in self._events[seq]]
        assert [actor for actor, _ in events] == [actor for actor, _ in record["events"]]
        assert None not in [text for _, text in events]

    def _check_off(self, ack: Json) -> None:
        assert self.pending, f"acknowledged, but not sent: {ack}"
        assert ack["id"] == self.pending["id"]
        self.notes.acknowledge(self._table, f"{self.id}/{ack['id']}", ack["seq"], self.pending)
        self._acknowledged = ack["seq"]
        self.pending = None

    def _wish(self) -> Json | None:
        """Return what to do now, as far as one knows what came of the last thing one did."""
        state = self._last["state"]
        if self._seat is None or self._last["seq"] < max(1, self._acknowledged):
            return None
        if state["status"] == "gathering":
            if not self._last["you"]["seats"]:
                return {"do": "sit", "seat": self._seat}
            is_full = all(state["seats"])
            return {"do": "start"} if is_full and self._last["you"]["host"] else None
        moves = self._last["views"][0]["legal"]
        if not moves:
            return None
        return {"do": "move", "seat": self._seat, "move": self.rng.choice(moves)}

    def _may_go(self) -> bool:
        knows_all = self.pending is None and self._last["seq"] >= self._acknowledged
        return knows_all and (self.is_over or self.notes.is_closing)


class Party:
    """Some regulars who play one game after another, with bots beside them and an onlooker."""

    def __init__(
        self, game: str, people: list[Regular], bots: list[str], onlooker: Regular
    ) -> None:
        self.game = game
        self.people = people
        self.bots = bots
        self.onlooker = onlooker

    async def play(self) -> None:
        """Play until the club closes."""
        host = self.people[0]
        notes = host.notes
        for number in itertools.count():
            table = await self._open(host, f"game-{number}")
            async with asyncio.TaskGroup() as group:
                group.create_task(self.onlooker.play(table, None))
                for place, regular in enumerate(self.people):
                    group.create_task(regular.play(table, place and place + len(self.bots)))
            if host.is_over:
                record = await host.ask("GET", f"/api/tables/{table}/record")
                notes.records[table] = record
                notes.counts["games finished"] += 1
                for regular in (*self.people, self.onlooker):
                    if regular.is_over:
                        regular.check_memory(record)
            if notes.is_closing:
                return

    async def _open(self, host: Regular, request: str) -> str:
        """Open a table at which the host and the bots sit, the bots right after the host."""
        wish = {
            "id": request,
            "game": self.game,
            "seats": len(self.people) + len(self.bots),
            "visibility": "open",
            "people": ["Host"],
            "bots": self.bots,
        }
        table: str = (await host.ask("POST", "/api/tables", wish))["table"]
        assert host.notes.tables.setdefault(table, wish) is wish, "it was opened for another wish"
        host.notes.counts["tables"] += 1
        return table


def come_together(club: Club, notes: Notes, seed: str) -> list[Party]:
    """Let everybody in who comes tonight."""
    numbers = itertools.count(1)

    def regular() -> Regular:
        name = f"Guest {next(numbers)}"
        return Regular(club.guest(name), notes, Random(f"{seed} {name}"))

    return [
        Party(game, [regular() for _ in range(people)], bots, onlooker=regular())
        for game, people, bots in PARTIES
    ]


def digest(update: bytes) -> bytes:
    """Return what stands for an update in the notes."""
    return hashlib.sha256(update).digest()
