"""Kernel: one player's sheet of four rows of six, what may be written in it, and what it is worth.

A row is one integer: six bits for each of its six cells, the leftmost lowest, and above them how
many cells are filled. Rows count from top to bottom: violet, blue, red, yellow (QN-2).
"""

from qlub.kernel import Ints, jitable

COLOURS = "vbry"
ROWS = 4
CELLS = 6
BEFORE_LINE = 4  # cells to the left of the thick line
MOST_SUM = 33
MOST_FAILS = 5

CELL_BITS = 6
CELL_MASK = 63
LENGTH_AT = CELLS * CELL_BITS


@jitable
def length(row: int) -> int:
    """Return how many cells of a row are filled; there are no gaps (QN-3)."""
    return row >> LENGTH_AT


@jitable
def number_in(row: int, cell: int) -> int:
    """Return the number in a cell, 0 if nothing is written there."""
    return (row >> (CELL_BITS * cell)) & CELL_MASK


@jitable
def can_write(row: int, number: int) -> bool:
    """Say whether a number may follow: greater up to the thick line, then smaller, never equal (QN-4).

    >>> row = write(write(0, 5), 9)
    >>> can_write(row, 9), can_write(row, 10)
    (False, True)
    """
    filled = length(row)
    last = number_in(row, max(filled - 1, 0))  # 0 in an empty row, which everything exceeds
    rises = (filled < BEFORE_LINE) & (number > last)
    falls = (filled >= BEFORE_LINE) & (filled < CELLS) & (number < last)
    return rises | falls


@jitable
def write(row: int, number: int) -> int:
    """Return a row with a number written in its next cell (QN-3)."""
    filled = length(row)
    return row + (number << (CELL_BITS * filled)) + (1 << LENGTH_AT)


@jitable
def column_points(violet: int, blue: int, red: int, yellow: int) -> int:
    """Return the points of a full column: its second lowest distinct number (QN-6).

    Four equal numbers score that number.

    >>> column_points(6, 4, 9, 4), column_points(6, 6, 6, 6)
    (6, 6)
    """
    lowest = min(min(violet, blue), min(red, yellow))
    second = 0
    for number in (violet, blue, red, yellow):
        if number > lowest and (second == 0 or number < second):
            second = number
    return lowest if second == 0 else second


@jitable
def sheet_points(rows: Ints, first: int, fails: int) -> int:
    """Return the points of the four rows from place `first` on: full columns less fails (QN-15).

    Failed throws cost 1, 2, 3, 4 and 5, so n of them together n(n+1)/2 (QN-12).
    """
    points = -(fails * (fails + 1) // 2)
    violet, blue, red, yellow = rows[first], rows[first + 1], rows[first + 2], rows[first + 3]
    full = min(min(length(violet), length(blue)), min(length(red), length(yellow)))
    for cell in range(full):
        points += column_points(
            number_in(violet, cell),
            number_in(blue, cell),
            number_in(red, cell),
            number_in(yellow, cell),
        )
    return points
