"""Kernel: players of Qwantum that judge what a turn leads to by a network.

What dice are worth that are rolled again is worked out from the odds of all sums, each colour's on its
own, or by many throws.
"""

from qlub.core.contest import FUTURES, ROUGH, best_of, blur
from qlub.core.luck import next_word
from qlub.games.qwantum.colours import weigh_colours
from qlub.games.qwantum.mind import Mind, copy
from qlub.games.qwantum.playout import ALL_DICE, roll
from qlub.games.qwantum.rerolls import weigh_sets
from qlub.games.qwantum.rules import (
    ACTIVE,
    DECIDED,
    KEEP,
    OVER,
    PHASE,
    PICK,
    REROLL,
    ROLL,
    ROLLING,
    SEATS,
    SHARE,
    decide,
)
from qlub.games.qwantum.throws import find_by_throws
from qlub.kernel import UNDECIDED, Ints, Slots, apart, jitable

SMALL = 2
"""How many sit at a small table."""


@jitable
@apart
def weigh_moves(table: Ints, seat: int, writers: int, mind: Mind) -> int:
    """Work out what each move of a seat is worth, and return how many there are.

    Of dice that means what they bring to the first so many from the seat on.
    """
    copy(table, mind.trial)
    if table[PHASE] == KEEP:
        return weigh_sets(mind.trial, seat, writers, mind)
    return weigh_colours(mind.trial, table, seat, mind)


@jitable
def play_turns(table: Slots, turns: int, luck: Slots, mind: Mind) -> None:
    """Play this turn to its end, and then some more, with the same mind at all seats.

    At large tables dice are rolled without a thought of what they bring to the others: that is quicker.
    """
    writers = table[SEATS] if table[SEATS] <= SMALL else 1
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
        count = weigh_moves(table, decider, writers, mind)
        decide(table, decider, mind.moves[best_of(mind.values, count)])


@jitable
@apart
def find_best(table: Ints, seat: int, word: int, mind: Mind) -> int:
    """Return the best move that a plan can find; a word of chance decides what is imagined.

    What is imagined here are throws of all dice.
    """
    if mind.plan[FUTURES] > 0 and table[PHASE] == KEEP:
        return find_by_throws(table, seat, word, mind)
    count = weigh_moves(table, seat, table[SEATS], mind)
    if mind.plan[ROUGH] > 0:
        mind.luck[1] = word
        blur(mind.values, count, mind.plan[ROUGH] / 1000.0, mind.luck)
    return mind.moves[best_of(mind.values, count)]


@jitable
def choose_by_level(table: Ints, seat: int, luck: Slots, mind: Mind) -> int:
    """Return the best move that a plan can find."""
    return find_best(table, seat, next_word(luck, seat), mind)
