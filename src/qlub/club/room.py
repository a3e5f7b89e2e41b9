"""A room: one table in use, and the one way to change it.

Whoever wants something makes a wish. Wishes that come together are ruled on one after the other,
appended, committed, and only then shown to everybody and answered. If another worker was faster,
the log is read on and the rulings are made again.
"""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeAlias

import structlog

from qlub.club.entries import AnyWhat, Entry
from qlub.club.errors import NotSaved
from qlub.club.metrics import ENTRIES, GAMES, NOT_SAVED
from qlub.club.store.store import Store
from qlub.club.store.writer import Append
from qlub.club.table import OVER, Table
from qlub.club.telling import Teller, results_of
from qlub.core.errors import QlubError

TRIES = 20
"""How often wishes are ruled on again because other workers were faster."""

Make: TypeAlias = Callable[[Table], AnyWhat | None]
"""Says what is to happen at a table; it may refuse, or return None if there is nothing to do."""

log = structlog.get_logger("qlub.room")


class Watcher(Protocol):
    """Somebody who wants to know when something has happened at a table."""

    def wake(self, table: str) -> None: ...


@dataclass(eq=False)
class _Wish:
    """Something that somebody wants to happen, and who waits for the number of its entry."""

    guest: str | None
    command: str | None
    make: Make
    also: Append | None
    seq: "asyncio.Future[int]"
    has_been_doubted: bool = False

    def rule_on(self, table: Table) -> tuple[Table, int]:
        """Return the table as it will be and the number of the entry; it may be an old one."""
        if self.command in table.answers:
            return table, table.answers[self.command]
        what = self.make(table)
        if what is None:
            return table, table.seq
        entry = Entry(table.seq + 1, now(), self.guest, self.command, what)
        return table.after(entry), entry.seq

    def grant(self, seq: int) -> None:
        if not self.seq.done():
            self.seq.set_result(seq)

    def refuse(self, error: Exception) -> None:
        if not self.seq.done():
            self.seq.set_exception(error)


class Room:
    """A table that is in use in this worker."""

    def __init__(
        self,
        table: Table,
        secret: bytes,
        invite: str,
        store: Store,
        follow: "Callable[[Room], None]",
    ) -> None:
        self.secret = secret
        self.invite = invite
        self.watchers: set[Watcher] = set()
        self.thinking: set[int] = set()
        """The seats for which a bot of this worker is thinking."""
        self.is_stale = False
        """Whether the log may hold more than the table has taken."""
        self._store = store
        self._follow = follow
        self._lock = asyncio.Lock()
        self._wishes: list[_Wish] = []
        self._writing: asyncio.Task[None] | None = None
        self.show(table)

    @property
    def is_idle(self) -> bool:
        """Whether nobody would miss this room if it were put away."""
        return not (self.watchers or self.thinking or self._writing or self._lock.locked())

    def show(self, table: Table) -> None:
        """Go on with a table whose entries are all stored, and wake everybody who watches."""
        self.table = table
        self.teller = Teller(table, self.secret)
        for watcher in self.watchers:
            watcher.wake(table.id)

    async def read_on(self) -> None:
        """Take what other workers have written."""
        async with self._lock:
            await self._read_on()

    async def write(
        self,
        make: Make,
        guest: str | None = None,
        request: str | None = None,
        also: Append | None = None,
    ) -> int:
        """Write what `make` returns at the end of the log; return its number once it is stored.

        A request with an id is carried out once; asked again, the first number is returned.
        """
        command = f"{guest}/{request}" if request else None
        wish = _Wish(guest, command, make, also, asyncio.get_running_loop().create_future())
        self._wishes.append(wish)
        if self._writing is None:
            self._writing = asyncio.create_task(self._fulfil())
        return await wish.seq

    async def finish(self) -> None:
        """Wait until nothing is being written."""
        if self._writing:
            await asyncio.wait([self._writing])

    async def _fulfil(self) -> None:
        """Fulfil wishes until there are none; what came meanwhile goes together."""
        try:
            while self._wishes:
                wishes, self._wishes = self._wishes, []
                async with self._lock:
                    await self._fulfil_all(wishes)
        finally:
            self._writing = None
            left, self._wishes = self._wishes, []  # some only if we were cancelled
            for wish in left:
                wish.refuse(NotSaved())

    async def _fulfil_all(self, wishes: list[_Wish]) -> None:
        try:
            if self.is_stale:
                await self._read_on()
            for _ in range(TRIES):
                wishes = await self._try(wishes)
                if not wishes:
                    return
                await self._read_on()
            raise NotSaved
        except BaseException as error:  # perhaps stored, perhaps not: the log will tell
            self.is_stale = True
            NOT_SAVED.inc(len(wishes))
            for wish in wishes:
                wish.refuse(NotSaved())
            if not isinstance(error, Exception):
                raise
            if not isinstance(error, NotSaved):
                log.exception("storing failed", table=self.table.id)

    async def _try(self, wishes: list[_Wish]) -> list[_Wish]:
        """Rule on wishes and store what follows from them; return those to be tried again."""
        table = self.table
        also: Append | None = None
        granted: list[tuple[_Wish, int]] = []
        refused: list[tuple[_Wish, Exception]] = []
        for wish in wishes:
            try:
                after, seq = wish.rule_on(table)
                if after is not table:
                    table, also = after, also or wish.also
                granted.append((wish, seq))
            except QlubError as error:
                refused.append((wish, error))
            except Exception as error:  # a fault of ours must not hold up the others
                log.exception("a ruling failed", table=table.id)
                refused.append((wish, error))
        if table is not self.table:
            if not await self._store.append(_append(self.table, table, also)):
                return wishes
            for entry in table.entries[self.table.seq :]:
                ENTRIES.labels(type(entry.what).__name__.lower()).inc()
            if table.status == OVER != self.table.status:
                GAMES.labels(table.created.game).inc()
            self.show(table)
            self._follow(self)
        for wish, seq in granted:
            wish.grant(seq)
        return [wish for wish, error in refused if not self._is_refused(wish, error)]

    def _is_refused(self, wish: _Wish, error: Exception) -> bool:
        """Refuse a wish; but where others write too, only after reading on once."""
        if self._store.is_shared and not wish.has_been_doubted:
            wish.has_been_doubted = True
            return False
        wish.refuse(error)
        return True

    async def _read_on(self) -> None:
        entries = await self._store.log(self.table.id, after=self.table.seq)
        table = self.table
        for entry in entries:
            table = table.after(entry)
        self.is_stale = False
        if entries:
            self.show(table)


def _append(before: Table, after: Table, also: Append | None) -> Append:
    """Return what stores the new entries of a table, and what is different with them."""
    change = {"status": after.status, "due": after.due()}
    is_same = change == {"status": before.status, "due": before.due()}
    has_ended = after.status == OVER != before.status
    return Append(
        after.id,
        after.entries[before.seq :],
        change=None if is_same else change,
        members=tuple(after.members - before.members),
        results=results_of(after) if has_ended else (),
        also=also,
    )


def now() -> int:
    """Return the time in milliseconds since 1970."""
    return time.time_ns() // 1_000_000
