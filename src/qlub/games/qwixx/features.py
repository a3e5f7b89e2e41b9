"""Kernel: what a player sees in a table of Qwixx between two turns, as features of a network.

Rows of all colours are alike: turn the dice over, or swap two colours, and the game is the same. So what
counts of a row is its kind and how far the others have come in it, not its colour.
"""

from qlub.games.qwixx.exact import (
    KINDS,
    crosses_of,
    kind_of,
    pair_number,
    place_of,
    short_row,
)
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
from qlub.games.qwixx.sheet import CELLS, CROSSES_TO_LOCK, FIRST_CELLS, ROWS, count_crosses, row_of
from qlub.kernel import Ints, Slots, count_bits, jitable

ROW_KINDS = KINDS + CELLS + 2
"""Kinds of rows, and closed ones by their crosses."""
ROW_PAIRS = ROW_KINDS * (ROW_KINDS + 1) // 2
PLACES = CELLS + 1
NOBODY = -1000
LEADS, LEAD_STEP = 31, 5
"""Kinds of leads, and how many points one is wide."""
MOST_LOCKS = 3
LOCKS = ROWS * MOST_LOCKS * MOST_LOCKS
"""Kinds of endings: closed rows, rows that I can lock with luck, and that others can."""
NEAR = 7
"""From this place on a row with enough crosses is near its lock."""

STAGES, STAGE_STEP = 8, 3
"""Kinds of how far the game has come, and how many crosses one is wide."""

MINE = 0
THEIRS = MINE + ROW_KINDS
RACE = THEIRS + ROW_KINDS
MY_PENALTIES = RACE + PLACES * PLACES
WAIT = MY_PENALTIES + MOST_PENALTIES * MOST_PENALTIES
LEAD = WAIT + MOST_SEATS
LEAD_BY_LOCKS = LEAD + LEADS
LEAD_BY_PENALTIES = LEAD_BY_LOCKS + LEADS * LOCKS
LEAD_BY_STAGE = LEAD_BY_PENALTIES + LEADS * MOST_PENALTIES * MOST_PENALTIES
ALIKE = LEAD_BY_STAGE + LEADS * STAGES
ACROSS = ALIKE + ROW_PAIRS
FEATURES = ACROSS + ROW_PAIRS
MOST_THERE = ROWS * MOST_SEATS + ROWS * (ROWS - 1) // 2 + ROWS + 6
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
    return place_of(short_row(row_of(table[SHEET + seat], row)))


@jitable
def near_lock(table: Ints, seat: int, row: int) -> bool:
    """Say whether a seat is near the lock of a row that is open."""
    short = short_row(row_of(table[SHEET + seat], row))
    is_near = place_of(short) >= NEAR and crosses_of(short) >= CROSSES_TO_LOCK
    return is_near and not is_closed(table, row)


@jitable
def find_own_rows(table: Ints, seat: int, there: Slots) -> int:
    """Write down a seat's own rows, and all pairs of them; those that run alike apart."""
    count = ROWS
    for row in range(ROWS):
        kind = row_kind(table, seat, row)
        there[row] = MINE + kind
        for other in range(row):
            first = ALIKE if row // 2 == other // 2 else ACROSS
            there[count] = first + pair_number(kind, there[other] - MINE)
            count += 1
    return count


@jitable
def find_features(table: Ints, seat: int, active: int, there: Slots) -> int:
    """Write down what a seat sees before the roll of another, and return how much that is."""
    seats = table[SEATS]
    count = find_own_rows(table, seat, there)
    mine_near = theirs_near = 0
    for row in range(ROWS):
        mine = row_place(table, seat, row)
        mine_near += near_lock(table, seat, row)
        furthest = 0
        is_near = False
        for other in range(seats):
            if other != seat:
                furthest = max(furthest, row_place(table, other, row))
                is_near |= near_lock(table, other, row)
                there[count] = THEIRS + row_kind(table, other, row)
                count += 1
        theirs_near += is_near
        if not is_closed(table, row):
            there[count] = RACE + PLACES * mine + furthest
            count += 1
    most = far = 0
    rival = NOBODY
    for other in range(seats):
        far = max(far, count_bits(table[SHEET + other]))
        if other != seat:
            most = max(most, table[PENALTIES + other])
            rival = max(rival, score(table, other))
    if seats == 1:
        rival = 0
    lead = (score(table, seat) - rival) // LEAD_STEP + LEADS // 2
    lead = min(max(lead, 0), LEADS - 1)
    closed = min(count_bits(table[CLOSED] & FIRST_CELLS), ROWS - 1)
    locks = (closed * MOST_LOCKS + min(mine_near, 2)) * MOST_LOCKS + min(theirs_near, 2)
    penalties = MOST_PENALTIES * table[PENALTIES + seat] + most
    there[count] = MY_PENALTIES + penalties
    there[count + 1] = WAIT + (seat - active + seats) % seats
    there[count + 2] = LEAD + lead
    there[count + 3] = LEAD_BY_LOCKS + locks * LEADS + lead
    there[count + 4] = LEAD_BY_PENALTIES + penalties * LEADS + lead
    there[count + 5] = LEAD_BY_STAGE + min(far // STAGE_STEP, STAGES - 1) * LEADS + lead
    return count + 6
