"""Opens a database by its URL, brings its tables up to date, and sees that nobody else serves it."""

import json
import os
from pathlib import Path
from typing import IO, Any

from sqlalchemy import URL, Engine, create_engine, event, make_url, text
from sqlalchemy.exc import ArgumentError

from qlub.core.errors import QlubError, shown

MIGRATION_LOCK = 0x716C7562
"""The number of the lock under which workers on several machines bring a database up to date."""


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
        return url.set(drivername="sqlite+pysqlite")
    if url.drivername in ("postgresql", "postgres"):
        return url.set(drivername="postgresql+psycopg")
    raise BadDatabase(f"the database is sqlite:///… or postgresql://…, not {shown(url.drivername)}")


def open_engine(url: URL) -> Engine:
    """Return an engine for a database; it connects when it is first used."""
    if url.get_backend_name() == "sqlite":
        Path(url.database or "").expanduser().parent.mkdir(parents=True, exist_ok=True)
        engine = create_engine(url, pool_size=5, max_overflow=5)
        event.listen(engine, "connect", _prepare_sqlite)
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


def _prepare_sqlite(connection: Any, record: object) -> None:
    connection.isolation_level = None  # transactions begin where we say, see `_begin`
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "busy_timeout=5000"):
        connection.execute(f"PRAGMA {pragma}")


def _begin(connection: Any) -> None:
    immediate = connection.get_execution_options().get("writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if immediate else "BEGIN")


def migrate(engine: Engine) -> None:
    """Bring the tables of a database up to date, or make them."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", "qlub.club.store:migrations")
    writing = engine.execution_options(writes=True)
    with writing.begin() as connection:
        if engine.dialect.name == "postgresql":
            connection.execute(
                text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": MIGRATION_LOCK}
            )
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


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

    def _take(self, path: Path, address: str) -> None:
        if self._file is None:
            return
        if not _lock(self._file):
            self._file.seek(0)
            raise AlreadyServed(_read_address(self._file.read()))
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


def _lock(file: IO[str]) -> bool:
    """Lock a file for this process; False if another has it."""
    try:
        import fcntl
    except ImportError:  # Windows: a file that is open there cannot be shared by accident
        import msvcrt  # type: ignore[unused-ignore]

        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
        except OSError:
            return False
        return True
    try:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
