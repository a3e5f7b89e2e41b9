"""Kernel: what players of Qwantum think with, and how they judge a table by a network."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from qlub.core.luck import luck_size
from qlub.core.net import FIRST, LAYERS, MARGIN, WIN, conclude, look, look_again
from qlub.core.outcome import final_worth, worth_of
from qlub.games.qwantum.features import FEATURES, MOST_THERE, find_features
from qlub.games.qwantum.odds import SETS, TOTALS, list_odds
from qlub.games.qwantum.playout import finish
from qlub.games.qwantum.rules import (
    ACTIVE,
    MOST_SEATS,
    RUNNING,
    SEATS,
    SIZE,
    ending,
)
from qlub.games.qwantum.sheet import (
    ROWS,
)
from qlub.kernel import Floats, Ints, Slots, apart, jitable

STEPS = 16
"""In how many steps gains are told apart when dice are weighed."""
CHOICES = ROWS + 1
"""What can be written: a colour, or nothing."""
LOWEST = -1000.0
"""Less than anything is worth."""


class Mind(NamedTuple):
    """What such a player thinks with."""

    weights: Floats
    plan: Slots
    odds: Floats
    trial: Slots
    """A table on which moves are tried."""
    there: Slots
    layers: Floats
    known: Slots
    """The features of the table as it is, and below what they add up to."""
    first: Floats
    wishes: Floats
    """What each seat would have of each colour, or of nothing."""
    gains: Floats
    """What each number of each colour would lead to."""
    steps: Slots
    """How many steps each number of each colour gains, for each seat."""
    chances: Floats
    """For each colour, how likely each number of steps is exceeded."""
    step: Floats
    """What a step is worth."""
    brings: Floats
    wants: Floats
    """What each number that somebody writes brings to the one who thinks, and to the writer."""
    totals: Slots
    """The sums of all colours in a throw."""
    scores: Slots
    moves: Slots
    values: Floats
    """The moves, and what they are worth."""
    thrown: Slots
    """A table on which dice are thrown."""
    future: Slots
    """A table on which some dice were rolled again."""
    sets: Slots
    sums: Floats
    order: Slots
    """The sets of dice that are tried, what they came to, and the best of them first."""
    luck: Slots
    """Streams for throws that are only imagined."""


def new_mind(
    weights: Sequence[float], plan: Sequence[int], array: Callable[[list[Any]], Any]
) -> Mind:
    """Return a mind with a network's weights."""
    return Mind(
        array(list(weights)),
        array(list(plan)),
        array(list_odds()),
        array([0] * SIZE),
        array([0] * MOST_THERE),
        array([0.0] * LAYERS),
        array([0] * MOST_THERE),
        array([0.0] * FIRST),
        array([0.0] * (MOST_SEATS * CHOICES)),
        array([0.0] * (CHOICES * TOTALS)),
        array([0] * (MOST_SEATS * ROWS * TOTALS)),
        array([0.0] * (ROWS * (STEPS + 1))),
        array([0.0]),
        array([0.0] * (MOST_SEATS * ROWS * TOTALS)),
        array([0.0] * (MOST_SEATS * ROWS * TOTALS)),
        array([0] * ROWS),
        array([0] * MOST_SEATS),
        array([0] * SETS),
        array([0.0] * SETS),
        array([0] * SIZE),
        array([0] * SIZE),
        array([0] * SETS),
        array([0.0] * SETS),
        array([0] * SETS),
        array([0] * luck_size(MOST_SEATS)),
    )


@jitable
def next_active(table: Ints) -> int:
    """Return whose turn is next."""
    return table[ACTIVE] + 1 if table[ACTIVE] + 1 < table[SEATS] else 0


@jitable
@apart
def see(table: Ints, seat: int, mind: Mind) -> None:
    """Look at a table as a seat does; what is tried next will be much the same."""
    count = find_features(table, seat, next_active(table), mind.known)
    look(mind.weights, FEATURES, mind.known, count, mind.first)


@jitable
@apart
def worth(table: Ints, seat: int, mind: Mind) -> float:
    """Return what a table is worth to a seat, the one that saw last, when the turn is over."""
    if ending(table) != RUNNING:
        finish(table, mind.scores)
        return final_worth(mind.scores, table[SEATS], seat)
    count = find_features(table, seat, next_active(table), mind.there)
    look_again(mind.weights, mind.known, mind.first, mind.there, count, mind.layers)
    conclude(mind.weights, FEATURES, mind.layers)
    return worth_of(mind.layers[WIN], mind.layers[MARGIN], table[SEATS])


@jitable
def add_move(move: int, value: float, count: int, mind: Mind) -> int:
    """Note what a move is worth and return how many are noted."""
    mind.moves[count] = move
    mind.values[count] = value
    return count + 1


@jitable
def copy(table: Ints, to: Slots) -> None:
    """Make a table what another is."""
    for place in range(SIZE):
        to[place] = table[place]
