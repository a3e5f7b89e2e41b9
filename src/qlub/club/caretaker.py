"""The caretaker: lets bots decide, watches the clocks, and keeps the ratings.

Every table that waits for a bot or a clock says in the database when somebody must look after it.
So what a worker owed when it died is done by another, or by the same after its restart.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine
from itertools import count

import structlog

from qlub.club.entries import Closed, Moved
from qlub.club.errors import NotSaved
from qlub.club.metrics import BOT_FAILURES
from qlub.club.room import Room, now
from qlub.club.ruling import decide
from qlub.club.store.store import Store
from qlub.club.table import GATHERING, OVER, PATIENCE, PLAYING, Table
from qlub.club.thinkers import Choice, Thinkers
from qlub.core.errors import QlubError

SWEEP = 1.0
"""Seconds between two looks for bots and people who are late."""

log = structlog.get_logger("qlub.caretaker")


class Caretaker:
    """Does what no guest asks for."""

    def __init__(
        self,
        store: Store,
        thinkers: Thinkers,
        pace: float,
        find: Callable[[str], Awaitable[Room]],
    ) -> None:
        self.store = store
        self.thinkers = thinkers
        self.pace = pace
        self._find = find
        self._has_results = True
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self) -> None:
        """Begin to look after all tables."""
        self.spawn(self._sweep())

    async def close(self) -> None:
        """Stop; what is owed stays owed, and the database knows."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def spawn(self, work: Coroutine[None, None, None]) -> None:
        """Do something meanwhile."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def follow(self, room: Room) -> None:
        """See to what new entries of this worker bring about."""
        self._has_results |= room.table.status == OVER
        self._wake_bots(room)

    def _wake_bots(self, room: Room) -> None:
        for seat, bot in room.table.bots_to_act():
            self._wake_bot(room, seat, bot, "bot")

    def _wake_bot(self, room: Room, seat: int, bot: str, by: str) -> None:
        if seat not in room.thinking:
            room.thinking.add(seat)
            self.spawn(self._think(room, seat, bot, by))

    async def _think(self, room: Room, seat: int, bot: str, by: str) -> None:
        """Let a bot decide for a seat, at a pace that people can follow."""
        try:
            match, since = room.table.playing(), room.table.waiting[seat]
            began = time.monotonic()
            choice = await self.thinkers.choose(match.game, bot, match.state.view(seat))
            if choice.failure:
                BOT_FAILURES.labels(choice.failure).inc()
            if by == "bot":
                await asyncio.sleep(self.pace - (time.monotonic() - began))
        finally:
            room.thinking.discard(seat)
        try:
            await room.write(lambda table: bot_move(table, room.secret, seat, since, by, choice))
        except QlubError as error:
            log.warning("a bot's move waits", table=room.table.id, seat=seat, why=str(error))
        else:
            self._wake_bots(room)  # the seat may have been handed over again meanwhile

    async def _sweep(self) -> None:
        """Look after every table where a bot or a person is late, also those of dead workers."""
        is_first = not self.store.is_shared  # nobody else looks after what we owed before
        for number in count():
            try:
                if is_first:
                    await self.store.hurry(now(), PATIENCE)
                    is_first = False
                self._has_results |= number % 60 == 0  # also those of workers that died
                await self._look_after_all(now())
            except NotSaved:
                log.warning("the database does not answer")
            except Exception:
                log.exception("looking after tables failed")
            await asyncio.sleep(SWEEP)

    async def _look_after_all(self, moment: int) -> None:
        if self._has_results:
            self._has_results = False  # first, so that a game that ends meanwhile is not forgotten
            try:
                while await self.store.rate():
                    pass
            except NotSaved:
                self._has_results = True
                raise
        for name in await self.store.claim_due(moment, moment + PATIENCE):
            try:
                await self._look_after(await self._find(name), moment)
            except NotSaved:
                raise
            except Exception:  # one bad table must not stop the care for all others
                log.exception("looking after a table failed", table=name)

    async def _look_after(self, room: Room, moment: int) -> None:
        await room.read_on()
        table = room.table
        if table.status == GATHERING and moment >= (table.due() or 0):
            await room.write(lambda table: Closed() if table.status == GATHERING else None)
            return
        self._wake_bots(room)
        for seat, deadline in table.deadlines().items():
            if deadline <= moment:
                self._wake_bot(room, seat, self.thinkers.stand_in(table.game), "clock")
        due = table.due()
        is_late = due is not None and due <= moment
        await self.store.set_due(table.id, moment + PATIENCE, moment + PATIENCE if is_late else due)


def bot_move(
    table: Table, secret: bytes, seat: int, since: int, by: str, choice: Choice
) -> Moved | None:
    """Return a bot's move if it is still wanted: nobody has decided meanwhile or come back."""
    if table.status != PLAYING or table.waiting.get(seat) != since:
        return None
    if table.chair(seat).is_played_by_person == (by == "bot"):
        return None
    return Moved(seat, by, decide(table, secret, seat, choice.move), choice.failure)
