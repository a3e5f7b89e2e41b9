"""Sitting down: opening a table, names and seats, bots, and the beginning of the game."""

import pytest
from clubhouse import Club, Refused
from logbook import ANN, BEN, CLEO, INVITE, Logbook
from pydantic import ValidationError

from qlub.club.commands import LONGEST_NAME, NewTable
from qlub.club.errors import NotAllowed, NotFound, NotNow
from qlub.club.ruling import BOT_NAMES
from qlub.club.table import CLOSED, GATHERING, PLAYING
from qlub.core.errors import BadRequest, NoGame, QlubError


@pytest.fixture
def club(house: Club) -> Club:
    """One club for all tests here; each brings its own guests."""
    return house


@pytest.mark.parametrize(
    ("wish", "word"),
    [
        ({"game": "chess"}, "unknown-game"),
        ({"game": "../qwixx"}, "unknown-game"),
        ({"game": None}, "bad-request"),
        ({"seats": 0}, "bad-request"),
        ({"seats": 6}, "bad-option"),
        ({"seats": 11}, "bad-request"),
        ({"seats": "2"}, "bad-request"),
        ({"seats": True}, "bad-request"),
        ({"game": "qwirkle", "seats": 1}, "bad-option"),
        ({"options": {"end": "never"}}, "bad-option"),
        ({"options": {"jokers": 2}}, "bad-option"),
        ({"options": []}, "bad-request"),
        ({"game": "qwirkle", "options": {"seniority": [0, 0]}}, "bad-option"),
        ({"game": "qwirkle", "options": {"seniority": [0, 1, 2]}}, "bad-option"),
        ({"visibility": "secret"}, "bad-request"),
        ({"clock": 4}, "bad-request"),
        ({"clock": 10**9}, "bad-request"),
        ({"people": ["Ann", "Ben", "Cleo"]}, "bad-request"),
        ({"people": ["Ann", "Ben"], "bots": ["greedy"]}, "bad-request"),
        ({"people": ["Ann"] * 11}, "bad-request"),
        ({"people": ["Ann", "ANN"]}, "not-now"),
        ({"people": ["Ann", " "]}, "bad-request"),
        ({"bots": ["nobody"]}, "bad-request"),
        ({"bots": ["cmd:./evil"]}, "bad-request"),
        ({"start": True}, "not-now"),
        ({"game": "qwirkle", "people": ["Ann"], "start": True}, "not-now"),
        ({"id": "no spaces"}, "bad-request"),
        ({"secret": "00"}, "bad-request"),
    ],
)
def test_a_table_that_cannot_be_is_not_opened(
    club: Club, wish: dict[str, object], word: str
) -> None:
    ann = club.guest("Ann")
    with pytest.raises(Refused) as refused:
        ann.ask("POST", "/api/tables", {"game": "qwixx", "seats": 2, **wish})
    assert refused.value.word == word
    assert ann.ask("GET", "/api/tables/mine")["tables"] == []


def test_one_request_is_enough_to_play(club: Club) -> None:
    ann = club.guest("Ann")
    table = ann.open("qwirkle", 4, people=["Ann", "Grandma"], bots=["greedy", "greedy"], start=True)
    here = ann.look(table)
    names = [seat["name"] for seat in here["state"]["seats"]]
    assert names[:2] == ["Ann", "Grandma"]
    assert set(names[2:]) < set(BOT_NAMES)
    assert len(set(names)) == 4
    assert [seat["bot"] for seat in here["state"]["seats"]] == [None, None, "greedy", "greedy"]
    assert here["you"] == {"seats": [0, 1], "host": True}
    assert [view["seat"] for view in here["views"]] == [0, 1]
    assert here["state"]["status"] == "playing"


def test_a_table_is_opened_once_under_one_id(club: Club) -> None:
    ann, ben = club.guest("Ann"), club.guest("Ben")
    table = ann.open("qwixx", 2, id="mine")
    assert ann.open("qwixx", 2, id="mine") == table
    assert ann.open("qwirkle", 4, id="mine") == table
    assert ann.open("qwixx", 2) != table
    assert ben.open("qwixx", 2, id="mine") != table
    assert len(ann.ask("GET", "/api/tables/mine")["tables"]) == 2


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ("Ann", "Ann"),
        ("  Ann \t Lee ", "Ann Lee"),
        ("Zoe\u0308", "Zoë"),
        ("Ann\u00a0Lee", "Ann Lee"),
        ("李小龍", "李小龍"),
        ("نور", "نور"),
        ("Ann 🎲", "Ann 🎲"),
        ("007", "007"),
        ("x" * LONGEST_NAME, "x" * LONGEST_NAME),
        ("<b>Ann</b>", "<b>Ann</b>"),
    ],
)
def test_a_name_is_kept_as_it_reads(club: Club, given: str, name: str) -> None:
    guest = club.guest(given)
    assert guest.ask("GET", "/api/guest") == {"name": name}
    table = guest.open("qwixx", 2)
    guest.do(table, "sit", seat=1)
    guest.do(table, "sit", seat=0, name=f"{given[: LONGEST_NAME - 2]} 2")
    assert guest.look(table)["state"]["seats"][1]["name"] == name


UNREADABLE = [
    "",
    " ",
    "\u3000\u2003",
    "x" * (LONGEST_NAME + 1),
    "x" * 1000,
    "Ann\u0000",
    "Ann\u0007",
    "A\u202ennA",
    "A\u2066nn",
    "\u200bAnn",
    "Ann\u200d",
    "\ufeffAnn",
    "Ann\u00ad",
    "\ue000Ann",
    "🎲",
    "...",
    "\u3164",
    "\u115f\u1160",
    "\uffa0",
    "Ann\u3164",
    "Ann\u034f",
    "Ann\u2800",
]


def test_a_name_that_nobody_can_read_is_refused(club: Club) -> None:
    ann = club.guest("Ann")
    for name in UNREADABLE:
        with pytest.raises(Refused, match="bad-request"):
            ann.ask("PUT", "/api/guest", {"name": name})
        with pytest.raises(ValidationError):
            NewTable(game="qwixx", seats=2, people=[name])
        with pytest.raises(ValidationError):
            Logbook("qwixx", 2).do(ANN, "sit", seat=0, name=name)
    assert ann.ask("GET", "/api/guest") == {"name": "Ann"}


def next_bot_name(book: Logbook) -> str:
    book.do(ANN, "bot", seat=3, bot="greedy")
    name = book.table.chair(3).name
    book.do(ANN, "leave", seat=3)
    return name


def test_nobody_has_the_name_of_another() -> None:
    book = Logbook("qwixx", 4)
    book.do(ANN, "sit", seat=0, name="Strauß")
    for same in ("Strauß", "STRAUSS", " strauß "):
        with pytest.raises(NotNow, match="already somebody called"):
            book.do(BEN, "sit", seat=1, name=same)
    book.do(ANN, "bot", seat=1, bot="greedy")
    with pytest.raises(NotNow, match="already somebody called"):
        book.do(BEN, "sit", seat=2, name=book.table.chair(1).name.upper())
    book.do(ANN, "leave", seat=0)
    book.do(BEN, "sit", seat=2, name="Strauß")
    book.do(ANN, "leave", seat=1)
    book.do(ANN, "sit", seat=0, name=next_bot_name(book))
    book.do(ANN, "bot", seat=1, bot="greedy")
    book.do(ANN, "bot", seat=3, bot="greedy")
    assert len({chair.name for chair in book.table.chairs if chair}) == 4


def test_a_seat_is_for_one() -> None:
    book = Logbook("qwixx", 3)
    book.do(BEN, "sit", seat=1, name="Ben")
    for guest, command in (
        (ANN, {"do": "sit", "seat": 1, "name": "Ann"}),
        (BEN, {"do": "sit", "seat": 1, "name": "Bill"}),
        (ANN, {"do": "bot", "seat": 1, "bot": "greedy"}),
    ):
        with pytest.raises(NotNow, match="seat 1 is taken"):
            book.send(guest, command)
    with pytest.raises(BadRequest, match="seats 0 to 2"):
        book.do(ANN, "sit", seat=3, name="Ann")
    book.do(BEN, "sit", seat=0, name="Bill")
    assert book.table.seats_of(BEN) == (0, 1)


def test_one_leaves_ones_own_seat_and_the_host_frees_any() -> None:
    book = Logbook("qwixx", 3)
    book.do(BEN, "sit", seat=0, name="Ben")
    book.do(CLEO, "sit", seat=1, name="Cleo")
    book.do(ANN, "bot", seat=2, bot="random")
    for seat in (1, 2):
        with pytest.raises(NotAllowed):
            book.do(BEN, "leave", seat=seat)
    for guest, seat in ((BEN, 0), (ANN, 1), (ANN, 2)):
        book.do(guest, "leave", seat=seat)
    assert book.table.chairs == [None, None, None]
    with pytest.raises(NotNow, match="nobody sits"):
        book.do(ANN, "leave", seat=0)


def test_only_the_host_brings_bots_begins_and_closes() -> None:
    book = Logbook("qwixx", 3)
    book.do(ANN, "sit", seat=0, name="Ann")
    book.do(BEN, "sit", seat=1, name="Ben")
    for do in ({"do": "bot", "seat": 2, "bot": "greedy"}, {"do": "start"}, {"do": "close"}):
        with pytest.raises(NotAllowed, match="only the host"):
            book.do(BEN, **do)
    with pytest.raises(BadRequest, match="unknown bot 'nobody'"):
        book.do(ANN, "bot", seat=2, bot="nobody")
    book.do(ANN, "bot", seat=2, bot="greedy")
    book.do(ANN, "start")
    assert book.table.status == PLAYING


@pytest.mark.parametrize("game", ["qwixx", "qwantum", "qwirkle"])
def test_free_seats_are_taken_away_when_the_game_begins(club: Club, game: str) -> None:
    ann, ben = club.guest("Ann"), club.guest("Ben")
    table = ann.open(game, 4, visibility="open")
    ben.do(table, "sit", seat=3, entropy="three")
    ann.do(table, "sit", seat=1, entropy="one")
    ann.do(table, "start")
    here = ben.look(table)
    assert [seat["name"] for seat in here["state"]["seats"]] == ["Ann", "Ben"]
    assert here["you"]["seats"] == [1]
    assert here["state"]["fair"]["entropy"] == ["one", "three"]
    assert len(here["state"]["turn"]["scores"]) == 2


def test_an_order_of_all_seats_needs_all_of_them() -> None:
    book = Logbook("qwirkle", 3, options={"seniority": [2, 0, 1]})
    book.do(ANN, "sit", seat=0, name="Ann")
    book.do(BEN, "sit", seat=1, name="Ben")
    with pytest.raises(NotNow, match="2 of 3 seats are taken: option seniority"):
        book.do(ANN, "start")
    book.do(CLEO, "sit", seat=2, name="Cleo")
    book.do(ANN, "start")
    assert book.table.playing().options["seniority"] == (2, 0, 1)


def test_too_few_cannot_begin() -> None:
    for game in ("qwixx", "qwantum", "qwirkle"):
        book = Logbook(game, 4)
        with pytest.raises(NotNow, match="0 of 4 seats are taken"):
            book.do(ANN, "start")
    book.do(ANN, "sit", seat=2, name="Ann")
    with pytest.raises(NotNow, match="1 of 4 seats are taken: qwirkle has 2 to 4 seats"):
        book.do(ANN, "start")


def test_after_the_beginning_nobody_sits_down_or_leaves() -> None:
    book = Logbook("qwixx", 3)
    book.do(ANN, "sit", seat=0, name="Ann")
    book.do(BEN, "sit", seat=1, name="Ben")
    book.do(BEN, "stir", seat=1, entropy="my own chance")
    with pytest.raises(NotAllowed):
        book.do(ANN, "stir", seat=1, entropy="and mine")
    with pytest.raises(NoGame):
        book.do(ANN, "move", seat=0, move="-")
    book.do(ANN, "start")
    assert book.table.chair(1).entropy == "my own chance"
    for guest, command in (
        (CLEO, {"do": "sit", "seat": 0, "name": "Cleo"}),
        (BEN, {"do": "leave", "seat": 1}),
        (BEN, {"do": "stir", "seat": 1, "entropy": "too late"}),
        (ANN, {"do": "bot", "seat": 1, "bot": "greedy"}),
        (ANN, {"do": "start"}),
        (ANN, {"do": "close"}),
    ):
        with pytest.raises(NotNow, match="the game has begun"):
            book.do(guest, **command)


def test_a_closed_table_stays_closed() -> None:
    book = Logbook("qwixx", 2)
    book.do(ANN, "sit", seat=0, name="Ann")
    book.do(ANN, "close")
    assert book.table.status == CLOSED
    for command in ({"do": "start"}, {"do": "sit", "seat": 1, "name": "A"}, {"do": "close"}):
        with pytest.raises(NotNow, match="the table is closed"):
            book.do(ANN, **command)
    with pytest.raises(QlubError):
        book.do(ANN, "move", seat=0, move="-")


def test_everything_is_refused_to_those_who_cannot_see_the_table() -> None:
    book = Logbook("qwixx", 2, visibility="link")
    book.do(ANN, "sit", seat=0, name="Ann")
    assert book.table.status == GATHERING
    for command in (
        {"do": "sit", "seat": 1, "name": "Ben"},
        {"do": "leave", "seat": 0},
        {"do": "start"},
        {"do": "enter", "invite": "wrong"},
        {"do": "claim", "key": "wrong"},
    ):
        with pytest.raises(NotFound):
            book.do(BEN, **command)
    book.do(BEN, "enter", invite=INVITE)
    book.do(BEN, "sit", seat=1, name="Ben")
