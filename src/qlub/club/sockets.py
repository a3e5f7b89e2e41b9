"""The socket: a client watches tables, sends commands, and is told what happens."""

import asyncio
from collections import deque
from dataclasses import dataclass

import msgspec
import structlog
from pydantic import ValidationError
from starlette.types import Receive, Send

from qlub.club.commands import FRAMES, Ask, Frame, Order, Ping, Unwatch, Watch
from qlub.club.errors import NoGuest, TooMany, told
from qlub.club.house import House
from qlub.club.limits import Bucket
from qlub.club.metrics import COMMANDS, REFUSED
from qlub.club.problems import explain
from qlub.club.room import Room
from qlub.core.errors import QlubError

MOST_WATCHED = 50
MOST_UNREAD = 200
"""Answers that a client may leave unread before it is sent away."""
MOST_EXCESS = 100
"""Messages above the rate that are answered with a refusal before the client is sent away."""
POLICY, FAULT, TOO_MANY_UNREAD = 1008, 1011, 1013

encode = msgspec.json.Encoder().encode
log = structlog.get_logger("qlub.sockets")


@dataclass
class _Watching:
    room: Room
    since: int | None
    guided: bool


class Connection:
    """One open socket. It is told of a table from the last entry that it has, however slow it is:
    what happens while it is not reading is put together in one update.
    """

    def __init__(self, house: House, guest: str | None, receive: Receive, send: Send) -> None:
        self.house = house
        self.guest = guest
        self._receive = receive
        self._send = send
        self._watching: dict[str, _Watching] = {}
        self._answers: deque[bytes] = deque()
        self._dirty: dict[str, None] = {}
        self._awake = asyncio.Event()
        self._bucket = Bucket(house.settings.rate)
        self._excess = 0

    async def serve(self) -> None:
        """Answer until the client goes away or misbehaves."""
        await self._send({"type": "websocket.accept"})
        sender = asyncio.create_task(self._keep_sending())
        try:
            while (message := await self._receive())["type"] == "websocket.receive":
                if not await self._take(message.get("text") or message.get("bytes") or b""):
                    break
        finally:
            for watching in self._watching.values():
                watching.room.watchers.discard(self)
            sender.cancel()
            await asyncio.gather(sender, return_exceptions=True)

    def wake(self, table: str) -> None:
        """Take note that something has happened at a table."""
        self._dirty[table] = None
        self._awake.set()

    async def _take(self, text: str | bytes) -> bool:
        """Answer one frame; False when it was one too many."""
        if self._bucket.take():
            await self._read(text)
        else:
            self._excess += 1
            self._refuse(TooMany("too many messages; wait a moment"))
        if self._excess > MOST_EXCESS or len(self._answers) > MOST_UNREAD:
            await asyncio.sleep(0)  # so many came at once that we may not have sent any answer yet
        if self._excess > MOST_EXCESS:
            await self._close(POLICY, "too many messages")
        elif len(self._answers) > MOST_UNREAD:
            await self._close(TOO_MANY_UNREAD, "answers are not being read")
        else:
            return True
        return False

    async def _read(self, text: str | bytes) -> None:
        try:
            frame = FRAMES.validate_json(text)
        except ValidationError as error:
            self._refuse(explain(error))
            return
        try:
            await self._follow(frame)
        except QlubError as error:
            asked = frame.command if isinstance(frame, Order) else frame
            about = {"table": getattr(frame, "table", None), "id": getattr(asked, "id", None)}
            self._refuse(error, **about)

    async def _follow(self, frame: Frame) -> None:
        match frame:
            case Order(table=table, command=command):
                if self.guest is None:
                    raise NoGuest("tell us your name first")
                with COMMANDS.time():
                    seq = await self.house.do(table, self.guest, command)
                self._answer({"type": "ack", "table": table, "id": command.id, "seq": seq})
            case Watch(table=table):
                await self._watch(table, frame.since, frame.guide)
            case Ask(table=table, seat=seat, draft=draft):
                room = await self.house.visit(table, self.guest)
                guide = self.house.advise(room, self.guest, seat, draft)
                self._answer({"type": "guide", "table": table, "id": frame.id, "guide": guide})
            case Unwatch(table=table):
                if watching := self._watching.pop(table, None):
                    watching.room.watchers.discard(self)
            case Ping():
                self._answer({"type": "pong"})

    async def _watch(self, table: str, since: int | None, guided: bool) -> None:
        if table not in self._watching and len(self._watching) >= MOST_WATCHED:
            raise TooMany(f"a socket watches at most {MOST_WATCHED} tables")
        room = await self.house.visit(table, self.guest)
        self._watching[table] = _Watching(room, since, guided)
        room.watchers.add(self)
        self.wake(table)

    def _answer(self, answer: dict[str, object]) -> None:
        self._answers.append(encode(answer))
        self._awake.set()

    def _refuse(self, error: QlubError, **about: object) -> None:
        REFUSED.labels(error.word).inc()
        self._answer({"type": "error", **about, **told(error)})

    async def _keep_sending(self) -> None:
        """Send until the client is gone; if we fail, say so and close, so that it comes back."""
        try:
            await self._send_all()
        except OSError:
            return  # gone; whoever receives hears it too
        except Exception:
            log.exception("telling a client failed")
            await self._close(FAULT, "a fault of the club")

    async def _send_all(self) -> None:
        """Send updates and answers, as fast as the client reads them.

        Updates go first: whoever is told that a move is stored has already seen what it led to.
        """
        while True:
            await self._awake.wait()
            self._awake.clear()
            while self._dirty or self._answers:
                if self._dirty:
                    table = next(iter(self._dirty))
                    del self._dirty[table]
                    await self._update(table)
                else:
                    await self._send_text(self._answers.popleft())

    async def _update(self, table: str) -> None:
        watching = self._watching.get(table)
        if watching is None:
            return
        teller = watching.room.teller
        frame = teller.update(self.guest, watching.since, watching.guided)
        watching.since = teller.table.seq
        await self._send_text(frame)

    async def _send_text(self, frame: bytes) -> None:
        await self._send({"type": "websocket.send", "text": frame.decode()})

    async def _close(self, code: int, reason: str) -> None:
        await self._send({"type": "websocket.close", "code": code, "reason": reason})
