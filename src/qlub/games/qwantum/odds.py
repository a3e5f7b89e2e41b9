"""How likely each sum of a colour is when some of the dice are rolled again."""

from functools import cache

from qlub.games.qwantum.dice import DICE, FACES, SIDES
from qlub.games.qwantum.sheet import COLOURS, MOST_SUM, ROWS
from qlub.kernel import jitable

SETS = 1 << DICE
"""How many sets of dice there are; the white die is bit 0."""
TOTALS = MOST_SUM + 1


@jitable
def odds_place(dice: int, colour: int) -> int:
    """Return where the odds of a set of dice in a colour begin, total 0 first.

    >>> odds = list_odds()
    >>> odds[odds_place(0b10, 0) + 6] == 1 / 6  # die 1 has one violet face, a six
    True
    """
    return (dice * ROWS + colour) * TOTALS


@cache
def list_odds() -> list[float]:
    """Return the chance of every total, for every set of dice and every colour."""
    odds = [0.0] * (SETS * ROWS * TOTALS)
    for dice in range(SETS):
        for colour, letter in enumerate(COLOURS):
            totals = _roll(dice, letter)
            at = odds_place(dice, colour)
            odds[at : at + TOTALS] = totals
    return odds


@cache
def _roll(dice: int, letter: str) -> list[float]:
    """Return the chances of all totals of a set of dice in one colour."""
    if dice == 0:
        return [1.0] + [0.0] * (TOTALS - 1)
    die = dice.bit_length() - 1
    totals = [0.0] * TOTALS
    for total, chance in enumerate(_roll(dice & ~(1 << die), letter)):
        if chance:
            for face in FACES[die]:
                totals[total + int(face[1]) * (face[0] in ("w", letter))] += chance / SIDES
    return totals
