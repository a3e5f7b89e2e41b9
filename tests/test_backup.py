"""Backup and restore: a club is copied at one moment, while it is open, and goes on elsewhere."""

import json
import threading
from pathlib import Path

import psycopg
import pytest
from backups import qlub, quiet, sqlite
from clubhouse import Club
from movers import Party
from postgres import wait_until
from stored import creation, open_store, read_logs, read_rows, wait

from qlub.cli import copies, main
from qlub.club.store import copying
from qlub.club.store.copying import backup, restore
from qlub.club.store.database import read_url
from qlub.club.table import Table

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
