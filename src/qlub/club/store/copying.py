"""Copies a club as it is at one moment: out of its database into one file, and back into another."""

import contextlib
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

from sqlalchemy import URL, Connection, Table, delete, func, insert, select

from qlub.club.store.database import (
    PATIENCE,
    BadDatabase,
    Claim,
    check_version,
    migrate_within,
    open_engine,
    plain_errors,
)
from qlub.club.store.schema import keys, metadata
from qlub.core.errors import QlubError
from qlub.core.files import appearing

CHUNK = 1000
"""How many rows are on their way at the same time."""

THE_CLUB = "the database"

READING = ("query_only=ON", f"busy_timeout={PATIENCE * 1000}")
UNSAFE = ("journal_mode=OFF", "synchronous=OFF")
"""For a file that nobody else opens, and that is thrown away unless it is complete."""

Tell: TypeAlias = Callable[[int, int], None]
"""Is told again and again how many rows are copied, and of how many."""


class BadFile(QlubError):
    """A file into which no copy can be written."""

    word = "bad-file"


def backup(url: URL, file: Path, tell: Tell, replaces: bool = False) -> Counter[str]:
    """Copy a club into a file, also while it is being served, and return how many rows of what.

    The file is a database of SQLite, whatever the club's own is. It appears when it is complete,
    and only its owner may read it: it holds all the secrets of the club.
    """
    _check_place(url, file, replaces)
    with _reading(url, THE_CLUB) as source, appearing(file) as fresh:
        engine = open_engine(_sqlite(fresh), UNSAFE)
        try:
            with plain_errors(str(file)), engine.begin() as target:
                migrate_within(target)
                return _copy(source, target, tell, THE_CLUB, str(file))
        finally:
            engine.dispose()


def restore(file: Path, url: URL, tell: Tell) -> Counter[str]:
    """Put such a copy into a database that has no club yet: all of it, or nothing."""
    with _reading(_sqlite(file), str(file)) as source, _filling(url) as target:
        return _copy(source, target, tell, str(file), THE_CLUB)


def _copy(
    source: Connection, target: Connection, tell: Tell, source_name: str, target_name: str
) -> Counter[str]:
    copied: Counter[str] = Counter()
    with plain_errors(source_name):
        total = sum(_count(source, table) for table in metadata.sorted_tables)
        for table in metadata.sorted_tables:
            rows = source.execute(select(table), execution_options={"yield_per": CHUNK})
            for chunk in rows.mappings().partitions():
                with plain_errors(target_name):
                    target.execute(insert(table), [dict(row) for row in chunk])
                copied[table.name] += len(chunk)
                tell(copied.total(), total)
    return copied


def _count(connection: Connection, table: Table) -> int:
    return connection.execute(select(func.count()).select_from(table)).scalar_one()


@contextlib.contextmanager
def _reading(url: URL, name: str) -> Iterator[Connection]:
    """Read a club as it is now, however long that takes and whoever writes to it meanwhile."""
    if _is_sqlite(url) and not Path(url.database or "").is_file():
        raise BadDatabase(f"there is no file {url.database}")
    engine = open_engine(url, READING)
    try:
        with plain_errors(name), engine.connect() as connection:
            if not _is_sqlite(url):
                connection.execution_options(
                    isolation_level="REPEATABLE READ", postgresql_readonly=True
                )
            check_version(connection, name)
            yield connection
    finally:
        engine.dispose()


@contextlib.contextmanager
def _filling(url: URL) -> Iterator[Connection]:
    """Fill a database that has no club yet; one that was not there is removed if that fails."""
    path = Path(url.database or "")
    is_new = _is_sqlite(url) and not path.exists()
    claim = Claim(url, "")
    engine = open_engine(url)
    try:
        writing = engine.execution_options(writes=True)
        with plain_errors(THE_CLUB), writing.begin() as connection:
            migrate_within(connection)
            _check_empty(connection)
            yield connection
    except BaseException:
        if is_new:
            engine.dispose()
            for part in ("", "-wal", "-shm", ".serving"):
                Path(f"{path}{part}").unlink(missing_ok=True)
        raise
    finally:
        engine.dispose()
        claim.close()


def _check_empty(connection: Connection) -> None:
    """Refuse a database that has a club, and take away the keys of one that never had a guest."""
    for table in metadata.sorted_tables:
        if table is not keys and connection.execute(select(table).limit(1)).first():
            raise BadDatabase(f"{THE_CLUB} has a club already; restore into a new one")
    connection.execute(delete(keys))


def _check_place(url: URL, file: Path, replaces: bool) -> None:
    """Refuse a place where no copy can be, or where it would harm what is there."""
    if not file.parent.is_dir():
        raise BadFile(f"there is no folder {file.parent}")
    if file.exists() and not file.is_file():
        raise BadFile(f"{file} is no ordinary file")
    if file.exists() and _is_sqlite(url) and file.samefile(url.database or ""):
        raise BadFile(f"{file} is the database itself; name another file")
    if file.exists() and not replaces:
        raise BadFile(f"{file} is there already; --force writes over it")
    if any(Path(f"{file}{part}").exists() for part in ("-wal", "-journal")):
        raise BadFile(f"{file} is in use as a database; name another file")


def _is_sqlite(url: URL) -> bool:
    return url.get_backend_name() == "sqlite"


def _sqlite(file: Path) -> URL:
    return URL.create("sqlite+pysqlite", database=str(file))
