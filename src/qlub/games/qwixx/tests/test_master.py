"""A player with a mind plays for the win, whatever its network says."""

from collections.abc import Iterator, Sequence
from functools import cache
from random import Random
from typing import Any

import pytest
from table import crosses, play, qwixx

from qlub.core.luck import new_luck
from qlub.core.net import net_size
from qlub.games.qwixx import master
from qlub.games.qwixx.bots import choose_fewest_skipped
from qlub.games.qwixx.features import FEATURES, MOST_THERE, find_features
from qlub.games.qwixx.levels import Learnt
from qlub.games.qwixx.master import Mind, choose_best, find_best, new_mind
from qlub.games.qwixx.playout import roll
from qlub.games.qwixx.rules import (
    ACTIVE,
    DECIDED,
    OVER,
    PASS,
    PHASE,
    ROLL,
    SIZE,
    begin,
    decide,
    legal_cells,
    may_decide,
    start,
)
from qlub.games.qwixx.state import View, decode
from qlub.kernel import SEALED, UNDECIDED
from qlub.thinker import Array

UP = [2, 3, 4, 5, 6]
DOWN = [12, 11, 10, 9, 8]
GREEN_IS_LOCKED = [*DOWN, 2]
JUDGE = (0, 0, 0, 0)
BY_EYE = (40, 0, 0, 0)
FUTURES = (0, 2, 1, 200)


@cache
def some_weights() -> Sequence[float]:
    rng = Random(1)
    return [rng.gauss(0, 0.1) for _ in range(net_size(FEATURES))]


def some_mind(plan: Sequence[int]) -> Mind:
    return new_mind(some_weights(), plan, list)


def chosen(state: Any, seat: int) -> str:
    """The choice of who gives everybody the same chance in every game that goes on."""
    mind = new_mind([0.0] * net_size(FEATURES), JUDGE, list)
    cells = legal_cells(state.table, seat)
    return str(decode(choose_best(state.table, seat, cells, mind)))


def decisions(seats: int, seed: int) -> Iterator[tuple[list[int], int]]:
    """Yield the tables of a greedy game with who is to decide; earlier seats have sealed what they do."""
    table, luck = [0] * SIZE, new_luck(seed, 0, seats)
    start(table, seats, 0)
    begin(table, seats - 1)
    while table[PHASE] != OVER:
        if table[PHASE] == ROLL:
            roll(table, luck)
        for seat in range(seats):
            if may_decide(table, seat):
                yield table.copy(), seat
                move = choose_fewest_skipped(table, seat, legal_cells(table, seat), [])
                decide(table, seat, move)


@pytest.mark.parametrize(
    ("theirs", "move"),
    [
        ({"g": GREEN_IS_LOCKED}, "r12"),
        ({"g": GREEN_IS_LOCKED, "y": [2, 3, 4, 5], "b": [*DOWN, 7, 6]}, "-"),
    ],
)
def test_a_row_that_ends_the_game_is_closed_by_who_is_ahead(
    theirs: dict[str, Any], move: str
) -> None:
    """Red would be the second row: with 28 + 15 points against 28 that wins, against 66 it loses."""
    match = qwixx(crosses(r=UP, y=UP), crosses(**theirs), active=1)
    play(match, "* w6 w6 r1 y1 b1")
    assert chosen(match.state, 0) == move


def test_what_others_are_about_to_do_is_expected() -> None:
    """Seat 1 will lock yellow. Who locks red at the same time ends the game, with 58 to 28 points."""
    match = qwixx(crosses(r=UP, g=DOWN, b=DOWN), crosses(y=UP), active=1)
    play(match, "* w6 w6 r1 y1 g1 b1")
    assert chosen(match.state, 0) == "r12"


def test_features_fit() -> None:
    """At every number of seats, with the fullest and the emptiest sheets."""
    full = crosses(r=[*UP, 7, 8, 9, 10], y=UP, g=DOWN, b=[12], penalties=3)
    for seats in range(1, 6):
        state: Any = qwixx(full, *[crosses(penalties=3)] * (seats - 1)).state
        for seat in range(seats):
            there = [-1] * MOST_THERE
            count = find_features(state.table, seat, state.table[ACTIVE], there)
            assert len(set(there[:count])) > 5
            assert all(0 <= feature < FEATURES for feature in there[:count])
            assert all(feature == -1 for feature in there[count:])


def test_colours_do_not_matter_but_which_rows_run_alike_does() -> None:
    first, second, third, fourth = [2, 3], [5], [2, 4, 7], [3, 4, 5, 9]

    def seen(*rows: list[int]) -> list[int]:
        red, yellow, green, blue = rows
        green, blue = ([14 - number for number in row] for row in (green, blue))
        state: Any = qwixx(crosses(r=red, y=yellow, g=green, b=blue), crosses()).state
        there = [-1] * MOST_THERE
        return sorted(there[: find_features(state.table, 0, 0, there)])

    one = seen(first, second, third, fourth)
    assert one == seen(second, first, third, fourth) == seen(fourth, third, second, first)
    assert one != seen(first, third, second, fourth)
    assert (
        len(set(one) - set(seen(first, second, third, [3, 4, 5, 10]))) >= 4
    )  # it is in three pairs


def test_who_can_only_pass_passes() -> None:
    match = qwixx(crosses(r=[12 - 1], y=[11], g=[3], b=[3]), crosses(), active=1)
    play(match, "* w3 w3 r1 y1 g1 b1")
    state: Any = match.state
    assert legal_cells(state.table, 0) == 0
    assert chosen(match.state, 0) == str(decode(PASS))


@pytest.mark.parametrize("plan", [JUDGE, BY_EYE, FUTURES])
@pytest.mark.parametrize("seats", [1, 2, 5])
def test_moves_are_legal_and_decided_by_the_word(seats: int, plan: Sequence[int]) -> None:
    """Whatever was thought before, and with the table left as it was."""
    mind, words = some_mind(plan), Random(seats)
    for table, seat in list(decisions(seats, seats))[:: 4 + 3 * seats * seats]:
        before, cells, word = table.copy(), legal_cells(table, seat), words.getrandbits(63)
        move = find_best(table, seat, cells, word, mind)
        assert table == before
        assert move == PASS or cells >> move & 1
        assert move == find_best(table, seat, cells, word, some_mind(plan))


@pytest.mark.clause("QX-12")
@pytest.mark.parametrize("plan", [JUDGE, FUTURES])
def test_what_others_have_sealed_does_not_matter(plan: Sequence[int]) -> None:
    mind = some_mind(plan)
    sealed = [(table, seat) for table, seat in decisions(3, 5) if seat == 2 and table[DECIDED] >= 0]
    assert len(sealed) > 10
    for table, seat in sealed[::15]:
        moves = set()
        for hidden in (SEALED, UNDECIDED, PASS, 0, 43):
            table[DECIDED] = table[DECIDED + 1] = hidden
            moves.add(find_best(table, seat, legal_cells(table, seat), 7, mind))
        assert len(moves) == 1


def test_who_is_not_sure_decides_now_this_way_and_now_that() -> None:
    mind = some_mind((400, 0, 0, 0))
    table, seat = next(
        (table, seat)
        for table, seat in decisions(2, 1)
        if legal_cells(table, seat).bit_count() >= 3
    )
    words = Random(1)
    cells = legal_cells(table, seat)
    assert len({find_best(table, seat, cells, words.getrandbits(63), mind) for _ in range(30)}) > 1


def test_of_all_moves_that_are_tried_the_one_with_the_best_futures_is_taken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Where all moves look alike, whichever of them wins in what is imagined."""
    mind = new_mind([0.0] * net_size(FEATURES), FUTURES, list)
    table, seat = next(
        (table, seat)
        for table, seat in decisions(2, 1)
        if legal_cells(table, seat).bit_count() >= 3
    )
    cells = legal_cells(table, seat)
    count = master.weigh(table, seat, cells, mind)
    assert len(set(mind.values[:count])) == 1
    for best, move in enumerate(mind.moves[:count]):

        def imagined(
            _: Any, __: int, index: int, future: int, *___: Any, best: int = best
        ) -> float:
            return float(index == best and future >= 0)

        monkeypatch.setattr(master, "try_future", imagined)
        assert find_best(table, seat, cells, 1, mind) == move


class Anybody(Learnt):
    """A player without a network of the package."""

    def mind(self, array: Array, seats: int) -> Mind:
        return new_mind(some_weights(), self.plan, array)


@pytest.mark.parametrize("plan", [JUDGE, BY_EYE, FUTURES])
def test_moves_are_the_same_when_compiled(plan: Sequence[int]) -> None:
    plain, compiled = Anybody("Is plain.", plan, is_quick=True), Anybody("Is compiled.", plan)
    for number, (table, seat) in enumerate(list(decisions(3, 2))[::12]):
        view = View(tuple(table), seat)
        move = plain.choose(view, Random(number), 1.0)
        assert move == compiled.choose(view, Random(number), 1.0)
        assert move in view.legal()
