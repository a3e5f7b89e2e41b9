"""What a page is told of a game of Qwixx: cells, points, dice, moves and their worth."""

import pytest
from table import crosses, new, play, qwixx

from qlub.core.game import Json
from qlub.core.record import Match
from qlub.games.qwixx.guide import is_lost
from qlub.games.qwixx.sheet import LAST, cell_of

UP = [2, 3, 4, 5, 6]
DOWN = [12, 11, 10, 9, 8]
EMPTY = crosses()
ROLL = "* w3 w5 r6 y1 g2 b4"


def guide(match: Match, seat: int | None) -> Json:
    return match.game.guide(match.state.view(seat), "")


def moves(told: Json) -> dict[str, Json]:
    return {move["move"]: move for move in told["moves"]}


@pytest.mark.clause("QX-2")
@pytest.mark.clause("QX-9")
def test_what_can_never_be_crossed_is_lost() -> None:
    assert is_lost((5, 7), 0, cell_of(0, 6))
    assert not is_lost((5, 7), 0, cell_of(0, 8))
    assert not is_lost((5, 8), 0, LAST)  # 9, 10 and 11 would make five
    assert is_lost((5, 9), 0, LAST)  # 10 and 11 make only four
    assert not is_lost((), 2, LAST)


@pytest.mark.clause("QX-16")
def test_the_example_sheet_cell_by_cell() -> None:
    mine = crosses(r=[2, 3, 5, 7], g=[12, 11, 9], b=[10, 7], penalties=1)
    told = guide(play(qwixx(mine, crosses(y=[*UP, 12])), "* w3 w5 r6 g2 b4"), 0)
    assert [row["colour"] for row in told["rows"]] == ["red", "yellow", "green", "blue"]
    assert [row["numbers"][0] for row in told["rows"]] == [2, 2, 12, 12]
    sheet = told["sheets"][0]
    red, yellow, green, blue = sheet["rows"]
    assert red["cells"] == [
        *("crossed", "crossed", "lost", "crossed", "lost", "crossed"),
        *("open",) * 5,
    ]
    assert (red["points"], red["crosses"], red["lock"], red["needs"]) == (10, 4, "open", 1)
    assert yellow["cells"] == ["closed"] * 11
    assert yellow["lock"] == "closed"
    assert (green["points"], blue["points"]) == (6, 3)
    assert (sheet["penalties"], sheet["penalty_points"], sheet["points"]) == (1, -5, 14)


@pytest.mark.clause("QX-11")
def test_a_closed_row_names_who_closed_it() -> None:
    told = guide(play(qwixx(crosses(y=[3, 6]), crosses(y=[*UP, 12])), "* w3 w5 r6 g2 b4"), 0)
    yellow = told["rows"][1]
    assert (yellow["die"], yellow["sums"], yellow["closed_by"]) == (None, [], [1])
    assert told["sheets"][0]["rows"][1]["cells"][:5] == [
        "lost",
        "crossed",
        "lost",
        "lost",
        "crossed",
    ]
    assert told["sheets"][0]["rows"][1]["cells"][5:] == ["closed"] * 6
    assert told["sheets"][1]["rows"][1]["lock"] == "taken"
    assert told["sheets"][1]["rows"][1]["crosses"] == 7


def test_dice_come_with_their_sums() -> None:
    told = guide(play(qwixx(EMPTY, EMPTY), ROLL), None)
    assert told["white"] == {"dice": [3, 5], "sum": 8}
    assert [row["sums"] for row in told["rows"]] == [[9, 11], [4, 6], [5, 7], [7, 9]]
    assert guide(qwixx(EMPTY, EMPTY), 0)["white"] is None
    double = guide(play(qwixx(EMPTY, EMPTY), "* w3 w3 r6 y1 g2 b4"), None)
    assert double["rows"][0]["sums"] == [9]


def test_moves_come_with_what_they_are_worth() -> None:
    told = guide(play(qwixx(crosses(r=[2, 3]), EMPTY), ROLL), 0)
    choices = moves(told)
    assert list(choices) == ["r8", "y8", "g8", "b8", "-"]
    red = choices["r8"]
    assert (red["colour"], red["number"], red["gain"], red["points"]) == ("red", 8, 3, 6)
    assert red["row"]["cells"][2:7] == ["lost"] * 4 + ["crossed"]
    assert (choices["-"]["gain"], choices["-"]["points"]) == (0, 3)
    assert not any(move["ends"] for move in choices.values())


@pytest.mark.clause("QX-8")
def test_a_pass_without_a_cross_costs_a_penalty_in_action_2_only() -> None:
    match = play(qwixx(crosses(penalties=3), EMPTY), ROLL)
    assert moves(guide(match, 0))["-"]["gain"] == 0
    play(match, "0 -", "1 -")
    skipped = moves(guide(match, 0))["-"]
    assert (skipped["gain"], skipped["penalties"], skipped["ends"]) == (-5, 4, True)
    crossed = play(qwixx(EMPTY, EMPTY), ROLL, "0 r8", "1 -")
    assert moves(guide(crossed, 0))["-"]["gain"] == 0


@pytest.mark.clause("QX-10")
@pytest.mark.parametrize(("end", "ends"), [("table", True), ("player", False)])
def test_a_lock_says_whether_it_ends_the_game(end: str, ends: bool) -> None:
    match = qwixx(crosses(r=UP), crosses(y=[*UP, 12]), end=end)
    lock = moves(guide(play(match, "* w6 w6 r1 g2 b4"), 0))["r12"]
    assert (lock["locks"], lock["gain"], lock["ends"]) == (True, 13, ends)
    assert (lock["row"]["lock"], lock["row"]["crosses"]) == ("taken", 7)


@pytest.mark.clause("QX-12")
def test_only_an_own_sealed_decision_shows() -> None:
    match = play(qwixx(crosses(r=UP), crosses(r=UP)), "* w6 w6 r1 y1 g2 b4", "0 r12")
    mine, other, nobody = (guide(match, seat) for seat in (0, 1, None))
    assert mine["decided"]["move"] == "r12"
    assert mine["moves"] == []
    assert mine["sheets"][0]["points"] == 28
    assert mine["sheets"][0]["rows"][0]["lock"] == "taken"
    assert mine["rows"][0]["closed_by"] == []  # others may still take the lock
    before = guide(play(qwixx(crosses(r=UP), crosses(r=UP)), "* w6 w6 r1 y1 g2 b4"), None)
    for told in (other, nobody):
        assert told["decided"] is None
        assert told["sheets"] == before["sheets"]


def test_nobody_has_moves_but_who_must_decide() -> None:
    match = play(qwixx(EMPTY, EMPTY), ROLL, "0 r8", "1 -")
    assert guide(match, 1)["moves"] == []
    assert guide(match, None)["moves"] == []
    assert len(guide(match, 0)["moves"]) == 9


@pytest.mark.clause("QX-13")
@pytest.mark.clause("QX-14")
def test_the_end_names_who_brought_it_about() -> None:
    assert guide(new("qwixx", 2), 0)["ended"] is None
    fourth = play(qwixx(EMPTY, crosses(penalties=3), active=1), ROLL, "0 -", "1 -", "1 -")
    assert guide(fourth, 0)["ended"] == {"why": "penalties", "by": [1]}
    rows = play(qwixx(crosses(r=UP), crosses(y=UP)), "* w6 w6 r1 y1 g2 b4", "0 r12", "1 y12")
    assert guide(rows, None)["ended"] == {"why": "rows", "by": []}


@pytest.mark.clause("QX-14it")
def test_the_end_by_one_player_names_them() -> None:
    twelve = "* w6 w6 r1 y1 g2 b4"
    match = play(qwixx(crosses(r=UP), crosses(y=UP), end="player"), twelve, "0 r12", "1 y12")
    assert guide(match, 0)["ended"] is None
    two = play(qwixx(crosses(r=[*UP, 12], y=UP), EMPTY, end="player"), "* w6 w6 y1 g2 b4")
    assert guide(play(two, "0 y12", "1 -"), 0)["ended"] == {"why": "player", "by": [0]}


def test_one_seat_is_enough_for_practice() -> None:
    match = play(new("qwixx", 1), "* first 0", ROLL, "0 r8")
    told = guide(match, 0)
    assert told["sheets"][0]["points"] == 1
    assert "-" in moves(told)
