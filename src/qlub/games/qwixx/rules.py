"""Kernel: the course of a game of Qwixx, who may cross what, and when it ends.

A table is one short run of integers, laid out by the constants below. A move is the number of a
cell of the sheet, 0 to 43, or PASS. Simultaneous decisions stay sealed in the table until the last
one is in.
"""

from qlub.games.qwixx.sheet import (
    CELLS,
    LAST,
    ROWS,
    cell_of,
    open_cells,
    row_of,
    sheet_points,
)
from qlub.kernel import UNDECIDED, Ints, Slots, jitable

FIRST, ROLL, WHITE, COLOR, OVER = range(5)
PHASES = ("first", "roll", "white", "color", "over")

MOST_SEATS = 5
DICE = 6  # two white, then one for each row
MOST_PENALTIES = 4

# Where things lie in a table.
SEATS, PHASE, ACTIVE, END, CROSSED, DIE = range(6)
SHEET = DIE + DICE
PENALTIES = SHEET + MOST_SEATS
DECIDED = PENALTIES + MOST_SEATS
SIZE = DECIDED + MOST_SEATS

END_TABLE, END_PLAYER = range(2)
ENDS = ("table", "player")

PASS = ROWS * CELLS

RUNNING, ROWS_CLOSED, FOUR_PENALTIES = range(3)
REASONS = (None, "rows", "penalties")


@jitable
def start(table: Slots, seats: int, end: int) -> None:
    """Lay out empty sheets; next, lots are drawn for the first active player (QX-4)."""
    for place in range(SIZE):
        table[place] = 0
    table[SEATS] = seats
    table[END] = end
    for seat in range(MOST_SEATS):
        table[DECIDED + seat] = UNDECIDED


@jitable
def begin(table: Slots, seat: int) -> None:
    """Let a seat be the first active player (QX-4)."""
    table[ACTIVE] = seat
    table[PHASE] = ROLL


@jitable
def locked_rows(sheet: int) -> int:
    """Return the rows of one sheet that are locked, a bit each, red lowest.

    >>> f"{locked_rows(1 << (CELLS * 3 + LAST)):04b}"
    '1000'
    """
    red = sheet >> LAST & 0b0001
    yellow = sheet >> (CELLS + LAST - 1) & 0b0010
    green = sheet >> (2 * CELLS + LAST - 2) & 0b0100
    blue = sheet >> (3 * CELLS + LAST - 3) & 0b1000
    return red | yellow | green | blue


@jitable
def closed_rows(table: Ints) -> int:
    """Return the rows that anybody locked: they are closed for everyone (QX-11)."""
    crossed_by_anybody = 0
    for seat in range(table[SEATS]):
        crossed_by_anybody |= table[SHEET + seat]
    return locked_rows(crossed_by_anybody)


@jitable
def count_rows(rows: int) -> int:
    """Count the rows in a set of rows."""
    return (rows & 1) + (rows >> 1 & 1) + (rows >> 2 & 1) + (rows >> 3)


@jitable
def throw(table: Slots, dice: Ints) -> None:
    """Lay down the active player's roll: two white dice, then one a row, 0 if removed (QX-5)."""
    for die in range(DICE):
        table[DIE + die] = dice[die]
    table[PHASE] = WHITE


@jitable
def white_cells(table: Ints) -> int:
    """Return the cells of the white sum, one in each row (QX-6)."""
    total = table[DIE] + table[DIE + 1]
    cells = 0
    for colour in range(ROWS):
        cells |= 1 << (CELLS * colour + cell_of(colour, total))
    return cells


@jitable
def color_cells(table: Ints) -> int:
    """Return the cells of one white die plus the die of a row that is still in play (QX-7)."""
    cells = 0
    for colour in range(ROWS):
        die = table[DIE + 2 + colour]
        if die > 0:
            cells |= 1 << (CELLS * colour + cell_of(colour, table[DIE] + die))
            cells |= 1 << (CELLS * colour + cell_of(colour, table[DIE + 1] + die))
    return cells


@jitable
def open_sheet(table: Ints, seat: int) -> int:
    """Return every cell that a seat could still cross in some roll, closed rows left out (QX-11)."""
    closed = closed_rows(table)
    cells = 0
    for colour in range(ROWS):
        if (closed >> colour) & 1 == 0:
            cells |= open_cells(row_of(table[SHEET + seat], colour)) << (CELLS * colour)
    return cells


@jitable
def may_decide(table: Ints, seat: int) -> bool:
    """Say whether a seat has something to decide now: all in action 1, the active one in action 2."""
    if table[PHASE] == WHITE:
        return table[DECIDED + seat] == UNDECIDED
    return table[PHASE] == COLOR and seat == table[ACTIVE]


@jitable
def legal_cells(table: Ints, seat: int) -> int:
    """Return the cells that a seat may cross now; passing is always allowed besides (QX-6, QX-7)."""
    if not may_decide(table, seat):
        return 0
    rolled = white_cells(table) if table[PHASE] == WHITE else color_cells(table)
    return rolled & open_sheet(table, seat)


@jitable
def decide(table: Slots, seat: int, move: int) -> None:
    """Take a legal move; in action 1 it stays sealed until everybody has decided (QX-12)."""
    if table[PHASE] == COLOR:
        settle_color(table, move)
        return
    table[DECIDED + seat] = move
    for other in range(table[SEATS]):
        if table[DECIDED + other] == UNDECIDED:
            return
    settle_white(table)


@jitable
def settle_white(table: Slots) -> None:
    """Cross what everybody decided in action 1, all at once (QX-12), and go on to action 2.

    If that ends the game there is no action 2, and a pass of the active player costs nothing (QX-18).
    """
    table[CROSSED] = 0 if table[DECIDED + table[ACTIVE]] == PASS else 1
    for seat in range(table[SEATS]):
        if table[DECIDED + seat] != PASS:
            table[SHEET + seat] |= 1 << table[DECIDED + seat]
        table[DECIDED + seat] = UNDECIDED
    remove_dice(table)
    table[PHASE] = COLOR
    if ending(table) != RUNNING:
        table[PHASE] = OVER
        table[CROSSED] = 0


@jitable
def settle_color(table: Slots, move: int) -> None:
    """Cross what the active player decided in action 2, or a penalty if they never crossed (QX-8)."""
    active = table[ACTIVE]
    if move != PASS:
        table[SHEET + active] |= 1 << move
    elif table[CROSSED] == 0:
        table[PENALTIES + active] += 1
    table[CROSSED] = 0
    remove_dice(table)
    if ending(table) != RUNNING:
        table[PHASE] = OVER
        return
    for die in range(DICE):
        table[DIE + die] = 0
    table[ACTIVE] = (active + 1) % table[SEATS]
    table[PHASE] = ROLL


@jitable
def remove_dice(table: Slots) -> None:
    """Take the dice of closed rows out of the game at once (QX-11)."""
    closed = closed_rows(table)
    for colour in range(ROWS):
        if (closed >> colour) & 1 == 1:
            table[DIE + 2 + colour] = 0


@jitable
def ending(table: Ints) -> int:
    """Return why the game must end now, or RUNNING (QX-13, QX-14).

    With END_PLAYER one player must have locked two rows, or all four be closed (QX-14it).
    """
    closed = count_rows(closed_rows(table))
    if closed == ROWS or (table[END] == END_TABLE and closed >= 2):
        return ROWS_CLOSED
    for seat in range(table[SEATS]):
        if table[END] == END_PLAYER and count_rows(locked_rows(table[SHEET + seat])) >= 2:
            return ROWS_CLOSED
    for seat in range(table[SEATS]):
        if table[PENALTIES + seat] >= MOST_PENALTIES:
            return FOUR_PENALTIES
    return RUNNING


@jitable
def score(table: Ints, seat: int) -> int:
    """Return the points of a seat (QX-15)."""
    return sheet_points(table[SHEET + seat], table[PENALTIES + seat])
