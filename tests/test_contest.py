"""Moves that are tried again and again: the better are left, and who is not sure errs within bounds."""

from random import Random

import pytest

from qlub.core.contest import best_of, blur, keep_better
from qlub.core.luck import new_luck


def test_the_best_is_the_first_of_the_greatest() -> None:
    assert best_of([3.0], 1) == 0
    assert best_of([1.0, 3.0, 2.0, 3.0], 4) == 1
    assert best_of([-3.0, -2.0, 9.0], 2) == 1  # only the first two are asked about


@pytest.mark.parametrize("most", [1, 2, 5, 20])
@pytest.mark.parametrize("doubt", [0.0, 0.3, 9.0])
def test_the_best_are_left_in_order(most: int, doubt: float) -> None:
    rng = Random(most)
    values = [rng.random() for _ in range(10)]
    order = rng.sample(range(10), 7)
    among = order.copy()
    left = keep_better(order, values, 7, most, doubt)
    best = sorted(among, key=lambda place: -values[place])
    assert order[:left] == [
        place for place in best[:most] if values[place] >= values[best[0]] - doubt
    ]
    assert sorted(order) == sorted(among)


def test_one_is_always_left() -> None:
    assert keep_better([0], [1.0], 1, 1, 0.0) == 1
    assert keep_better([2, 0, 1], [1.0, 1.5, 0.5], 3, 3, 0.0) == 1


def test_equals_are_all_left() -> None:
    assert keep_better([2, 0, 1], [0.5, 0.5, 0.5], 3, 3, 0.0) == 3


def test_values_are_misjudged_within_bounds_and_on_both_sides() -> None:
    values = [1.0] * 2000 + [7.0]
    blur(values, 2000, 0.25, new_luck(1, 0, 1))
    assert values.pop() == 7.0
    assert 0.75 <= min(values) < 0.76
    assert 1.24 < max(values) < 1.25
    assert sum(values) / 2000 == pytest.approx(1.0, abs=0.01)


def test_the_same_luck_misjudges_the_same_way() -> None:
    found = []
    for seed in (1, 1, 2):
        values = [0.0] * 5
        blur(values, 5, 1.0, new_luck(seed, 0, 1))
        found.append(values)
    assert found[0] == found[1] != found[2]


def test_who_errs_by_nothing_does_not_err() -> None:
    values = [0.5, 0.25]
    blur(values, 2, 0.0, new_luck(1, 0, 1))
    assert values == [0.5, 0.25]
