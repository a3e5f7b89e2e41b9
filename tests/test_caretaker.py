"""The caretaker asks a bot once for each decision, and drops an answer that nobody wants any more."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from clubhouse import PATIENCE
from logbook import ANN, BEN, COMMANDS, DAN, INVITE, SECRET, Logbook, desk_for
from shelves import shelve

from qlub.club.caretaker import Caretaker, bot_move
from qlub.club.commands import Request
from qlub.club.entries import Moved
from qlub.club.room import Room
from qlub.club.ruling import rule
from qlub.club.store.database import open_engine, read_url
from qlub.club.store.store import Store
from qlub.club.table import OVER
from qlub.club.thinkers import Choice


class Pupil:
    """Stands for all bots: passes, but only when the test says so."""

    def __init__(self) -> None:
        self.asked = 0
        self.may_answer = asyncio.Semaphore(0)

    async def choose(self, game: Any, bot: str, view: Any) -> Choice:
        self.asked += 1
        await self.may_answer.acquire()
        return Choice("-")

    def stand_in(self, game: Any) -> str:
        return "greedy"


class Scene:
    """A room with a table, a caretaker who does not look around on their own, and a pupil."""

    def __init__(self, book: Logbook, store: Store) -> None:
        self.pupil = Pupil()
        self.caretaker = Caretaker(store, self.pupil, 0, self._find)  # type: ignore[arg-type]
        self.room = Room(book.table, SECRET, INVITE, store, self.caretaker.follow)

    async def _find(self, name: str) -> Room:
        return self.room

    async def do(self, guest: str, do: str, **command: object) -> None:
        request: Request = COMMANDS.validate_python({"do": do, **command})
        desk = desk_for(self.room.table.game)
        await self.room.write(lambda table: rule(table, guest, request, desk), guest)

    async def until(self, happened: Callable[[], bool]) -> None:
        async with asyncio.timeout(PATIENCE):
            while not happened():
                await asyncio.sleep(0.001)

    def moves(self) -> list[Moved]:
        entries = self.room.table.entries
        return [entry.what for entry in entries if isinstance(entry.what, Moved)]


def play(book: Logbook, folder: Path, scene: Callable[[Scene], Awaitable[None]]) -> None:
    """Let a scene happen at a table."""
    database = f"sqlite:///{folder / 'club.db'}"
    shelve(database, [book.table])

    async def run() -> None:
        store = Store(open_engine(read_url(database)))
        stage = Scene(book, store)
        try:
            await scene(stage)
        finally:
            await stage.caretaker.close()
            await stage.room.finish()
            store.close()

    asyncio.run(run())


def begun(*guests: str) -> Logbook:
    """Return a game that has just begun; without guests, a bot plays alone."""
    book = Logbook("qwixx", max(1, len(guests)), clock=60)
    for seat, guest in enumerate(guests):
        book.do(guest, "sit", seat=seat, name=f"Person {seat}")
    if not guests:
        book.do(ANN, "bot", seat=0, bot="greedy")
    book.do(ANN, "start")
    return book


def test_a_bot_is_asked_once_for_each_decision(tmp_path: Path) -> None:
    """Alone, a bot decides twice in a turn: the second question comes while the first is answered."""

    async def scene(here: Scene) -> None:
        await here.do(DAN, "enter", invite=INVITE)
        await here.until(lambda: here.pupil.asked == 1)
        here.pupil.may_answer.release()
        await here.until(lambda: here.pupil.asked == 2)
        for guest in (DAN, BEN, ANN):
            await here.do(guest, "enter", invite=INVITE)
        here.pupil.may_answer.release()
        await here.until(lambda: here.pupil.asked == 3)
        assert len(here.moves()) == 2
        assert here.room.thinking == {0}

    play(begun(), tmp_path, scene)


def test_the_bot_of_a_seat_is_asked_when_that_of_the_clock_comes_too_late(tmp_path: Path) -> None:
    async def scene(here: Scene) -> None:
        late = here.room.table.deadlines()[0]
        await here.caretaker._look_after(here.room, late)
        await here.until(lambda: here.pupil.asked == 2)
        await here.do(ANN, "hand", seat=0)
        await here.do(BEN, "move", seat=1, move="-")
        here.pupil.may_answer.release()
        here.pupil.may_answer.release()
        await here.until(lambda: here.pupil.asked == 3)
        here.pupil.may_answer.release()
        await here.until(lambda: any(move.seat == 0 for move in here.moves()))
        assert [(move.seat, move.by) for move in here.moves()][:2] == [(1, "person"), (0, "bot")]

    play(begun(ANN, BEN), tmp_path, scene)


def test_an_answer_that_nobody_wants_any_more_is_dropped() -> None:
    def is_wanted(book: Logbook, by: str, since: int) -> bool:
        return bot_move(book.table, SECRET, 0, since, by, Choice("-")) is not None

    book = begun(ANN, BEN)
    since = book.table.waiting[0]
    assert (is_wanted(book, "clock", since), is_wanted(book, "bot", since)) == (True, False)
    book.do(ANN, "hand", seat=0)
    assert (is_wanted(book, "clock", since), is_wanted(book, "bot", since)) == (False, True)
    book.do(ANN, "resume", seat=0)
    assert (is_wanted(book, "clock", since), is_wanted(book, "bot", since)) == (True, False)
    book.decide(0, "-")
    assert (is_wanted(book, "clock", since), is_wanted(book, "bot", since)) == (False, False)


def test_an_answer_to_one_question_is_none_to_the_next() -> None:
    book = begun(ANN)
    first = book.table.waiting[0]
    book.decide(0, "-")
    second = book.table.waiting[0]
    assert bot_move(book.table, SECRET, 0, first, "clock", Choice("-")) is None
    assert bot_move(book.table, SECRET, 0, second, "clock", Choice("-"))


def test_when_the_game_is_over_no_answer_is_wanted() -> None:
    book = begun(ANN, BEN)
    since = book.table.waiting[0]
    book.do(BEN, "resign", seat=1)
    assert book.table.status == OVER
    assert bot_move(book.table, SECRET, 0, since, "clock", Choice("-")) is None
