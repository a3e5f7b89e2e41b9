"""Kernel: whole games of Qwantum from first lot to last number, for players that can be compiled."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from qlub.core.luck import choice, next_event, rest, scale
from qlub.games.qwantum.dice import DICE, SIDES, face_of
from qlub.games.qwantum.rules import (
    ACTIVE,
    DECIDED,
    DIE,
    KEEP,
    OVER,
    PASS,
    PHASE,
    PICK,
    REROLL,
    ROLLING,
    SEATS,
    SIZE,
    add_up,
    begin,
    decide,
    ending,
    score,
    settle_pick,
    settle_share,
    sum_of,
    takeable,
    writing,
)
from qlub.games.qwantum.state import Move, decode
from qlub.kernel import Ints, Slots, bit_at, count_bits, jitable, note

ALL_DICE = (1 << DICE) - 1


@jitable
def choose_any(table: Ints, seat: int, luck: Slots) -> int:
    """Return any legal move, all equally likely."""
    if table[PHASE] == KEEP:
        return choice(luck, seat, ALL_DICE + 1)
    colours = takeable(table, seat)
    chosen = bit_at(colours, choice(luck, seat, count_bits(colours) + 1))
    if chosen == 0:
        return PASS
    colour = count_bits(chosen - 1)
    return writing(colour, sum_of(table, colour))


@jitable
def roll(table: Slots, dice: int, luck: Slots) -> None:
    """Throw a set of dice, a bit each; the others stay as they lie (QN-8)."""
    part = next_event(luck)
    for die in range(DICE):
        if dice >> die & 1:
            table[DIE + die] = face_of(die, scale(part, SIDES))
            part = rest(part, SIDES)
    add_up(table)
    table[ROLLING] = 0


def new_room(array: Callable[[list[int]], Slots]) -> Slots:
    """Return room for a game, kept in whatever `array` makes of a list."""
    return array([0] * SIZE)


def choose(player: int, minds: Any, table: Ints, seat: int, luck: Slots) -> int:
    """Ask a player, who thinks with a mind; `qlub.sim` puts those at the table in the place of this."""
    return choose_any(table, seat, luck)


def play(players: Ints, minds: Any, start: Ints, table: Slots, luck: Slots, log: Slots) -> int:
    """Play a game from its start to its end and return how many turns it took."""
    for place in range(SIZE):
        table[place] = start[place]
    begin(table, scale(next_event(luck), table[SEATS]))
    turns = 0
    while table[PHASE] != OVER:
        turns += 1
        active = table[ACTIVE]
        roll(table, ALL_DICE, luck)
        table[PHASE] = KEEP
        rolling = choose(players[active], minds, table, active, luck)
        note(log, rolling)
        decide(table, active, rolling)
        if table[PHASE] == REROLL:
            roll(table, rolling, luck)
            table[PHASE] = PICK
        move = choose(players[active], minds, table, active, luck)
        note(log, move)
        settle_pick(table, move)
        if table[PHASE] != OVER:
            for seat in range(table[SEATS]):
                move = choose(players[seat], minds, table, seat, luck)
                note(log, move)
                table[DECIDED + seat] = move
            settle_share(table)
    return turns


@jitable
def finish(table: Ints, scores: Slots) -> int:
    """Write the scores of a game that is over and return which of the reasons ended it."""
    for seat in range(table[SEATS]):
        scores[seat] = score(table, seat)
    return ending(table) - 1


def moves_of(log: Sequence[int]) -> Iterator[Move]:
    """Return the decisions of a game in the order in which they were logged."""
    return map(decode, log)
