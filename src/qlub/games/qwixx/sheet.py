"""Kernel: one player's sheet of four rows, what may be crossed in it, and what it is worth.

A row is eleven bits, bit 0 its leftmost number. A sheet is four rows side by side in one integer,
red in the lowest bits, then yellow, green and blue. A crossed last number means a crossed lock, so
the lock has no bit of its own (QX-10).
"""

from qlub.kernel import count_bits, jitable

COLOURS = "rygb"
ROWS = 4
CELLS = 11
LAST = 10
WHOLE_ROW = 0b111_1111_1111
WHOLE_SHEET = (1 << ROWS * CELLS) - 1
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
def count_crosses(row: int) -> int:
    """Count the crosses of a row; a lock is one more cross: twelve at most (QX-10).

    >>> count_crosses(0b111), count_crosses(WHOLE_ROW)
    (3, 12)
    """
    return count_bits(row) + (row >> LAST)


# All four rows are looked at side by side. These take the same cells of each row.
FIRST_CELLS = sum(1 << CELLS * colour for colour in range(ROWS))
LAST_CELLS = FIRST_CELLS << LAST
_FIRST_TEN = FIRST_CELLS * 0b011_1111_1111
_FIRST_NINE = FIRST_CELLS * 0b001_1111_1111
_FIRST_SEVEN = FIRST_CELLS * 0b000_0111_1111
_FIRST_THREE = FIRST_CELLS * 0b000_0000_0111
_EVERY_SECOND = FIRST_CELLS * 0b001_0101_0101
_PAIRS = FIRST_CELLS * 0b000_0011_0011
_PAIR = FIRST_CELLS * 0b000_0000_0011
_FOUR = FIRST_CELLS * 0b000_0000_1111
_SIXTEEN_LESS_FIVE = FIRST_CELLS * (16 - CROSSES_TO_LOCK)


@jitable
def passed_cells(sheet: int) -> int:
    """Return the crosses of a sheet and all cells to their left, which are lost (QX-2)."""
    passed = sheet | (sheet >> 1 & _FIRST_TEN)
    passed |= passed >> 2 & _FIRST_NINE
    passed |= passed >> 4 & _FIRST_SEVEN
    return passed | (passed >> 8 & _FIRST_THREE)


@jitable
def lockable_rows(sheet: int) -> int:
    """Return the first cell of each row that has the five crosses a lock needs (QX-9).

    The ten cells before the last are counted within their row: by twos, by fours, then together. A
    count of five or more reaches sixteen when eleven is added.
    """
    twos = (sheet & _EVERY_SECOND) + (sheet >> 1 & _EVERY_SECOND)
    fours = (twos & _PAIRS) + (twos >> 2 & _PAIRS)
    counts = (fours & _FOUR) + (fours >> 4 & _FOUR) + (twos >> 8 & _PAIR)
    return counts + _SIXTEEN_LESS_FIVE >> 4 & FIRST_CELLS


@jitable
def open_among(sheet: int, cells: int) -> int:
    """Return those of some cells that may still be crossed: to the right of all crosses (QX-2).

    The last cell of a row also needs five crosses before it (QX-9). Whether someone else closed the
    row is the table's business, not the sheet's.

    >>> f"{open_among(0b000_0010_1000, WHOLE_ROW):011b}"
    '01111000000'
    """
    cells &= ~passed_cells(sheet)
    if cells & LAST_CELLS:
        cells &= ~(LAST_CELLS - (lockable_rows(sheet) << LAST))
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
