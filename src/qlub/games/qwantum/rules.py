"""Kernel: the course of a game of Qwantum, who may write what, and when it ends.

A table is one short run of integers, laid out by the constants below. A move is a set of dice to
roll again, a bit each (0 keeps all), or PASS, or WRITE plus 64 times a colour plus a number.
"""

from qlub.games.qwantum.dice import DICE
from qlub.games.qwantum.sheet import (
    CELLS,
    MOST_FAILS,
    ROWS,
    can_write,
    length,
    sheet_points,
    write,
)
from qlub.kernel import UNDECIDED, Ints, Slots, jitable

FIRST, ROLL, KEEP, REROLL, PICK, SHARE, OVER = range(7)
PHASES = ("first", "roll", "keep", "reroll", "pick", "share", "over")

MOST_SEATS = 4

# Where things lie in a table.
SEATS, PHASE, ACTIVE, PICKED, ROLLING, DIE = range(6)
SUM = DIE + DICE
ROW = SUM + ROWS
FAILS = ROW + MOST_SEATS * ROWS
DECIDED = FAILS + MOST_SEATS
SIZE = DECIDED + MOST_SEATS

KEEP_ALL = 0
PASS = 128
WRITE = 129
NOTHING = ROWS  # what is picked when nothing is

RUNNING, SHEET_FULL, FIVE_FAILS = range(3)
REASONS = (None, "sheet", "fails")


@jitable
def start(table: Slots, seats: int) -> None:
    """Lay out empty sheets; next, lots are drawn for the first active player (QN-7)."""
    for place in range(SIZE):
        table[place] = 0
    table[SEATS] = seats
    table[PICKED] = NOTHING
    for seat in range(MOST_SEATS):
        table[DECIDED + seat] = UNDECIDED


@jitable
def begin(table: Slots, seat: int) -> None:
    """Let a seat be the first active player (QN-7)."""
    table[ACTIVE] = seat
    table[PHASE] = ROLL


@jitable
def throw(table: Slots, dice: Ints) -> None:
    """Lay down all seven dice: after the first throw they may be kept, after the second not (QN-8)."""
    for die in range(DICE):
        table[DIE + die] = dice[die]
    add_up(table)
    table[PHASE] = KEEP if table[PHASE] == ROLL else PICK
    table[ROLLING] = 0


@jitable
def add_up(table: Slots) -> None:
    """Work out each colour's sum: the white die and all dice of that colour, if there are any (QN-9)."""
    sums = 0  # of all colours side by side, eight bits each
    for die in range(DIE + 1, DIE + DICE):
        sums += table[die] % 10 << 8 * (table[die] // 10)
    for colour in range(ROWS):
        table[SUM + colour] = table[DIE] + (sums >> 8 * colour & 255)


@jitable
def sum_of(table: Ints, colour: int) -> int:
    """Return what the dice on the table are worth in a colour (QN-9)."""
    return table[SUM + colour]


@jitable
def row_place(seat: int, colour: int) -> int:
    """Return where a row of a seat lies in a table."""
    return ROW + ROWS * seat + colour


@jitable
def may_decide(table: Ints, seat: int) -> bool:
    """Say whether a seat decides now: the active one in A and B, everybody in C (QN-11)."""
    if table[PHASE] == SHARE:
        return table[DECIDED + seat] == UNDECIDED
    return seat == table[ACTIVE] and (table[PHASE] == KEEP or table[PHASE] == PICK)


@jitable
def takeable(table: Ints, seat: int) -> int:
    """Return the colours whose sum a seat may write now, a bit each; not the one picked in B (QN-11)."""
    colours = 0
    if table[PHASE] == PICK or table[PHASE] == SHARE:
        for colour in range(ROWS):
            row = table[row_place(seat, colour)]
            colours |= can_write(row, sum_of(table, colour)) << colour
    return colours & ~(1 << table[PICKED])


@jitable
def writing(colour: int, number: int) -> int:
    """Return the move that writes a number in the row of a colour."""
    return WRITE + 64 * colour + number


@jitable
def is_legal(table: Ints, seat: int, move: int) -> bool:
    """Say whether a seat may make a move now."""
    if not may_decide(table, seat):
        return False
    if move < PASS:
        return table[PHASE] == KEEP
    if move == PASS:
        return table[PHASE] != KEEP
    colour = (move - WRITE) // 64
    number = (move - WRITE) % 64
    return takeable(table, seat) >> colour & 1 == 1 and number == sum_of(table, colour)


@jitable
def decide(table: Slots, seat: int, move: int) -> None:
    """Take a legal move; in C it stays sealed until everybody has decided (QN-11)."""
    if table[PHASE] == KEEP:
        table[ROLLING] = move
        table[PHASE] = PICK if move == KEEP_ALL else REROLL
        return
    if table[PHASE] == PICK:
        settle_pick(table, move)
        return
    table[DECIDED + seat] = move
    for other in range(table[SEATS]):
        if table[DECIDED + other] == UNDECIDED:
            return
    settle_share(table)


@jitable
def write_move(table: Slots, seat: int, move: int) -> None:
    """Write what a seat decided to write; a pass writes nothing."""
    if move != PASS:
        place = row_place(seat, (move - WRITE) // 64)
        table[place] = write(table[place], (move - WRITE) % 64)


@jitable
def settle_pick(table: Slots, move: int) -> None:
    """Write what the active player picked in B (QN-10); a full sheet ends the game at once (QN-13)."""
    write_move(table, table[ACTIVE], move)
    table[PICKED] = NOTHING if move == PASS else (move - WRITE) // 64
    table[PHASE] = SHARE
    if ending(table) != RUNNING:
        table[PHASE] = OVER
        table[PICKED] = NOTHING


@jitable
def settle_share(table: Slots) -> None:
    """Write what everybody decided in C, then cross a failed throw if one is due (QN-12)."""
    active = table[ACTIVE]
    if table[PICKED] == NOTHING and table[DECIDED + active] == PASS:
        table[FAILS + active] += 1
    for seat in range(table[SEATS]):
        write_move(table, seat, table[DECIDED + seat])
        table[DECIDED + seat] = UNDECIDED
    table[PICKED] = NOTHING
    if ending(table) != RUNNING:
        table[PHASE] = OVER
        return
    for place in range(DIE, DIE + DICE + ROWS):
        table[place] = 0
    table[ACTIVE] = active + 1 if active + 1 < table[SEATS] else 0
    table[PHASE] = ROLL


@jitable
def is_full(table: Ints, seat: int) -> bool:
    """Say whether a seat has filled all four rows (QN-13)."""
    for colour in range(ROWS):
        if length(table[row_place(seat, colour)]) < CELLS:
            return False
    return True


@jitable
def ending(table: Ints) -> int:
    """Return why the game must end now, or RUNNING (QN-13, QN-14)."""
    for seat in range(table[SEATS]):
        if is_full(table, seat):
            return SHEET_FULL
    for seat in range(table[SEATS]):
        if table[FAILS + seat] >= MOST_FAILS:
            return FIVE_FAILS
    return RUNNING


@jitable
def score(table: Ints, seat: int) -> int:
    """Return the points of a seat (QN-15)."""
    return sheet_points(table, ROW + ROWS * seat, table[FAILS + seat])
