"""What lies in a club's database: stores for tests, and logs read past the club."""

import asyncio
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from sqlalchemy import Connection, select

from qlub.club.entries import Created, Entry, Reacted, read_body
from qlub.club.store.database import migrate, open_engine, read_url
from qlub.club.store.schema import entries, metadata
from qlub.club.store.store import Store
from qlub.club.store.writer import Append

T = TypeVar("T")

CREATED = Created("qwixx", {}, 2, "open", None, "00" * 32)


@contextmanager
def open_store(database: str) -> Iterator[Store]:
    """Open a database that is up to date."""
    engine = open_engine(read_url(database))
    migrate(engine)
    store = Store(engine)
    try:
        yield store
    finally:
        store.close()


@contextmanager
def open_database(database: str) -> Iterator[Connection]:
    """Look into a database as it is."""
    engine = open_engine(read_url(database))
    try:
        with engine.connect() as connection:
            yield connection
    finally:
        engine.dispose()


def wait(work: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(work)


def wait_for_all(*work: Coroutine[Any, Any, T]) -> list[T]:
    """Do several things at once and return what came of each."""

    async def run() -> list[T]:
        return await asyncio.gather(*work)

    return asyncio.run(run())


def row(table: str, **fields: object) -> dict[str, Any]:
    """Return the row of a table in the store."""
    return {
        "id": table,
        "game": "qwixx",
        "host": "ann",
        "visibility": "open",
        "status": "gathering",
        "created": 1000,
        "secret": b"secret",
        "invite": "invite",
        "due": None,
        **fields,
    }


def creation(table: str, members: tuple[str, ...] = ("ann",), **fields: object) -> Append:
    """Return what stores a new table."""
    created = Entry(1, 1000, "ann", None, CREATED)
    return Append(table, [created], row=row(table, **fields), members=members)


def reaction(seq: int, command: str | None = None, reaction: str = "wow") -> Entry:
    """Return an entry that changes little."""
    return Entry(seq, 1000 + seq, "ann", command, Reacted(0, reaction))


def read_logs(database: str) -> dict[str, list[Entry]]:
    """Return all logs of a database."""
    logs: dict[str, list[Entry]] = {}
    with open_database(database) as connection:
        query = select(entries).order_by(entries.c.table_id, entries.c.seq)
        for one in connection.execute(query):
            entry = Entry(one.seq, one.at, one.guest, one.command, read_body(one.body))
            logs.setdefault(one.table_id, []).append(entry)
    return logs


def read_rows(database: str) -> dict[str, set[tuple[Any, ...]]]:
    """Return everything that a database holds."""
    with open_database(database) as connection:
        return {
            table.name: {tuple(row) for row in connection.execute(select(table))}
            for table in metadata.sorted_tables
        }
