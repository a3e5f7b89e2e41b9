"""Kernel: players of Qwixx that look through their whole turn and judge what it leads to by a network."""

from collections.abc import Callable
from typing import Any, NamedTuple

from qlub.core.net import LAYERS, MARGIN, WIN, judge
from qlub.games.qwixx.features import FEATURES, MOST_THERE, find_features
from qlub.games.qwixx.rules import (
    ACTIVE,
    CLOSED,
    COLOR,
    CROSSED,
    MOST_PENALTIES,
    PASS,
    PENALTIES,
    PHASE,
    SEATS,
    SHEET,
    SIZE,
    close_rows,
    color_cells,
    crossable,
    has_closed_enough,
    locked_rows,
    score,
)
from qlub.games.qwixx.sheet import FIRST_CELLS, WHOLE_SHEET
from qlub.kernel import Floats, Ints, Slots, count_bits, jitable

MARGIN_COUNTS = 0.02
"""How much a margin counts beside the chance to win."""
POINTS = 50.0
"""How many points are a margin of one."""


class Mind(NamedTuple):
    """What such a player thinks with."""

    weights: Floats
    trial: Slots
    """A table on which moves are tried."""
    there: Slots
    layers: Floats


def new_mind(weights: list[float], array: Callable[[list[Any]], Any]) -> Mind:
    """Return a mind with a network's weights."""
    return Mind(array(weights), array([0] * SIZE), array([0] * MOST_THERE), array([0.0] * LAYERS))


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
    """Return what a table is worth to a seat when the turn is over."""
    active = table[ACTIVE]
    if has_closed_enough(table) or table[PENALTIES + active] >= MOST_PENALTIES:
        return final_worth(table, seat)
    following = active + 1 if active + 1 < table[SEATS] else 0
    count = find_features(table, seat, following, mind.there)
    judge(mind.weights, FEATURES, mind.there, count, mind.layers)
    if table[SEATS] == 1:
        return mind.layers[MARGIN]
    return mind.layers[WIN] + MARGIN_COUNTS * mind.layers[MARGIN]


@jitable
def try_cell(trial: Slots, seat: int, sheet: int, closed: int, cell: int) -> None:
    """Cross a cell on a sheet as it was, and close the row if that locks it."""
    trial[SHEET + seat] = sheet | cell
    trial[CLOSED] = closed
    close_rows(trial, closed & FIRST_CELLS | locked_rows(cell))


@jitable
def best_color(trial: Slots, seat: int, has_crossed: bool, mind: Mind) -> tuple[int, float]:
    """Return the best of action 2 on a trial table, and what it is worth."""
    sheet, closed = trial[SHEET + seat], trial[CLOSED]
    cells = crossable(trial, seat, color_cells(trial))
    trial[PENALTIES + seat] += not has_crossed
    move, most = PASS, worth(trial, seat, mind)
    trial[PENALTIES + seat] -= not has_crossed
    while cells:
        cell = cells & -cells
        cells &= cells - 1
        try_cell(trial, seat, sheet, closed, cell)
        value = worth(trial, seat, mind)
        if value > most:
            most = value
            move = count_bits(cell - 1)
    trial[SHEET + seat] = sheet
    trial[CLOSED] = closed
    return move, most


@jitable
def choose_best(table: Ints, seat: int, cells: int, luck: Slots, mind: Mind) -> int:
    """Return the move with which the rest of the turn can become worth most."""
    trial = mind.trial
    for place in range(SIZE):
        trial[place] = table[place]
    if table[PHASE] == COLOR:
        return best_color(trial, seat, table[CROSSED] == 1, mind)[0]
    is_active = seat == table[ACTIVE]
    sheet, closed = table[SHEET + seat], table[CLOSED]
    move, most = PASS, -1000.0
    cell = 0
    while True:
        try_cell(trial, seat, sheet, closed, cell)
        if is_active and not has_closed_enough(trial):
            value = best_color(trial, seat, cell != 0, mind)[1]
        else:
            value = worth(trial, seat, mind)
        if value > most:
            most = value
            move = count_bits((cell - 1) & WHOLE_SHEET)
        if cells == 0:
            return move
        cell = cells & -cells
        cells &= cells - 1
        for place in range(SIZE):
            trial[place] = table[place]
