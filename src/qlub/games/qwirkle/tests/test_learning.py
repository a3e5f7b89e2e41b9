"""What a learner of Qwirkle notes, against the same counted from whole games."""

from collections.abc import Sequence
from itertools import combinations
from random import Random
from typing import Any

import pytest

from qlub.games.qwirkle import learning
from qlub.games.qwirkle.bots import Choice
from qlub.games.qwirkle.rules import HAND_SIZE
from qlub.games.qwirkle.search import WALK_SIZE
from qlub.games.qwirkle.state import Lay
from qlub.games.qwirkle.tests.test_master import greedy_game


def known_of(kept: list[str]) -> tuple[int, ...]:
    """Return what a learner is to know of kept tiles."""
    pairs = combinations(set(kept), 2)
    alike = sum(one[0] == other[0] or one[1] == other[1] for one, other in pairs)
    return (len(kept) - len(set(kept)), alike, len(kept), 1)


def turns_of(seed: int, notes: learning.Notes) -> list[list[tuple[int, tuple[int, ...] | None]]]:
    """Let a learner note a game; return each seat's turns: its points before, and what is known."""
    turns: list[list[tuple[int, tuple[int, ...] | None]]] = [[], []]
    choice = Choice([0] * HAND_SIZE, [0] * HAND_SIZE)
    for state in greedy_game(seed, 2):
        seat, table = state.to_act[0], list(state.table)
        grid = state.board.tidied()
        count = learning.choose_and_note(
            table, grid, seat, len(state.bag), [0] * WALK_SIZE, choice, [], notes
        )
        assert tuple(table) == state.table
        move: Any = learning.Learner().choose(state.view(seat), Random(0), 1.0)
        kept = list(state.hand(seat))
        if isinstance(move, Lay):
            assert count == len(move.placed)
            for one in move.placed:
                kept.remove(one.tile)
        counts = count > 0 and len(state.bag) >= learning.LEAST_IN_BAG and bool(kept)
        turns[seat].append((state.scores()[seat], known_of(kept) if counts else None))
    return turns


def test_sums_are_those_of_all_turns() -> None:
    notes = learning.new_notes([0.0] * learning.SUMS, list)
    sums = [0] * learning.SUMS
    for seed in range(2):
        for turns in turns_of(seed, notes):
            for at in range(len(turns) - learning.AHEAD - 1):
                known = turns[at][1]
                followed = turns[at + learning.AHEAD + 1][0] - turns[at + 1][0]
                if known:
                    row = [one * other for one in known for other in known]
                    row += [one * followed for one in known]
                    sums = [one + other for one, other in zip(sums, row, strict=True)]
    assert sums[learning.KNOWN**2 - 1] > 0
    assert notes.sums == sums


def sums_of(kept: Sequence[tuple[int, ...]], worth: tuple[float, ...]) -> list[float]:
    """Return the sums over turns that came to exactly what they are worth."""
    points = [sum(one * other for one, other in zip(row, worth, strict=True)) for row in kept]
    places = range(learning.KNOWN)
    sums = [sum(row[one] * row[other] for row in kept) for one in places for other in places]
    came_to = [
        sum(row[one] * point for row, point in zip(kept, points, strict=True)) for one in places
    ]
    return [*sums, *came_to]


def test_a_solution_is_found_again() -> None:
    kept = [(0, 1, 2, 1), (1, 1, 3, 1), (0, 4, 4, 1), (2, 1, 5, 1), (1, 2, 3, 1)]
    worth = (-0.5, 0.25, -0.75, 9.0)
    assert learning.solve(sums_of(kept, worth)) == pytest.approx(worth[:3])


def test_what_was_never_kept_is_worth_nothing_yet() -> None:
    """Nor is anything before the first turn."""
    kept = [(0, 1, 2, 1), (0, 1, 3, 1), (0, 4, 4, 1), (0, 3, 1, 1)]
    worth = (-0.5, 0.25, -0.75, 9.0)
    assert learning.solve(sums_of(kept, worth)) == pytest.approx((0.0, 0.25, -0.75))
    assert learning.solve([0.0] * learning.SUMS) == (0.0, 0.0, 0.0)
