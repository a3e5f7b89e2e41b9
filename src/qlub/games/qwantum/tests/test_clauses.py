"""How a game of Qwantum goes: dice, rows, columns and the three steps of a turn (QN-1 to QN-11)."""

from collections import Counter

import pytest
from table import moves, new, numbers, play, position, qwantum, refuse, sheet

from qlub.core.chance import Throw
from qlub.core.errors import BadEvent, BadPosition, IllegalMove, NotYourTurn

EMPTY = numbers()
SARAH = "* w3 r1 r2 b4 v3 b6 y5"  # violet 6, blue 13, red 6, yellow 8
LINUS = "* w3 b1 b5 y4 b4 b6 y1"  # violet 3, blue 19, red 3, yellow 8


@pytest.mark.clause("QN-1")
def test_the_faces_of_the_dice() -> None:
    """Nine faces a colour, each number six times, and the best face of every die is worth 27."""
    chance = play(new("qwantum", 2), "* first 0").state.chance
    assert isinstance(chance, Throw)
    white, *colored = chance.dice
    assert white == ("w1", "w2", "w3", "w4", "w5", "w6")
    assert [" ".join(die) for die in colored] == [
        "r1 r4 y5 b1 b5 v6",
        "r2 r6 y1 y3 b5 v4",
        "r1 r3 y2 y4 b4 v3",
        "r5 y6 b2 b4 v1 v3",
        "r3 y4 b2 b6 v2 v5",
        "r6 y1 y5 b3 v2 v6",
    ]
    faces = [face for die in colored for face in die]
    assert Counter(face[0] for face in faces) == dict.fromkeys("ryvb", 9)
    assert Counter(face[1] for face in faces) == dict.fromkeys("123456", 6)
    for colour in "ryvb":
        best = [max(int(face[1]) for face in die if face[0] == colour) for die in colored]
        assert sum(best) == 27


@pytest.mark.clause("QN-1")
@pytest.mark.parametrize(
    ("roll", "most"),
    [
        ("* w6 r4 r6 r3 r5 r3 r6", "r33"),
        ("* w6 y5 y3 y4 y6 y4 y5", "y33"),
        ("* w6 b5 b5 b4 b4 b6 b3", "b33"),
        ("* w6 v6 v4 v3 v3 v5 v6", "v33"),
    ],
)
def test_33_is_the_most_in_every_colour(roll: str, most: str) -> None:
    """The best dice of one colour and the white 6 make 33, and there is no text for more."""
    match = play(qwantum(EMPTY, EMPTY), roll, "0 keep")
    refuse(match, f"0 {most[0]}34", BadEvent)
    assert most in moves(match, 0)


@pytest.mark.clause("QN-1")
@pytest.mark.parametrize(
    "roll",
    [
        "w3 r2 r2 b4 v3 b6 y5",
        "w7 r1 r2 b4 v3 b6 y5",
        "w3 r2 r1 b4 v3 b6 y5",
        "w3 r1 r2 b4 v3 b6",
        "r1 r2 b4 v3 b6 y5 w3",
    ],
)
def test_a_die_shows_only_its_own_faces(roll: str) -> None:
    """A face of another die, a missing die or another order cannot be rolled."""
    refuse(qwantum(EMPTY, EMPTY), f"* {roll}", BadEvent)


@pytest.mark.clause("QN-2")
def test_a_sheet_has_four_rows_of_six_and_five_boxes() -> None:
    """A row takes six numbers from 1 to 33 and no seventh; a sixth failed throw has no box."""
    full = [1, 2, 3, 33, 9, 8]
    match = qwantum(numbers(v=full, y=full, fails=4), EMPTY)
    assert list(sheet(match, 0)) == ["v", "b", "r", "y", "fails"]
    for wrong in (
        numbers(v=[*full, 7]),
        numbers(b=[0]),
        numbers(b=[34]),
        EMPTY | {"fails": 6},
        EMPTY | {"g": []},
    ):
        with pytest.raises(BadPosition):
            qwantum(wrong, EMPTY)
    refuse(play(match, SARAH, "0 keep"), "0 v6", IllegalMove, "full")


@pytest.mark.clause("QN-3")
def test_a_row_is_filled_without_gaps() -> None:
    """Every number goes into the next free cell; a cell cannot be left out."""
    match = play(new("qwantum", 2), "* first 0", SARAH, "0 keep", "0 v6", "0 b13", "1 -")
    play(match, LINUS, "1 keep", "1 -", "0 b19", "1 b19")
    assert [sheet(match, seat)["b"] for seat in (0, 1)] == [[13, 19], [19]]
    with pytest.raises(BadPosition):
        qwantum(EMPTY | {"b": [13, None, 19]}, EMPTY)


@pytest.mark.clause("QN-4")
@pytest.mark.parametrize(
    ("row", "refusal"),
    [
        ([], None),
        ([12], None),
        ([13], "greater"),
        ([14], "greater"),
        ([3, 4, 12], None),
        ([3, 4, 13], "greater"),
        ([3, 4, 14], "greater"),
        ([3, 4, 5, 14], None),
        ([3, 4, 5, 13], "smaller"),
        ([3, 4, 5, 12], "smaller"),
        ([3, 4, 5, 33, 14], None),
        ([3, 4, 5, 33, 13], "smaller"),
        ([3, 4, 5, 33, 12], "smaller"),
        ([3, 4, 5, 33, 14, 9], "full"),
    ],
)
def test_rows_rise_to_the_thick_line_and_fall_behind_it(
    row: list[int], refusal: str | None
) -> None:
    """Blue 13 follows a smaller number up to the line and a greater one behind it, never an equal."""
    for seat in (0, 1):
        match = play(qwantum(numbers(b=row), numbers(b=row)), SARAH, "0 keep", "0 -")
        if refusal:
            refuse(match, f"{seat} b13", IllegalMove, refusal)
            assert "b13" not in moves(match, seat)
        else:
            assert "b13" in moves(match, seat)
    if refusal:
        with pytest.raises(BadPosition):
            qwantum(numbers(b=[*row, 13]), EMPTY)


@pytest.mark.clause("QN-5")
def test_rows_are_filled_in_any_order() -> None:
    """How far one row is has nothing to do with the others."""
    uneven = numbers(v=[1, 2, 3, 30, 20], b=[4, 9], y=[1, 2, 3])
    match = play(qwantum(uneven, EMPTY), SARAH, "0 keep")
    assert moves(match, 0) == ["v6", "b13", "r6", "y8", "-"]


@pytest.mark.clause("QN-6")
@pytest.mark.parametrize(
    ("column", "points"),
    [
        ((3, 4, 9, 6), 4),
        ((12, 10, 9, 15), 10),
        ((9, 4, 6, 4), 6),
        ((4, 9, 4, 4), 9),
        ((4, 9, 9, 4), 9),
        ((4, 4, 6, 9), 6),
        ((9, 9, 9, 4), 9),
        ((6, 6, 6, 6), 6),
        ((33, 1, 33, 33), 33),
    ],
)
def test_a_column_scores_its_second_lowest_value(column: tuple[int, ...], points: int) -> None:
    """The lowest value is left out however often it stands there; four equal values score it."""
    violet, blue, red, yellow = column
    match = qwantum(numbers(v=[violet], b=[blue], r=[red], y=[yellow]), EMPTY)
    assert match.state.scores() == (points, 0)


@pytest.mark.clause("QN-6")
def test_a_column_scores_at_once() -> None:
    """Three numbers score nothing; the fourth, written in B, scores before C."""
    match = play(qwantum(numbers(v=[4], b=[9], r=[5]), EMPTY), SARAH, "0 keep")
    assert match.state.scores() == (0, 0)
    play(match, "0 y8")
    assert (match.state.phase, match.state.scores()) == ("share", (5, 0))


@pytest.mark.clause("QN-7")
def test_lots_decide_who_begins_then_clockwise() -> None:
    """Seat 2 of three begins by lot; seat 0 follows, then seat 1."""
    match = new("qwantum", 3)
    assert (match.state.phase, match.state.active, match.state.to_act) == ("first", None, ())
    refuse(match, "* first 3", BadEvent)
    refuse(match, "2 first 2", NotYourTurn)
    play(match, "* first 2")
    for active in (2, 0, 1, 2):
        assert match.state.active == active
        play(match, SARAH, f"{active} keep", f"{active} -", "0 -", "1 -", "2 -")


@pytest.mark.clause("QN-8")
def test_the_active_player_may_keep_all_dice() -> None:
    """Nothing is written before the dice are kept, and nobody else decides about them."""
    match = play(qwantum(EMPTY, EMPTY), SARAH)
    assert (match.state.phase, match.state.to_act) == ("keep", (0,))
    refuse(match, "1 keep", NotYourTurn)
    for early in ("v6", "-"):
        refuse(match, f"0 {early}", IllegalMove, "keep-first")
    play(match, "0 keep")
    assert (match.state.phase, match.state.chance) == ("pick", None)
    refuse(match, "0 reroll 1", IllegalMove, "dice-stay")


@pytest.mark.clause("QN-8")
def test_any_dice_are_rolled_again_exactly_once() -> None:
    """White and die 1 are rolled again, the others lie still, and then the result stands."""
    match = play(qwantum(EMPTY, EMPTY), SARAH, "0 reroll w,1")
    assert position(match)["rerolling"] == ["w", "1"]
    for changed in (
        "w5 v6 r6 b4 v3 b6 y5",
        "w5 v6 r2 b4 v3 b6 y1",
        "w5 r2 r2 b4 v3 b6 y5",
        "w5 v6",
    ):
        refuse(match, f"* {changed}", BadEvent)
    play(match, "* w5 v6 r2 b4 v3 b6 y5")
    assert moves(match, 0) == ["v14", "b15", "r7", "y10", "-"]
    for again in ("reroll 1", "keep"):
        refuse(match, f"0 {again}", IllegalMove, "dice-stay")


@pytest.mark.clause("QN-8")
def test_all_seven_dice_or_a_single_one_may_be_rolled_again() -> None:
    """There are 127 ways to roll again, besides keeping; a die may show its old face."""
    match = play(qwantum(EMPTY, EMPTY), SARAH)
    assert len(set(moves(match, 0))) == len(moves(match, 0)) == 128
    for wrong in ("reroll", "reroll 1,w", "reroll 1,1", "reroll 7", "reroll 4,1", "reroll w 1"):
        refuse(match, f"0 {wrong}", BadEvent)
    play(match, "0 reroll w,1,2,3,4,5,6", LINUS)
    assert position(match)["dice"] == LINUS.split()[1:]
    same = play(qwantum(EMPTY, EMPTY), SARAH, "0 reroll 3", SARAH)
    assert same.state.phase == "pick"


@pytest.mark.clause("QN-9")
def test_the_white_die_is_added_to_every_colour() -> None:
    """Sarah's dice are worth violet 6, blue 13, red 6 and yellow 8."""
    match = play(qwantum(EMPTY, EMPTY), SARAH, "0 keep")
    assert moves(match, 0) == ["v6", "b13", "r6", "y8", "-"]
    for bare in ("v3", "b10", "y5", "r3"):
        refuse(match, f"0 {bare}", IllegalMove, "not-rolled")


@pytest.mark.clause("QN-9")
def test_a_colour_that_nobody_rolled_is_worth_the_white_die() -> None:
    """With every die red, the other three colours are worth the white 2."""
    match = play(qwantum(EMPTY, EMPTY), "* w2 r1 r2 r1 r5 r3 r6", "0 keep")
    assert moves(match, 0) == ["v2", "b2", "r20", "y2", "-"]


@pytest.mark.clause("QN-10")
def test_in_b_only_the_active_player_may_write_one_colour() -> None:
    """Sarah writes the violet 6; the others do not decide in B, and she may also write nothing."""
    match = play(qwantum(EMPTY, EMPTY), SARAH, "0 keep")
    assert (match.state.phase, match.state.to_act, moves(match, 1)) == ("pick", (0,), [])
    refuse(match, "1 v6", NotYourTurn)
    refuse(match, "0 v7", IllegalMove, "not-rolled")
    refuse(match, "0 g6", BadEvent)
    passed = play(qwantum(EMPTY, EMPTY), SARAH, "0 keep", "0 -")
    play(match, "0 v6")
    assert (sheet(match, 0), sheet(passed, 0)) == (numbers(v=[6]), EMPTY)
    assert match.state.phase == passed.state.phase == "share"


@pytest.mark.clause("QN-11")
def test_in_c_everyone_may_write_one_of_the_other_three_colours() -> None:
    """Sarah picked violet and takes yellow 8; Tim and Emma both take red 6, Linus blue 13."""
    match = play(qwantum(*[EMPTY] * 4), SARAH, "0 keep", "0 v6")
    assert match.state.to_act == (0, 1, 2, 3)
    for seat in range(4):
        assert moves(match, seat) == ["b13", "r6", "y8", "-"]
        refuse(match, f"{seat} v6", IllegalMove, "picked")
    play(match, "0 y8", "1 r6", "2 r6")
    refuse(match, "1 b13", NotYourTurn)
    play(match, "3 b13")
    assert position(match)["sheets"] == [
        numbers(v=[6], y=[8]),
        numbers(r=[6]),
        numbers(r=[6]),
        numbers(b=[13]),
    ]


@pytest.mark.clause("QN-11")
def test_all_four_colours_are_open_if_nothing_was_written_in_b() -> None:
    """The active player passes in B: everyone may take any colour, also the same one."""
    match = play(qwantum(EMPTY, EMPTY), SARAH, "0 keep", "0 -")
    for seat in (0, 1):
        assert moves(match, seat) == ["v6", "b13", "r6", "y8", "-"]
    assert position(play(match, "0 v6", "1 v6"))["sheets"] == [numbers(v=[6])] * 2


@pytest.mark.clause("QN-11")
def test_a_picked_colour_is_open_again_in_the_next_turn() -> None:
    """Violet was picked by seat 0; seat 1 may pick it from its own roll."""
    match = play(qwantum(EMPTY, EMPTY), SARAH, "0 keep", "0 v6", "0 -", "1 -", SARAH, "1 keep")
    assert moves(match, 1) == ["v6", "b13", "r6", "y8", "-"]


@pytest.mark.clause("QN-11")
def test_decisions_in_c_are_sealed_until_all_are_in() -> None:
    """No sheet changes and no view tells before the last has decided, in whatever order they do."""
    match = play(qwantum(EMPTY, EMPTY, EMPTY), SARAH, "0 keep", "0 -", "2 y8", "0 b13")
    assert position(match)["sheets"] == [EMPTY] * 3
    assert match.game.write_view(match.state.view(1))["decided"] == {"0": True, "2": True}
    other = play(qwantum(EMPTY, EMPTY, EMPTY), SARAH, "0 keep", "0 -", "0 b13", "1 -", "2 y8")
    assert play(match, "1 -").state == other.state
