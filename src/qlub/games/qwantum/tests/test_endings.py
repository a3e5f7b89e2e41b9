"""Failed throws, how a game of Qwantum ends, and what it is worth (QN-12 to QN-16)."""

import pytest
from table import moves, numbers, play, qwantum, refuse, sheet

from qlub.core.errors import BadPosition, GameOver

SARAH = "* w3 r1 r2 b4 v3 b6 y5"  # violet 6, blue 13, red 6, yellow 8
LINUS = "* w3 b1 b5 y4 b4 b6 y1"  # violet 3, blue 19, red 3, yellow 8
EMPTY = numbers()
EMMA = numbers(
    v=[4, 8, 11, 20, 11, 6],
    b=[6, 7, 12, 16, 10, 4],
    r=[6, 11, 13, 14, 12, 2],
    y=[9, 12, 14, 18, 17, 4],
    fails=3,
)


ALMOST = EMMA | {"v": EMMA["v"][:5]}  # waits for a violet number below 11


@pytest.mark.clause("QN-12")
def test_a_turn_without_a_number_is_a_failed_throw() -> None:
    """Failed throws cost 1, 2, 3, 4: together 1, 3, 6, 10; the others never cross one."""
    for fails, points in enumerate((0, -1, -3, -6, -10)):
        assert qwantum(numbers(fails=fails), EMPTY).state.scores() == (points, 0)
    match = play(qwantum(numbers(fails=1), EMPTY), SARAH, "0 keep", "0 -", "0 -")
    assert sheet(match, 0)["fails"] == 1
    play(match, "1 -")
    assert [sheet(match, seat)["fails"] for seat in (0, 1)] == [2, 0]
    assert match.state.scores() == (-3, 0)


@pytest.mark.clause("QN-12")
@pytest.mark.parametrize(("pick", "share"), [("v6", "-"), ("-", "v6"), ("v6", "y8")])
def test_a_number_in_b_or_c_is_enough(pick: str, share: str) -> None:
    """One number in either step spares the failed throw."""
    match = play(qwantum(EMPTY, EMPTY), SARAH, "0 keep", f"0 {pick}", "1 -", f"0 {share}")
    assert sheet(match, 0)["fails"] == 0


@pytest.mark.clause("QN-13")
def test_a_sheet_filled_in_b_ends_the_game_without_c() -> None:
    """The violet 6 fills the last cell in B: nobody writes in C any more."""
    match = play(qwantum(ALMOST, EMPTY), SARAH, "0 keep", "0 v6")
    assert (match.state.phase, match.state.reason, match.state.to_act) == ("over", "sheet", ())
    refuse(match, "1 b13", GameOver)
    refuse(match, "0 -", GameOver)


@pytest.mark.clause("QN-13")
def test_a_sheet_filled_in_c_ends_the_game_after_everyone() -> None:
    """Seat 1 fills its sheet in C; those who decide after it still write."""
    match = play(qwantum(EMPTY, ALMOST, EMPTY), SARAH, "0 keep", "0 y8", "1 v6")
    assert not match.state.is_over
    play(match, "0 -", "2 b13")
    assert (match.state.phase, match.state.reason) == ("over", "sheet")
    assert sheet(match, 2)["b"] == [13]


@pytest.mark.clause("QN-13")
def test_a_failed_throw_counts_even_if_another_fills_a_sheet() -> None:
    """The active player wrote nothing while seat 1 filled its sheet: the fail is crossed first."""
    match = play(qwantum(EMPTY, ALMOST), SARAH, "0 keep", "0 -", "1 v6", "0 -")
    assert (match.state.reason, sheet(match, 0)["fails"]) == ("sheet", 1)


@pytest.mark.clause("QN-13")
def test_one_open_cell_keeps_the_game_going() -> None:
    """Three full rows and five numbers in the fourth are not a full sheet."""
    match = play(
        qwantum(ALMOST | {"v": EMMA["v"][:4]}, EMPTY), SARAH, "0 keep", "0 v6", "0 -", "1 -"
    )
    assert match.state.phase == "roll"
    with pytest.raises(BadPosition):
        qwantum(EMMA, EMPTY)


@pytest.mark.clause("QN-14")
def test_the_fifth_failed_throw_ends_the_game_after_c() -> None:
    """In that C the others still write; the fourth failed throw ends nothing."""
    match = play(qwantum(numbers(fails=3), EMPTY), SARAH, "0 keep", "0 -", "0 -", "1 -")
    assert match.state.phase == "roll"
    match = play(qwantum(numbers(fails=4), EMPTY), SARAH, "0 keep", "0 -", "0 -")
    assert not match.state.is_over
    play(match, "1 y8")
    assert (match.state.reason, match.state.scores()) == ("fails", (-15, 0))
    assert sheet(match, 1)["y"] == [8]
    refuse(match, LINUS, GameOver)


@pytest.mark.clause("QN-13")
@pytest.mark.clause("QN-14")
def test_a_full_sheet_and_a_fifth_fail_at_once_are_an_end_by_the_sheet() -> None:
    """When both happen in the same C, the full sheet is named."""
    match = play(qwantum(numbers(fails=4), ALMOST), SARAH, "0 keep", "0 -", "0 -", "1 v6")
    assert (match.state.reason, sheet(match, 0)["fails"]) == ("sheet", 5)


@pytest.mark.clause("QN-15")
def test_only_complete_columns_count() -> None:
    """A row far ahead of the others scores nothing until its columns are complete."""
    far = numbers(v=[3, 5, 9, 20, 11], b=[4, 6], r=[5, 7], y=[6])
    assert qwantum(far, EMPTY).state.scores() == (4, 0)
    assert qwantum(far | {"y": [6, 8], "fails": 2}, EMPTY).state.scores() == (4 + 6 - 3, 0)


@pytest.mark.clause("QN-15")
def test_most_points_win_a_tie_is_shared_and_totals_may_be_negative() -> None:
    """The one who ends the game by failing loses to two who share minus one."""
    seats = numbers(fails=4), numbers(fails=1), numbers(fails=1)
    match = play(qwantum(*seats), SARAH, "0 keep", "0 -", "0 -", "1 -")
    assert match.state.winners is None
    play(match, "2 -")
    assert match.state.scores() == (-15, -1, -1)
    assert match.state.winners == (1, 2)


@pytest.mark.clause("QN-15")
def test_a_full_sheet_need_not_win() -> None:
    """Seat 0 fills its sheet, but seat 1 has more points."""
    poor = {row: [1, 2, 3, 9, 8, 7] for row in "bry"} | {"v": [1, 2, 3, 9, 8], "fails": 0}
    rich = numbers(v=[33], b=[20], r=[20], y=[33])
    match = play(qwantum(poor, rich), SARAH, "0 keep", "0 v6")
    assert match.state.scores() == (1 + 2 + 3 + 9 + 8 + 7, 33)
    assert match.state.winners == (1,)


@pytest.mark.clause("QN-16")
def test_the_example_of_linus() -> None:
    """White 3 with neither red nor violet: both are worth 3, yellow 8, blue 19."""
    match = play(qwantum(EMPTY, EMPTY), LINUS, "0 keep")
    assert moves(match, 0) == ["v3", "b19", "r3", "y8", "-"]
    play(match, "0 v3")
    assert moves(match, 1) == ["b19", "r3", "y8", "-"]


@pytest.mark.clause("QN-16")
def test_the_example_of_emma() -> None:
    """Columns of 6 8 12 16 11 4 are 57 points; three failed throws leave 51."""
    for columns, points in enumerate((0, 6, 14, 26, 42, 53)):
        part = {row: EMMA[row][:columns] for row in "vbry"} | {"fails": 0}
        assert qwantum(part, EMPTY).state.scores() == (points, 0)
    match = play(qwantum(ALMOST, EMPTY), SARAH, "0 keep", "0 v6")
    assert sheet(match, 0) == EMMA
    assert match.state.scores() == (57 - 6, 0)
