"""Backups and restores that are refused or stopped: one line, and nothing is left or changed."""

import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest
from backups import QLUB, quiet, sqlite
from postgres import Postgres, wait_until
from sqlalchemy import text
from stored import creation, open_database, open_store, read_rows, wait

from qlub.cli import main
from qlub.club.store.copying import backup, restore
from qlub.club.store.database import BadDatabase, Claim, read_url

Run = Callable[..., str]


@pytest.fixture
def refusal(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command that is refused, and return the line that says why."""

    def run(*words: object) -> str:
        assert main([str(word) for word in words]) == 2
        shown = capsys.readouterr()
        assert shown.out == ""
        (line,) = shown.err.splitlines()
        return line

    return run


def test_places_where_no_copy_can_be(closed_club: Path, folder: Path, refusal: Run) -> None:
    club = ("--database", sqlite(closed_club))
    before = read_rows(sqlite(closed_club))
    (folder / "copy").touch()
    for file, why in {
        folder / "missing" / "copy": f"there is no folder {folder / 'missing'}",
        folder: f"{folder} is no ordinary file",
        Path("/dev/null"): "/dev/null is no ordinary file",
        closed_club: f"{closed_club} is the database itself; name another file",
    }.items():
        assert refusal("backup", file, *club, "--force") == f"qlub: {why}"
    why = f"{folder / 'copy'} is there already; --force writes over it"
    assert refusal("backup", folder / "copy", *club) == f"qlub: {why}"
    assert list(folder.iterdir()) == [folder / "copy"]
    assert read_rows(sqlite(closed_club)) == before


def test_a_copy_that_is_being_served_is_not_written_over(
    closed_club: Path, folder: Path, refusal: Run
) -> None:
    with open_store(sqlite(folder / "copy")) as store:
        wait(store.append(creation("one")))
        line = refusal("backup", folder / "copy", "--force", "--database", sqlite(closed_club))
        assert line == f"qlub: {folder / 'copy'} is in use as a database; name another file"
        assert wait(store.last(["one"])) == {"one": 1}


def test_what_is_no_club_is_not_copied(folder: Path, tmp_path: Path, refusal: Run) -> None:
    letter, empty, other = tmp_path / "letter", tmp_path / "empty", tmp_path / "other.db"
    letter.write_text("Dear Ann, this is a letter.\n" * 200)
    empty.touch()
    with open_database(sqlite(other)) as connection:
        connection.execute(text("CREATE TABLE birds (name TEXT)"))
        connection.commit()
    for source, why in {
        letter: "cannot be used: file is not a database",
        empty: "holds no club",
        other: "holds no club",
    }.items():
        before = source.read_bytes()
        club = ("--database", sqlite(source))
        assert refusal("backup", folder / "copy", *club) == f"qlub: the database {why}"
        target = ("--database", sqlite(folder / "new.db"))
        assert refusal("restore", source, *target) == f"qlub: {source} {why}"
        assert source.read_bytes() == before
    nowhere = folder / "nowhere.db"
    line = f"qlub: there is no file {nowhere}"
    assert refusal("backup", folder / "copy", "--database", sqlite(nowhere)) == line
    assert refusal("restore", nowhere, "--database", sqlite(folder / "new.db")) == line
    assert list(folder.iterdir()) == []


def test_a_database_that_does_not_answer(folder: Path, closed_club: Path, refusal: Run) -> None:
    database = ("--database", "postgresql://qlub@127.0.0.1:1/club")
    why = "the database cannot be used: connection failed"
    assert why in refusal("backup", folder / "copy", *database)
    assert why in refusal("restore", closed_club, *database)
    assert refusal("backup", folder / "copy", "--database", "club").startswith("qlub: the database")
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize(("version", "age"), [("0000", "an older"), ("9999", "a newer")])
def test_a_club_of_another_version(
    version: str, age: str, closed_club: Path, folder: Path, refusal: Run
) -> None:
    with open_database(sqlite(closed_club)) as connection:
        connection.execute(text(f"UPDATE alembic_version SET version_num = '{version}'"))  # noqa: S608
        connection.commit()
    club = ("--database", sqlite(closed_club))
    line = refusal("backup", folder / "copy", *club)
    assert line.startswith(f"qlub: the database was made by {age} Qlub")
    line = refusal("restore", closed_club, "--database", sqlite(folder / "new.db"))
    assert line.startswith(f"qlub: {closed_club} was made by {age} Qlub")
    assert list(folder.iterdir()) == []


def test_nothing_is_restored_over_a_club(
    database: str, closed_club: Path, folder: Path, refusal: Run
) -> None:
    backup(read_url(sqlite(closed_club)), folder / "copy", quiet)
    with open_store(database) as store:
        wait(store.save_guest("3f", "Ben"))
    before = read_rows(database)
    line = refusal("restore", folder / "copy", "--database", database)
    assert line == "qlub: the database has a club already; restore into a new one"
    assert read_rows(database) == before


def test_nothing_is_restored_into_a_club_of_a_newer_qlub(
    closed_club: Path, folder: Path, refusal: Run
) -> None:
    new = folder / "new.db"
    with open_store(sqlite(new)) as store, store.engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    line = refusal("restore", closed_club, "--database", sqlite(new))
    assert line == "qlub: the database was made by a newer Qlub"


def test_nothing_is_restored_into_a_club_that_is_open(
    closed_club: Path, folder: Path, refusal: Run
) -> None:
    url = read_url(sqlite(folder / "new.db"))
    claim = Claim(url, "http://127.0.0.1:8077")
    line = refusal("restore", closed_club, "--database", sqlite(folder / "new.db"))
    assert line == "qlub: this database is already served by another qlub at http://127.0.0.1:8077"
    claim.close()


@pytest.mark.parametrize("error", [KeyboardInterrupt, OSError])
def test_who_stops_a_restore_finds_what_was_there_before(
    database: str, closed_club: Path, error: type[BaseException]
) -> None:
    def stop(done: int, total: int) -> None:
        raise error

    url = read_url(database)
    with pytest.raises(error):
        restore(closed_club, url, stop)
    if database.startswith("sqlite"):
        assert [file.name for file in closed_club.parent.glob("club*")] == []
    else:
        with pytest.raises(BadDatabase, match="holds no club"):
            backup(url, closed_club.parent / "copy", quiet)
    restore(closed_club, url, quiet)
    assert read_rows(database) == read_rows(sqlite(closed_club))


def test_an_empty_club_survives_a_restore_that_fails(closed_club: Path, folder: Path) -> None:
    new = sqlite(folder / "new.db")
    with open_store(new) as store:
        wait(store.key("signing"))
    before = read_rows(new)

    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        restore(closed_club, read_url(new), stop)
    assert read_rows(new) == before


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_who_stops_a_backup_finds_nothing(
    postgres: Postgres, postgres_url: str, folder: Path, number: signal.Signals
) -> None:
    with open_store(postgres_url) as store:
        wait(store.append(creation("one")))
    with psycopg.connect(postgres_url) as locking, psycopg.connect(postgres.url) as looking:
        looking.autocommit = True
        locking.execute("LOCK TABLE tables IN ACCESS EXCLUSIVE MODE")
        process = subprocess.Popen(
            [*QLUB, "backup", folder / "copy", "--database", postgres_url],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        waiting = "SELECT count(*) FROM pg_locks WHERE NOT granted"
        wait_until(lambda: looking.execute(waiting).fetchall() == [(1,)])
        assert len(list(folder.iterdir())) == 1, "it has begun"
        process.send_signal(number)
        assert process.communicate() == ("", "qlub: stopped; nothing was written\n")
    assert process.returncode == 130
    assert list(folder.iterdir()) == []


def test_a_full_disk_leaves_nothing(closed_club: Path, folder: Path) -> None:
    before = read_rows(sqlite(closed_club))
    for words in (
        ["backup", folder / "copy", "--database", sqlite(closed_club)],
        ["restore", closed_club, "--database", sqlite(folder / "new.db")],
    ):
        command = ["sh", "-c", 'ulimit -f 60; exec "$@"', "sh", *QLUB, *map(str, words)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout) == (2, "")
        assert " cannot be used: " in done.stderr
        assert len(done.stderr.splitlines()) == 1
        assert list(folder.iterdir()) == []
    assert read_rows(sqlite(closed_club)) == before
