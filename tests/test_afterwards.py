"""When the game is over: rematches, results, records, and tables that nobody uses any more."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from clubhouse import Club, Guest, Refused
from evenings import begun, pass_on, wait_for
from logbook import ANN, BEGAN, Logbook
from shelves import known, shelve

from qlub.club.room import now
from qlub.core.game import Json


@pytest.fixture
def club(house: Club) -> Club:
    """One club for all tests here; each brings its own guests."""
    return house


def again(guest: Guest, table: str) -> str:
    """Ask for a rematch and return its table."""
    guest.do(table, "rematch")
    return str(guest.look(table)["state"]["again"])


@pytest.mark.parametrize("game", ["qwixx", "qwirkle"])
def test_the_same_people_play_again(club: Club, game: str) -> None:
    old, (ann, ben) = begun(club, "Ann", "Ben", game=game, clock=600)
    with pytest.raises(Refused, match="not-now"):
        ben.do(old, "rematch")
    ann.do(old, "resign", seat=0)
    new = again(ben, old)
    waiting = ben.look(new)["state"]
    assert (waiting["status"], waiting["before"], waiting["clock"]) == ("gathering", old, 600)
    assert [seat and seat["name"] for seat in waiting["seats"]] == [None, "Ben"]
    assert ann.look(old)["state"]["again"] == new
    assert again(ann, old) == new
    playing = ann.look(new)["state"]
    assert playing["status"] == "playing"
    assert [seat["name"] for seat in playing["seats"]] == ["Ann", "Ben"]
    assert playing["fair"]["commitment"] != ann.look(old)["state"]["fair"]["commitment"]


def test_to_ask_for_a_rematch_again_changes_nothing(club: Club) -> None:
    old, (ann, ben) = begun(club, "Ann", "Ben")
    ann.do(old, "resign", seat=0)
    first = ben.do(old, "rematch", id="again")
    new = again(ben, old)
    assert ben.do(old, "rematch", id="again") == first
    before = ben.look(new)["seq"]
    assert again(ben, old) == new
    assert ben.look(new)["seq"] == before
    again(ann, old)
    begins = ann.look(new)["seq"]
    assert again(ann, old) == again(ben, old) == new
    assert ann.look(new)["seq"] == begins
    assert ann.look(old)["seq"] == first


def test_another_rematch_is_opened_when_the_first_was_given_up(club: Club) -> None:
    old, (ann, ben) = begun(club, "Ann", "Ben")
    ann.do(old, "resign", seat=0)
    first = again(ben, old)
    ben.do(first, "close")
    second = again(ann, old)
    assert second != first
    assert again(ben, old) == second
    assert ben.look(second)["state"]["status"] == "playing"


def test_a_rematch_by_link_is_for_those_who_played(club: Club) -> None:
    old, (ann, ben) = begun(club, "Ann", "Ben")
    dan = club.guest("Dan")
    dan.enter(old, ann)
    ann.do(old, "resign", seat=0)
    new = again(ann, old)
    with pytest.raises(Refused, match="not-allowed"):
        dan.do(old, "rematch")
    for guest in (dan, club.guest("Eve")):
        with pytest.raises(Refused, match="not-found"):
            guest.look(new)
    again(ben, old)
    assert ben.look(new)["you"]["seats"] == [1]


def test_bots_and_all_who_share_a_device_sit_down_again(club: Club) -> None:
    ann = club.guest("Ann")
    wish = {"people": ["Ann", "Grandma"], "bots": ["greedy", "random"], "start": True}
    old = ann.open("qwixx", 5, **wish)
    before = ann.look(old)["state"]["seats"]
    ann.do(old, "resign", seat=0)
    ann.do(old, "hand", seat=1)
    with pytest.raises(Refused, match="not-now"):
        ann.do(old, "rematch")
    ann.do(old, "resign", seat=1)
    new = again(ann, old)
    here = ann.look(new)
    assert here["state"]["status"] == "playing"
    assert here["state"]["seats"] == before
    assert [seat["bot"] for seat in before] == [None, None, "greedy", "random"]


def test_results_and_ratings_follow_from_finished_games(club: Club) -> None:
    table, (ann, ben) = begun(club, "Ann", "Ben", game="qwantum")
    ann.do(table, "resign", seat=0)
    (lost,) = ann.ask("GET", "/api/results")["results"]
    (won,) = ben.ask("GET", "/api/results")["results"]
    assert (lost["table"], lost["place"], lost["gave_up"]) == (table, 2, True)
    assert (won["seat"], won["place"], won["gave_up"]) == (1, 1, False)
    wait_for(lambda: bool(leaders(ann)))
    assert [(row["name"], row["you"], row["wins"]) for row in leaders(ann)] == [
        ("Ben", False, 1),
        ("Ann", True, 0),
    ]
    (rating,) = ben.ask("GET", "/api/ratings")["ratings"]
    assert (rating["game"], rating["seats"], rating["games"], rating["wins"]) == (
        "qwantum",
        2,
        1,
        1,
    )
    assert rating["rating"] == leaders(ann)[0]["rating"]
    dan = club.guest("Dan")
    assert dan.ask("GET", "/api/results?limit=1000")["results"] == []
    assert dan.ask("GET", "/api/ratings")["ratings"] == []


def test_when_all_give_up_nobody_wins(club: Club) -> None:
    table, (ann, ben) = begun(club, "Ann", "Ben", game="qwirkle")
    ann.do(table, "hand", seat=0)
    ben.do(table, "resign", seat=1)
    wait_for(lambda: any(row["you"] for row in leaders(ben, "qwirkle")))
    own = [row for guest in (ann, ben) for row in leaders(guest, "qwirkle") if row["you"]]
    assert [(row["name"], row["games"], row["wins"]) for row in own] == [
        ("Ann", 1, 0),
        ("Ben", 1, 0),
    ]


def leaders(guest: Guest, game: str = "qwantum") -> list[Json]:
    found: list[Json] = guest.ask("GET", f"/api/leaderboard?game={game}&seats=2")["leaders"]
    return found


@pytest.mark.parametrize("ending", ["played", "resigned"])
def test_the_record_of_a_finished_game_can_be_verified(
    club: Club, ending: str, tmp_path: Path
) -> None:
    table, (ann, ben) = begun(club, "Ann", "Ben")
    noted = ben.look(table)["state"]["fair"]["commitment"]
    if ending == "played":
        pass_on(table, ann, ben)
    else:
        ben.do(table, "resign", seat=1)
    record = ben.ask("GET", f"/api/tables/{table}/record")
    assert (record["result"] is None) == (ending == "resigned")
    file = tmp_path / "game.qlub.json"
    file.write_text(json.dumps(record))
    verified = subprocess.run(
        [sys.executable, "-m", "qlub", "verify", str(file), "--commitment", noted],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (verified.returncode, verified.stderr) == (0, "")
    assert verified.stdout.startswith("yes: ")


def test_a_guest_hosts_only_so_many_tables(tmp_path: Path) -> None:
    with Club(f"sqlite:///{tmp_path / 'club.db'}", tmp_path / "log", tables="2") as club:
        ann, ben = club.guest("Ann"), club.guest("Ben")
        first = ann.open("qwixx", 2, id="first")
        second = ann.open("qwixx", 1, people=["Ann"], start=True)
        with pytest.raises(Refused, match="too-many"):
            ann.open("qwixx", 2)
        assert ann.open("qwixx", 2, id="first") == first
        ben.open("qwixx", 2)
        ann.do(first, "close")
        ann.open("qwixx", 2)
        ann.do(second, "resign", seat=0)
        ann.open("qwixx", 2)
        with pytest.raises(Refused, match="too-many"):
            ann.open("qwixx", 2)


def test_a_table_that_nobody_began_for_days_is_closed(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'club.db'}"
    forgotten = Logbook("qwixx", 2, name="forgotten")
    waiting = Logbook("qwixx", 2, name="waiting", began=now())
    playing = Logbook("qwixx", 1, name="playing")
    playing.do(ANN, "sit", seat=0, name="Ann")
    playing.do(ANN, "start")
    shelve(database, [forgotten.table, waiting.table, playing.table], due=BEGAN)
    with Club(database, tmp_path / "log") as club, known(club, ANN) as ann:
        wait_for(lambda: ann.look("forgotten")["state"]["status"] == "closed")
        assert ann.look("waiting")["state"]["status"] == "gathering"
        assert ann.look("playing")["state"]["status"] == "playing"
        with pytest.raises(Refused, match="closed"):
            ann.do("forgotten", "sit", seat=0, name="Ann")
