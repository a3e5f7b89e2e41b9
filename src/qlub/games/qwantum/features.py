"""Kernel: what a player sees in a table of Qwantum between two turns, as features of a network.

Every feature has a place of its own in the list, so two lists of similar tables differ in few places.
"""

from qlub.games.qwantum.rules import FAILS, MOST_SEATS, SEATS, row_place
from qlub.games.qwantum.sheet import CELLS, MOST_FAILS, MOST_SUM, ROWS, length, number_in
from qlub.kernel import Ints, Slots, jitable

NUMBERS = MOST_SUM + 1
ROW_KINDS = (CELLS + 1) * NUMBERS
COLUMN_KINDS = CELLS * (ROWS + 1) * NUMBERS
SHEET_KINDS = ROW_KINDS + 2 * COLUMN_KINDS
"""Kinds of rows, and of the lowest and the second lowest numbers of columns."""
LEFT = CELLS * ROWS + 1
LEADS, LEAD_STEP = 31, 3
"""Kinds of leads, and how many points one is wide."""
NEARS = 8
"""Kinds of how near the end is."""

MINE = 0
THEIRS = MINE + SHEET_KINDS
RACE = THEIRS + SHEET_KINDS
LEAD = RACE + 2 * LEFT * LEFT
FAILED = LEAD + LEADS * NEARS
WAIT = FAILED + MOST_FAILS * MOST_FAILS
FEATURES = WAIT + MOST_SEATS
SHEET_THERE = ROWS + 2 * CELLS
COMMON_THERE = 4
MOST_THERE = SHEET_THERE * MOST_SEATS + COMMON_THERE
"""How many can be there at once."""


@jitable
def nearness(left: int) -> int:
    """Return the kind of an end for which somebody lacks so many cells."""
    if left < 5:
        return max(left - 1, 0)
    return 4 if left < 7 else 5 if left < 10 else 6 if left < 15 else 7


@jitable
def find_sheet(table: Ints, seat: int, first: int, there: Slots, at: int) -> tuple[int, int]:
    """Write down a sheet from place `at` on, and return its points and how many cells are empty.

    `first` is the first feature of its owner.
    """
    place = row_place(seat, 0)
    fails = table[FAILS + seat]
    points, left = -(fails * (fails + 1) // 2), 0
    for colour in range(ROWS):
        row = table[place + colour]
        filled = length(row)
        last = number_in(row, max(filled - 1, 0))
        there[at + colour] = first + filled * NUMBERS + last
    for cell in range(CELLS):
        low, second, missing = NUMBERS, NUMBERS, ROWS
        for colour in range(ROWS):
            number = number_in(table[place + colour], cell)
            if number > 0:
                missing -= 1
                if number < low:
                    second = low
                    low = number
                elif low < number < second:
                    second = number
        kind = first + ROW_KINDS + (cell * (ROWS + 1) + missing) * NUMBERS
        there[at + ROWS + 2 * cell] = kind + low % NUMBERS
        there[at + ROWS + 2 * cell + 1] = kind + COLUMN_KINDS + second % NUMBERS
        if missing == 0:
            points += low if second == NUMBERS else second
        left += missing
    return points, left


@jitable
def find_features(table: Ints, seat: int, active: int, there: Slots) -> int:
    """Write down what a seat sees before the roll of another, and return how much that is."""
    seats = table[SEATS]
    points, left = find_sheet(table, seat, MINE, there, 0)
    at = SHEET_THERE
    fewest, fails = LEFT - 1, 0
    rival = -1000 if seats > 1 else 0
    for other in range(seats):
        if other != seat:
            their_points, their_left = find_sheet(table, other, THEIRS, there, at)
            at += SHEET_THERE
            fewest = min(fewest, their_left)
            fails = max(fails, table[FAILS + other])
            rival = max(rival, their_points)
    there[at] = RACE + ((active == seat) * LEFT + left) * LEFT + fewest
    lead = (points - rival) // LEAD_STEP + LEADS // 2
    lead = min(max(lead, 0), LEADS - 1)
    there[at + 1] = LEAD + lead * NEARS + nearness(min(left, fewest))
    there[at + 2] = FAILED + min(table[FAILS + seat], MOST_FAILS - 1) * MOST_FAILS
    there[at + 2] += min(fails, MOST_FAILS - 1)
    there[at + 3] = WAIT + (seat - active + seats) % seats
    return at + COMMON_THERE
