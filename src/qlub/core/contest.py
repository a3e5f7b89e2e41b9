"""Kernel: moves that are tried again and again until it is clear which is the best."""

from qlub.core.luck import FRACTION_BITS, fraction, next_word
from qlub.kernel import Floats, Slots, jitable

# What a plan says: by how many thousandths values are misjudged; how many futures of each move are tried
# at first, and how far ahead; by how many thousandths a move may look worse than the best to be tried.
ROUGH, FUTURES, AHEAD, DOUBT = range(4)
PLAIN = (0, 0, 0, 0)
"""A plan to judge as well as possible, and try nothing out."""
PRIOR = 48.0
"""As how many futures the first judgement counts."""
CLEARER = 0.7
"""How much less doubt there is after each round of trials."""


@jitable
def best_of(values: Floats, count: int) -> int:
    """Return the place of the greatest of some values, the first of them in a tie."""
    best = 0
    for place in range(1, count):
        if values[place] > values[best]:
            best = place
    return best


@jitable
def blur(values: Floats, count: int, most: float, luck: Slots) -> None:
    """Misjudge values by up to as much as this in either direction, as somebody does who is not sure."""
    for place in range(count):
        values[place] += most * (fraction(next_word(luck, 0)) / (1 << FRACTION_BITS - 1) - 1.0)


@jitable
def keep_better(order: Slots, values: Floats, count: int, most: int, doubt: float) -> int:
    """Bring the best of some candidates to the front, best first, and return how many are left.

    `order` lists them; `values` has a place for each. At most so many are left, and none that is behind
    the best by more than the doubt.
    """
    left = min(count, most)
    for place in range(left):
        best = place
        for other in range(place + 1, count):
            if values[order[other]] > values[order[best]]:
                best = other
        order[place], order[best] = order[best], order[place]
    while values[order[left - 1]] < values[order[0]] - doubt:
        left -= 1
    return left
