"""Measures the club: sockets with quick updates, durable moves a second, memory for each table.

Everything runs on this machine over the loopback, for a bounded time; server and players share
its cores. `python -m benchmarks.club` does all of it, `python -m benchmarks.club sockets` a part.
"""

import argparse
import asyncio
import gc
import itertools
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import msgspec
import uvloop
from rich.console import Console
from websockets.asyncio.client import ClientConnection, connect

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))  # where the real parts are

from clubhouse import Club, Guest
from postgres import Postgres

SEATS = 4
QUICK = 0.100
"""Seconds within which the others should see a move."""
LEVELS = (100, 200, 300, 400, 500, 600, 800)
"""Tables of four, so many at once."""

console = Console()


class View(msgspec.Struct):
    legal: list[str]


class State(msgspec.Struct):
    status: str


class Frame(msgspec.Struct):
    """What a player reads of a frame; the rest is skipped."""

    type: str
    seq: int = 0
    state: State | None = None
    views: list[View] = []
    message: str = ""


_read = msgspec.json.Decoder(Frame).decode


@dataclass
class Counts:
    """What all players saw."""

    moves: int = 0
    delays: list[float] = field(default_factory=list)

    def at(self, share: float) -> float:
        """Return the delay that a share of all updates did not exceed."""
        return sorted(self.delays)[int((len(self.delays) - 1) * share)]


class Player:
    """One socket in one seat."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.seq = 0
        self.legal: list[str] = []
        self.is_over = False
        self.done: list[int] = []
        """The numbers of the entries that this player's moves became."""
        self.arrivals: dict[int, float] = {}
        self._news = asyncio.Event()

    async def read(self) -> None:
        """Take in what comes, until the socket is closed."""
        async for text in self.socket:
            frame = _read(text)
            if frame.type == "ack":
                self.done.append(frame.seq)
            elif frame.type == "update":
                now = time.perf_counter()
                self.arrivals |= dict.fromkeys(range(self.seq + 1, frame.seq + 1), now)
                self.seq = frame.seq
                self.legal = frame.views[0].legal if frame.views else []
                self.is_over = frame.state is not None and frame.state.status == "over"
            else:
                raise RuntimeError(frame.message)
            self._news.set()

    async def send(self, **frame: object) -> None:
        await self.socket.send(msgspec.json.encode(frame), text=True)

    async def move(self, table: str, seat: int, rng: Random) -> int:
        """Make a move and return the number of its entry once it is stored."""
        known = len(self.done)
        move = rng.choice(self.legal)
        self.legal = []
        await self.send(
            do="command", table=table, command={"do": "move", "seat": seat, "move": move}
        )
        await self.until(lambda: len(self.done) > known)
        return self.done[known]

    async def until(self, holds: Callable[[], bool]) -> None:
        """Wait until something holds."""
        while not holds():
            self._news.clear()
            await self._news.wait()

    async def sees(self, seq: int) -> None:
        """Wait until this player has been told of an entry."""
        await self.until(lambda: self.seq >= seq)


def open_table(guests: list[Guest], game: str) -> str:
    """Sit four guests down at a new table and begin."""
    host, *others = guests
    table = host.open(game, SEATS, visibility="open", people=["P0"])
    for seat, guest in enumerate(others, 1):
        guest.do(table, "sit", seat=seat, name=f"P{seat}")
    host.do(table, "start")
    return table


@asynccontextmanager
async def seated(guests: list[Guest], table: str) -> AsyncIterator[list[Player]]:
    """Connect a socket for every seat of a table."""
    async with AsyncExitStack() as stack:
        players = []
        for guest in guests:
            cookie = "; ".join(f"{name}={value}" for name, value in guest.http.cookies.items())
            address = guest.club.url.replace("http", "ws") + "/api/socket"
            socket = await stack.enter_async_context(
                connect(
                    address,
                    additional_headers={"Cookie": cookie},
                    compression=None,
                    max_size=None,
                    ping_interval=None,
                    open_timeout=60,
                )
            )
            players.append(Player(socket))
        reading = [asyncio.create_task(player.read()) for player in players]
        for player in players:
            await player.send(do="watch", table=table, since=None)
            await player.sees(1)
        yield players
        for task in reading:
            task.cancel()


async def play_paced(table: str, players: list[Player], counts: Counts, until: float) -> None:
    """Make a move a second, and note how long it takes to everybody else's screen."""
    rng = Random(table)
    await asyncio.sleep(rng.random())
    while time.perf_counter() < until:
        began = time.perf_counter()
        able = [seat for seat, player in enumerate(players) if player.legal]
        if not able:
            return
        seat = rng.choice(able)
        seq = await players[seat].move(table, seat, rng)
        for other in players:
            await other.sees(seq)
            if other is not players[seat]:
                counts.delays.append(other.arrivals[seq] - began)
        counts.moves += 1
        await asyncio.sleep(max(0.0, began + 1 - time.perf_counter()))


async def play_fast(table: str, players: list[Player], counts: Counts, until: float) -> None:
    """Let every seat move as soon as it may."""
    rng = Random(table)
    while time.perf_counter() < until and not players[0].is_over:
        able = [seat for seat, player in enumerate(players) if player.legal]
        moves = [players[seat].move(table, seat, rng) for seat in able]
        last = max(await asyncio.gather(*moves))
        counts.moves += len(moves)
        for player in players:
            await player.sees(last)


Playing = Callable[[str, list[Player], Counts, float], Awaitable[None]]


async def play_many(
    clubs: list[list[Guest]], tables: list[str], playing: Playing, seconds: float
) -> tuple[Counts, float]:
    """Play at many tables at once; return what was seen and how long it took."""
    counts = Counts()
    async with AsyncExitStack() as stack:
        seats = [
            await stack.enter_async_context(seated(guests, table))
            for guests, table in zip(itertools.cycle(clubs), tables, strict=False)
        ]
        began = time.perf_counter()
        await asyncio.gather(
            *(
                playing(table, players, counts, began + seconds)
                for table, players in zip(tables, seats, strict=True)
            )
        )
        took = time.perf_counter() - began
    return counts, took


@contextmanager
def a_club(database: str, folder: Path, workers: int = 1) -> Iterator[tuple[Club, list[Guest]]]:
    """Run a club with four guests."""
    with Club(database, folder / "club.log", workers=str(workers)) as club:
        yield club, [club.guest(f"P{seat}") for seat in range(SEATS)]


def measure_sockets(folder: Path, seconds: float) -> None:
    """Find how many sockets one worker on SQLite serves within the time that feels immediate."""
    console.rule("live tables of four Qwixx players, a move a second at each; one worker, SQLite")
    with a_club(f"sqlite:///{folder / 'sockets.db'}", folder) as (_, guests):
        for count in LEVELS:
            with console.status(f"{count * SEATS} sockets"):
                tables = [open_table(guests, "qwixx") for _ in range(count)]
                counts, _ = uvloop.run(play_many([guests], tables, play_paced, seconds))
            console.print(
                f"{count * SEATS:6} sockets {counts.moves / seconds:6.0f} moves/s   to the others: "
                f"p50 {counts.at(0.5) * 1000:6.1f} ms  p99 {counts.at(0.99) * 1000:6.1f} ms"
            )
            if counts.at(0.99) > QUICK:
                return


def measure_moves(folder: Path, seconds: float) -> None:
    """Count durable moves a second: every move is on the disk before it is acknowledged."""
    console.rule("durable moves a second, as fast as 60 tables of four can, every move to all four")
    with ExitStack() as stack:
        postgres = stack.enter_context(Postgres())
        for name, database, workers in (
            ("SQLite, 1 worker", f"sqlite:///{folder / 'moves.db'}", 1),
            ("PostgreSQL, 1 worker", postgres.new_database(), 1),
            ("PostgreSQL, 2 workers", postgres.new_database(), 2),
        ):
            with a_club(database, folder, workers) as (_, guests), console.status(name):
                tables = [open_table(guests, "qwixx") for _ in range(60)]
                counts, took = uvloop.run(play_many([guests], tables, play_fast, seconds))
            console.print(f"{name:24} {counts.moves / took:6.0f} moves/s acknowledged")


def measure_memory(folder: Path, seconds: float) -> None:
    """Weigh tables that are at hand in the middle of their games."""
    console.rule("memory of a table in the middle of its game")
    count = 200
    with a_club(f"sqlite:///{folder / 'memory.db'}", folder) as (club, guests):
        tables = [open_table(guests, "qwixx") for _ in range(count)]
        uvloop.run(play_many([guests], tables, play_fast, seconds / 2))
        club.kill()
        club.start()
        guests[0].look(tables[0])
        before, entries = _memory(club.pid), 0
        for table in tables[1:]:
            entries += int(guests[0].look(table)["seq"])
        each = (_memory(club.pid) - before) / (count - 1)
        console.print(f"{each / 1000:.0f} kB a table with {entries / (count - 1):.0f} entries")


def _memory(process: int) -> int:
    """Return the bytes of memory that a process has in use."""
    status = Path(f"/proc/{process}/status").read_text()
    line = next(line for line in status.splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) * 1024


PARTS = {"sockets": measure_sockets, "moves": measure_moves, "memory": measure_memory}


def main() -> None:
    """Measure what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], help="what to measure")
    parser.add_argument("--seconds", type=float, default=10.0, help="how long each takes")
    options = parser.parse_args()
    gc.disable()  # the players' own pauses are not the club's
    with tempfile.TemporaryDirectory() as folder:
        for part in options.parts or PARTS:
            PARTS[part](Path(folder), options.seconds)


if __name__ == "__main__":
    main()
