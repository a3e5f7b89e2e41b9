"""Kernel: what each number is worth that may be written in B or C.

What the others will write in C is foreseen: whatever they would like best.
"""

from qlub.games.qwantum.mind import CHOICES, LOWEST, Mind, add_move, see, worth
from qlub.games.qwantum.rules import (
    ACTIVE,
    FAILS,
    NOTHING,
    PASS,
    PHASE,
    PICK,
    PICKED,
    RUNNING,
    SEATS,
    SHARE,
    ending,
    row_place,
    sum_of,
    takeable,
    writing,
)
from qlub.games.qwantum.sheet import ROWS, write
from qlub.kernel import Floats, Ints, Slots, apart, jitable


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
