"""Players of Qwantum."""

from random import Random

from qlub.games.qwantum.dice import DICE, FACES, SIDES
from qlub.games.qwantum.rules import (
    ACTIVE,
    DIE,
    KEEP,
    KEEP_ALL,
    NOTHING,
    PASS,
    PHASE,
    PICKED,
    SHARE,
    row_place,
    sum_of,
    takeable,
    writing,
)
from qlub.games.qwantum.sheet import BEFORE_LINE, CELLS, COLOURS, ROWS, length, number_in
from qlub.games.qwantum.state import Move, View, decode
from qlub.kernel import Ints, Slots, jitable

# What greedy weighs is counted in twelfths, so that averages of dice come out even.
TWELFTHS = 12
TARGETS = (5, 9, 13, 17, 13, 9)
"""What greedy would like to have in each column of a row."""
PLENTY = 4 * TWELFTHS
"""How far from its target a number may be before greedy would rather pass."""
NEAR = 1 * TWELFTHS
"""How near to its target a number must be for greedy to be content with the dice."""
NEVER = 1000 * TWELFTHS

WORTH_BITS = 6
WORTHS = tuple(
    sum(
        TWELFTHS // SIDES * int(face[1]) << WORTH_BITS * COLOURS.index(face[0])
        for face in faces
        if face[0] in COLOURS
    )
    for faces in FACES
)
"""What each die adds to each colour on average, in twelfths, the colours side by side."""


@jitable
def misfit(row: int, number: int) -> int:
    """Say how far a number is from what greedy would like next in a row; both in twelfths.

    Up to the thick line a number that is too high costs room for those to come, so it counts more;
    after it a number that is too low.
    """
    filled = length(row)
    if filled == CELLS:
        return NEVER
    last = TWELFTHS * number_in(row, filled - 1) if filled > 0 else 0
    if filled < BEFORE_LINE and number <= last:
        return NEVER
    if filled >= BEFORE_LINE and number >= last:
        return NEVER
    off = number - TWELFTHS * TARGETS[filled]
    is_too_far = off > 0 if filled < BEFORE_LINE - 1 else off < 0
    return abs(off) * 3 // 2 if is_too_far else abs(off)


@jitable
def choose_reroll(table: Ints, seat: int) -> int:
    """Keep the dice for the colour whose expected sum after a reroll serves best."""
    fewest = NEVER
    for colour in range(ROWS):
        row = table[row_place(seat, colour)]
        fewest = min(fewest, misfit(row, TWELFTHS * sum_of(table, colour)))
    if fewest <= NEAR:
        return KEEP_ALL
    best = KEEP_ALL
    for colour in range(ROWS):
        rolling = 0
        expected = TWELFTHS * sum_of(table, colour)
        for die in range(1, DICE):
            if table[DIE + die] // 10 != colour:
                rolling |= 1 << die
                expected += WORTHS[die] >> WORTH_BITS * colour & (1 << WORTH_BITS) - 1
        off = misfit(table[row_place(seat, colour)], expected)
        if off < fewest:
            fewest = off
            best = rolling
    return best


@jitable
def choose_nearest(table: Ints, seat: int, luck: Slots) -> int:
    """Return what serves the targets best: dice to roll again, or a sum to write if it is near."""
    if table[PHASE] == KEEP:
        return choose_reroll(table, seat)
    would_fail = table[PHASE] == SHARE and table[ACTIVE] == seat and table[PICKED] == NOTHING
    fewest = 2 * PLENTY if would_fail else PLENTY
    best = PASS
    colours = takeable(table, seat)
    for colour in range(ROWS):
        if colours >> colour & 1:
            number = sum_of(table, colour)
            off = misfit(table[row_place(seat, colour)], TWELFTHS * number)
            if off < fewest or (off == fewest and best == PASS):
                fewest = off
                best = writing(colour, number)
    return best


class Greedy:
    """Aims at a target in every column and rolls again what does not serve it."""

    about = "Has a number in mind for every column, keeps the dice that help, and rolls the others."
    policy = staticmethod(choose_nearest)

    def choose(self, view: View, rng: Random, seconds: float) -> Move:
        return decode(self.policy(view.table, view.seat or 0, []))
