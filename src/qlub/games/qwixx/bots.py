"""Players of Qwixx."""

from random import Random

from qlub.games.qwixx.rules import (
    COLOR,
    CROSSED,
    PASS,
    PHASE,
    SHEET,
    legal_cells,
)
from qlub.games.qwixx.sheet import CELLS, LAST, WHOLE_ROW, passed_cells
from qlub.games.qwixx.state import Move, View, decode
from qlub.kernel import Ints, Slots, count_bits, jitable

MOST_SKIPPED = 1
"""How many numbers greedy gives up for a cross without being pressed."""
MOST_SKIPPED_FOR_PENALTY = 4
"""How many it gives up when the other choice is a penalty."""
LOCKED = -1
"""How many a lock gives up: nothing that is worth keeping."""


@jitable
def choose_fewest_skipped(table: Ints, seat: int, cells: int, luck: Slots) -> int:
    """Return the legal cell that skips the fewest numbers, or a pass if that are too many."""
    is_pressed = table[PHASE] == COLOR and table[CROSSED] == 0
    fewest = MOST_SKIPPED_FOR_PENALTY + 1 if is_pressed else MOST_SKIPPED + 1
    free = ~passed_cells(table[SHEET + seat])
    best = PASS
    while cells:
        to_the_left = (cells & -cells) - 1
        cells &= cells - 1
        code = count_bits(to_the_left)
        row = WHOLE_ROW << code - code % CELLS
        skipped = LOCKED if code % CELLS == LAST else count_bits(free & row & to_the_left)
        if skipped < fewest:
            fewest = skipped
            best = code
    return best


class Greedy:
    """Crosses what skips the fewest numbers."""

    about = "Crosses the number that skips the fewest, and passes when that would skip too many."
    policy = staticmethod(choose_fewest_skipped)

    def choose(self, view: View, rng: Random, seconds: float) -> Move:
        seat = view.seat or 0
        return decode(self.policy(view.table, seat, legal_cells(view.table, seat), []))
