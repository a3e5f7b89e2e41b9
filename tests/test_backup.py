"""Backup and restore: a club is copied at one moment, while it is open, and goes on elsewhere."""

import json
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from clubhouse import Club
from movers import Party
from postgres import Postgres, wait_until
from sqlalchemy import text
from stored import creation, open_database, open_store, read_logs, read_rows, wait

from qlub.cli import copies, main
from qlub.club.store import copying
from qlub.club.store.copying import backup, restore
from qlub.club.store.database import BadDatabase, Claim, read_url
from qlub.club.table import Table

QLUB = [sys.executable, "-m", "qlub"]


def sqlite(file: Path) -> str:
    return f"sqlite:///{file}"


def quiet(done: int, total: int) -> None:
    """Take no notice of the progress."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder for copies, with nothing else in it."""
    folder = tmp_path / "copies"
    folder.mkdir()
    return folder


@pytest.fixture
def closed_club(tmp_path: Path) -> Path:
    """The file of a club that is not open, with a guest and two tables."""
    file = tmp_path / "closed.db"
    with open_store(sqlite(file)) as store:
        wait(store.key("signing"))
        wait(store.save_guest("3f", "Ann"))
        wait(store.append(creation("one")))
        wait(store.append(creation("two")))
    return file


@pytest.fixture
def open_club(database: str, tmp_path: Path) -> Iterator[Club]:
    """A club that is open, on each kind of database."""
    with Club(database, tmp_path / "club.log") as club:
        yield club


# While the club is open


def test_a_copy_is_of_one_moment(
    database: str, open_club: Club, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copying, "CHUNK", 5)
    parties = [Party(open_club, game, 2) for game in ("qwixx", "qwantum", "qwirkle")]
    for party in parties * 3:
        party.move()
    before = read_rows(database)
    told = []

    def move_on(done: int, total: int) -> None:
        told.append((done, total))
        parties[len(told) % 3].move()
        open_club.guest("Late")

    copied = backup(read_url(database), folder / "copy", move_on)
    size = sum(map(len, before.values()))
    assert [done for done, _ in told] == sorted({done for done, _ in told})
    assert (told[-1], len({total for _, total in told})) == ((size, size), 1)
    assert copied == {name: len(rows) for name, rows in before.items() if rows}
    assert {entry.name for entry in folder.iterdir()} == {"copy"}
    assert read_rows(sqlite(folder / "copy")) == before
    assert len(read_rows(database)["entries"]) >= len(before["entries"]) + len(told)


def test_a_club_goes_on_from_its_copy(
    database: str, open_club: Club, folder: Path, tmp_path: Path
) -> None:
    parties = [Party(open_club, game, 2) for game in ("qwixx", "qwantum", "qwirkle")]
    for party in parties:
        party.move()
    acknowledged = {party.table: party.last for party in parties}
    is_enough = threading.Event()

    def play(party: Party) -> None:
        while party.move() and not is_enough.is_set():
            pass

    players = [threading.Thread(target=play, args=[party]) for party in parties]
    for player in players:
        player.start()
    done = qlub("backup", folder / "copy", "--database", database)
    is_enough.set()
    for player in players:
        player.join()
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"{folder / 'copy'}: 3 tables, ")
    assert done.stdout.endswith(" entries, 6 guests\n")

    final, copied = read_logs(database), read_logs(sqlite(folder / "copy"))
    assert set(copied) == set(final) == set(acknowledged)
    for name, log in copied.items():
        assert len(log) >= acknowledged[name], "what was confirmed before is there"
        assert log == final[name][: len(log)]
        assert Table.read(name, log).seq == len(log), "it replays"

    with Club(sqlite(folder / "copy"), tmp_path / "copy.log") as other:
        for party in parties:
            party.go_to(other)
            assert party.guests[0].ask("GET", "/api/guest") == {"name": "Guest 0"}
            assert party.guests[0].look(party.table)["seq"] == len(copied[party.table])
            party.move()
        while parties[0].move():
            pass
        check_record(parties[0], tmp_path)


def check_record(party: Party, folder: Path) -> None:
    """The game is over, and its chance was honest from the first roll to the last."""
    record = party.guests[1].ask("GET", f"/api/tables/{party.table}/record")
    assert record["result"]
    file = folder / f"{party.table}.qlub.json"
    file.write_text(json.dumps(record))
    commitment = party.guests[0].look(party.table)["state"]["fair"]["commitment"]
    assert main(["verify", str(file), "--commitment", commitment]) == 0


def test_a_club_moves_to_the_other_kind_of_database(
    database: str, open_club: Club, folder: Path, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    finished, running = Party(open_club, "qwirkle", 3), Party(open_club, "qwixx", 2)
    finished.give_up()
    running.move()
    rated = "/api/leaderboard?game=qwirkle&seats=3"
    wait_until(lambda: len(running.guests[0].ask("GET", rated)["leaders"]) == 3)
    open_club.kill()
    is_sqlite = database.startswith("sqlite")
    other = request.getfixturevalue("postgres_url") if is_sqlite else sqlite(tmp_path / "other.db")
    assert main(["backup", str(folder / "copy"), "--database", database]) == 0
    assert main(["restore", str(folder / "copy"), "--database", other]) == 0
    assert read_rows(other) == read_rows(database)
    with Club(other, tmp_path / "other.log") as club:
        running.go_to(club)
        assert len(running.guests[0].ask("GET", rated)["leaders"]) == 3
        assert running.move()
        running.guests[0].do(running.table, "resign", seat=0)
        Party(club, "qwixx", 2).move()


def test_postgresql_is_read_piece_by_piece(
    postgres_url: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copying, "CHUNK", 2)
    with open_store(postgres_url) as store:
        for number in range(5):
            wait(store.append(creation(f"table {number}")))
    asked: set[str] = set()

    def look(done: int, total: int) -> None:
        with psycopg.connect(postgres_url) as connection:
            query = "SELECT query FROM pg_stat_activity WHERE datname = current_database()"
            asked.update(str(row[0]).split(" FROM ")[0] for row in connection.execute(query))

    backup(read_url(postgres_url), folder / "copy", look)
    assert "FETCH FORWARD 2" in asked


# The file


def test_a_copy_is_private_and_one_file(closed_club: Path, folder: Path) -> None:
    file = folder / "copy"
    backup(read_url(sqlite(closed_club)), file, quiet)
    assert file.stat().st_mode & 0o777 == 0o600
    assert file.read_bytes()[18:20] == b"\x01\x01", "it can be read where nothing can be written"
    assert list(folder.iterdir()) == [file]


def test_force_writes_over_an_older_copy(closed_club: Path, folder: Path) -> None:
    file = folder / "copy"
    file.write_text("older")
    file.chmod(0o644)
    command = ["backup", str(file), "--database", sqlite(closed_club)]
    assert main(command) == 2
    assert file.read_text() == "older"
    assert main([*command, "--force"]) == 0
    assert file.stat().st_mode & 0o777 == 0o600
    assert read_rows(sqlite(file)) == read_rows(sqlite(closed_club))


def test_the_database_is_found_as_serve_finds_it(
    closed_club: Path,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("QLUB_DATABASE", sqlite(closed_club))
    assert main(["backup", str(folder / "copy")]) == 0
    monkeypatch.delenv("QLUB_DATABASE")
    monkeypatch.setenv("XDG_DATA_HOME", str(folder))
    assert main(["restore", str(folder / "copy")]) == 0
    assert capsys.readouterr().out == (
        f"{folder / 'copy'}: 2 tables, 2 entries, 1 guest\nrestored: 2 tables, 2 entries, 1 guest\n"
    )
    assert read_rows(sqlite(folder / "qlub" / "club.db")) == read_rows(sqlite(closed_club))


def test_a_club_that_never_had_a_guest_makes_room(closed_club: Path, folder: Path) -> None:
    new = folder / "new.db"
    with open_store(sqlite(new)) as store:
        wait(store.key("signing"))
    restore(closed_club, read_url(sqlite(new)), quiet)
    assert read_rows(sqlite(new)) == read_rows(sqlite(closed_club))


def test_long_copies_are_seen_to_go_on(
    closed_club: Path,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(copies, "LONG", -1)
    command = ["backup", str(folder / "copy"), "--force", "--database", sqlite(closed_club)]
    assert main(command) == 0
    assert capsys.readouterr().err == "", "nobody looks"
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert main(command) == 0
    shown = capsys.readouterr()
    assert "Copying" in shown.err
    assert shown.out.startswith(str(folder))
    monkeypatch.setattr(copies, "LONG", 60)
    assert main(command) == 0
    assert capsys.readouterr().err == "", "it was quick"


# Refusals: one line, and nothing is left or changed


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


def qlub(*words: Any) -> subprocess.CompletedProcess[str]:
    command = [*QLUB, *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=False)
