"""Bots at tables of a real club: ours and the host's, good and bad, and clocks that run out."""

from collections.abc import Iterator
from pathlib import Path

import programs
import pytest
from clubhouse import Club, Guest, Refused, Socket
from evenings import begun, pass_on, wait_for
from logbook import ANN, BEGAN, BEN, Logbook
from programs import FAILURES, is_running, pids
from shelves import known, shelve

from qlub.bots import bots_of
from qlub.core.game import Game, Json
from qlub.core.registry import all_games

FIXED = {"late", "died", "nonsense", "illegal", "missing"}
"""The words that a table is told about a bot that failed."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("club")


@pytest.fixture(scope="module")
def club(folder: Path) -> Iterator[Club]:
    """One club for most tests here, with all programs of the tests."""
    named = programs.commands(folder)
    named["qwixx/loyal"] = named["passes"]
    bots = programs.setting(named)
    with Club(f"sqlite:///{folder / 'club.db'}", folder / "log", bots=bots) as club:
        yield club


def moves(guest: Guest, table: str, seat: int) -> list[Json]:
    """Return the decisions of a seat so far."""
    entries = guest.look(table, since=0)["entries"]
    return [entry for entry in entries if entry["what"] == "moved" and entry["seat"] == seat]


def await_status(socket: Socket, table: str, status: str) -> Json:
    """Watch a table until it has a status, and return the last update."""
    update = socket.watch(table)
    while update["state"]["status"] != status:
        update = socket.receive_until("update")
    return update


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_every_bot_plays_whole_games(club: Club, game: Game) -> None:
    ann = club.guest("Ann")
    names = list(bots_of(game))
    tables = [
        ann.open(game.name, len(bots), bots=bots, start=True) for bots in (names[:3], names[2:4])
    ]
    for table in tables:
        with ann.socket() as socket:
            assert await_status(socket, table, "over")["state"]["turn"]["over"]
        entries = ann.look(table, since=0)["entries"]
        assert {entry["by"] for entry in entries if entry["what"] == "moved"} == {"bot"}
        assert not any(entry.get("failure") for entry in entries)


def test_a_program_of_the_host_plays(club: Club) -> None:
    ann = club.guest("Ann")
    listed = {game["name"]: game["bots"] for game in ann.ask("GET", "/api/games")["games"]}
    assert "passes" in listed["qwirkle"]
    assert "loyal" in listed["qwixx"]
    assert "loyal" not in listed["qwantum"]
    table = ann.open("qwixx", 2, bots=["passes", "loyal"], start=True)
    with ann.socket() as socket:
        over = await_status(socket, table, "over")
    assert over["state"]["turn"]["reason"] == "penalties"
    for seat in (0, 1):
        assert {(move["by"], move["events"][0][1]) for move in moves(ann, table, seat)} == {
            ("bot", "-")
        }


@pytest.mark.parametrize(
    "bot",
    ["cmd:./evil", "cmd:sh -c id", "sh", "/bin/sh", "qwixx/loyal", "../greedy", "nobody", "", "A"],
)
def test_a_guest_names_bots_and_never_a_command(club: Club, bot: str) -> None:
    ann = club.guest("Ann")
    gathering = ann.open("qwixx", 2, people=["Ann"])
    playing = ann.open("qwixx", 2, people=["Ann", "Ben"], start=True)
    with pytest.raises(Refused, match="bad-request"):
        ann.open("qwixx", 2, bots=[bot])
    with pytest.raises(Refused, match="bad-request"):
        ann.do(gathering, "bot", seat=1, bot=bot)
    with pytest.raises(Refused, match="bad-request"):
        ann.do(playing, "hand", seat=0, bot=bot)


def test_a_program_of_one_game_sits_at_no_table_of_another(club: Club) -> None:
    ann = club.guest("Ann")
    with pytest.raises(Refused, match="unknown bot 'loyal'"):
        ann.open("qwantum", 2, bots=["loyal"])


@pytest.mark.parametrize(
    "bots",
    [
        ["crashes", "talks", "cheats", "missing"],
        ["floods", "babbles", "lists", "garbled"],
    ],
)
def test_the_game_goes_on_whatever_a_program_does(club: Club, bots: list[str]) -> None:
    ann = club.guest("Ann")
    table = ann.open("qwixx", 5, people=["Ann"], bots=bots, start=True)
    with ann.socket() as socket:
        update = socket.watch(table)
        heard = str(update)
        for _ in range(3):
            while not update["views"][0]["legal"]:
                update = socket.receive_until("update")
                heard += str(update)
            socket.command(table, "move", seat=0, move="-")
            update = socket.watch(table)
            heard += str(update)
    for seat, bot in enumerate(bots, 1):
        wait_for(lambda seat=seat: len(moves(ann, table, seat)) >= 2)  # type: ignore[misc]
        failures = {move.get("failure") for move in moves(ann, table, seat)}
        assert FAILURES[bot] in failures <= {FAILURES[bot], None}  # None: there was no choice
    assert set(FAILURES.values()) <= FIXED
    assert "secret plan" not in heard


def test_a_program_is_told_nothing_of_the_clubs_settings(club: Club, folder: Path) -> None:
    ann = club.guest("Ann")
    ann.open("qwixx", 2, bots=["tells", "passes"], start=True)
    wait_for((folder / "tells.env").exists)
    wait_for(lambda: "PATH=" in (folder / "tells.env").read_text())
    assert "QLUB_" not in (folder / "tells.env").read_text()


def test_who_takes_a_seat_back_decides_and_not_the_bot_that_still_thinks(
    club: Club, folder: Path
) -> None:
    table, (ann, ben) = begun(club, "Ann", "Ben")
    ann.do(table, "hand", seat=0, bot="waits")
    wait_for(lambda: bool(pids(folder, "waits")))
    ann.do(table, "resume", seat=0)
    ann.do(table, "move", seat=0, move="-")
    ben.do(table, "move", seat=1, move="-")
    (folder / "waits.go").touch()
    ann.do(table, "hand", seat=0, bot="waits")

    def has_decided_again() -> bool:
        for view in ben.look(table)["views"]:
            if "-" in view["legal"]:
                ben.do(table, "move", seat=1, move="-")
        return len(moves(ann, table, 0)) > 1

    wait_for(has_decided_again)
    first, second, *_ = moves(ann, table, 0)
    assert (first["by"], second["by"]) == ("person", "bot")


@pytest.mark.parametrize("at_once", [1, 20], ids=["in turn", "all at once"])
def test_ten_tables_of_bots_that_think_for_ever_hold_nobody_up(
    at_once: int, tmp_path: Path
) -> None:
    """At each, one bot reads the question and the other does not; none ever answers."""
    settings = {
        "bots": programs.setting(programs.commands(tmp_path)),
        "bot_seconds": "600",
        "bot_processes": str(at_once),
    }
    with Club(f"sqlite:///{tmp_path / 'club.db'}", tmp_path / "log", **settings) as club:
        host = club.guest("Host")
        slow = [host.open("qwixx", 2, bots=["waits", "hangs"], start=True) for _ in range(10)]

        def asked() -> list[int]:
            return pids(tmp_path, "waits") + pids(tmp_path, "hangs")[::2]

        wait_for(lambda: len(asked()) == at_once)
        table, (ann, ben) = begun(club, "Ann", "Ben")
        with ann.socket() as socket:
            socket.watch(table)
            assert socket.command(table, "move", seat=0, move="-")["type"] == "ack"
        assert [move["by"] for move in moves(ben, table, 0)] == ["person"]
        pass_on(table, ann, ben)
        assert all(map(is_running, asked()))
        assert len(asked()) == at_once
        for other in slow:
            assert not moves(host, other, 0) + moves(host, other, 1)
        assert club.stop() == 0  # so that it ends them all


def test_what_a_bot_owed_when_the_club_died_is_done_after_its_restart(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'club.db'}"
    bots = programs.setting(programs.commands(tmp_path))
    with Club(database, tmp_path / "log", bots=bots) as club:
        ann = club.guest("Ann")
        table = ann.open("qwixx", 2, people=["Ann"], bots=["waits"], start=True)
        wait_for(lambda: bool(pids(tmp_path, "waits")))
        club.kill()
        (tmp_path / "waits.go").touch()
        club.start()
        wait_for(lambda: bool(moves(ann, table, 1)))
        assert [move["by"] for move in moves(ann, table, 1)] == ["bot"]
        assert ann.look(table)["state"]["turn"]["to_act"] == [0]


def test_nothing_that_a_program_started_outlives_the_club(tmp_path: Path) -> None:
    bots = programs.setting(programs.commands(tmp_path))
    with Club(f"sqlite:///{tmp_path / 'club.db'}", tmp_path / "log", bots=bots) as club:
        ann = club.guest("Ann")
        ann.open("qwixx", 2, bots=["hangs", "counts"], start=True)
        wait_for(lambda: bool(pids(tmp_path, "hangs") and pids(tmp_path, "counts")))
        assert club.stop() == 0
    started = pids(tmp_path, "hangs") + pids(tmp_path, "counts")
    assert len(started) >= 3
    wait_for(lambda: not any(map(is_running, started)))


def test_when_a_clock_has_run_out_a_bot_makes_that_decision(tmp_path: Path) -> None:
    """Ann has decided long ago, Ben has not; nobody has been there since."""
    database = f"sqlite:///{tmp_path / 'club.db'}"
    book = Logbook("qwixx", 2, clock=3600)
    for seat, guest in enumerate((ANN, BEN)):
        book.do(guest, "sit", seat=seat, name=f"Person {seat}")
    book.do(ANN, "start")
    decided = book.decide(0, "-")
    shelve(database, [book.table], due=BEGAN)
    with Club(database, tmp_path / "log") as club, known(club, ANN) as ann:
        wait_for(lambda: bool(moves(ann, book.table.id, 1)))
        (late,) = moves(ann, book.table.id, 1)
        assert late["by"] == "clock"
        (first,) = moves(ann, book.table.id, 0)
        assert (first["seq"], first["by"]) == (decided.seq, "person")
        here = ann.look(book.table.id)["state"]
        assert [seat["bot"] for seat in here["seats"]] == [None, None]
        assert list(here["deadlines"]) == [str(seat) for seat in here["turn"]["to_act"]]


def test_a_clock_runs_for_those_who_have_not_decided(club: Club) -> None:
    table, (ann, ben) = begun(club, "Ann", "Ben", clock=5)
    ann.do(table, "move", seat=0, move="-")
    with ben.socket() as socket:
        update = socket.watch(table)
        while not [one for one in update["entries"] if one.get("by") == "clock"]:
            update = socket.receive_until("update")
    assert [move["by"] for move in moves(ann, table, 1)] == ["clock"]
    assert [move["by"] for move in moves(ann, table, 0)] == ["person"]
