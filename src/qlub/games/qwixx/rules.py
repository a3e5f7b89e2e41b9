"""Kernel: the course of a game of Qwixx, who may cross what, and when it ends.

A table is one short run of integers, laid out by the constants below. A move is the number of a
cell of the sheet, 0 to 43, or PASS. Simultaneous decisions stay sealed in the table until the last
one is in.
"""

from qlub.games.qwixx.sheet import (
    CELLS,
    FIRST_CELLS,
    LAST,
    ROWS,
    WHOLE_ROW,
    WHOLE_SHEET,
    open_among,
    sheet_points,
)
from qlub.kernel import UNDECIDED, Ints, Slots, count_bits, jitable

FIRST, ROLL, WHITE, COLOR, OVER = range(5)
PHASES = ("first", "roll", "white", "color", "over")

MOST_SEATS = 5
DICE = 6  # two white, then one for each row
MOST_PENALTIES = 4

# Where things lie in a table.
SEATS, PHASE, ACTIVE, END, CROSSED, CLOSED, DIE = range(7)
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
    """Return the first cell of each row of one sheet that is locked.

    >>> locked_rows(1 << CELLS + LAST) == 1 << CELLS
    True
    """
    return sheet >> LAST & FIRST_CELLS


@jitable
def is_closed(table: Ints, colour: int) -> bool:
    """Say whether a row is closed for everyone (QX-11)."""
    return table[CLOSED] >> CELLS * colour & 1 == 1


@jitable
def locked_by_anybody(table: Ints) -> int:
    """Return the rows that at least one seat has locked."""
    locked = 0
    for seat in range(table[SEATS]):
        locked |= locked_rows(table[SHEET + seat])
    return locked


@jitable
def close_rows(table: Slots, locked: int) -> None:
    """Close rows that somebody locked for everyone, and remove their dice at once (QX-11)."""
    if locked * WHOLE_ROW == table[CLOSED]:
        return
    table[CLOSED] = locked * WHOLE_ROW
    for colour in range(ROWS):
        if is_closed(table, colour):
            table[DIE + 2 + colour] = 0


@jitable
def throw(table: Slots, dice: Ints) -> None:
    """Lay down the active player's roll: two white dice, then one a row, 0 if removed (QX-5)."""
    for die in range(DICE):
        table[DIE + die] = dice[die]
    table[PHASE] = WHITE


# The first cells of the rows that rise and of those that fall (QX-1).
_RISING = FIRST_CELLS & (1 << 2 * CELLS) - 1
_FALLING = FIRST_CELLS - _RISING


@jitable
def white_cells(table: Ints) -> int:
    """Return the cells of the white sum, one in each row (QX-6)."""
    total = table[DIE] + table[DIE + 1]
    return _RISING << (total - 2) | _FALLING << (12 - total)


@jitable
def color_cells(table: Ints) -> int:
    """Return the cells of one white die plus the die of a row that is still in play (QX-7).

    In the row of a die that was removed there may be others, but that row is closed.
    """
    rising = 1 << table[DIE] | 1 << table[DIE + 1]
    falling = 1 << (12 - table[DIE]) | 1 << (12 - table[DIE + 1])
    red = rising << table[DIE + 2] >> 2
    yellow = rising << table[DIE + 3] >> 2
    green = falling >> table[DIE + 4] & WHOLE_ROW
    blue = falling >> table[DIE + 5] & WHOLE_ROW
    return red | yellow << CELLS | green << 2 * CELLS | blue << 3 * CELLS


@jitable
def crossable(table: Ints, seat: int, cells: int) -> int:
    """Return those of some cells that a seat may cross: open ones (QX-2, QX-9) of open rows (QX-11)."""
    return open_among(table[SHEET + seat], cells & ~table[CLOSED])


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
    return crossable(table, seat, rolled)


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
def crossed_cell(move: int) -> int:
    """Return the cell that a move crosses; a pass crosses none.

    >>> crossed_cell(3), crossed_cell(PASS)
    (8, 0)
    """
    return 1 << move & WHOLE_SHEET


@jitable
def settle_white(table: Slots) -> None:
    """Cross what everybody decided in action 1, all at once (QX-12), and go on to action 2.

    If that ends the game there is no action 2, and a pass of the active player costs nothing (QX-18).
    """
    table[CROSSED] = 0 if table[DECIDED + table[ACTIVE]] == PASS else 1
    for seat in range(table[SEATS]):
        table[SHEET + seat] |= crossed_cell(table[DECIDED + seat])
        table[DECIDED + seat] = UNDECIDED
    close_rows(table, locked_by_anybody(table))
    table[PHASE] = COLOR
    if has_closed_enough(table):
        table[PHASE] = OVER
        table[CROSSED] = 0


@jitable
def settle_color(table: Slots, move: int) -> None:
    """Cross what the active player decided in action 2, or a penalty if they never crossed (QX-8)."""
    active = table[ACTIVE]
    table[SHEET + active] |= crossed_cell(move)
    table[PENALTIES + active] += (move == PASS) & (table[CROSSED] == 0)
    table[CROSSED] = 0
    close_rows(table, table[CLOSED] & FIRST_CELLS | locked_rows(table[SHEET + active]))
    if has_closed_enough(table) or table[PENALTIES + active] >= MOST_PENALTIES:
        table[PHASE] = OVER
        return
    for die in range(DICE):
        table[DIE + die] = 0
    table[ACTIVE] = active + 1 if active + 1 < table[SEATS] else 0
    table[PHASE] = ROLL


@jitable
def has_closed_enough(table: Ints) -> bool:
    """Say whether so many rows are closed that the game ends: two (QX-13).

    With END_PLAYER one player must have locked two, or all four be closed (QX-14it).
    """
    closed = count_bits(table[CLOSED] & FIRST_CELLS)
    if closed < 2:
        return False
    if closed == ROWS or table[END] == END_TABLE:
        return True
    for seat in range(table[SEATS]):
        if count_bits(locked_rows(table[SHEET + seat])) >= 2:
            return True
    return False


@jitable
def ending(table: Ints) -> int:
    """Return why the game must end now, or RUNNING (QX-13, QX-14)."""
    if has_closed_enough(table):
        return ROWS_CLOSED
    for seat in range(table[SEATS]):
        if table[PENALTIES + seat] >= MOST_PENALTIES:
            return FOUR_PENALTIES
    return RUNNING


@jitable
def score(table: Ints, seat: int) -> int:
    """Return the points of a seat (QX-15)."""
    return sheet_points(table[SHEET + seat], table[PENALTIES + seat])
