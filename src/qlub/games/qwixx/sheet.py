"""Kernel: one player's sheet of four rows, what may be crossed in it, and what it is worth.

A row is eleven bits, bit 0 its leftmost number. A sheet is four rows side by side in one integer,
red in the lowest bits, then yellow, green and blue. A crossed last number means a crossed lock, so
the lock has no bit of its own (QX-10).
"""

from qlub.kernel import jitable

COLOURS = "rygb"
ROWS = 4
CELLS = 11
LAST = 10
WHOLE_ROW = 0b111_1111_1111
CROSSES_TO_LOCK = 5
PENALTY_POINTS = 5


@jitable
def cell_of(colour: int, number: int) -> int:
    """Return the place of a number in its row: red and yellow rise, green and blue fall (QX-1).

    >>> cell_of(0, 2), cell_of(1, 12), cell_of(2, 12), cell_of(3, 2)
    (0, 10, 0, 10)
    """
    return number - 2 if colour < 2 else 12 - number


@jitable
def number_at(colour: int, cell: int) -> int:
    """Return the number printed at a place of a row (QX-1)."""
    return cell + 2 if colour < 2 else 12 - cell


@jitable
def row_of(sheet: int, colour: int) -> int:
    """Return one row of a sheet."""
    return (sheet >> (CELLS * colour)) & WHOLE_ROW


@jitable
def count_numbers(row: int) -> int:
    """Count the crossed numbers of a row, the lock not among them."""
    row = (row & 0x555) + ((row >> 1) & 0x555)
    row = (row & 0x333) + ((row >> 2) & 0x333)
    return (row & 0xF) + ((row >> 4) & 0xF) + (row >> 8)


@jitable
def count_crosses(row: int) -> int:
    """Count the crosses of a row; a lock is one more cross: twelve at most (QX-10).

    >>> count_crosses(0b111), count_crosses(WHOLE_ROW)
    (3, 12)
    """
    return count_numbers(row) + (row >> LAST)


@jitable
def open_cells(row: int) -> int:
    """Return the cells of a row that may still be crossed: all to the right of the last cross (QX-2).

    The last cell also needs five crosses before it (QX-9). Whether someone else closed the row is
    the table's business, not the sheet's.

    >>> f"{open_cells(0b000_0010_1000):011b}"
    '01111000000'
    """
    reached = row | (row >> 1)
    reached |= reached >> 2
    reached |= reached >> 4
    reached |= reached >> 8
    cells = WHOLE_ROW & ~reached
    if count_numbers(row) < CROSSES_TO_LOCK:
        cells &= ~(1 << LAST)
    return cells


@jitable
def row_points(row: int) -> int:
    """Return 1 3 6 10 15 21 28 36 45 55 66 78 points for 1 to 12 crosses (QX-15)."""
    crosses = count_crosses(row)
    return crosses * (crosses + 1) // 2


@jitable
def sheet_points(sheet: int, penalties: int) -> int:
    """Return the points of a sheet; each penalty costs five (QX-15)."""
    points = -PENALTY_POINTS * penalties
    for colour in range(ROWS):
        points += row_points(row_of(sheet, colour))
    return points
