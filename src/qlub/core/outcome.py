"""Kernel: what points are worth to who wants to win."""

from qlub.kernel import Ints, jitable

MARGIN_COUNTS = 0.02
"""How much a margin counts beside the chance to win."""
POINTS = 50.0
"""How many points are a margin of one."""
_NONE = -1000


@jitable
def win_share(scores: Ints, seats: int, seat: int) -> float:
    """Return what a seat has of a game that ends like this: 1, or its part of a tie.

    >>> win_share([60, 71, 71], 3, 1), win_share([60, 71, 71], 3, 0)
    (0.5, 0.0)
    """
    best = 0
    for other in range(seats):
        if scores[other] > scores[seat]:
            return 0.0
        best += scores[other] == scores[seat]
    return 1.0 / best


@jitable
def margin_of(scores: Ints, seats: int, seat: int) -> float:
    """Return by how many margins a seat is ahead of the best of the others; of its points if alone.

    >>> margin_of([60, 85], 2, 1), margin_of([60], 1, 0)
    (0.5, 1.2)
    """
    best = _NONE if seats > 1 else 0
    for other in range(seats):
        if other != seat:
            best = max(best, scores[other])
    return (scores[seat] - best) / POINTS


@jitable
def worth_of(win: float, margin: float, seats: int) -> float:
    """Return what a chance to win and a margin are worth together; alone, nobody can win."""
    return margin if seats == 1 else win + MARGIN_COUNTS * margin


@jitable
def final_worth(scores: Ints, seats: int, seat: int) -> float:
    """Return what the end of a game is worth to a seat."""
    return worth_of(win_share(scores, seats, seat), margin_of(scores, seats, seat), seats)
