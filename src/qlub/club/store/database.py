"""Opens a database by its URL, brings its tables up to date, and sees that nobody else serves it."""

import json
import os
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url, text
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from qlub.core.errors import QlubError, shown
from qlub.core.files import lock

if TYPE_CHECKING:
    from alembic.config import Config

MIGRATION_LOCK = 0x716C7562
"""The number of the lock under which workers on several machines bring a database up to date."""

PATIENCE = 5
"""Seconds to wait for somebody else who writes to the same SQLite file."""

DURABLE = ("journal_mode=WAL", "synchronous=FULL", f"busy_timeout={PATIENCE * 1000}")
"""How SQLite keeps what it has confirmed, and lets others read meanwhile."""


class BadDatabase(QlubError):
    """A database URL that cannot be used, or a database that somebody else serves."""

    word = "bad-database"


def read_url(text: str) -> URL:
    """Read `sqlite:///file` or `postgresql://user@host/name`, or say what is wrong with it."""
    try:
        url = make_url(text)
    except (ArgumentError, ValueError):
        raise BadDatabase(
            "the database is sqlite:///FILE or postgresql://USER@HOST/NAME; this is neither"
        ) from None
    if url.drivername == "sqlite":
        if not url.database or url.database == ":memory:":
            raise BadDatabase("name a file: sqlite:///club.db")
        return url.set(drivername="sqlite+pysqlite", database=str(Path(url.database).expanduser()))
    if url.drivername in ("postgresql", "postgres"):
        return url.set(drivername="postgresql+psycopg")
    raise BadDatabase(f"the database is sqlite:///… or postgresql://…, not {shown(url.drivername)}")


def open_engine(url: URL, pragmas: Sequence[str] = DURABLE) -> Engine:
    """Return an engine for a database; it connects when it is first used."""
    if url.get_backend_name() == "sqlite":
        file = Path(url.database or "")
        file.parent.mkdir(parents=True, exist_ok=True)
        if not file.exists():
            file.touch(mode=0o600)  # it holds all secrets; SQLite's other files get the same mode
        engine = create_engine(url, pool_size=5, max_overflow=5)

        @event.listens_for(engine, "connect")
        def prepare(connection: Any, record: object) -> None:
            connection.isolation_level = None  # transactions begin where we say, see `_begin`
            for pragma in pragmas:
                _set(connection, pragma)

        event.listen(engine, "begin", _begin)
        return engine
    try:
        return create_engine(
            url,
            pool_size=5,
            max_overflow=5,
            pool_pre_ping=True,
            connect_args={"connect_timeout": 5},
        )
    except ModuleNotFoundError:
        raise BadDatabase(
            "PostgreSQL needs one more part: pip install 'qlub[postgresql]'"
        ) from None


def _set(connection: sqlite3.Connection, pragma: str) -> None:
    """Set something; for the kind of journal, SQLite itself waits for nobody who is writing."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            connection.execute(f"PRAGMA {pragma}")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > end:
                raise
        time.sleep(0.01)


def _begin(connection: Any) -> None:
    immediate = connection.get_execution_options().get("writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if immediate else "BEGIN")


def migrate(engine: Engine) -> None:
    """Bring the tables of a database up to date, or make them."""
    with engine.execution_options(writes=True).begin() as connection:
        migrate_within(connection)


def migrate_within(connection: Connection) -> None:
    """Bring the tables up to date as a part of a transaction that has begun."""
    from alembic import command

    config = _migrations()
    config.attributes["connection"] = connection
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": MIGRATION_LOCK})
    command.upgrade(config, "head")


def check_version(connection: Connection, name: str) -> None:
    """Refuse a database without a club, or with that of another version of Qlub."""
    from alembic.runtime.migration import MigrationContext
    from alembic.script import ScriptDirectory

    ours = ScriptDirectory.from_config(_migrations()).get_current_head() or ""
    version = MigrationContext.configure(connection).get_current_revision()
    if version is None:
        raise BadDatabase(f"{name} holds no club")
    if version > ours:
        raise BadDatabase(f"{name} was made by a newer Qlub")
    if version < ours:
        raise BadDatabase(f"{name} was made by an older Qlub; qlub serve brings it up to date")


def _migrations() -> "Config":
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", "qlub.club.store:migrations")
    return config


@contextmanager
def plain_errors(name: str) -> Iterator[None]:
    """Turn what a database says about itself into one line."""
    from alembic.util import CommandError

    try:
        yield
    except CommandError:  # it names a step that we do not know
        raise BadDatabase(f"{name} was made by a newer Qlub") from None
    except SQLAlchemyError as error:
        reason = str(getattr(error, "orig", None) or error).strip().partition("\n")[0]
        raise BadDatabase(f"{name} cannot be used: {reason}") from None


class Claim:
    """The mark beside an SQLite file that says who serves it; it ends with the process.

    SQLite has no way to tell another process of a move, so one file has one server.
    """

    def __init__(self, url: URL, address: str) -> None:
        self._file: IO[str] | None = None
        if url.get_backend_name() == "sqlite":
            path = Path(f"{url.database}.serving")
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = path.open("a+")
            self._take(path, address)

    def close(self) -> None:
        """Let others serve it."""
        if self._file:
            self._file.close()

    def _take(self, path: Path, address: str) -> None:
        if self._file is None:
            return
        if not lock(self._file):
            self._file.seek(0)
            address_of_other = _read_address(self._file.read())
            self._file.close()
            raise AlreadyServed(address_of_other)
        self._file.truncate(0)
        self._file.write(json.dumps({"address": address, "process": os.getpid()}))
        self._file.flush()


class AlreadyServed(BadDatabase):
    """Another process serves this database, perhaps at this address."""

    def __init__(self, address: str | None) -> None:
        where = f" at {address}" if address else ""
        super().__init__(f"this database is already served by another qlub{where}")
        self.address = address


def _read_address(text: str) -> str | None:
    try:
        return str(json.loads(text)["address"])
    except (ValueError, LookupError, TypeError):
        return None
