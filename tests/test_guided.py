"""What pages are told instead of rules: guides with every view, and answers about unfinished moves."""

from collections.abc import Iterator

import pytest
from clubhouse import Club, Guest, Refused, Socket
from evenings import begun
from shelves import known

from qlub.club.commands import LONGEST_MOVE
from qlub.core.game import Json, list_moves
from qlub.core.registry import all_games, find_game

GAMES = [game.name for game in all_games()]


@pytest.fixture
def club(house: Club) -> Club:
    """One club for all tests here; each brings its own guests."""
    return house


@pytest.fixture
def ann(club: Club) -> Guest:
    return club.guest("Ann")


@pytest.fixture
def socket(ann: Guest) -> Iterator[Socket]:
    with ann.socket() as socket:
        yield socket


def watch(socket: Socket, table: str, **wish: object) -> Json:
    socket.send({"do": "watch", "table": table, "since": None, **wish})
    return socket.receive_until("update")


def ask(socket: Socket, table: str, seat: int, draft: str) -> Json:
    """Ask about a move, and return the answer without what it is about."""
    socket.send({"do": "ask", "id": "a1", "table": table, "seat": seat, "draft": draft})
    while (answer := socket.receive())["type"] not in ("guide", "error"):
        pass
    assert (answer.pop("id"), answer.pop("table")) == ("a1", table)
    return answer


def against_a_bot(ann: Guest, game: str) -> str:
    return ann.open(game, 2, people=["Ann"], bots=["random"], start=True)


@pytest.mark.parametrize("game", GAMES)
def test_a_guide_takes_the_place_of_the_moves(ann: Guest, socket: Socket, game: str) -> None:
    table = ann.open(game, 2, people=["Ann", "Ben"], start=True)
    plain, guided = watch(socket, table), watch(socket, table, guide=True)
    rules = find_game(game)
    for one, other in zip(plain["views"], guided["views"], strict=True):
        assert one.keys() == {"seat", "view", "legal"}
        assert other.keys() == {"seat", "view", "guide"}
        assert other["view"] == one["view"]
        assert other["guide"] == rules.guide(rules.read_view(one["view"], one["seat"]), "")
    assert plain | {"views": 0} == guided | {"views": 0}
    assert ann.ask("GET", f"/api/tables/{table}?guide=true") == guided
    assert ann.ask("GET", f"/api/tables/{table}?guide=false") == plain
    with pytest.raises(Refused, match="bad-request"):
        ann.ask("GET", f"/api/tables/{table}?guide=perhaps")


def test_each_who_watches_is_told_in_their_own_way(club: Club) -> None:
    table, (ann, ben) = begun(club, "Ann", "Ben")
    with ann.socket() as page, ann.socket() as program:
        watch(page, table, guide=True)
        watch(program, table)
        ben.do(table, "move", seat=1, move="-")
        assert "guide" in page.receive_until("update")["views"][0]
        assert "legal" in program.receive_until("update")["views"][0]
        assert "legal" in watch(page, table)["views"][0], "who watches again may choose again"


def test_spectators_are_guided_too(club: Club, ann: Guest) -> None:
    for game in GAMES:
        table = ann.open(game, 2, visibility="open", people=["Ann", "Ben"], start=True)
        with known(club, None) as stranger, stranger.socket() as socket:
            (view,) = watch(socket, table, guide=True)["views"]
            rules = find_game(game)
            assert view["guide"] == rules.guide(rules.read_view(view["view"], None), "")
            assert ask(socket, table, 0, "")["error"] == "not-allowed"


@pytest.mark.parametrize("game", GAMES)
def test_a_question_about_no_move_is_answered_with_the_guide(
    ann: Guest, socket: Socket, game: str
) -> None:
    table = ann.open(game, 2, people=["Ann", "Ben"], start=True)
    for view in ann.ask("GET", f"/api/tables/{table}?guide=true")["views"]:
        answer = ask(socket, table, view["seat"], "")
        assert answer == {"type": "guide", "guide": view["guide"]}


def test_a_move_of_tiles_grows_tile_by_tile(ann: Guest, socket: Socket) -> None:
    table = ann.open("qwirkle", 2, people=["Ann", "Ben"], start=True)
    before = ann.look(table)
    (seat,) = before["state"]["turn"]["to_act"]
    guide = ask(socket, table, seat, "")["guide"]
    while not guide["legal"]:
        tile, cells = next(iter(guide["spots"].items()))
        longer = f"{guide['draft']} {tile}@{next(iter(cells))}".strip()
        guide = ask(socket, table, seat, longer)["guide"]
    assert guide["draft"] in before["views"][seat]["legal"]
    assert ann.look(table) == before, "nothing has happened by asking"
    ann.do(table, "move", seat=seat, move=guide["draft"])
    assert ann.look(table)["state"]["turn"]["scores"][seat] == guide["points"]


def test_questions_that_are_refused(club: Club, ann: Guest, socket: Socket) -> None:
    table = ann.open("qwirkle", 2, visibility="open")
    ann.do(table, "sit", seat=0)
    assert ask(socket, table, 0, "")["error"] == "not-now"
    assert ask(socket, table, 1, "")["error"] == "not-allowed"
    assert ask(socket, "zzzzzzzzzz", 0, "")["error"] == "not-found"
    club.guest("Ben").do(table, "sit", seat=1)
    ann.do(table, "start")
    assert ask(socket, table, 1, "")["error"] == "not-allowed"
    assert ask(socket, table, 7, "")["error"] == "not-allowed"
    for nonsense in ("nonsense", "Ro@0,0 Ro@9,9", "swap Ro", "-", "x" * LONGEST_MOVE):
        assert ask(socket, table, 0, nonsense)["error"] == "bad-event", nonsense
    ann.do(table, "resign", seat=0)
    assert ask(socket, table, 0, "")["error"] == "game-over"


@pytest.mark.parametrize(
    "change",
    [{"draft": "x" * (LONGEST_MOVE + 1)}, {"draft": None}, {"seat": -1}, {"id": ""}, {"more": 1}],
)
def test_questions_that_are_none(ann: Guest, socket: Socket, change: Json) -> None:
    table = against_a_bot(ann, "qwixx")
    socket.send({"do": "ask", "id": "a1", "table": table, "seat": 0, "draft": ""} | change)
    assert socket.receive()["error"] == "bad-request"
    assert ask(socket, table, 0, "")["type"] == "guide", "the socket is as well as before"


def test_when_all_gave_up_nothing_is_left_to_do(club: Club, ann: Guest) -> None:
    table = against_a_bot(ann, "qwixx")
    assert ann.ask("GET", f"/api/tables/{table}?guide=true")["views"][0]["guide"]["moves"]
    ann.do(table, "resign", seat=0)
    over = ann.ask("GET", f"/api/tables/{table}?guide=true")
    assert over["state"]["status"] == "over"
    assert not over["state"]["turn"]["over"]
    assert over["views"][0]["guide"]["moves"] == []
    assert ann.look(table)["views"][0]["legal"] == []


def test_a_game_without_a_guide_of_its_own_lists_its_moves() -> None:
    state = find_game("qwixx").new(2, {"end": "table"})
    state = state.resolve(state.awaited_chance().sample(lambda below: 0))
    state = state.resolve(state.awaited_chance().sample(lambda below: 0))
    moves = [str(move) for move in state.view(0).legal()]
    assert moves
    assert list_moves(state.view(0), "") == {"moves": moves}
    assert list_moves(state.view(None), "") == {"moves": []}
