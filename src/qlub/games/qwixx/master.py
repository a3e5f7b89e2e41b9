"""Kernel: players of Qwixx that look through their whole turn and judge what it leads to by a network."""

from collections.abc import Callable
from typing import Any, NamedTuple

from qlub.core.net import LAYERS, MARGIN, WIN, judge
from qlub.games.qwixx.bots import choose_fewest_skipped
from qlub.games.qwixx.features import FEATURES, MOST_THERE, find_features
from qlub.games.qwixx.rules import (
    ACTIVE,
    COLOR,
    DECIDED,
    OVER,
    PASS,
    PHASE,
    SEATS,
    SIZE,
    color_cells,
    crossable,
    score,
    settle_color,
    settle_white,
    white_cells,
)
from qlub.kernel import Floats, Ints, Slots, count_bits, jitable

NEVER = -1000.0
MARGIN_COUNTS = 0.02
"""How much a margin counts beside the chance to win."""
POINTS = 50.0
"""How many points are a margin of one."""


class Mind(NamedTuple):
    """What such a player thinks with."""

    weights: Floats
    trial: Slots
    after: Slots
    """Tables on which moves are tried, in action 1 and in action 2."""
    there: Slots
    layers: Floats


def new_mind(weights: list[float], array: Callable[[list[Any]], Any]) -> Mind:
    """Return a mind with a network's weights."""
    tables = array([0] * SIZE), array([0] * SIZE)
    return Mind(array(weights), *tables, array([0] * MOST_THERE), array([0.0] * LAYERS))


@jitable
def win_share(table: Ints, seat: int) -> float:
    """Return what a seat has of a game that ends like this: 1, or its part of a tie."""
    mine = score(table, seat)
    best = 0
    for other in range(table[SEATS]):
        points = score(table, other)
        if points > mine:
            return 0.0
        best += points == mine
    return 1.0 / best


@jitable
def lead_of(table: Ints, seat: int) -> float:
    """Return by how many margins a seat is ahead of the best of the others, or its points if alone."""
    best = -1000
    for other in range(table[SEATS]):
        if other != seat:
            best = max(best, score(table, other))
    if table[SEATS] == 1:
        best = 0
    return (score(table, seat) - best) / POINTS


@jitable
def final_worth(table: Ints, seat: int) -> float:
    """Return what a game that is over is worth to a seat."""
    if table[SEATS] == 1:
        return lead_of(table, seat)
    return win_share(table, seat) + MARGIN_COUNTS * lead_of(table, seat)


@jitable
def worth(table: Ints, seat: int, mind: Mind) -> float:
    """Return what a table is worth to a seat between two turns, or at the end."""
    if table[PHASE] == OVER:
        return final_worth(table, seat)
    count = find_features(table, seat, table[ACTIVE], mind.there)
    judge(mind.weights, FEATURES, mind.there, count, mind.layers)
    if table[SEATS] == 1:
        return mind.layers[MARGIN]
    return mind.layers[WIN] + MARGIN_COUNTS * mind.layers[MARGIN]


@jitable
def best_color(table: Ints, seat: int, mind: Mind) -> tuple[int, float]:
    """Return the best move of action 2, and what it is worth."""
    cells = crossable(table, seat, color_cells(table))
    best, most = PASS, NEVER
    move = PASS
    while True:
        for place in range(SIZE):
            mind.after[place] = table[place]
        settle_color(mind.after, move)
        value = worth(mind.after, seat, mind)
        if value > most:
            best, most = move, value
        if cells == 0:
            return best, most
        move = count_bits((cells & -cells) - 1)
        cells &= cells - 1


@jitable
def expect_others(table: Ints, seat: int, trial: Slots, luck: Slots) -> None:
    """Expect of all others that they cross in action 1 what skips the fewest numbers."""
    rolled = white_cells(table)
    for other in range(table[SEATS]):
        if other != seat:
            cells = crossable(table, other, rolled)
            trial[DECIDED + other] = choose_fewest_skipped(table, other, cells, luck)


@jitable
def choose_best(table: Ints, seat: int, cells: int, luck: Slots, mind: Mind) -> int:
    """Return the move after which the turn can come to the most, if the others do the expected."""
    if table[PHASE] == COLOR:
        return best_color(table, seat, mind)[0]
    trial = mind.trial
    best, most = PASS, NEVER
    move = PASS
    while True:
        for place in range(SIZE):
            trial[place] = table[place]
        expect_others(table, seat, trial, luck)
        trial[DECIDED + seat] = move
        settle_white(trial)
        active = trial[ACTIVE]
        if trial[PHASE] == OVER:
            value = worth(trial, seat, mind)
        elif active == seat:
            value = best_color(trial, seat, mind)[1]
        else:
            open_cells = crossable(trial, active, color_cells(trial))
            settle_color(trial, choose_fewest_skipped(trial, active, open_cells, luck))
            value = worth(trial, seat, mind)
        if value > most:
            best, most = move, value
        if cells == 0:
            return best
        move = count_bits((cells & -cells) - 1)
        cells &= cells - 1
