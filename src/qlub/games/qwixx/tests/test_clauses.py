"""How a game of Qwixx goes: rows, rolls, the two actions, locks (QX-1 to QX-12)."""

import pytest
from table import crosses, moves, new, play, position, qwixx, refuse, sheet

from qlub.core.errors import BadEvent, BadPosition, IllegalMove, NotYourTurn
from qlub.core.record import Match

MAX_ROLLS = "* w4 w1 r2 y3 g5 b6"
EMPTY = crosses()
UP = [2, 3, 4, 5, 6]
DOWN = [12, 11, 10, 9, 8]
FIVE = crosses(r=UP, y=UP, g=DOWN, b=DOWN)
LOCKS = {"r": 12, "y": 12, "g": 2, "b": 2}


def roll(white: int, rest: str = "r1 y1 g6 b6") -> str:
    """Return a roll whose white dice have this sum."""
    low = max(1, white - 6)
    return f"* w{low} w{white - low} {rest}"


@pytest.mark.clause("QX-1")
def test_red_and_yellow_rise_green_and_blue_fall() -> None:
    """A row can be crossed from its first number to its last, and in no other direction."""
    rising, falling = list(range(2, 13)), list(range(12, 1, -1))
    for row in "rygb":
        printed, reverse = (rising, falling) if row in "ry" else (falling, rising)
        assert sheet(qwixx(EMPTY | {row: printed}, EMPTY), 0)[row] == printed
        with pytest.raises(BadPosition):
            qwixx(EMPTY | {row: reverse}, EMPTY)


@pytest.mark.clause("QX-1")
def test_a_sheet_has_numbers_2_to_12_and_four_penalty_boxes() -> None:
    """What is not printed on a sheet can be neither crossed nor set up."""
    match = play(qwixx(EMPTY, EMPTY), MAX_ROLLS)
    for text in ("r1", "r13", "w5", "r05", "R5", "r"):
        refuse(match, f"0 {text}", BadEvent)
    for wrong in (crosses(r=[1]), crosses(b=[13]), crosses(y=[5, 5]), crosses(penalties=5)):
        with pytest.raises(BadPosition):
            qwixx(wrong, EMPTY)


@pytest.mark.clause("QX-2")
def test_skipped_numbers_are_lost() -> None:
    """Red 9 may follow red 5 directly; after that 8 is lost, and 9 cannot be crossed twice."""
    match = play(qwixx(crosses(r=[5], g=[9]), EMPTY), roll(9), "0 r9", "1 -", "0 -")
    assert sheet(match, 0)["r"] == [5, 9]
    for lost in (2, 5, 8, 9):
        turn = play(qwixx(crosses(r=[5, 9]), EMPTY), roll(lost))
        refuse(turn, f"0 r{lost}", IllegalMove, "behind")
        play(turn, f"1 r{lost}")


@pytest.mark.clause("QX-2")
def test_green_and_blue_are_crossed_from_left_to_right_too() -> None:
    """After green 9 the 10 is lost and the 8 is not."""
    lost = play(qwixx(crosses(g=[9], b=[9]), EMPTY), roll(10))
    refuse(lost, "0 g10", IllegalMove, "behind")
    refuse(lost, "0 b10", IllegalMove, "behind")
    left = play(qwixx(crosses(g=[9], b=[9]), EMPTY), roll(8))
    assert moves(left, 0) == ["r8", "y8", "g8", "b8", "-"]


@pytest.mark.clause("QX-3")
@pytest.mark.parametrize(
    ("row", "remaining"),
    [("r", range(8, 13)), ("y", range(11, 13)), ("g", range(2, 6)), ("b", range(2, 10))],
)
def test_the_example_sheet(row: str, remaining: range) -> None:
    """Red 5 and 7, yellow 10, green 6 and blue 10 leave exactly the numbers that the book names.

    The last number of a row is not lost either, but waits for five crosses (QX-9).
    """
    example = crosses(r=[5, 7], y=[10], g=[6], b=[10])
    for number in range(2, 13):
        match = play(qwixx(example, EMPTY), roll(number))
        if number not in remaining:
            refuse(match, f"0 {row}{number}", IllegalMove, "behind")
        elif number == LOCKS[row]:
            refuse(match, f"0 {row}{number}", IllegalMove, "five-first")
        else:
            assert f"{row}{number}" in moves(match, 0)


@pytest.mark.clause("QX-4")
def test_lots_decide_who_begins_then_clockwise() -> None:
    """Seat 2 of three begins by lot; seat 0 follows, then seat 1."""
    match = new("qwixx", 3)
    assert (match.state.phase, match.state.active, match.state.to_act) == ("first", None, ())
    refuse(match, "* first 3", BadEvent)
    refuse(match, "0 first 0", NotYourTurn)
    play(match, "* first 2")
    for active in (2, 0, 1, 2):
        assert match.state.active == active
        play(match, MAX_ROLLS, "0 -", "1 -", "2 -", f"{active} -")


@pytest.mark.clause("QX-5")
def test_all_six_dice_are_rolled() -> None:
    """A roll names two white dice and every coloured one, each showing 1 to 6."""
    match = play(new("qwixx", 2), "* first 0")
    for text in (
        "w4 w1 r2 y3 g5",
        "w4 r2 y3 g5 b6",
        "w4 w1 r2 y3 g5 b6 b6",
        "w4 w1 r2 y3 b6 g5",
        "w7 w1 r2 y3 g5 b6",
        "w4 w1 r0 y3 g5 b6",
    ):
        refuse(match, f"* {text}", BadEvent)
    play(match, MAX_ROLLS)
    assert position(match)["dice"] == {"w": [4, 1], "r": 2, "y": 3, "g": 5, "b": 6}


@pytest.mark.clause("QX-5")
def test_the_two_actions_come_one_after_the_other() -> None:
    """Nobody uses a coloured die before everyone has decided on the white sum, nor rolls before both."""
    match = play(new("qwixx", 2), "* first 0", MAX_ROLLS)
    refuse(match, "0 b10", IllegalMove, "not-rolled")
    play(match, "0 -")
    refuse(match, "0 b10", NotYourTurn)
    play(match, "1 -")
    assert (match.state.phase, match.state.to_act) == ("color", (0,))
    refuse(match, MAX_ROLLS, NotYourTurn)
    assert play(match, "0 b10").state.phase == "roll"


@pytest.mark.clause("QX-6")
def test_everyone_may_cross_the_white_sum_in_one_row() -> None:
    """Max announces five: he crosses red, Emma yellow, Laura and Linus nothing."""
    match = play(new("qwixx", 4), "* first 0", MAX_ROLLS)
    assert match.state.to_act == (0, 1, 2, 3)
    for seat in range(4):
        assert moves(match, seat) == ["r5", "y5", "g5", "b5", "-"]
    play(match, "0 r5", "1 y5")
    refuse(match, "1 b5", NotYourTurn)
    refuse(match, "2 r4", IllegalMove, "not-rolled")
    play(match, "2 -", "3 -")
    sheets = position(match)["sheets"]
    assert sheets == [crosses(r=[5]), crosses(y=[5]), EMPTY, EMPTY]


@pytest.mark.clause("QX-6")
def test_decisions_are_sealed_until_all_are_in() -> None:
    """No sheet changes and no view tells before the last has decided, in whatever order they do."""
    match = play(new("qwixx", 3), "* first 0", MAX_ROLLS, "2 g5", "0 r5")
    assert position(match)["sheets"] == [EMPTY] * 3
    told = match.game.write_view(match.state.view(1))["decided"]
    assert told == {"0": True, "2": True}
    other = play(new("qwixx", 3), "* first 0", MAX_ROLLS, "0 r5", "1 b5", "2 g5")
    assert play(match, "1 b5").state == other.state


@pytest.mark.clause("QX-7")
def test_only_the_active_player_adds_a_white_and_a_coloured_die() -> None:
    """Max adds the white 4 and the blue 6; he adds neither two colours nor the wrong one."""
    match = play(new("qwixx", 4), "* first 0", MAX_ROLLS, "0 r5", "1 y5", "2 -", "3 -")
    assert moves(match, 0) == ["r6", "y4", "y7", "g9", "g6", "b10", "b7", "-"]
    for wrong in ("y5", "r8", "y9", "g10", "b11"):
        refuse(match, f"0 {wrong}", IllegalMove, "not-rolled")
    for other in (1, 2, 3):
        assert moves(match, other) == []
        refuse(match, f"{other} b10", NotYourTurn)
    assert sheet(play(match, "0 b10"), 0) == crosses(r=[5], b=[10])


@pytest.mark.clause("QX-7")
def test_action_2_sees_what_action_1_crossed() -> None:
    """After red 5 in action 1 the 3 is lost in action 2; a fifth cross opens the lock for it."""
    match = play(new("qwixx", 2), "* first 0", MAX_ROLLS, "0 r5", "1 -")
    refuse(match, "0 r3", IllegalMove, "behind")
    fifth = play(qwixx(crosses(r=[2, 3, 4, 5]), EMPTY), "* w6 w5 r6 y1 g1 b1", "0 r11", "1 -")
    assert sheet(play(fifth, "0 r12"), 0)["r"] == [2, 3, 4, 5, 11, 12]


def penalties(match: Match) -> list[int]:
    return [sheet["penalties"] for sheet in position(match)["sheets"]]


@pytest.mark.clause("QX-8")
def test_a_turn_without_a_cross_costs_the_active_player_a_penalty() -> None:
    """Nobody crosses anything: a penalty for the active player and for nobody else."""
    match = play(qwixx(EMPTY, EMPTY, EMPTY, active=1), MAX_ROLLS, "0 -", "1 -", "2 -")
    assert penalties(match) == [0, 0, 0]
    assert penalties(play(match, "1 -")) == [0, 1, 0]
    assert match.state.scores() == (0, -5, 0)


@pytest.mark.clause("QX-8")
@pytest.mark.parametrize(("white", "color"), [("r5", "-"), ("-", "b10"), ("r5", "b10")])
def test_one_cross_in_either_action_is_enough(white: str, color: str) -> None:
    """A cross in action 1 or in action 2 spares the penalty, even if the other is passed."""
    match = play(qwixx(EMPTY, EMPTY), MAX_ROLLS, f"0 {white}", "1 -", f"0 {color}")
    assert penalties(match) == [0, 0]


@pytest.mark.clause("QX-9")
@pytest.mark.parametrize("row", "rygb")
def test_the_last_number_needs_five_crosses(row: str) -> None:
    """Four crosses in the row are too few, wherever they are, and those of other rows do not help."""
    number = LOCKS[row]
    five = UP if row in "ry" else DOWN
    late = [8, 9, 10, 11] if row in "ry" else [6, 5, 4, 3]
    for four in (five[:4], late):
        match = play(qwixx(FIVE | {row: four}, EMPTY), roll(number))
        refuse(match, f"0 {row}{number}", IllegalMove, "five-first")
        with pytest.raises(BadPosition):
            qwixx(EMPTY | {row: [*four, number]}, EMPTY)
    assert f"{row}{number}" in moves(play(qwixx(FIVE, EMPTY), roll(number)), 0)


@pytest.mark.clause("QX-9")
def test_action_2_needs_five_crosses_as_well() -> None:
    """White 1 and green 1 make the green 2, but only over five crosses."""
    for row, is_allowed in ((DOWN[:4], False), (DOWN, True)):
        match = play(qwixx(crosses(g=row), EMPTY), "* w1 w6 r1 y1 g1 b1", "0 -", "1 -")
        assert ("g2" in moves(match, 0)) == is_allowed


@pytest.mark.clause("QX-10")
def test_the_lock_counts_as_one_more_cross() -> None:
    """Five crosses are 15 points; the sixth brings the lock along, and seven are 28."""
    match = play(qwixx(crosses(r=UP), EMPTY), roll(12))
    assert match.state.scores() == (15, 0)
    assert play(match, "0 r12", "1 -").state.scores() == (28, 0)


@pytest.mark.clause("QX-10")
def test_a_whole_row_is_twelve_crosses_and_78_points() -> None:
    """Eleven numbers and the lock."""
    match = play(qwixx(EMPTY, crosses(b=range(12, 2, -1))), roll(2), "0 -", "1 b2")
    assert match.state.scores() == (0, 78)


@pytest.mark.clause("QX-11")
def test_a_row_closed_in_action_1_is_closed_in_action_2() -> None:
    """Seat 1 locks red in action 1: the red die is gone, and the active player cannot use red."""
    match = play(qwixx(crosses(r=UP), crosses(r=UP)), "* w6 w6 r1 y1 g6 b6")
    play(match, "0 -", "1 r12")
    assert position(match)["dice"] == {"w": [6, 6], "y": 1, "g": 6, "b": 6}
    assert moves(match, 0) == ["y7", "g12", "b12", "-"]
    refuse(match, "0 r7", IllegalMove, "closed")


@pytest.mark.clause("QX-11")
def test_a_closed_row_stays_closed_for_everyone() -> None:
    """Laura locks green in action 2: from the next roll on there is no green die and no green cross."""
    match = play(qwixx(crosses(g=DOWN), EMPTY), "* w1 w6 r1 y1 g1 b1", "0 -", "1 -", "0 g2")
    refuse(match, "* w1 w6 r1 y1 g1 b1", BadEvent)
    play(match, "* w1 w6 r1 y1 b1")
    for seat in (0, 1):
        assert moves(match, seat) == ["r7", "y7", "b7", "-"]
        refuse(match, f"{seat} g7", IllegalMove, "closed")
    play(match, "0 -", "1 -")
    refuse(match, "1 g7", IllegalMove, "closed")


@pytest.mark.clause("QX-12")
def test_several_may_lock_the_same_row_at_once() -> None:
    """Two with five crosses lock red together; one with four may not, whoever else does."""
    four = crosses(r=[8, 9, 10, 11])
    for order in (("0 r12", "1 r12"), ("1 r12", "0 r12")):
        match = play(qwixx(crosses(r=UP), crosses(r=UP), four), roll(12), *order)
        refuse(match, "2 r12", IllegalMove, "five-first")
        play(match, "2 -")
        assert match.state.scores() == (28, 28, 10)


@pytest.mark.clause("QX-12")
def test_a_lock_not_taken_at_once_is_lost() -> None:
    """Who passes while another locks red has no second chance."""
    match = play(qwixx(crosses(r=UP), crosses(r=UP)), roll(12), "0 -", "1 r12", "0 y7")
    play(match, "* w6 w6 y1 g1 b1")
    refuse(match, "0 r12", IllegalMove, "closed")
