"""Kernel: what dice are worth that are rolled again, by many throws of all of them.

Every set of dice is looked at with the same throws. What is written then is looked up: what each number
would bring on its own is judged once, before the first throw.
"""

from qlub.core.luck import start_luck
from qlub.games.qwantum.dice import DICE
from qlub.games.qwantum.mind import CHOICES, Mind, add_move, see
from qlub.games.qwantum.odds import SETS, TOTALS
from qlub.games.qwantum.playout import ALL_DICE, roll
from qlub.games.qwantum.rerolls import LOWEST, find_gains, highest_next, lowest_next
from qlub.games.qwantum.rules import DIE, NOTHING, SEATS, row_place
from qlub.games.qwantum.sheet import ROWS
from qlub.kernel import Floats, Ints, Slots, apart, jitable


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
