"""The writer: one thread that commits whatever waits in one transaction, so that commits are shared."""

import asyncio
import contextlib
import queue
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from sqlalchemy import Connection, Engine, bindparam, insert, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DataError, IntegrityError

from qlub.club.entries import Entry, write_body
from qlub.club.store.schema import entries, members, results, tables

LARGEST_BATCH = 400

_CHANGE = (
    update(tables)
    .where(tables.c.id == bindparam("table"))
    .values(status=bindparam("status"), due=bindparam("due"))
)


@dataclass(frozen=True)
class Append:
    """Entries for the end of one log, and what else must be true once they are there.

    They are stored together or, if somebody else has written to that log meanwhile, not at all.
    """

    table: str
    entries: Sequence[Entry]
    row: dict[str, Any] | None = None
    """The row of a table that is new."""
    change: dict[str, Any] | None = None
    """The status of a table that is there, and when somebody must look after it."""
    members: Sequence[str] = ()
    """Guests who are at the table from now on."""
    results: Sequence[dict[str, Any]] = ()
    also: "Append | None" = None
    """A new table that comes into being with these entries."""

    def rows(self) -> list[dict[str, Any]]:
        return [
            {
                "table_id": self.table,
                "seq": entry.seq,
                "at": entry.at,
                "guest": entry.guest,
                "command": entry.command,
                "body": write_body(entry.what),
            }
            for entry in self.entries
        ]


@dataclass
class _Waiting:
    append: Append
    loop: asyncio.AbstractEventLoop
    stored: "asyncio.Future[bool]"

    def answer(self, is_stored: bool) -> None:
        if not self.stored.done():
            self.stored.set_result(is_stored)

    def fail(self, error: BaseException) -> None:
        if not self.stored.done():
            self.stored.set_exception(error)


class _Torn(Exception):
    """Another worker wrote the first of some entries, but not the last: none may be stored."""


class Writer:
    """Takes appends from the event loop and commits them in the order in which they came."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        dialect = postgresql if engine.dialect.name == "postgresql" else sqlite
        self._insert = (
            dialect.insert(entries)
            .on_conflict_do_nothing()
            .returning(entries.c.table_id, entries.c.seq, entries.c.command)
        )
        self._insert_member = dialect.insert(members).on_conflict_do_nothing()
        self._queue: queue.SimpleQueue[_Waiting | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="qlub-writer", daemon=True)
        self._thread.start()

    async def append(self, append: Append) -> bool:
        """Store an append; returns once it is on the disk, or False if it came too late."""
        loop = asyncio.get_running_loop()
        waiting = _Waiting(append, loop, loop.create_future())
        self._queue.put(waiting)
        return await waiting.stored

    def close(self) -> None:
        """Commit what waits, then end."""
        self._queue.put(None)
        self._thread.join()

    def _run(self) -> None:
        while (first := self._queue.get()) is not None:
            batch = [first]
            goes_on = True
            while len(batch) < LARGEST_BATCH and goes_on:
                try:
                    another = self._queue.get_nowait()
                except queue.Empty:
                    break
                if another is None:
                    goes_on = False
                else:
                    batch.append(another)
            self._store(batch)
            if not goes_on:
                return

    def _store(self, batch: list[_Waiting]) -> None:
        try:
            stored = self._commit([waiting.append for waiting in batch])
        except (_Torn, IntegrityError, DataError) as error:  # one is to blame, not the database
            if len(batch) > 1:
                for waiting in batch:
                    self._store([waiting])
            elif isinstance(error, _Torn):
                _tell(batch, partial(_Waiting.answer, is_stored=False))
            else:
                _tell(batch, partial(_Waiting.fail, error=error))
        except Exception as error:  # noqa: BLE001 - whatever it is, who waits must hear of it
            _tell(batch, partial(_Waiting.fail, error=error))
        else:
            _tell(batch, lambda waiting: waiting.answer(id(waiting.append) in stored))

    def _commit(self, appends: list[Append]) -> set[int]:
        """Store the appends in one transaction and return those that came in time."""
        with self.engine.begin() as connection:
            # One order everywhere: two workers that hold each other's rows would wait for ever.
            ordered = sorted(appends, key=lambda append: append.table)
            rows = [row for append in ordered for row in append.rows()]
            written = {tuple(row) for row in connection.execute(self._insert, rows)}
            won = []
            for append in ordered:
                wanted = {(append.table, entry.seq, entry.command) for entry in append.entries}
                if stored := wanted & written:
                    if stored != wanted:
                        raise _Torn
                    written -= stored  # another in this batch that wants the same came too late
                    won.append(append)
            self._follow_up(connection, won)
            return {id(append) for append in won}

    def _follow_up(self, connection: Connection, won: list[Append]) -> None:
        also = [append.also for append in won if append.also]
        if also:
            connection.execute(insert(entries), [row for append in also for row in append.rows()])
        rows = [append.row for append in (*won, *also) if append.row]
        if rows:
            connection.execute(insert(tables), rows)
        came = [
            {"table_id": append.table, "guest": guest}
            for append in (*won, *also)
            for guest in append.members
        ]
        if came:
            connection.execute(self._insert_member, came)
        changes = [{"table": append.table, **append.change} for append in won if append.change]
        if changes:
            connection.execute(_CHANGE, changes)
        ended = [row for append in won for row in append.results]
        if ended:
            connection.execute(insert(results), ended)


def _tell(batch: list[_Waiting], answer: Callable[[_Waiting], None]) -> None:
    """Wake everybody who waits for a batch, with one call into each event loop."""
    for loop in {waiting.loop for waiting in batch}:
        mine = [waiting for waiting in batch if waiting.loop is loop]
        with contextlib.suppress(RuntimeError):  # the loop has ended, and nobody waits any more
            loop.call_soon_threadsafe(_answer_all, mine, answer)


def _answer_all(batch: list[_Waiting], answer: Callable[[_Waiting], None]) -> None:
    for waiting in batch:
        answer(waiting)
