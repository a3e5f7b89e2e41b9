"""Kernel: whole games of Qwixx from first lot to last cross, for players that can be compiled."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from qlub.core.luck import choice, next_event, rest, scale
from qlub.games.qwixx.rules import (
    ACTIVE,
    COLOR,
    DECIDED,
    DICE,
    DIE,
    OVER,
    PHASE,
    SEATS,
    SIZE,
    WHITE,
    begin,
    color_cells,
    crossable,
    ending,
    is_closed,
    score,
    settle_color,
    settle_white,
    white_cells,
)
from qlub.games.qwixx.sheet import ROWS, WHOLE_SHEET
from qlub.games.qwixx.state import Move, decode
from qlub.kernel import Ints, Slots, bit_at, count_bits, jitable, note


@jitable
def choose_any(table: Ints, seat: int, cells: int, luck: Slots) -> int:
    """Return any legal cell or a pass, all equally likely."""
    cell = bit_at(cells, choice(luck, seat, count_bits(cells) + 1))
    return count_bits((cell - 1) & WHOLE_SHEET)  # a pass if there is none


@jitable
def roll(table: Slots, luck: Slots) -> None:
    """Throw the white dice and those of the rows that are still open (QX-5, QX-11)."""
    part = next_event(luck)
    for die in range(DICE):
        if die >= DICE - ROWS and is_closed(table, die - (DICE - ROWS)):
            table[DIE + die] = 0
        else:
            table[DIE + die] = 1 + scale(part, 6)
            part = rest(part, 6)
    table[PHASE] = WHITE


def new_room(array: Callable[[list[int]], Slots]) -> Slots:
    """Return room for a game, kept in whatever `array` makes of a list."""
    return array([0] * SIZE)


def choose(player: int, minds: Any, table: Ints, seat: int, cells: int, luck: Slots) -> int:
    """Ask a player, who thinks with a mind; `qlub.sim` puts those at the table in the place of this."""
    return choose_any(table, seat, cells, luck)


def play(
    players: Ints,
    minds: Any,
    start: Ints,
    table: Slots,
    luck: Slots,
    log: Slots,
) -> int:
    """Play a game from its start to its end and return how many turns it took."""
    for place in range(SIZE):
        table[place] = start[place]
    begin(table, scale(next_event(luck), table[SEATS]))
    turns = 0
    while table[PHASE] != OVER:
        turns += 1
        roll(table, luck)
        rolled = white_cells(table)
        for seat in range(table[SEATS]):
            cells = crossable(table, seat, rolled)
            move = choose(players[seat], minds, table, seat, cells, luck)
            note(log, move)
            table[DECIDED + seat] = move
        settle_white(table)
        if table[PHASE] == COLOR:
            seat = table[ACTIVE]
            cells = crossable(table, seat, color_cells(table))
            move = choose(players[seat], minds, table, seat, cells, luck)
            note(log, move)
            settle_color(table, move)
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
