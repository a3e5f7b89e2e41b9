"""Kernel: players of Qwantum that judge what a turn leads to by a network.

What the others will write in C is foreseen: whatever they would like best. What dice are worth that are
rolled again is worked out from the odds of all sums, each colour's on its own.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from qlub.core.net import FIRST, LAYERS, MARGIN, WIN, conclude, look, look_again
from qlub.games.qwantum.dice import DICE, SIDES
from qlub.games.qwantum.features import FEATURES, MOST_THERE, find_features
from qlub.games.qwantum.odds import SETS, TOTALS, list_odds, odds_place
from qlub.games.qwantum.rules import (
    ACTIVE,
    DIE,
    FAILS,
    KEEP,
    KEEP_ALL,
    MOST_SEATS,
    NOTHING,
    PASS,
    PHASE,
    PICK,
    PICKED,
    RUNNING,
    SEATS,
    SHARE,
    SIZE,
    ending,
    row_place,
    score,
    sum_of,
    takeable,
    writing,
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
from qlub.kernel import Floats, Ints, Slots, apart, count_bits, jitable

MARGIN_COUNTS = 0.02
"""How much a margin counts beside the chance to win."""
POINTS = 50.0
"""How many points are a margin of one."""
STEPS = 16
"""In how many steps gains are told apart when dice are weighed."""
OTHERS_COUNT = 0.4
"""How much of what the dice give to the others counts: they cannot write what was picked."""
CHOICES = ROWS + 1
"""What can be written: a colour, or nothing."""
LOWEST = -1000.0


class Mind(NamedTuple):
    """What such a player thinks with."""

    weights: Floats
    odds: Floats
    trial: Slots
    """A table on which moves are tried."""
    there: Slots
    layers: Floats
    known: Slots
    """The features of the table as it is, and below what they add up to."""
    first: Floats
    wishes: Floats
    """What each seat would have of each colour, or of nothing."""
    gains: Floats
    """What each number of each colour would lead to."""
    steps: Slots
    """How many steps each number of each colour gains, for each seat."""
    chances: Floats
    """For each colour, how likely each number of steps is exceeded."""


def new_mind(weights: list[float], array: Callable[[list[Any]], Any]) -> Mind:
    """Return a mind with a network's weights."""
    return Mind(
        array(weights),
        array(list_odds()),
        array([0] * SIZE),
        array([0] * MOST_THERE),
        array([0.0] * LAYERS),
        array([0] * MOST_THERE),
        array([0.0] * FIRST),
        array([0.0] * (MOST_SEATS * CHOICES)),
        array([0.0] * (CHOICES * TOTALS)),
        array([0] * (MOST_SEATS * ROWS * TOTALS)),
        array([0.0] * (ROWS * (STEPS + 1))),
    )


@jitable
def win_share(table: Ints, seat: int) -> float:
    """Return what a seat has of a game that ends like this: 1, or its part of a tie."""
    mine = score(table, seat)
    best = 0
    for other in range(table[SEATS]):
        points = score(table, other)
        if points > mine:
            return 0.0
        best += points == mine
    return 1.0 / best


@jitable
def lead_of(table: Ints, seat: int) -> float:
    """Return by how many margins a seat is ahead of the best of the others, or its points if alone."""
    best = -1000
    for other in range(table[SEATS]):
        if other != seat:
            best = max(best, score(table, other))
    if table[SEATS] == 1:
        best = 0
    return (score(table, seat) - best) / POINTS


@jitable
def final_worth(table: Ints, seat: int) -> float:
    """Return what a game that is over is worth to a seat."""
    if table[SEATS] == 1:
        return lead_of(table, seat)
    return win_share(table, seat) + MARGIN_COUNTS * lead_of(table, seat)


@jitable
def next_active(table: Ints) -> int:
    """Return whose turn is next."""
    return table[ACTIVE] + 1 if table[ACTIVE] + 1 < table[SEATS] else 0


@jitable
@apart
def see(table: Ints, seat: int, mind: Mind) -> None:
    """Look at a table as a seat does; what is tried next will be much the same."""
    count = find_features(table, seat, next_active(table), mind.known)
    look(mind.weights, FEATURES, mind.known, count, mind.first)


@jitable
@apart
def worth(table: Ints, seat: int, mind: Mind) -> float:
    """Return what a table is worth to a seat, the one that saw last, when the turn is over."""
    if ending(table) != RUNNING:
        return final_worth(table, seat)
    count = find_features(table, seat, next_active(table), mind.there)
    look_again(mind.weights, mind.known, mind.first, mind.there, count, mind.layers)
    conclude(mind.weights, FEATURES, mind.layers)
    if table[SEATS] == 1:
        return mind.layers[MARGIN]
    return mind.layers[WIN] + MARGIN_COUNTS * mind.layers[MARGIN]


@jitable
def try_colour(trial: Slots, seat: int, colour: int) -> None:
    """Write the sum of a colour; NOTHING writes nothing."""
    if colour != NOTHING:
        place = row_place(seat, colour)
        trial[place] = write(trial[place], sum_of(trial, colour))


@jitable
def take_back(trial: Slots, table: Ints, seat: int) -> None:
    """Make the sheet of a seat what it is on the table."""
    for colour in range(ROWS):
        trial[row_place(seat, colour)] = table[row_place(seat, colour)]
    trial[FAILS + seat] = table[FAILS + seat]


@jitable
@apart
def weigh(trial: Slots, seat: int, colours: int, fails: bool, mind: Mind) -> None:
    """Work out what a seat would have in C of each of some colours and of nothing.

    `fails` if nothing would be a failed throw.
    """
    for colour in range(CHOICES):
        value = LOWEST
        if colour == NOTHING or colours >> colour & 1:
            place = FAILS + seat if colour == NOTHING else row_place(seat, colour)
            before = trial[place]
            trial[place] = (
                before + fails if colour == NOTHING else write(before, sum_of(trial, colour))
            )
            value = worth(trial, seat, mind)
            trial[place] = before
        mind.wishes[seat * CHOICES + colour] = value


@jitable
def favourite(seat: int, picked: int, wishes: Floats) -> int:
    """Return what a seat likes best in C, without the colour that was picked."""
    best = NOTHING
    for colour in range(ROWS):
        if colour != picked and wishes[seat * CHOICES + colour] > wishes[seat * CHOICES + best]:
            best = colour
    return best


@jitable
def foresee(trial: Slots, table: Ints, seat: int, picked: int, mind: Mind) -> None:
    """Let all the others write what they like best, without the colour that was picked."""
    for other in range(table[SEATS]):
        if other != seat:
            take_back(trial, table, other)
            choice = favourite(other, picked, mind.wishes)
            trial[FAILS + other] += choice == NOTHING and is_pressed(table, other)
            try_colour(trial, other, choice)


@jitable
def is_pressed(table: Ints, seat: int) -> bool:
    """Say whether a seat would fail if it wrote nothing in C (QN-12)."""
    return table[PHASE] == SHARE and table[ACTIVE] == seat and table[PICKED] == NOTHING


@jitable
@apart
def choose_colour(trial: Slots, table: Ints, seat: int, mind: Mind) -> int:
    """Return the best colour to write in B or C, or NOTHING, thinking of all that follows in the turn."""
    for other in range(table[SEATS]):
        if other != seat:
            see(trial, other, mind)
            weigh(trial, other, takeable(table, other), is_pressed(table, other), mind)
    see(trial, seat, mind)
    colours = takeable(table, seat)
    is_picking = table[PHASE] == PICK
    best, most = NOTHING, LOWEST
    for picked in range(CHOICES):
        if is_picking and picked != NOTHING and colours >> picked & 1 == 0:
            continue
        if not is_picking and picked != table[PICKED]:
            continue
        take_back(trial, table, seat)
        if is_picking:
            try_colour(trial, seat, picked)
        if ending(trial) != RUNNING:
            value, then = final_worth(trial, seat), NOTHING
        else:
            foresee(trial, table, seat, picked, mind)
            fails = table[ACTIVE] == seat and picked == NOTHING
            weigh(trial, seat, colours & ~(1 << picked), fails, mind)
            then = favourite(seat, picked, mind.wishes)
            value = mind.wishes[seat * CHOICES + then]
            for other in range(table[SEATS]):
                if other != seat:
                    take_back(trial, table, other)
        if value > most:
            most = value
            best = picked if is_picking else then
    return best


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
def find_steps(trial: Slots, seat: int, mind: Mind) -> int:
    """Work out in steps what each number would gain for its writer, or cost the seat if it is another.

    The steps of the seat itself begin at a failed throw; returns from which on a number is better than
    nothing.
    """
    see(trial, seat, mind)
    step, free = 0.0, 0
    for turn in range(trial[SEATS]):
        writer = (seat + turn) % trial[SEATS]
        find_gains(trial, seat, writer, mind)
        nothing, least = mind.gains[NOTHING * TOTALS], mind.gains[NOTHING * TOTALS + 1]
        if turn == 0:
            step = (most_of(trial, writer, least, mind) - least) / STEPS
            free = max(int((nothing - least) / step + 0.5), 0)
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
def weigh_dice(table: Ints, seat: int, rolling: int, white: int, free: int, mind: Mind) -> float:
    """Return how many steps a seat gains on average if dice are rolled again, less what the others do."""
    value = expect(table, seat, rolling, white, free, mind)
    for other in range(table[SEATS]):
        if other != seat:
            value -= OTHERS_COUNT * expect(table, other, rolling, white, STEPS, mind)
    return value


@jitable
def choose_dice(trial: Slots, seat: int, mind: Mind) -> int:
    """Return the dice that are worth most to be rolled again.

    Whatever the white die shows, it is in all four sums. So if it is rolled, each face is looked at on its
    own, at least if this set of dice would be the best when each colour had a white die of its own, which
    is better.
    """
    free = find_steps(trial, seat, mind)
    best, most = KEEP_ALL, LOWEST
    for number in range(SETS):
        rolling = number * 2 % SETS + number * 2 // SETS  # the white die last
        is_white = rolling & 1
        value = weigh_dice(trial, seat, rolling, 0 if is_white else trial[DIE], free, mind)
        if is_white and value > most:
            value = 0.0
            for white in range(1, SIDES + 1):
                value += weigh_dice(trial, seat, rolling - 1, white, free, mind) / SIDES
        if value > most:
            most = value
            best = rolling
    return best


@jitable
@apart
def choose_best(table: Ints, seat: int, luck: Slots, mind: Mind) -> int:
    """Return the move with which the rest of the turn can become worth most."""
    trial = mind.trial
    for place in range(SIZE):
        trial[place] = table[place]
    if table[PHASE] == KEEP:
        return choose_dice(trial, seat, mind)
    colour = choose_colour(trial, table, seat, mind)
    return PASS if colour == NOTHING else writing(colour, sum_of(table, colour))
