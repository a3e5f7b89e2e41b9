"""Kernel: what every sheet of Qwixx is worth when nobody else closes a row or ends the game.

Of a row only two things matter for what is to come: its last crossed cell, and how many are crossed.
That makes 62 kinds of rows. Red and yellow can change places, green and blue too, and so can both pairs
with all dice turned over: a sheet is an unordered pair of unordered pairs of rows. One's own turn always
adds a cross or a penalty, so working backwards from full sheets every worth is a mean of known ones.
"""

from qlub.core.luck import next_event, scale, start_luck
from qlub.games.qwixx.playout import roll
from qlub.games.qwixx.rules import (
    COLOR,
    CROSSED,
    DECIDED,
    DIE,
    MOST_PENALTIES,
    OVER,
    PASS,
    PENALTIES,
    PHASE,
    SHEET,
    SIZE,
    begin,
    score,
    settle_color,
    settle_white,
)
from qlub.games.qwixx.sheet import (
    CELLS,
    CROSSES_TO_LOCK,
    LAST,
    PENALTY_POINTS,
    ROWS,
    cell_of,
    passed_cells,
    row_of,
)
from qlub.kernel import Floats, Ints, Slots, count_bits, jitable

LOCKS_TO_END = 2
SIDES = 6
NEVER = -1000.0

FIRST_LOCKED = 1 + LAST * (LAST + 1) // 2
KINDS = FIRST_LOCKED + CELLS - CROSSES_TO_LOCK
"""Kinds of rows: the empty one, by last cell and crosses, and those that are locked."""
PAIRS = KINDS * (KINDS + 1) // 2
SHEETS = PAIRS * (PAIRS + 1) // 2
"""All sheets, but for penalties."""
CELLS_NOTED, THROW_NOTED = ROWS * CELLS, 2 * ROWS * SIDES
"""How many numbers are noted while a sheet is worked out."""

# A short row is 16 times the place behind its last cross, plus its crosses.
_PLACE = 16


@jitable
def short_row(row: int) -> int:
    """Return what matters of a row of the rules.

    >>> divmod(short_row(0), 16), divmod(short_row(0b1001), 16), divmod(short_row(0b100_0011_1110), 16)
    ((0, 0), (4, 2), (11, 6))
    """
    return _PLACE * count_bits(passed_cells(row)) + count_bits(row)


@jitable
def place_of(row: int) -> int:
    """Return the place behind the last cross of a short row."""
    return row // _PLACE


@jitable
def crosses_of(row: int) -> int:
    """Return how many cells of a short row are crossed."""
    return row % _PLACE


@jitable
def with_cross(row: int, cell: int) -> int:
    """Return a short row with one more cell crossed, or -1 if that cell is not open (QX-2, QX-9)."""
    if cell < place_of(row) or (cell == LAST and crosses_of(row) < CROSSES_TO_LOCK):
        return -1
    return _PLACE * (cell + 1) + crosses_of(row) + 1


@jitable
def is_locked(row: int) -> bool:
    """Say whether a short row is locked."""
    return row >= _PLACE * CELLS


@jitable
def short_points(row: int) -> int:
    """Return the points of a short row, whose lock is one more cross (QX-10, QX-15)."""
    crosses = crosses_of(row) + is_locked(row)
    return crosses * (crosses + 1) // 2


@jitable
def kind_of(row: int) -> int:
    """Return the number of a short row among all kinds.

    >>> kind_of(short_row(0)), kind_of(short_row(1)), kind_of(short_row((1 << CELLS) - 1)) == KINDS - 1
    (0, 1, True)
    """
    if is_locked(row):
        return FIRST_LOCKED + crosses_of(row) - CROSSES_TO_LOCK - 1
    last = place_of(row) - 1
    return last * (last + 1) // 2 + crosses_of(row)


@jitable
def pair_number(one: int, other: int) -> int:
    """Return the number of an unordered pair.

    >>> pair_number(0, 0), pair_number(3, 1) == pair_number(1, 3), pair_number(61, 61) == PAIRS - 1
    (0, True, True)
    """
    if one < other:
        return other * (other + 1) // 2 + one
    return one * (one + 1) // 2 + other


@jitable
def goes_on(rows: Ints) -> bool:
    """Say whether there is an action 2: not if two rows are locked (QX-18)."""
    locked = 0
    for row in range(ROWS):
        locked += is_locked(rows[row])
    return locked < LOCKS_TO_END


@jitable
def worth_of(rows: Ints, penalties: int, worths: Floats, at: int) -> float:
    """Return what a sheet is worth: its points if it is final, or what is noted from place `at` on."""
    if penalties == MOST_PENALTIES or not goes_on(rows):
        points = -PENALTY_POINTS * penalties
        for row in range(ROWS):
            points += short_points(rows[row])
        return float(points)
    rising = pair_number(kind_of(rows[0]), kind_of(rows[1]))
    falling = pair_number(kind_of(rows[2]), kind_of(rows[3]))
    return worths[at + pair_number(rising, falling) * MOST_PENALTIES + penalties]


@jitable
def look_ahead(
    rows: Slots, penalties: int, white: int, worths: Floats, at: int, best: Floats
) -> float:
    """Note for each cell the most that crossing it in action 2 is worth, whatever is done in action 1.

    Returns the most that the turn is worth without action 2.
    """
    for place in range(ROWS * CELLS):
        best[place] = NEVER
    without = worth_of(rows, penalties + 1, worths, at)  # QX-8
    for first in range(-1, ROWS):
        before = rows[first]
        if first >= 0:
            crossed = with_cross(before, cell_of(first, white))
            if crossed < 0:
                continue
            rows[first] = crossed
            without = max(without, worth_of(rows, penalties, worths, at))
        if goes_on(rows):
            for row in range(ROWS):
                kept = rows[row]
                for cell in range(place_of(kept), CELLS):
                    crossed = with_cross(kept, cell)
                    if crossed >= 0:
                        rows[row] = crossed
                        place = CELLS * row + cell
                        best[place] = max(best[place], worth_of(rows, penalties, worths, at))
                rows[row] = kept
        rows[first] = before
    return without


@jitable
def best_of_throw(best: Floats, one: int, other: int, without: float, throw: Floats) -> float:
    """Return the mean of the most that the coloured dice offer beside two white ones.

    Each die offers something in its own row only, so the six faces of four dice are four independent
    throws: the largest is at most a value if no die shows one of those above it.
    """
    count = 0
    for row in range(ROWS):
        for die in range(1, SIDES + 1):
            value = max(
                best[CELLS * row + cell_of(row, one + die)],
                best[CELLS * row + cell_of(row, other + die)],
            )
            if value > without:
                place = count
                while place > 0 and throw[2 * place - 2] < value:
                    throw[2 * place] = throw[2 * place - 2]
                    throw[2 * place + 1] = throw[2 * place - 1]
                    place -= 1
                throw[2 * place] = value
                throw[2 * place + 1] = row
                count += 1
    mean, chance = 0.0, 1.0
    red = yellow = green = blue = SIDES
    for place in range(count):
        owner = throw[2 * place + 1]
        red -= owner == 0
        yellow -= owner == 1
        green -= owner == 2
        blue -= owner == 3
        smaller = red * yellow * green * blue / SIDES**ROWS
        mean += throw[2 * place] * (chance - smaller)
        chance = smaller
    return mean + chance * without


@jitable
def own_turn(
    rows: Slots, penalties: int, worths: Floats, at: int, best: Floats, throw: Floats
) -> float:
    """Return what a sheet is worth before one's own roll."""
    mean = 0.0
    for white in range(2, 2 * SIDES + 1):
        without = look_ahead(rows, penalties, white, worths, at, best)
        for one in range(max(1, white - SIDES), white // 2 + 1):
            weight = 1 if 2 * one == white else 2
            mean += weight * best_of_throw(best, one, white - one, without, throw)
    return mean / SIDES**2


@jitable
def other_turn(rows: Slots, penalties: int, worths: Floats, at: int) -> float:
    """Return what a sheet is worth before somebody else's roll, of which only the white sum counts."""
    mean = 0.0
    for white in range(2, 2 * SIDES + 1):
        most = worth_of(rows, penalties, worths, at)
        for row in range(ROWS):
            kept = rows[row]
            crossed = with_cross(kept, cell_of(row, white))
            if crossed >= 0:
                rows[row] = crossed
                most = max(most, worth_of(rows, penalties, worths, at))
                rows[row] = kept
        mean += (SIDES - abs(white - SIDES - 1)) * most
    return mean / SIDES**2


@jitable
def work_out(
    sheets: Ints, kinds: Ints, seats: int, worths: Floats, rows: Slots, best: Floats, throw: Floats
) -> None:
    """Work out some sheets, all others that can follow from them being known.

    `sheets` has the kinds of four rows for each, `kinds` the short row of each kind. There are as many
    worths as seats: before one's own turn, then before the turns of the others as they come.
    """
    plane = SHEETS * MOST_PENALTIES
    for first in range(0, len(sheets), ROWS):
        for row in range(ROWS):
            rows[row] = kinds[sheets[first + row]]
        if not goes_on(rows):
            continue
        rising = pair_number(sheets[first], sheets[first + 1])
        falling = pair_number(sheets[first + 2], sheets[first + 3])
        place = pair_number(rising, falling) * MOST_PENALTIES
        for penalties in range(MOST_PENALTIES - 1, -1, -1):
            after = plane if seats > 1 else 0
            worths[place + penalties] = own_turn(rows, penalties, worths, after, best, throw)
            for turn in range(seats - 1, 0, -1):
                after = plane * ((turn + 1) % seats)
                worths[plane * turn + place + penalties] = other_turn(
                    rows, penalties, worths, after
                )


def all_kinds() -> list[int]:
    """Return the short row of every kind.

    >>> [kind_of(row) for row in all_kinds()] == list(range(KINDS))
    True
    """
    rows = [_PLACE * (last + 1) + count for last in range(LAST) for count in range(1, last + 2)]
    locked = [_PLACE * CELLS + count for count in range(CROSSES_TO_LOCK + 1, CELLS + 1)]
    return [0, *rows, *locked]


@jitable
def take_sheet(table: Ints, rows: Slots) -> None:
    """Write down the short rows of the only seat."""
    for row in range(ROWS):
        rows[row] = short_row(row_of(table[SHEET], row))


@jitable
def best_color(table: Ints, has_crossed: bool, rows: Slots, worths: Floats) -> tuple[int, float]:
    """Return the best move of action 2 with these rows, and what it is worth."""
    penalties = table[PENALTIES]
    move = PASS
    most = worth_of(rows, penalties if has_crossed else penalties + 1, worths, 0)
    for row in range(ROWS):
        kept = rows[row]
        for die in range(2):
            cell = cell_of(row, table[DIE + die] + table[DIE + 2 + row])
            crossed = with_cross(kept, cell)
            if crossed >= 0 and table[DIE + 2 + row] > 0:
                rows[row] = crossed
                worth = worth_of(rows, penalties, worths, 0)
                rows[row] = kept
                if worth > most:
                    move, most = CELLS * row + cell, worth
    return move, most


@jitable
def best_white(table: Ints, rows: Slots, worths: Floats) -> int:
    """Return the best move of action 1 with these rows, action 2 being played as well as can be."""
    move = PASS
    most = best_color(table, False, rows, worths)[1]
    for row in range(ROWS):
        kept = rows[row]
        cell = cell_of(row, table[DIE] + table[DIE + 1])
        crossed = with_cross(kept, cell)
        if crossed >= 0:
            rows[row] = crossed
            if goes_on(rows):
                worth = best_color(table, True, rows, worths)[1]
            else:
                worth = worth_of(rows, table[PENALTIES], worths, 0)
            rows[row] = kept
            if worth > most:
                move, most = CELLS * row + cell, worth
    return move


@jitable
def play_alone(
    seed: int,
    first: int,
    start: Ints,
    table: Slots,
    luck: Slots,
    rows: Slots,
    worths: Floats,
    points: Slots,
) -> None:
    """Play whole games alone by the worths, through the rules, and write down their points."""
    for game in range(len(points)):
        start_luck(luck, seed, first + game, 1)
        for place in range(SIZE):
            table[place] = start[place]
        begin(table, scale(next_event(luck), 1))
        while table[PHASE] != OVER:
            roll(table, luck)
            take_sheet(table, rows)
            table[DECIDED] = best_white(table, rows, worths)
            settle_white(table)
            if table[PHASE] == COLOR:
                take_sheet(table, rows)
                settle_color(table, best_color(table, table[CROSSED] == 1, rows, worths)[0])
        points[game] = score(table, 0)
