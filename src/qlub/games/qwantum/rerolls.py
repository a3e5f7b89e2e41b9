"""Kernel: what dice are worth that are rolled again, by the odds of all sums, each colour's on its own."""

from qlub.core.contest import ROUGH
from qlub.games.qwantum.dice import DICE, SIDES
from qlub.games.qwantum.mind import CHOICES, LOWEST, STEPS, Mind, add_move, see, worth
from qlub.games.qwantum.odds import SETS, TOTALS, odds_place
from qlub.games.qwantum.rules import (
    DIE,
    FAILS,
    NOTHING,
    SEATS,
    row_place,
)
from qlub.games.qwantum.sheet import (
    BEFORE_LINE,
    CELLS,
    MOST_SUM,
    ROWS,
    length,
    number_in,
    write,
)
from qlub.kernel import Ints, Slots, apart, count_bits, jitable

OTHERS_COUNT = 0.4
"""How much of what the dice give to the others counts: they cannot write what was picked."""


@jitable
@apart
def find_gains(trial: Slots, seat: int, writer: int, mind: Mind) -> None:
    """Work out what a seat would have of each number that it or another might write, or of nothing.

    The last two are what it would have if nothing was written, and if that was a failed throw.
    """
    gains = mind.gains
    for colour in range(CHOICES):
        place = FAILS + writer if colour == NOTHING else row_place(writer, colour)
        before = trial[place]
        lowest = 0 if colour == NOTHING else lowest_next(before)
        highest = 1 if colour == NOTHING else highest_next(before)
        for number in range(lowest, highest + 1):
            trial[place] = before + number if colour == NOTHING else write(before, number)
            gains[colour * TOTALS + number] = worth(trial, seat, mind)
        trial[place] = before


@jitable
def find_steps(trial: Slots, seat: int, writers: int, mind: Mind) -> int:
    """Work out in steps what each number would gain for its writer, or cost the seat if it is another.

    The steps of the seat itself begin at a failed throw; returns from which on a number is better than
    nothing.
    """
    see(trial, seat, mind)
    step, free = 0.0, 0
    for turn in range(writers):
        writer = (seat + turn) % trial[SEATS]
        find_gains(trial, seat, writer, mind)
        nothing, least = mind.gains[NOTHING * TOTALS], mind.gains[NOTHING * TOTALS + 1]
        if turn == 0:
            step = (most_of(trial, writer, least, mind) - least) / STEPS
            free = max(int((nothing - least) / step + 0.5), 0)
            mind.step[0] = step
        for colour in range(ROWS):
            row = trial[row_place(writer, colour)]
            at = colour * TOTALS
            to = writer * ROWS * TOTALS + at
            for number in range(lowest_next(row), highest_next(row) + 1):
                value = mind.gains[at + number]
                gain = value - least if turn == 0 else nothing - value
                mind.steps[to + number] = int(min(max(gain / step, 0.0) + 0.5, STEPS))
    return free


@jitable
def most_of(table: Ints, seat: int, least: float, mind: Mind) -> float:
    """Return the most of what a seat could have, more than the least."""
    most = least + 1e-6
    for colour in range(ROWS):
        row = table[row_place(seat, colour)]
        for number in range(lowest_next(row), highest_next(row) + 1):
            most = max(most, mind.gains[colour * TOTALS + number])
    return most


@jitable
def lowest_next(row: int) -> int:
    """Return the lowest number that may follow in a row; more than the highest if none may."""
    filled = length(row)
    if filled == CELLS:
        return MOST_SUM + 1
    return number_in(row, filled - 1) + 1 if 0 < filled < BEFORE_LINE else 1


@jitable
def highest_next(row: int) -> int:
    """Return the highest number that may follow in a row."""
    filled = length(row)
    return number_in(row, filled - 1) - 1 if BEFORE_LINE <= filled < CELLS else MOST_SUM


@jitable
def find_chances(table: Ints, seat: int, rolling: int, white: int, mind: Mind) -> None:
    """Work out for each colour how likely each number of steps is exceeded.

    `white` is what the white die shows, 0 if it is rolled, too.
    """
    chances = mind.chances
    most = SIDES * count_bits(rolling)
    for colour in range(ROWS):
        at = colour * (STEPS + 1)
        for step in range(STEPS + 1):
            chances[at + step] = 0.0
        kept = white
        for die in range(1, DICE):
            if rolling >> die & 1 == 0 and table[DIE + die] // 10 == colour:
                kept += table[DIE + die] % 10
        row = table[row_place(seat, colour)]
        odds = odds_place(rolling, colour) - kept
        lowest = max(lowest_next(row), kept)
        for number in range(lowest, min(highest_next(row), kept + most) + 1):
            step = mind.steps[(seat * ROWS + colour) * TOTALS + number]
            chances[at + step] += mind.odds[odds + number]
        for step in range(STEPS, 0, -1):
            chances[at + step - 1] += chances[at + step]


@jitable
@apart
def expect(table: Ints, seat: int, rolling: int, white: int, free: int, mind: Mind) -> float:
    """Return how many steps the two best colours gain on average, as if they did not depend on each other.

    From `free` on, steps count for the second, too: it need not be written.
    """
    find_chances(table, seat, rolling, white, mind)
    chances = mind.chances
    expected = 0.0
    for step in range(1, STEPS + 1):
        a, b = chances[step], chances[STEPS + 1 + step]
        c, d = chances[2 * STEPS + 2 + step], chances[3 * STEPS + 3 + step]
        neither, nor = (1.0 - a) * (1.0 - b), (1.0 - c) * (1.0 - d)
        none = neither * nor
        one = (a + b - 2.0 * a * b) * nor + (c + d - 2.0 * c * d) * neither
        expected += 1.0 - none
        if step > free:
            expected += 1.0 - none - one
    return expected


@jitable
def weigh_dice(
    table: Ints,
    seat: int,
    writers: int,
    rolling: int,
    white: int,
    free: int,
    enough: float,
    mind: Mind,
) -> float:
    """Return how many steps a seat gains on average if dice are rolled again, less what the others do.

    What would not be enough without the others is not looked at any further.
    """
    value = expect(table, seat, rolling, white, free, mind)
    turn = 1
    while value > enough and turn < writers:
        other = (seat + turn) % table[SEATS]
        value -= OTHERS_COUNT * expect(table, other, rolling, white, STEPS, mind)
        turn += 1
    return value


@jitable
def weigh_sets(trial: Slots, seat: int, writers: int, mind: Mind) -> int:
    """Work out about what each set of dice is worth to be rolled again, and return how many there are.

    Thinks of what dice bring to the first so many from the seat on: to itself alone if that is one.
    Whatever the white die shows, it is in all four sums. So if it is rolled, each face is looked at on its
    own, at least if this set of dice would be the best when each colour had a white die of its own, which
    is better.
    """
    free = find_steps(trial, seat, writers, mind)
    misjudged = 2.0 * mind.plan[ROUGH] / 1000.0 / mind.step[0]
    most = LOWEST
    count = 0
    for number in range(SETS):
        rolling = number * 2 % SETS + number * 2 // SETS  # the white die last
        is_white = rolling & 1
        white = 0 if is_white else trial[DIE]
        value = weigh_dice(trial, seat, writers, rolling, white, free, most - misjudged, mind)
        if is_white and value > most:
            value = 0.0
            for white in range(1, SIDES + 1):
                value += (
                    weigh_dice(trial, seat, writers, rolling - 1, white, free, LOWEST, mind) / SIDES
                )
        elif is_white:
            continue
        most = max(most, value)
        count = add_move(rolling, value * mind.step[0], count, mind)
    return count
