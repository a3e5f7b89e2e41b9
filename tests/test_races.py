"""Races: several workers on one PostgreSQL act at once, and every table has one log."""

import asyncio
import json
import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import psycopg
import pytest
from clubhouse import PATIENCE, Club, Guest, Json, Refused
from movers import known_at
from postgres import Postgres
from stored import creation, open_store, read_logs, wait
from websockets.asyncio.client import ClientConnection, connect

from qlub.club.bell import CHANNEL, LONGEST_PAYLOAD, Bell
from qlub.club.entries import Claimed, Created, Entry, Moved, Reacted, Rematched, Sat, Started
from qlub.club.room import Room
from qlub.club.store.database import read_url
from qlub.club.store.store import Store
from qlub.club.store.writer import Append
from qlub.club.table import PLAYING, Table

SEATS = 4
LONG_ENOUGH = 60
"""Entries after which a table has seen several phases in which all decide at once."""
GAMES = ["qwixx", "qwantum"] * 4
TIMES = 6
"""How often each small race is run."""


class House(NamedTuple):
    """One database with two servers: the first has two workers, the second one."""

    database: str
    first: Club
    second: Club


@pytest.fixture(scope="module")
def house(postgres: Postgres, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    folder: Path = tmp_path_factory.mktemp("races")
    database = postgres.new_database()
    first = Club(database, folder / "first.log", workers="2")
    second = Club(database, folder / "second.log")
    first.launch()
    with second:
        try:
            first.wait()
            yield House(database, first, second)
            assert first.stop() == 0
        finally:
            first.__exit__()
    postgres.drop_database(database)


# Everybody moves at once


class Line:
    """A socket that watches one table and hears every entry once, in order."""

    def __init__(self, socket: ClientConnection, table: str) -> None:
        self.table = table
        self.last: Json = {"seq": 0}
        self._socket = socket
        self._news = asyncio.Event()
        self._waiting: deque[asyncio.Future[Json]] = deque()

    async def listen(self) -> None:
        """Watch the table as long as the connection lasts."""
        await self._send({"do": "watch", "since": 0})
        async for text in self._socket:
            frame = json.loads(text)
            if frame["type"] == "update":
                self._take(frame)
            else:
                self._waiting.popleft().set_result(frame)

    async def command(self, command: Json) -> Json:
        """Send a command and return the answer to it."""
        answer: asyncio.Future[Json] = asyncio.get_running_loop().create_future()
        self._waiting.append(answer)
        await self._send({"do": "command", "command": command})
        return await answer

    async def until(self, is_so: Callable[[Json], bool]) -> Json:
        """Wait for an update with which something is so."""
        async with asyncio.timeout(PATIENCE):
            while self.last["seq"] == 0 or not is_so(self.last):
                self._news.clear()
                await self._news.wait()
        return self.last

    async def _send(self, frame: Json) -> None:
        await self._socket.send(json.dumps({**frame, "table": self.table}))

    def _take(self, update: Json) -> None:
        before, after = self.last["seq"], update["seq"]
        assert update["since"] == before
        assert [entry["seq"] for entry in update["entries"]] == list(range(before + 1, after + 1))
        self.last = update
        self._news.set()


@dataclass
class Player:
    """A guest in one seat of one table, with a line to each server."""

    seat: int
    lines: list[Line]
    rng: Random
    acks: dict[str, tuple[int, str]] = field(default_factory=dict)
    """By command: the number of its entry, and the move."""
    _last: int = 0

    async def play(self) -> None:
        """Decide whenever it is possible, mostly at several servers at once."""
        while True:
            last = await self.rng.choice(self.lines).until(self._is_asked)
            if is_enough(last):
                return
            move = self.rng.choice(last["views"][0]["legal"])
            command = {"do": "move", "seat": self.seat, "move": move, "id": f"{len(self.acks)}"}
            sent = self.rng.choices(self.lines, k=self.rng.randint(1, 3))
            answers = await asyncio.gather(*(line.command(command) for line in sent))
            assert [answer["type"] for answer in answers] == ["ack"] * len(sent), answers
            assert len({answer["seq"] for answer in answers}) == 1, "it was stored twice"
            self._last = answers[0]["seq"]
            self.acks[command["id"]] = (self._last, move)

    def _is_asked(self, update: Json) -> bool:
        has_moves = update["seq"] >= self._last and update["views"][0]["legal"]
        return bool(has_moves) or is_enough(update)


def has_come_to(seq: int, update: Json) -> bool:
    return bool(update["seq"] >= seq)


def is_enough(update: Json) -> bool:
    return has_come_to(LONG_ENOUGH, update) or bool(update["state"]["status"] != PLAYING)


def cookie_of(guest: Guest) -> str:
    return "; ".join(f"{name}={value}" for name, value in guest.http.cookies.items())


async def play_all(house: House, guests: list[Guest], tables: list[str]) -> list[Player]:
    """Let every guest play at every table, and see that both servers tell all there is."""
    players = []
    async with AsyncExitStack() as stack, asyncio.TaskGroup() as group:
        listening = []
        for table in tables:
            for seat, guest in enumerate(guests):
                lines = []
                for club in (house.first, house.second):
                    address = club.url.replace("http", "ws") + "/api/socket"
                    headers = {"Cookie": cookie_of(guest)}
                    opening = connect(
                        address, additional_headers=headers, compression=None, max_size=None
                    )
                    lines.append(Line(await stack.enter_async_context(opening), table))
                players.append(Player(seat, lines, Random(f"{table} {seat}")))
                listening += [group.create_task(line.listen()) for line in lines]
        await asyncio.gather(*(player.play() for player in players))
        lines = [line for player in players for line in player.lines]
        for line in lines:
            end = max(other.last["seq"] for other in lines if other.table == line.table)
            await line.until(partial(has_come_to, end))
        for task in listening:
            task.cancel()
    return players


def test_all_seats_of_many_tables_move_at_once(house: House) -> None:
    guests = [house.first.guest(f"Guest {seat}") for seat in range(SEATS)]
    tables = [guests[0].open(game, SEATS, visibility="open") for game in GAMES]
    for table in tables:
        for seat, guest in enumerate(guests):
            guest.do(table, "sit", seat=seat)
        guests[0].do(table, "start")
    players = wait(play_all(house, guests, tables))
    logs = read_logs(house.database)
    for number, table in enumerate(tables):
        log = logs[table]
        assert Table.read(table, log).seq == len(log) >= LONG_ENOUGH, "legal and without a gap"
        commands = [entry.command for entry in log if entry.command]
        assert len(commands) == len(set(commands))
        here = players[number * SEATS : (number + 1) * SEATS]
        moves = [entry for entry in log if isinstance(entry.what, Moved)]
        assert len(moves) == sum(len(player.acks) for player in here)
        for player in here:
            for command, (seq, move) in player.acks.items():
                check_move(log[seq - 1], player.seat, command, move)
    for guest in guests:
        there = known_at(house.second, guest)
        for table in tables:
            path = f"/api/tables/{table}?since=0"
            assert guest.http.get(path).content == there.http.get(path).content


def check_move(entry: Entry, seat: int, command: str, move: str) -> None:
    """An entry is the move that was acknowledged with its number."""
    assert entry.command
    assert entry.command.partition("/")[2] == command
    assert isinstance(entry.what, Moved)
    assert entry.what.events[0] == (seat, move)


def test_what_comes_together_is_stored_together(tmp_path: Path) -> None:
    """Only the wish that is fulfilled brings its new table with it."""

    async def run(store: Store) -> None:
        first = creation("old")
        await store.append(first)
        room = Room(Table.read("old", first.entries), b"", "", store, lambda room: None)
        wow, new = Reacted(0, "wow"), Rematched("new")
        both = [
            room.write(lambda table: None, also=creation("none")),
            room.write(lambda table: wow),
        ]
        assert await asyncio.gather(*both) == [1, 2]
        asked = [
            room.write(lambda table: None if table.again else new, also=creation("new"))
            for _ in range(2)
        ]
        assert await asyncio.gather(*asked, room.write(lambda table: wow)) == [3, 3, 4]
        whats = [entry.what for entry in await store.log("old", after=1)]
        assert whats == [wow, new, wow]
        assert await store.last(["none", "new"]) == {"new": 1}

    with open_store(f"sqlite:///{tmp_path / 'club.db'}") as store:
        wait(run(store))


# Two want the same


def at_once(*calls: Callable[[], Any]) -> list[Any]:
    """Make several calls at the same moment, and return the answers or refusals."""
    start = threading.Barrier(len(calls))

    def run(call: Callable[[], Any]) -> Any:
        start.wait()
        try:
            return call()
        except Refused as refused:
            return refused

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))


def check_one_wins(answers: list[Any], status: int, word: str) -> None:
    refusals = [answer for answer in answers if isinstance(answer, Refused)]
    assert [(refusal.status, refusal.word) for refusal in refusals] == [(status, word)]


@pytest.fixture(scope="module")
def pair(house: House) -> tuple[Guest, Guest]:
    """Two guests at different servers."""
    return house.first.guest("Ann"), house.second.guest("Ben")


def test_a_table_asked_for_at_two_servers_is_opened_once(house: House) -> None:
    ann = house.first.guest("Ann")
    too = known_at(house.second, ann)
    for number in range(TIMES):
        small: Json = {"id": f"table-{number}", "game": "qwixx", "seats": 3, "people": ["Ann"]}
        large = {**small, "people": ["Ann", "Ben", "Cleo"], "start": True}
        answers = at_once(
            partial(ann.ask, "POST", "/api/tables", small),
            partial(too.ask, "POST", "/api/tables", large),
        )
        table = answers[0]["table"]
        assert {(one["table"], one["invite"]) for one in answers} == {(table, answers[0]["invite"])}
        log = read_logs(house.database)[table]
        assert Table.read(table, log).seq == len(log)
        assert len(log) in (1 + 1, 1 + 3 + 1), "one wish or the other, whole"


def test_a_free_seat_has_room_for_one(house: House, pair: tuple[Guest, Guest]) -> None:
    ann, ben = pair
    for _ in range(TIMES):
        table = ann.open("qwixx", 2, visibility="open")
        ben.look(table)
        answers = at_once(
            partial(ann.do, table, "sit", seat=1), partial(ben.do, table, "sit", seat=1)
        )
        check_one_wins(answers, 409, "not-now")
        log = read_logs(house.database)[table]
        assert [type(entry.what) for entry in log] == [Created, Sat]


def test_a_game_begins_once(house: House, pair: tuple[Guest, Guest]) -> None:
    ann, _ = pair
    too = known_at(house.second, ann)
    for _ in range(TIMES):
        table = ann.open("qwixx", 2, people=["Ann", "Al"])
        too.look(table)
        answers = at_once(partial(ann.do, table, "start"), partial(too.do, table, "start"))
        check_one_wins(answers, 409, "not-now")
        whats = [type(entry.what) for entry in read_logs(house.database)[table]]
        assert whats == [Created, Sat, Sat, Started]


def test_a_seat_is_claimed_once(house: House, pair: tuple[Guest, Guest]) -> None:
    ann, ben = pair
    cleo = house.first.guest("Cleo")
    for _ in range(TIMES):
        table = ann.open("qwixx", 2, visibility="open", people=["Ann", "Al"], start=True)
        key = ann.ask("POST", f"/api/tables/{table}/seats/1/key")["key"]
        answers = at_once(
            partial(cleo.do, table, "claim", key=key), partial(ben.do, table, "claim", key=key)
        )
        check_one_wins(answers, 403, "not-allowed")
        log = read_logs(house.database)[table]
        assert [entry.what for entry in log].count(Claimed(1)) == 1


def test_a_rematch_has_one_table(house: House, pair: tuple[Guest, Guest]) -> None:
    ann, ben = pair
    for _ in range(TIMES):
        table = ann.open("qwixx", 2, visibility="open", people=["Ann"])
        ben.do(table, "sit", seat=1, name="Ben")
        ann.do(table, "start")
        ben.look(table)
        ann.do(table, "resign", seat=0)
        answers = at_once(
            partial(ann.do, table, "rematch", id="again"),
            partial(ben.do, table, "rematch", id="again"),
        )
        assert not any(isinstance(answer, Refused) for answer in answers)
        logs = read_logs(house.database)
        old = Table.read(table, logs[table])
        assert [type(entry.what) for entry in logs[table]].count(Rematched) == 1
        new = Table.read(str(old.again), logs[str(old.again)])
        assert new.status == PLAYING
        assert [type(entry.what) for entry in new.entries].count(Started) == 1
        assert [chair and chair.name for chair in new.chairs] == ["Ann", "Ben"]
        assert ben.look(new.id)["state"]["before"] == table


def test_both_servers_list_the_same(house: House, pair: tuple[Guest, Guest]) -> None:
    ann, ben = pair
    stranger = house.second.guest("Cleo")
    table = ann.open("qwirkle", 3, visibility="open", people=["Ann"])
    ben.do(table, "sit", seat=1, name="Ben")
    for guest, path in [(stranger, "/api/tables?game=qwirkle"), (ben, "/api/tables/mine")]:
        guest.ask("GET", path)
        ann.do(table, "react", seat=0, reaction="hello")
        listed = [one for one in guest.ask("GET", path)["tables"] if one["table"] == table]
        assert [one["seq"] for one in listed] == [ann.look(table)["seq"]]


# The bell


def cut_listeners(database: str) -> int:
    """Cut the connections on which workers hear of each other, and return how many there were."""
    with psycopg.connect(database) as connection:
        found = connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND query = %s",
            (f"LISTEN {CHANNEL}",),
        )
        return len(found.fetchall())


def test_what_no_bell_announces_is_found_all_the_same(
    house: House, pair: tuple[Guest, Guest]
) -> None:
    ann, ben = pair
    table = ann.open("qwixx", 2, visibility="open", people=["Ann", "Al"], start=True)
    with ann.socket() as at_first, ben.socket() as at_second:
        seen = [at_first.watch(table)["seq"], at_second.watch(table)["seq"]]
        assert seen == [4, 4]
        cut_listeners(house.database)
        with open_store(house.database) as silent:  # a worker that has lost its bell
            unheard = Entry(5, 10**12, None, None, Reacted(0, "wow"))
            assert wait(silent.append(Append(table, [unheard]))) is True
        for socket in (at_first, at_second):
            update = socket.receive_until("update")
            assert [entry["seq"] for entry in update["entries"]] == [5]
        ann.do(table, "move", seat=0, move="-")
        for socket in (at_first, at_second):
            assert socket.receive_until("update")["seq"] == 6


class Ears:
    """Hears a bell, and knows which logs have grown how far."""

    def __init__(self) -> None:
        self.heard: dict[str, int] = {}

    def hear(self, table: str, seq: int) -> None:
        self.heard[table] = max(seq, self.heard.get(table, 0))

    async def expect(self, bell: Bell, table: str, seq: int) -> None:
        """Ring until it is heard; who has just come may miss the first time."""
        async with asyncio.timeout(PATIENCE):
            while self.heard.get(table, 0) < seq:
                bell.ring(table, seq)
                await asyncio.sleep(0.01)


def test_every_worker_hears_every_bell(postgres_url: str) -> None:
    async def run() -> None:
        bells = [Bell(read_url(postgres_url)) for _ in range(3)]
        ears = [Ears() for _ in bells]
        for bell, ear in zip(bells, ears, strict=True):
            bell.listen(ear.hear)
        for ear in ears:
            await ear.expect(bells[0], "first", 1)
        many = {f"table-{number:04}": number for number in range(1, 2 * LONGEST_PAYLOAD // 10)}
        for table, seq in many.items():
            bells[1].ring(table, seq)
        for ear in ears:
            await ear.expect(bells[1], "last", 1)  # what is rung in order is heard in order
            assert many.items() <= ear.heard.items()
        for bell in bells:
            await bell.close()

    wait(run())


def test_a_bell_that_was_cut_is_heard_again(postgres_url: str) -> None:
    async def run() -> None:
        bell, ear = Bell(read_url(postgres_url)), Ears()
        bell.listen(ear.hear)
        await ear.expect(bell, "one", 1)
        assert await asyncio.to_thread(cut_listeners, postgres_url) == 1
        await ear.expect(bell, "one", 2)
        await bell.close()

    wait(run())
