"""Kernel: players of Qwantum that judge what a turn leads to by a network.

What the others will write in C is foreseen: whatever they would like best. What dice are worth that are
rolled again is worked out from the odds of all sums, each colour's on its own.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from qlub.core.contest import best_of, blur, keep_better
from qlub.core.luck import luck_size, next_word, start_luck
from qlub.core.net import FIRST, LAYERS, MARGIN, WIN, conclude, judge, look, look_again
from qlub.core.outcome import final_worth, worth_of
from qlub.games.qwantum.dice import DICE, SIDES
from qlub.games.qwantum.features import FEATURES, MOST_THERE, find_features
from qlub.games.qwantum.odds import SETS, TOTALS, list_odds, odds_place
from qlub.games.qwantum.playout import ALL_DICE, finish, roll
from qlub.games.qwantum.rules import (
    ACTIVE,
    DECIDED,
    DIE,
    FAILS,
    KEEP,
    MOST_SEATS,
    NOTHING,
    OVER,
    PASS,
    PHASE,
    PICK,
    PICKED,
    REROLL,
    ROLL,
    ROLLING,
    RUNNING,
    SEATS,
    SHARE,
    SIZE,
    decide,
    ending,
    row_place,
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
from qlub.kernel import UNDECIDED, Floats, Ints, Slots, apart, count_bits, jitable

STEPS = 16
"""In how many steps gains are told apart when dice are weighed."""
OTHERS_COUNT = 0.4
"""How much of what the dice give to the others counts: they cannot write what was picked."""
CHOICES = ROWS + 1
"""What can be written: a colour, or nothing."""
LOWEST = -1000.0
OPEN = -1
"""In the place of a move: it is not decided yet."""

# What a plan says: by how many thousandths values are misjudged; how many futures of each move are tried
# at first, and for how many turns after this one; by how many thousandths a move may look worse than the
# best to be tried at all.
ROUGH, FUTURES, TURNS, DOUBT = range(4)
PRIOR = 16.0
"""As how many futures the first judgement counts."""
CLEARER = 0.7
"""How much less doubt there is after each round of trials."""
MOST_TRIED = 12


class Mind(NamedTuple):
    """What such a player thinks with."""

    weights: Floats
    plan: Slots
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
    step: Floats
    """What a step is worth."""
    scores: Slots
    moves: Slots
    values: Floats
    """The moves, and what they are worth."""
    candidates: Slots
    sums: Floats
    order: Slots
    """The moves that are tried, what their futures came to, and the best of them first."""
    future: Slots
    luck: Slots
    """Streams for rolls that are only imagined."""


def new_mind(
    weights: Sequence[float], plan: Sequence[int], array: Callable[[list[Any]], Any]
) -> Mind:
    """Return a mind with a network's weights."""
    return Mind(
        array(list(weights)),
        array(list(plan)),
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
        array([0.0]),
        array([0] * MOST_SEATS),
        array([0] * SETS),
        array([0.0] * SETS),
        array([0] * SETS),
        array([0.0] * SETS),
        array([0] * SETS),
        array([0] * SIZE),
        array([0] * luck_size(MOST_SEATS)),
    )


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
        finish(table, mind.scores)
        return final_worth(mind.scores, table[SEATS], seat)
    count = find_features(table, seat, next_active(table), mind.there)
    look_again(mind.weights, mind.known, mind.first, mind.there, count, mind.layers)
    conclude(mind.weights, FEATURES, mind.layers)
    return worth_of(mind.layers[WIN], mind.layers[MARGIN], table[SEATS])


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
def weigh_picks(trial: Slots, table: Ints, seat: int, mind: Mind) -> int:
    """Work out what each colour would be worth in B, or NOTHING, thinking of all that follows in C."""
    colours = takeable(table, seat)
    count = 0
    for picked in range(CHOICES):
        if picked == NOTHING or colours >> picked & 1:
            take_back(trial, table, seat)
            try_colour(trial, seat, picked)
            if ending(trial) == RUNNING:
                weigh_shares(trial, table, seat, picked, mind)
                value = mind.wishes[seat * CHOICES + favourite(seat, picked, mind.wishes)]
            else:
                value = worth(trial, seat, mind)
            count = add_move(colour_move(table, picked), value, count, mind)
    return count


@jitable
def weigh_shares(trial: Slots, table: Ints, seat: int, picked: int, mind: Mind) -> None:
    """Work out what each colour would be worth in C, or NOTHING, if the others write what they like."""
    foresee(trial, table, seat, picked, mind)
    fails = table[ACTIVE] == seat and picked == NOTHING
    weigh(trial, seat, takeable(table, seat) & ~(1 << picked), fails, mind)
    for other in range(table[SEATS]):
        if other != seat:
            take_back(trial, table, other)


@jitable
@apart
def weigh_colours(trial: Slots, table: Ints, seat: int, mind: Mind) -> int:
    """Work out what each move of B or C is worth, and return how many there are."""
    for other in range(table[SEATS]):
        if other != seat:
            see(trial, other, mind)
            weigh(trial, other, takeable(table, other), is_pressed(table, other), mind)
    see(trial, seat, mind)
    if table[PHASE] == PICK:
        return weigh_picks(trial, table, seat, mind)
    weigh_shares(trial, table, seat, table[PICKED], mind)
    colours = takeable(table, seat)
    count = 0
    for colour in range(CHOICES):
        if colour == NOTHING or colours >> colour & 1:
            value = mind.wishes[seat * CHOICES + colour]
            count = add_move(colour_move(table, colour), value, count, mind)
    return count


@jitable
def colour_move(table: Ints, colour: int) -> int:
    """Return the move that writes a colour, or nothing."""
    return PASS if colour == NOTHING else writing(colour, sum_of(table, colour))


@jitable
def add_move(move: int, value: float, count: int, mind: Mind) -> int:
    """Note what a move is worth and return how many are noted."""
    mind.moves[count] = move
    mind.values[count] = value
    return count + 1


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
def weigh_dice(table: Ints, seat: int, rolling: int, white: int, free: int, mind: Mind) -> float:
    """Return how many steps a seat gains on average if dice are rolled again, less what the others do."""
    value = expect(table, seat, rolling, white, free, mind)
    for other in range(table[SEATS]):
        if other != seat:
            value -= OTHERS_COUNT * expect(table, other, rolling, white, STEPS, mind)
    return value


@jitable
def weigh_sets(trial: Slots, seat: int, mind: Mind) -> int:
    """Work out about what each set of dice is worth to be rolled again, and return how many there are.

    Whatever the white die shows, it is in all four sums. So if it is rolled, each face is looked at on its
    own, at least if this set of dice would be the best when each colour had a white die of its own, which
    is better.
    """
    free = find_steps(trial, seat, mind)
    most = LOWEST
    count = 0
    for number in range(SETS):
        rolling = number * 2 % SETS + number * 2 // SETS  # the white die last
        is_white = rolling & 1
        value = weigh_dice(trial, seat, rolling, 0 if is_white else trial[DIE], free, mind)
        if is_white and value > most:
            value = 0.0
            for white in range(1, SIDES + 1):
                value += weigh_dice(trial, seat, rolling - 1, white, free, mind) / SIDES
        elif is_white:
            continue
        most = max(most, value)
        count = add_move(rolling, value * mind.step[0], count, mind)
    return count


@jitable
@apart
def weigh_moves(table: Ints, seat: int, mind: Mind) -> int:
    """Work out what each move of a seat is worth, and return how many there are."""
    trial = mind.trial
    for place in range(SIZE):
        trial[place] = table[place]
    if table[PHASE] == KEEP:
        return weigh_sets(trial, seat, mind)
    return weigh_colours(trial, table, seat, mind)


@jitable
def choose_best(table: Ints, seat: int, mind: Mind) -> int:
    """Return the move with which the rest of the turn can become worth most."""
    return mind.moves[best_of(mind.values, weigh_moves(table, seat, mind))]


@jitable
@apart
def play_on(table: Slots, seat: int, move: int, turns: int, luck: Slots, mind: Mind) -> None:
    """Play this turn to its end, and then some more, with the same mind at all seats.

    What a seat decides first is given, unless it is OPEN.
    """
    while table[PHASE] != OVER:
        if table[PHASE] == ROLL:
            if turns == 0:
                return
            turns -= 1
            roll(table, ALL_DICE, luck)
            table[PHASE] = KEEP
        if table[PHASE] == REROLL:
            roll(table, table[ROLLING], luck)
            table[PHASE] = PICK
        decider = table[ACTIVE]
        if table[PHASE] == SHARE:
            decider = 0
            while table[DECIDED + decider] != UNDECIDED:
                decider += 1
        chosen = move
        if decider != seat or move == OPEN:
            chosen = choose_best(table, decider, mind)
        else:
            move = OPEN
        decide(table, decider, chosen)


@jitable
def play_turn(table: Slots, luck: Slots, mind: Mind) -> None:
    """Play a turn with the same mind at all seats."""
    play_on(table, 0, OPEN, 1, luck, mind)


@jitable
def try_future(table: Ints, seat: int, move: int, turns: int, mind: Mind) -> float:
    """Return what a move comes to when everybody plays on for some turns."""
    future = mind.future
    for place in range(SIZE):
        future[place] = table[place]
    if table[PHASE] == SHARE:
        for other in range(table[SEATS]):  # whatever they have decided is not known
            future[DECIDED + other] = UNDECIDED
    play_on(future, seat, move, turns, mind.luck, mind)
    if future[PHASE] == OVER:
        finish(future, mind.scores)
        return final_worth(mind.scores, future[SEATS], seat)
    count = find_features(future, seat, future[ACTIVE], mind.there)
    judge(mind.weights, FEATURES, mind.there, count, mind.layers)
    return worth_of(mind.layers[WIN], mind.layers[MARGIN], future[SEATS])


@jitable
@apart
def find_by_futures(table: Ints, seat: int, count: int, word: int, mind: Mind) -> int:
    """Return the move that comes to the most when its future is tried again and again.

    All are tried with the same rolls. After each round the better half is left, and tried twice as often.
    """
    plan, seats = mind.plan, table[SEATS]
    prior = 0.0 if table[PHASE] == KEEP else PRIOR  # what sets of dice are worth is only comparable
    for index in range(count):
        mind.sums[index] = mind.values[index]
        mind.order[index] = index
        mind.candidates[index] = mind.moves[index]
    doubt = plan[DOUBT] / 1000.0
    left = keep_better(mind.order, mind.sums, count, MOST_TRIED, doubt)
    for index in range(count):
        mind.sums[index] *= prior
    futures, done = plan[FUTURES], 0
    while left > 1:
        for future in range(done, done + futures):
            for place in range(left):
                start_luck(mind.luck, word, future, seats)
                index = mind.order[place]
                mind.sums[index] += try_future(
                    table, seat, mind.candidates[index], plan[TURNS], mind
                )
        done += futures
        futures *= 2
        doubt *= CLEARER
        left = keep_better(mind.order, mind.sums, left, (left + 1) // 2, (prior + done) * doubt)
    return mind.candidates[mind.order[0]]


@jitable
@apart
def find_best(table: Ints, seat: int, word: int, mind: Mind) -> int:
    """Return the best move that a plan can find; a word of chance decides what is imagined."""
    count = weigh_moves(table, seat, mind)
    if mind.plan[ROUGH] > 0:
        mind.luck[1] = word
        blur(mind.values, count, mind.plan[ROUGH] / 1000.0, mind.luck)
    if mind.plan[FUTURES] > 0:
        return find_by_futures(table, seat, count, word, mind)
    return mind.moves[best_of(mind.values, count)]


@jitable
def choose_by_level(table: Ints, seat: int, luck: Slots, mind: Mind) -> int:
    """Return the best move that a plan can find."""
    return find_best(table, seat, next_word(luck, seat), mind)
