"""Players of Qwixx."""

from random import Random

from qlub.core.game import Pass
from qlub.games.qwixx.sheet import COLOURS, LAST, cell_of
from qlub.games.qwixx.state import Cross, Move, View

MOST_SKIPPED = 1
"""How many numbers greedy gives up for a cross without being pressed."""
MOST_SKIPPED_FOR_PENALTY = 4
"""How many it gives up when the other choice is a penalty."""


class Greedy:
    """Crosses what skips the fewest numbers."""

    about = "Crosses the number that skips the fewest, and passes when that would skip too many."

    def choose(self, view: View, rng: Random, seconds: float) -> Move:
        crosses = [move for move in view.legal() if isinstance(move, Cross)]
        if not crosses:
            return Pass()
        best = min(crosses, key=lambda cross: skipped(view, cross))
        most = MOST_SKIPPED_FOR_PENALTY if view.pass_costs_penalty else MOST_SKIPPED
        return best if skipped(view, best) <= most else Pass()


def skipped(view: View, cross: Cross) -> int:
    """Count the numbers that a cross gives up; a lock gives up nothing that is worth keeping."""
    colour = COLOURS.index(cross.colour)
    cell = cell_of(colour, cross.number)
    if cell == LAST:
        return -1
    numbers = view.sheet(view.seat or 0).rows[cross.colour]
    reached = cell_of(colour, numbers[-1]) if numbers else -1
    return cell - reached - 1
