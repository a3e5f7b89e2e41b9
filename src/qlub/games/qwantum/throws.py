"""Kernel: what dice are worth that are rolled again, by many throws of all of them.

Every set of dice is looked at with the same throws. What is written then is looked up: what each number
would bring on its own is judged once, before the first throw. Then the best sets are tried with more
throws, and all that can be written is judged together.
"""

from qlub.core.contest import CLEARER, DOUBT, FUTURES, best_of, keep_better
from qlub.core.luck import start_luck
from qlub.games.qwantum.colours import weigh_picks
from qlub.games.qwantum.dice import DICE
from qlub.games.qwantum.mind import CHOICES, LOWEST, Mind, add_move, copy, see
from qlub.games.qwantum.odds import SETS, TOTALS
from qlub.games.qwantum.playout import ALL_DICE, roll
from qlub.games.qwantum.rerolls import find_gains, highest_next, lowest_next
from qlub.games.qwantum.rules import DIE, NOTHING, PHASE, PICK, SEATS, SUM, row_place
from qlub.games.qwantum.sheet import ROWS
from qlub.kernel import Floats, Ints, Slots, apart, jitable

LOOKS = 4
"""How many throws are looked at for each that is tried at first."""
MOST_TRIED = 16
"""How many sets of dice are tried at most."""


@jitable
def number_place(writer: int, colour: int, number: int) -> int:
    """Return where it is noted what a number brings that somebody writes."""
    return (writer * ROWS + colour) * TOTALS + number


@jitable
def note_gains(trial: Slots, seat: int, writer: int, to: Floats, mind: Mind) -> float:
    """Note how much better than nothing every number would be for the seat that saw last.

    Returns how much better a failed throw of the writer would be: for itself, that is less than nothing.
    """
    find_gains(trial, seat, writer, mind)
    nothing = mind.gains[NOTHING * TOTALS]
    for colour in range(ROWS):
        row = trial[row_place(writer, colour)]
        lowest, highest = lowest_next(row), highest_next(row)
        for number in range(TOTALS):
            can_write = lowest <= number <= highest
            gain = mind.gains[colour * TOTALS + number] - nothing if can_write else LOWEST
            to[number_place(writer, colour, number)] = gain
    return mind.gains[NOTHING * TOTALS + 1] - nothing


@jitable
def judge_numbers(trial: Slots, seat: int, mind: Mind) -> float:
    """Note what every number brings to a seat, and to its writer; return what failing brings."""
    for other in range(trial[SEATS]):
        if other != seat:
            see(trial, other, mind)
            note_gains(trial, other, other, mind.wants, mind)
    see(trial, seat, mind)
    for other in range(trial[SEATS]):
        if other != seat:
            note_gains(trial, seat, other, mind.brings, mind)
    return note_gains(trial, seat, seat, mind.brings, mind)


@jitable
def add_sums(table: Ints, thrown: Ints, rolling: int, sums: Slots) -> None:
    """Add up all colours with some dice as they were thrown and the others as they lie (QN-9)."""
    white = thrown[DIE] if rolling & 1 else table[DIE]
    for colour in range(ROWS):
        sums[colour] = white
    for die in range(1, DICE):
        face = thrown[DIE + die] if rolling >> die & 1 else table[DIE + die]
        sums[face // 10] += face % 10


@jitable
def brought_by(other: int, picked: int, mind: Mind) -> float:
    """Return what it brings a seat that another writes what it likes best, without what was picked."""
    most, brought = 0.0, 0.0
    for colour in range(ROWS):
        if colour != picked:
            place = number_place(other, colour, mind.totals[colour])
            if mind.wants[place] > most:
                most, brought = mind.wants[place], mind.brings[place]
    return brought


@jitable
def throw_worth(seat: int, seats: int, fail: float, mind: Mind) -> float:
    """Return what a throw brings a seat that writes the best it can, with all that the others do."""
    most = LOWEST
    for picked in range(CHOICES):
        value, share = 0.0, fail
        if picked != NOTHING:
            value, share = mind.brings[number_place(seat, picked, mind.totals[picked])], 0.0
        if value == LOWEST:
            continue
        for colour in range(ROWS):
            if colour != picked:
                share = max(share, mind.brings[number_place(seat, colour, mind.totals[colour])])
        value += share
        for other in range(seats):
            if other != seat:
                value += brought_by(other, picked, mind)
        most = max(most, value)
    return most


@jitable
@apart
def weigh_throws(trial: Slots, seat: int, throws: int, word: int, mind: Mind) -> int:
    """Work out what each set of dice is worth to be rolled again, and return how many there are."""
    seats = trial[SEATS]
    fail = judge_numbers(trial, seat, mind)
    count = 0
    for rolling in range(SETS):
        count = add_move(rolling, 0.0, count, mind)
    for throw in range(throws):
        start_luck(mind.luck, word, throw, seats)
        roll(mind.thrown, ALL_DICE, mind.luck)
        for rolling in range(SETS):
            add_sums(trial, mind.thrown, rolling, mind.totals)
            mind.values[rolling] += throw_worth(seat, seats, fail, mind) / throws
    return count


@jitable
@apart
def turn_worth(table: Ints, seat: int, rolling: int, mind: Mind) -> float:
    """Return what a turn comes to if some dice are rolled again and fall as they were thrown.

    What the others would like to write was noted before.
    """
    copy(table, mind.future)
    mind.future[PHASE] = PICK
    add_sums(table, mind.thrown, rolling, mind.totals)
    for colour in range(ROWS):
        mind.future[SUM + colour] = mind.totals[colour]
    for other in range(table[SEATS]):
        if other != seat:
            for colour in range(ROWS):
                wish = mind.wants[number_place(other, colour, mind.totals[colour])]
                mind.wishes[other * CHOICES + colour] = wish
            mind.wishes[other * CHOICES + NOTHING] = 0.0
    copy(mind.future, mind.trial)
    return mind.values[best_of(mind.values, weigh_picks(mind.trial, mind.future, seat, mind))]


@jitable
@apart
def find_by_throws(table: Ints, seat: int, word: int, mind: Mind) -> int:
    """Return the set of dice with which a turn comes to the most, as far as can be seen.

    All are tried with the same throws. After each round the better half is left, and tried twice as often.
    """
    copy(table, mind.trial)
    futures = mind.plan[FUTURES]
    done = LOOKS * futures
    count = weigh_throws(mind.trial, seat, done, word, mind)
    for index in range(count):
        mind.sets[index] = mind.moves[index]
        mind.sums[index] = mind.values[index]
        mind.order[index] = index
    doubt = mind.plan[DOUBT] / 1000.0
    left = keep_better(mind.order, mind.sums, count, MOST_TRIED, doubt)
    for place in range(left):
        mind.sums[mind.order[place]] = 0.0
    tried = 0
    while left > 1:
        for throw in range(done, done + futures):
            start_luck(mind.luck, word, throw, table[SEATS])
            roll(mind.thrown, ALL_DICE, mind.luck)
            for place in range(left):
                index = mind.order[place]
                mind.sums[index] += turn_worth(table, seat, mind.sets[index], mind)
        done += futures
        tried += futures
        futures *= 2
        doubt *= CLEARER
        left = keep_better(mind.order, mind.sums, left, (left + 1) // 2, tried * doubt)
    return mind.sets[mind.order[0]]
