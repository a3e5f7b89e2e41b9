"""The store: logs, guests, lists of tables, results and ratings."""

import asyncio
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import structlog
from sqlalchemy import Connection, Engine, Select, func, insert, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import SQLAlchemyError

from qlub.club.entries import Entry, read_body
from qlub.club.errors import NotSaved
from qlub.club.ratings import rate_games
from qlub.club.store.schema import entries, guests, keys, members, ratings, results, tables
from qlub.club.store.writer import Append, Writer

T = TypeVar("T")
Row = Mapping[str, Any]

READERS = 4

log = structlog.get_logger("qlub.store")


class Store:
    """One database, used from an event loop; what blocks runs in threads.

    Whatever goes wrong with the database is `NotSaved`: nothing was acknowledged, try again.
    """

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._writing = engine.execution_options(writes=True)
        self._writer = Writer(self._writing)
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="qlub-reader")
        dialect = postgresql if engine.dialect.name == "postgresql" else sqlite
        self._insert_key = dialect.insert(keys).on_conflict_do_nothing()

    @property
    def is_shared(self) -> bool:
        """Whether other workers may write to this database too."""
        return self.engine.dialect.name == "postgresql"

    def close(self) -> None:
        """Commit what waits and let go of the database."""
        self._writer.close()
        self._readers.shutdown()
        self.engine.dispose()

    async def append(self, append: Append) -> bool:
        """Store entries for good; False if another worker wrote to this log first."""
        try:
            return await self._writer.append(append)
        except (SQLAlchemyError, OSError) as error:
            raise _not_saved(error) from error

    async def row(self, table: str) -> Row | None:
        """Return the row of a table."""
        return await self._one(select(tables).where(tables.c.id == table))

    async def log(self, table: str, after: int = 0) -> list[Entry]:
        """Return the entries of a log after a number."""
        rows = await self._all(
            select(entries)
            .where(entries.c.table_id == table, entries.c.seq > after)
            .order_by(entries.c.seq)
        )
        return [
            Entry(row["seq"], row["at"], row["guest"], row["command"], read_body(row["body"]))
            for row in rows
        ]

    async def last(self, ids: Sequence[str]) -> dict[str, int]:
        """Return the number of the last entry of each of some logs."""
        rows = await self._all(
            select(entries.c.table_id, func.max(entries.c.seq).label("seq"))
            .where(entries.c.table_id.in_(ids))
            .group_by(entries.c.table_id)
        )
        return {row["table_id"]: row["seq"] for row in rows}

    async def open_tables(self, status: str, game: str | None, limit: int) -> list[str]:
        """Return the tables that anybody may see, the newest first."""
        query = select(tables.c.id).where(tables.c.status == status, tables.c.visibility == "open")
        if game is not None:
            query = query.where(tables.c.game == game)
        rows = await self._all(query.order_by(tables.c.created.desc(), tables.c.id).limit(limit))
        return [row["id"] for row in rows]

    async def tables_of(self, guest: str, statuses: Sequence[str], limit: int) -> list[str]:
        """Return the tables at which a guest is, the newest first."""
        query = (
            select(tables.c.id)
            .join(members, members.c.table_id == tables.c.id)
            .where(members.c.guest == guest, tables.c.status.in_(statuses))
            .order_by(tables.c.created.desc(), tables.c.id)
            .limit(limit)
        )
        return [row["id"] for row in await self._all(query)]

    async def count_hosted(self, guest: str) -> int:
        """Return how many tables of a guest have not ended."""
        query = select(func.count().label("count")).where(
            tables.c.host == guest, tables.c.status.in_(("gathering", "playing"))
        )
        row = await self._one(query.select_from(tables))
        return int(row["count"]) if row else 0

    async def claim_due(self, now: int, until: int, limit: int = 50) -> list[str]:
        """Return tables that somebody must look after now; nobody else is given them for a while."""
        late = select(tables.c.id).where(tables.c.due <= now).order_by(tables.c.due).limit(limit)
        if not await self._all(late.limit(1)):  # mostly so; then no lock is needed
            return []
        claim = update(tables).where(tables.c.id.in_(late.with_for_update(skip_locked=True)))

        def run(connection: Connection) -> list[str]:
            claimed = connection.execute(claim.values(due=until).returning(tables.c.id))
            return [row[0] for row in claimed]

        return await self._write(run)

    async def hurry(self, now: int, patience: int) -> None:
        """Make everything due now that is due soon: for a club that has just been opened."""
        soon = (tables.c.status == "playing", tables.c.due > now, tables.c.due <= now + patience)
        await self._write(
            lambda connection: connection.execute(update(tables).where(*soon).values(due=now))
        )

    async def set_due(self, table: str, claimed: int, due: int | None) -> None:
        """Say when a table that was claimed is due again, unless an entry has said so meanwhile."""
        here = (tables.c.id == table, tables.c.due == claimed)
        await self._write(
            lambda connection: connection.execute(update(tables).where(*here).values(due=due))
        )

    async def save_guest(self, guest: str, name: str) -> None:
        """Remember a guest, or a guest's new name."""

        def run(connection: Connection) -> None:
            changed = connection.execute(
                update(guests).where(guests.c.id == guest).values(name=name)
            )
            if not changed.rowcount:
                connection.execute(
                    insert(guests).values(id=guest, name=name, created=time.time_ns() // 1_000_000)
                )

        await self._write(run)

    async def guest_name(self, guest: str) -> str | None:
        """Return the name of a guest."""
        row = await self._one(select(guests.c.name).where(guests.c.id == guest))
        return None if row is None else str(row["name"])

    async def results_of(self, guest: str, limit: int) -> list[Row]:
        """Return the last results of a guest, the newest first."""
        query = select(results).where(results.c.player == guest)
        return await self._all(query.order_by(results.c.at.desc(), results.c.seat).limit(limit))

    async def ratings_of(self, guest: str) -> list[Row]:
        """Return the ratings of a guest, by game and number of seats."""
        query = select(ratings).where(ratings.c.player == guest)
        return await self._all(query.order_by(ratings.c.game, ratings.c.seats))

    async def leaders(self, game: str, seats: int, limit: int) -> list[Row]:
        """Return the players of a game for so many seats, the best first."""
        cautious = ratings.c.mu - 3 * ratings.c.sigma
        query = select(ratings).where(ratings.c.game == game, ratings.c.seats == seats)
        return await self._all(query.order_by(cautious.desc(), ratings.c.player).limit(limit))

    async def rate(self) -> int:
        """Work results into the ratings, each game once, and return how many there were."""
        return await self._write(rate_games)

    async def key(self, name: str) -> bytes:
        """Return a secret key of this club; whoever asks first makes it."""

        def run(connection: Connection) -> bytes:
            connection.execute(self._insert_key.values(name=name, value=secrets.token_bytes(32)))
            value: bytes = connection.execute(
                select(keys.c.value).where(keys.c.name == name)
            ).scalar_one()
            return value

        return await self._write(run)

    async def check(self) -> None:
        """See whether the database answers."""
        await self._one(select(keys.c.name).limit(1))

    async def _all(self, query: Select[Any]) -> list[Row]:
        def run() -> list[Row]:
            with self.engine.connect() as connection:
                return [dict(row._mapping) for row in connection.execute(query)]

        return await self._threaded(run)

    async def _one(self, query: Select[Any]) -> Row | None:
        rows = await self._all(query)
        return rows[0] if rows else None

    async def _write(self, run: Callable[[Connection], T]) -> T:
        def write() -> T:
            with self._writing.begin() as connection:
                return run(connection)

        return await self._threaded(write)

    async def _threaded(self, run: Callable[[], T]) -> T:
        try:
            return await asyncio.get_running_loop().run_in_executor(self._readers, run)
        except (SQLAlchemyError, OSError) as error:
            raise _not_saved(error) from error


def _not_saved(error: Exception) -> NotSaved:
    """Tell the host what the database said: its own words, without what was to be stored."""
    said = str(getattr(error, "orig", None) or type(error).__name__).strip()
    log.warning("the database failed", why=said.splitlines()[0] if said else "")
    return NotSaved()
