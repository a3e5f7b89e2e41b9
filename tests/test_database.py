"""The database itself: its address, its shape from version to version, and who serves it."""

import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import func, inspect, select, text
from stored import (
    creation,
    open_store,
    read_rows,
    wait,
)

from qlub.club.store.database import (
    AlreadyServed,
    BadDatabase,
    Claim,
    migrate,
    open_engine,
    plain_errors,
    read_url,
)
from qlub.club.store.schema import entries, metadata
from qlub.club.store.store import Store


def test_the_steps_lead_to_the_tables_that_the_code_knows(database: str) -> None:
    with open_store(database) as store, store.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, metadata) == []
        names = inspect(connection).get_table_names()
        assert set(names) == {*metadata.tables, "alembic_version"}
        (unique,) = inspect(connection).get_unique_constraints("entries")
        assert unique["column_names"] == ["table_id", "command"]


def test_bringing_up_to_date_twice_changes_nothing(database: str, store: Store) -> None:
    wait(store.append(creation("one")))
    before = read_rows(database)
    migrate(store.engine)
    assert read_rows(database) == before


MIGRATE = """
import sys
from qlub.club.store.database import migrate, open_engine, read_url
print("ready", flush=True)
input()
migrate(open_engine(read_url(sys.argv[1])))
"""


def test_two_processes_may_bring_one_database_up_to_date(database: str) -> None:
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", MIGRATE, database],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    for process in processes:
        assert process.stdout
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        assert process.stdin
        process.stdin.write("\n")
        process.stdin.flush()
    for process in processes:
        assert process.communicate() == ("", "")
        assert process.returncode == 0
    with open_store(database) as store:
        assert wait(store.append(creation("one"))) is True


def test_a_new_file_waits_for_whoever_writes_to_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(sqlite3.connect(tmp_path / "club.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        monkeypatch.setattr(time, "sleep", lambda seconds: other.execute("COMMIT"))
        with open_store(f"sqlite:///{tmp_path / 'club.db'}") as store:
            assert wait(store.append(creation("one"))) is True


def test_a_database_of_a_newer_qlub_is_left_alone(database: str, store: Store) -> None:
    with store.engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    before = read_rows(database)
    with pytest.raises(BadDatabase) as refused, plain_errors("the database"):
        migrate(store.engine)
    assert str(refused.value) == "the database was made by a newer Qlub"
    assert read_rows(database) == before


def test_sqlite_writes_to_the_disk_before_it_confirms(tmp_path: Path) -> None:
    with open_store(f"sqlite:///{tmp_path / 'club.db'}") as store:
        with store.engine.connect() as one, store.engine.connect() as another:
            for connection in (one, another):
                assert connection.scalar(text("PRAGMA journal_mode")) == "wal"
                assert connection.scalar(text("PRAGMA synchronous")) == 2
        with store.engine.connect() as reading:
            assert reading.scalar(select(func.count()).select_from(entries)) == 0
            assert wait(store.append(creation("one"))) is True, "readers hold up no writer"
            assert reading.scalar(select(func.count()).select_from(entries)) == 0


@pytest.mark.parametrize(
    "url", ["", "club.db", "mysql://localhost/club", "sqlite://", "sqlite:///:memory:"]
)
def test_a_url_that_names_no_database(url: str) -> None:
    with pytest.raises(BadDatabase):
        read_url(url)


def test_what_is_no_database_is_named_in_one_line(tmp_path: Path) -> None:
    file = tmp_path / "club.db"
    file.write_text("This is a letter.\n" * 100)
    engine = open_engine(read_url(f"sqlite:///{file}"))
    with pytest.raises(BadDatabase) as refused, plain_errors("the letter"):
        migrate(engine)
    engine.dispose()
    assert str(refused.value) == "the letter cannot be used: file is not a database"


# One server for one file


def test_a_file_has_one_server(tmp_path: Path) -> None:
    url = read_url(f"sqlite:///{tmp_path / 'club.db'}")
    claim = Claim(url, "http://127.0.0.1:8077")
    with pytest.raises(AlreadyServed, match="already served by another qlub at http://127") as told:
        Claim(url, "http://127.0.0.1:9000")
    assert told.value.address == "http://127.0.0.1:8077"
    other = Claim(read_url(f"sqlite:///{tmp_path / 'other.db'}"), "http://127.0.0.1:9000")
    claim.close()
    other.close()
    Claim(url, "http://127.0.0.1:9000").close()


CLAIM = """
import sys
from qlub.club.store.database import Claim, read_url
claim = Claim(read_url(sys.argv[1]), "http://127.0.0.1:1")
print("ready", flush=True)
input()
"""


def test_the_file_of_a_dead_server_is_free(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'club.db'}"
    with subprocess.Popen(
        [sys.executable, "-c", CLAIM, database], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout
        process.stdout.readline()
        with pytest.raises(AlreadyServed, match=r"http://127\.0\.0\.1:1$"):
            Claim(read_url(database), "http://127.0.0.1:2")
        process.kill()
    Claim(read_url(database), "http://127.0.0.1:2").close()


def test_postgresql_may_have_many_servers() -> None:
    url = read_url("postgresql://qlub@127.0.0.1/club")
    first, second = Claim(url, "http://127.0.0.1:1"), Claim(url, "http://127.0.0.1:2")
    first.close()
    second.close()
