"""What players of Qwirkle think with that try their best moves."""

from collections.abc import Callable
from typing import Any, NamedTuple

from qlub.games.qwirkle.endgame import FRAMES_SIZE
from qlub.games.qwirkle.leaves import LEARNT
from qlub.games.qwirkle.memory import Memory, new_memory
from qlub.games.qwirkle.rules import SIZE
from qlub.games.qwirkle.tiles import COPIES, TILES
from qlub.games.qwirkle.trial import MOVE
from qlub.kernel import Floats, Slots

MOST_LAYS = 2000
MOST_CANDIDATES = 64

# What a plan says: how many lays are tried, with how many deals at first, for how many rounds; for how
# many tables an end is searched; with how many tiles in the bag a trial goes to the end of the game;
# tenths of a point that a line of five costs a lay before it is tried; by how many quarters the number
# of deals grows; after how many turns in all trials no more begin.
CANDIDATES, SAMPLES, ROUNDS, BUDGET, TO_THE_END, FIVES, GROWTH, EFFORT = range(8)
# Behind what the tiles kept are worth, the weights say how sure a lead is.
VARIANCE_BASE, VARIANCE, LEAST_VARIANCE, MARGIN, DOUBT = range(LEARNT, LEARNT + 5)
SURE = (-40.0, 9.0, 20.0, 0.001, 7.5)


class Mind(NamedTuple):
    """What such a player thinks with."""

    plan: Slots
    weights: Floats
    trial: Slots
    """A table on which moves are tried."""
    unseen: Slots
    """The tiles that the seat does not see, in a random order."""
    bag: Slots
    """The same in the course of a trial."""
    moves: Slots
    memory: Memory
    values: Floats
    order: Slots
    """What the moves came to that are tried, and the best of them first."""
    frames: Slots
    turns: Slots
    """How many turns trials took, in a single place."""
    luck: Slots
    """A stream of its own, begun anew for each decision."""


def new_mind(plan: list[int], weights: list[float], array: Callable[[list[Any]], Any]) -> Mind:
    """Return a mind with a plan."""
    return Mind(
        array(plan),
        array(weights),
        array([0] * SIZE),
        array([0] * COPIES * TILES),
        array([0] * COPIES * TILES),
        array([0] * (MOST_LAYS * MOVE)),
        new_memory(array),
        array([0.0] * MOST_CANDIDATES),
        array([0] * MOST_CANDIDATES),
        array([0] * FRAMES_SIZE),
        array([0]),
        array([0] * 2),
    )
