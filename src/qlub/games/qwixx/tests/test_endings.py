"""How a game of Qwixx ends and what it is worth (QX-13 to QX-19)."""

from typing import Any

import pytest
from table import crosses, moves, play, position, qwixx, refuse, sheet

from qlub.core.errors import BadPosition, GameOver
from qlub.core.game import State
from qlub.core.registry import find_game

EMPTY = crosses()
UP = [2, 3, 4, 5, 6]
DOWN = [12, 11, 10, 9, 8]
FIVE = crosses(r=UP, y=UP, g=DOWN, b=DOWN)
LOCKED = {"r": [*UP, 12], "y": [*UP, 12], "g": [*DOWN, 2], "b": [*DOWN, 2]}
TWELVE = "* w6 w6 r1 y1 g1 b1"


def without(roll: str, *rows: str) -> str:
    """Return a roll without the dice of closed rows."""
    return " ".join(die for die in roll.split(" ") if die[0] not in rows)


@pytest.mark.clause("QX-13")
def test_the_fourth_penalty_ends_the_game_at_once() -> None:
    """With three penalties the game goes on; the fourth is the last event."""
    match = play(qwixx(EMPTY, crosses(penalties=2), active=1), TWELVE, "0 -", "1 -", "1 -")
    assert (match.state.phase, match.state.active) == ("roll", 0)
    play(match, TWELVE, "0 g12", "1 -", "0 -", TWELVE, "0 -", "1 -")
    assert not match.state.is_over
    play(match, "1 -")
    assert (match.state.reason, match.state.scores()) == ("penalties", (1, -20))
    refuse(match, TWELVE, GameOver)
    refuse(match, "0 -", GameOver)


@pytest.mark.clause("QX-14")
def test_two_rows_end_the_game_no_matter_who_closed_them() -> None:
    """Emma closed green; Max closes red in action 1, and there is no action 2."""
    match = qwixx(FIVE, FIVE | {"g": LOCKED["g"]})
    play(match, without(TWELVE, "g"), "0 r12")
    assert not match.state.is_over
    play(match, "1 -")
    assert (match.state.phase, match.state.reason) == ("over", "rows")
    refuse(match, "0 y7", GameOver)


@pytest.mark.clause("QX-14")
def test_action_2_ends_the_game_as_well() -> None:
    """One row in action 1 leaves the game running; a second one in action 2 ends it."""
    match = play(qwixx(FIVE, FIVE), "* w6 w6 r1 y6 g1 b1", "0 -", "1 r12")
    assert match.state.phase == "color"
    play(match, "0 y12")
    assert (match.state.phase, match.state.reason) == ("over", "rows")
    assert position(match)["dice"] == {"w": [6, 6], "g": 1, "b": 1}


@pytest.mark.clause("QX-14")
def test_a_third_row_closes_together_with_the_second() -> None:
    """Green is closed and Emma announces twelve: Max closes red while Linus closes yellow."""
    match = qwixx(crosses(g=LOCKED["g"]), crosses(r=UP), crosses(y=UP))
    play(match, without(TWELVE, "g"), "0 -", "1 r12", "2 y12")
    assert match.state.reason == "rows"
    assert [sheet(match, seat)[row][-1] for seat, row in enumerate("gry")] == [2, 12, 12]
    assert match.state.scores() == (28, 28, 28)


@pytest.mark.clause("QX-14")
def test_one_row_locked_by_two_players_is_one_row() -> None:
    """The same lock crossed twice does not end the game."""
    match = play(qwixx(FIVE, FIVE), TWELVE, "0 r12", "1 r12")
    assert match.state.phase == "color"


@pytest.mark.clause("QX-14it")
def test_with_end_player_one_player_needs_two_rows() -> None:
    """Two and three rows closed by different players leave the game running."""
    match = play(qwixx(FIVE, FIVE, FIVE, end="player"), TWELVE, "0 r12", "1 y12", "2 -")
    assert moves(match, 0) == ["g7", "b7", "-"]
    play(match, "0 -", "* w1 w1 g1 b1", "0 -", "1 -", "2 g2")
    assert (match.state.phase, position(match)["dice"]) == ("color", {"w": [1, 1], "b": 1})
    play(match, "1 -", "* w1 w1 b1", "0 b2", "1 -", "2 -")
    assert match.state.reason == "rows"


@pytest.mark.clause("QX-14it")
def test_with_end_player_a_second_lock_of_one_player_ends_the_game() -> None:
    """Seat 0 has red; yellow in action 2 makes two, and the others keep theirs open."""
    match = qwixx(FIVE | {"r": LOCKED["r"]}, FIVE, end="player")
    play(match, "* w6 w6 y6 g1 b1", "0 -", "1 -", "0 y12")
    assert (match.state.phase, match.state.reason) == ("over", "rows")


@pytest.mark.clause("QX-14it")
def test_with_end_player_a_lock_taken_together_counts_for_both() -> None:
    """Red was locked by both at once; when seat 1 alone locks yellow, it has two."""
    both = FIVE | {"r": LOCKED["r"]}
    match = play(qwixx(both, both, end="player"), without(TWELVE, "r"), "0 -", "1 y12")
    assert match.state.reason == "rows"


@pytest.mark.clause("QX-14it")
def test_with_end_player_four_closed_rows_end_the_game() -> None:
    """When nothing is left to cross the game ends, though each player locked a single row."""
    seats = [FIVE | {row: LOCKED[row]} for row in "ryg"]
    match = play(qwixx(*seats, FIVE, end="player"), "* w1 w1 b1", "0 -", "1 -", "2 -", "3 b2")
    assert (match.state.phase, match.state.reason) == ("over", "rows")
    with pytest.raises(BadPosition):
        qwixx(*seats, FIVE | {"b": LOCKED["b"]}, end="player")


@pytest.mark.clause("QX-14it")
def test_with_end_player_the_fourth_penalty_still_ends_the_game() -> None:
    """The option changes what rows do, and nothing else."""
    match = play(qwixx(crosses(penalties=3), FIVE, end="player"), TWELVE, "0 -", "1 -", "0 -")
    assert match.state.reason == "penalties"


POINTS = [1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 66, 78]


@pytest.mark.clause("QX-15")
@pytest.mark.parametrize("row", "rygb")
def test_points_of_a_row(row: str) -> None:
    """1 3 6 10 15 21 28 36 45 55 points without the lock, 28 to 78 with it, in every row alike."""
    printed = list(range(2, 13)) if row in "ry" else list(range(12, 1, -1))
    for count in range(11):
        match = qwixx(EMPTY | {row: printed[:count]}, EMPTY)
        assert match.state.scores() == (0 if count == 0 else POINTS[count - 1], 0)
    for count in range(5, 11):
        match = qwixx(EMPTY | {row: [*printed[:count], printed[-1]]}, EMPTY)
        assert match.state.scores() == (POINTS[count + 1], 0)


@pytest.mark.clause("QX-15")
def test_each_penalty_costs_five() -> None:
    """Penalties are taken off the sum of the rows."""
    for count in range(4):
        scores = qwixx(crosses(r=[2, 3], penalties=count), EMPTY).state.scores()
        assert scores == (3 - 5 * count, 0)


@pytest.mark.clause("QX-16")
def test_the_example_of_laura() -> None:
    """4 red, 3 yellow, 7 green with the lock and 8 blue, less two penalties, are 70 points."""
    laura = crosses(
        r=[2, 3, 5, 7],
        y=[4, 6, 9],
        g=[12, 11, 9, 7, 5, 2],
        b=[12, 11, 10, 9, 8, 7, 5, 3],
        penalties=2,
    )
    assert qwixx(laura, EMPTY).state.scores() == (10 + 6 + 28 + 36 - 10, 0)
    assert qwixx(laura, EMPTY).state.scores()[0] == 70


@pytest.mark.clause("QX-17")
def test_most_points_win() -> None:
    """The one who ends the game need not win it, and before the end nobody has won."""
    match = play(qwixx(crosses(penalties=3), crosses(r=[3]), EMPTY), TWELVE, "0 -", "1 -", "2 -")
    assert match.state.winners is None
    assert play(match, "0 -").state.winners == (1,)


@pytest.mark.clause("QX-17")
def test_a_tie_is_a_shared_win_and_totals_may_be_negative() -> None:
    """Two players at minus five share the win over one at minus twenty."""
    seats = crosses(penalties=3), crosses(penalties=1), crosses(penalties=1)
    match = play(qwixx(*seats), TWELVE, "0 -", "1 -", "2 -", "0 -")
    assert match.state.scores() == (-20, -5, -5)
    assert match.state.winners == (1, 2)


@pytest.mark.clause("QX-18")
def test_an_end_in_action_1_spares_the_active_player_a_penalty() -> None:
    """The others close two rows while the active player passes with three penalties: no fourth."""
    match = qwixx(FIVE | {"penalties": 3}, FIVE, FIVE)
    play(match, TWELVE, "1 r12", "2 y12")
    assert not match.state.is_over
    play(match, "0 -")
    assert (match.state.reason, sheet(match, 0)["penalties"]) == ("rows", 3)


@pytest.mark.clause("QX-18")
def test_everybody_decides_before_an_immediate_end() -> None:
    """The last to decide in action 1 still crosses, although two rows are as good as closed."""
    match = play(qwixx(FIVE, FIVE, EMPTY), TWELVE, "0 r12", "1 y12", "2 g12")
    assert sheet(match, 2)["g"] == [12]


@pytest.mark.clause("QX-18")
def test_one_closed_row_in_action_1_does_not_spare_the_penalty() -> None:
    """The game goes on, so action 2 comes, and passing it too costs a penalty."""
    match = play(qwixx(FIVE, FIVE), TWELVE, "0 -", "1 r12", "0 -")
    assert sheet(match, 0)["penalties"] == 1


# Everybody has five crosses in every row, and nothing but locks left to cross.
LATE_UP, LATE_DOWN = [7, 8, 9, 10, 11], [7, 6, 5, 4, 3]
READY = crosses(r=LATE_UP, y=LATE_UP, g=LATE_DOWN, b=LATE_DOWN)
LAST = {"r": 12, "y": 12, "g": 2, "b": 2}


def closed_rows(state: State[Any]) -> set[str]:
    """Return the rows that anybody locked."""
    sheets = find_game("qwixx").write_position(state)["sheets"]
    return {row for row in "rygb" for sheet in sheets if sheet[row][-1] == LAST[row]}


def ends_of_turn(state: State[Any]) -> set[State[Any]]:
    """Return every state in which a turn can end, whatever everybody decides."""
    turns, ended = {state}, set[State[Any]]()
    while turns:
        after = {
            turn.apply(turn.to_act[0], move)
            for turn in turns
            for move in turn.legal(turn.to_act[0])
        }
        ended |= {turn for turn in after if not turn.to_act}
        turns = after - ended
    return ended


@pytest.mark.clause("QX-19")
@pytest.mark.parametrize("closed", ["", "r", "y", "g", "b"])
def test_never_more_than_three_rows_close(closed: str) -> None:
    """Five seats may lock any row: of all their decisions, on every white sum, none closes a fourth.

    The coloured dice offer every lock in action 2 as well. Three rows do close: one before, and
    the two that end in the same number together.
    """
    first = READY | {row: [*READY[row], LAST[row]] for row in closed}
    most = 0
    for white in range(2, 13):
        low = max(1, white - 6)
        roll = without(f"* w{low} w{white - low} r6 y6 g1 b1", *closed)
        turn = play(qwixx(first, READY, READY, READY, READY), roll).state
        together = {row for row in "rygb" if LAST[row] == white} - set(closed)
        reached = [closed_rows(state) for state in ends_of_turn(turn)]
        assert together | set(closed) in reached
        most = max(most, *map(len, reached))
    assert most == (3 if closed else 2)
