"""Kernel: what a player sees in a table of Qwixx between two turns, as features of a network.

Rows of all colours are alike: turn the dice over, or swap two colours, and the game is the same. So what
counts of a row is its kind and how far the others have come in it, not its colour.
"""

from qlub.games.qwixx.exact import KINDS, kind_of, short_row
from qlub.games.qwixx.rules import (
    CLOSED,
    MOST_PENALTIES,
    MOST_SEATS,
    PENALTIES,
    SEATS,
    SHEET,
    is_closed,
    score,
)
from qlub.games.qwixx.sheet import CELLS, FIRST_CELLS, ROWS, count_crosses, row_of
from qlub.kernel import Ints, Slots, count_bits, jitable

ROW_KINDS = KINDS + CELLS + 2
"""Kinds of rows, and closed ones by their crosses."""
PLACES = CELLS + 1
LEADS, LEAD_STEP = 41, 4
"""Kinds of leads, and how many points one is wide."""

MINE = 0
THEIRS = MINE + ROW_KINDS
RACE = THEIRS + ROW_KINDS
MY_PENALTIES = RACE + PLACES * PLACES
WAIT = MY_PENALTIES + MOST_PENALTIES * MOST_PENALTIES
ENDING = WAIT + MOST_SEATS
LEAD = ENDING + ROWS + 1
FEATURES = LEAD + LEADS
MOST_THERE = ROWS * MOST_SEATS + ROWS + 4
"""How many can be there at once."""


@jitable
def row_kind(table: Ints, seat: int, row: int) -> int:
    """Return the kind of a row of a seat, closed ones apart."""
    cells = row_of(table[SHEET + seat], row)
    if is_closed(table, row):
        return KINDS + count_crosses(cells)
    return kind_of(short_row(cells))


@jitable
def row_place(table: Ints, seat: int, row: int) -> int:
    """Return the place behind the last cross of a row."""
    return short_row(row_of(table[SHEET + seat], row)) // 16


@jitable
def find_features(table: Ints, seat: int, active: int, there: Slots) -> int:
    """Write down what a seat sees before the roll of another, and return how much that is."""
    seats = table[SEATS]
    count = 0
    for row in range(ROWS):
        mine = row_place(table, seat, row)
        furthest = 0
        for other in range(seats):
            if other != seat:
                furthest = max(furthest, row_place(table, other, row))
                there[count] = THEIRS + row_kind(table, other, row)
                count += 1
        there[count] = MINE + row_kind(table, seat, row)
        count += 1
        if not is_closed(table, row):
            there[count] = RACE + PLACES * mine + furthest
            count += 1
    most = 0
    rival = -MOST_PENALTIES * 5 if seats > 1 else 0
    for other in range(seats):
        if other != seat:
            most = max(most, table[PENALTIES + other])
            rival = max(rival, score(table, other))
    there[count] = MY_PENALTIES + MOST_PENALTIES * table[PENALTIES + seat] + most
    there[count + 1] = WAIT + (seat - active + seats) % seats
    there[count + 2] = ENDING + count_bits(table[CLOSED] & FIRST_CELLS)
    lead = (score(table, seat) - rival) // LEAD_STEP + LEADS // 2
    there[count + 3] = LEAD + min(max(lead, 0), LEADS - 1)
    return count + 4
