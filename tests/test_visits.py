"""Who sees what: invitations, strangers and lists, commands sent twice, and coming back."""

import pytest
from clubhouse import Club, Guest, Refused
from evenings import begun, pass_on
from shelves import known

from qlub.core.game import Json

NOWHERE = "zzzzzzzzzz"
"""The name of a table that does not exist."""


@pytest.fixture
def club(house: Club) -> Club:
    """One club for all tests here; each brings its own guests."""
    return house


def knock(guest: Guest, table: str) -> list[tuple[int, bytes]]:
    """Return the answers to everything that one may ask of a table."""
    answers = []
    here = f"/api/tables/{table}"
    paths = ("", "?since=0", "/invite", "/record")
    answers += [guest.http.get(here + path) for path in paths]
    answers.append(guest.http.post(f"{here}/seats/0/key"))
    commands: list[Json] = [
        {"do": "enter", "invite": "a guess"},
        {"do": "claim", "key": "a guess"},
        {"do": "sit", "seat": 1},
        {"do": "leave", "seat": 0},
        {"do": "bot", "seat": 1, "bot": "greedy"},
        {"do": "move", "seat": 0, "move": "-"},
        {"do": "react", "seat": 0, "reaction": "wow"},
        *({"do": do} for do in ("start", "close", "rematch")),
        *({"do": do, "seat": 0} for do in ("hand", "resume", "resign")),
    ]
    answers += [guest.http.post(here, json=command) for command in commands]
    return [(answer.status_code, answer.content) for answer in answers]


@pytest.mark.parametrize("status", ["gathering", "playing", "over", "closed"])
def test_to_strangers_a_table_by_link_is_no_table(club: Club, status: str) -> None:
    ann, dan = club.guest("Ann"), club.guest("Dan")
    has_begun = status in ("playing", "over")
    table = ann.open("qwixx", 2, people=["Ann"], bots=["random"], start=has_begun)
    if status == "over":
        ann.do(table, "resign", seat=0)
    if status == "closed":
        ann.do(table, "close")
    assert ann.look(table)["state"]["status"] == status
    assert knock(dan, table) == knock(dan, NOWHERE)
    assert {status for status, _ in knock(dan, table)} == {404}
    with known(club, None) as stranger:
        assert knock(stranger, table) == knock(stranger, NOWHERE)
        assert {status for status, _ in knock(stranger, table)} == {401, 404}
    with dan.socket() as socket:
        refusals = []
        for name in (table, NOWHERE):
            socket.send({"do": "watch", "table": name, "since": 0})
            refusals.append(socket.receive_until("error") | {"table": ""})
        assert refusals[0] == refusals[1]


def test_the_invitation_lets_in_and_is_for_those_who_are_in(club: Club) -> None:
    ann, ben, cleo = (club.guest(name) for name in ("Ann", "Ben", "Cleo"))
    table = ann.open("qwixx", 3)
    ben.enter(table, ann)
    ben.do(table, "sit", seat=2)
    cleo.enter(table, ben)
    cleo.do(table, "enter", invite="no matter what: she is in")
    assert cleo.look(table)["you"] == {"seats": [], "host": False}
    entered = [entry["what"] for entry in cleo.look(table, since=0)["entries"]]
    assert entered.count("entered") == 2


def test_an_open_table_is_listed_and_may_be_watched_by_anybody(club: Club) -> None:
    ann, ben = club.guest("Ann"), club.guest("Ben")
    table = ann.open("qwantum", 2, people=["Ann"], visibility="open")
    hidden = ann.open("qwantum", 2, people=["Ann"])
    with known(club, None) as stranger:
        listed = stranger.ask("GET", "/api/tables?game=qwantum")["tables"]
        assert table in [one["table"] for one in listed]
        assert hidden not in [one["table"] for one in listed]
        assert stranger.ask("GET", "/api/tables?game=qwirkle")["tables"] == []
        ben.do(table, "sit", seat=1)
        with stranger.socket() as socket:
            socket.watch(table)
            ann.do(table, "start")
            update = socket.receive_until("update")
            assert update["you"] == {"seats": [], "host": False}
            assert [view["seat"] for view in update["views"]] == [None]
            assert update["views"][0]["legal"] == []
            assert socket.command(table, "move", seat=0, move="-")["error"] == "no-guest"
        listed = stranger.ask("GET", "/api/tables?status=playing")["tables"]
        assert [one["yours"] for one in listed if one["table"] == table] == [[]]
        with pytest.raises(Refused, match="401"):
            stranger.ask("GET", f"/api/tables/{table}/invite")
    dan = club.guest("Dan")
    with pytest.raises(Refused, match="not-now"):
        dan.ask("GET", f"/api/tables/{table}/invite")
    assert table not in [one["table"] for one in dan.ask("GET", "/api/tables")["tables"]]


def test_my_tables_say_where_it_is_my_turn(club: Club) -> None:
    table, (ann, ben) = begun(club, "Ann", "Ben")
    elsewhere = ann.open("qwixx", 2)
    assert mine(ann) == {table: True, elsewhere: False}
    assert mine(ben) == {table: True}
    ben.do(table, "move", seat=1, move="-")
    assert mine(ann)[table]
    assert not mine(ben)[table]
    ann.do(elsewhere, "close")
    ann.do(table, "resign", seat=0)
    assert mine(ann) == {}
    assert mine(ann, "over") == {table: False}


def mine(guest: Guest, status: str = "running") -> dict[str, bool]:
    """Return the tables of a guest, with whether it is their turn."""
    tables = guest.ask("GET", f"/api/tables/mine?status={status}")["tables"]
    return {one["table"]: one["your_turn"] for one in tables}


def test_a_command_sent_twice_counts_once(club: Club) -> None:
    table, (ann, ben) = begun(club, "Ann", "Ben")
    first = ann.do(table, "move", seat=0, move="-", id="a1")
    with ann.socket() as socket:
        again = socket.command(table, "move", seat=0, move="-", id="a1")
    assert again == {"type": "ack", "table": table, "id": "a1", "seq": first}
    assert ann.look(table)["seq"] == first
    assert ben.do(table, "move", seat=1, move="-", id="a1") == first + 1
    assert ann.do(table, "move", seat=0, move="-", id="a1") == first


def test_what_was_refused_may_be_sent_again_under_its_id(club: Club) -> None:
    ann, ben = club.guest("Ann"), club.guest("Ben")
    table = ann.open("qwirkle", 2, visibility="open")
    ann.do(table, "sit", seat=0)
    with pytest.raises(Refused, match="not-now"):
        ann.do(table, "start", id="go")
    ben.do(table, "sit", seat=1)
    assert ann.do(table, "start", id="go") == ann.do(table, "start", id="go") == 4


def test_who_comes_back_is_told_what_was_sealed_and_is_not_any_more(club: Club) -> None:
    table, (ann, ben, cleo) = begun(club, "Ann", "Ben", "Cleo")
    begin = ann.look(table)["seq"]
    ben.do(table, "move", seat=1, move="-")
    with ann.socket() as socket:
        update = socket.watch(table, since=begin)
        assert update["entries"][-1]["events"] == [[1, None]]
        assert update["revealed"] == []
        socket.command(table, "move", seat=0, move="-")
        assert ann.look(table, since=begin)["entries"][1]["events"] == [[0, "-"]]
    cleo.do(table, "move", seat=2, move="-")
    opened = {"seq": begin + 1, "seat": 1, "events": [[1, "-"]]}
    own = {"seq": begin + 2, "seat": 0, "events": [[0, "-"]]}
    with ann.socket() as socket:
        update = socket.watch(table, since=begin + 2)
        assert update["revealed"] == [opened]
        assert [entry["seq"] for entry in update["entries"]] == [begin + 3]
        assert socket.watch(table, since=begin + 3)["revealed"] == []
        assert socket.watch(table, since=None)["revealed"] == []
    assert cleo.look(table, since=begin + 2)["revealed"] == [opened, own]
    assert ben.look(table, since=begin + 2)["revealed"] == [own]
    assert ben.look(table, since=begin)["revealed"] == []
    assert ann.look(table, since=10**6)["entries"] == []


def test_who_is_told_that_a_move_is_stored_has_seen_what_it_led_to(club: Club) -> None:
    table, (ann, ben) = begun(club, "Ann", "Ben")
    with ann.socket() as socket:
        seen = socket.watch(table)["seq"]
        ben.do(table, "move", seat=1, move="-")
        command = {"do": "move", "seat": 0, "move": "-"}
        socket.send({"do": "command", "table": table, "command": command})
        while (frame := socket.receive())["type"] == "update":
            seen = frame["seq"]
        assert frame["seq"] == seen


def test_without_a_cookie_one_may_look_but_do_nothing(club: Club) -> None:
    with known(club, None) as stranger:
        for method, path, body in (
            ("GET", "/api/tables/mine", None),
            ("GET", "/api/results", None),
            ("POST", "/api/tables", {"game": "qwixx", "seats": 2}),
            ("POST", f"/api/tables/{NOWHERE}", {"do": "start"}),
        ):
            with pytest.raises(Refused, match="no-guest"):
                stranger.ask(method, path, body)
        assert stranger.ask("GET", "/api/games")["games"]
        assert stranger.ask("GET", "/api/guest") == {"name": None}


def test_the_record_of_a_running_game_is_what_one_may_see_of_it(club: Club) -> None:
    ann, ben = club.guest("Ann"), club.guest("Ben")
    table = ann.open("qwixx", 2, visibility="open")
    with pytest.raises(Refused, match="not-now"):
        ann.ask("GET", f"/api/tables/{table}/record")
    ann.do(table, "sit", seat=0)
    ben.do(table, "sit", seat=1)
    ann.do(table, "start")
    ann.do(table, "move", seat=0, move="-")
    assert events_of(ann, table)[-1] == [0, "-"]
    assert events_of(ben, table)[-1][0] == "*"
    with known(club, None) as stranger:
        assert events_of(stranger, table) == events_of(ben, table)
        pass_on(table, ann, ben)
        assert events_of(stranger, table) == events_of(ann, table)


def events_of(guest: Guest, table: str) -> list[list[object]]:
    events: list[list[object]] = guest.ask("GET", f"/api/tables/{table}/record")["events"]
    return events
