"""Kernel: players of Qwixx that look through their whole turn and judge what it leads to by a network."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from qlub.core.contest import (
    AHEAD,
    CLEARER,
    DOUBT,
    FUTURES,
    PRIOR,
    ROUGH,
    best_of,
    blur,
    keep_better,
)
from qlub.core.luck import luck_size, next_word, start_luck
from qlub.core.net import LAYERS, MARGIN, WIN, judge
from qlub.core.outcome import final_worth, worth_of
from qlub.games.qwixx.bots import choose_fewest_skipped
from qlub.games.qwixx.features import FEATURES, MOST_THERE, find_features
from qlub.games.qwixx.playout import finish, roll
from qlub.games.qwixx.rules import (
    ACTIVE,
    COLOR,
    DECIDED,
    MOST_SEATS,
    OVER,
    PASS,
    PHASE,
    ROLL,
    SEATS,
    SIZE,
    WHITE,
    color_cells,
    crossable,
    settle_color,
    settle_white,
    white_cells,
)
from qlub.games.qwixx.sheet import ROWS
from qlub.kernel import Floats, Ints, Slots, apart, count_bits, jitable

NEVER = -1000.0
OPEN = -1
"""In the place of a move: it is not decided yet."""
MOST_MOVES = 2 * ROWS + 1
"""In action 2 each row has two sums at most; or a pass."""


class Mind(NamedTuple):
    """What such a player thinks with."""

    weights: Floats
    plan: Slots
    trial: Slots
    after: Slots
    """Tables on which moves are tried, in action 1 and in action 2."""
    there: Slots
    layers: Floats
    scores: Slots
    moves: Slots
    values: Floats
    """The legal moves, and what they are worth."""
    candidates: Slots
    sums: Floats
    order: Slots
    """The moves that are tried, what their futures came to, and the best of them first."""
    bases: Slots
    """For each of them, the table after this turn."""
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
        array([0] * SIZE),
        array([0] * SIZE),
        array([0] * MOST_THERE),
        array([0.0] * LAYERS),
        array([0] * MOST_SEATS),
        array([0] * MOST_MOVES),
        array([0.0] * MOST_MOVES),
        array([0] * MOST_MOVES),
        array([0.0] * MOST_MOVES),
        array([0] * MOST_MOVES),
        array([0] * (MOST_MOVES * SIZE)),
        array([0] * SIZE),
        array([0] * luck_size(MOST_SEATS)),
    )


@jitable
def worth(table: Ints, seat: int, mind: Mind) -> float:
    """Return what a table is worth to a seat between two turns, or at the end."""
    if table[PHASE] == OVER:
        finish(table, mind.scores)
        return final_worth(mind.scores, table[SEATS], seat)
    count = find_features(table, seat, table[ACTIVE], mind.there)
    judge(mind.weights, FEATURES, mind.there, count, mind.layers)
    return worth_of(mind.layers[WIN], mind.layers[MARGIN], table[SEATS])


@jitable
def copy(table: Ints, to: Slots, place: int) -> None:
    """Copy a table to a place among others."""
    for index in range(SIZE):
        to[place + index] = table[index]


@jitable
def expect_others(table: Ints, seat: int, trial: Slots, luck: Slots) -> None:
    """Expect of all others that they cross in action 1 what skips the fewest numbers."""
    rolled = white_cells(table)
    for other in range(table[SEATS]):
        if other != seat:
            cells = crossable(table, other, rolled)
            trial[DECIDED + other] = choose_fewest_skipped(table, other, cells, luck)


@jitable
def best_end(table: Ints, seat: int, move: int, cells: int, mind: Mind) -> float:
    """Return what a turn comes to with the best choice in action 2: a move, or one of some cells."""
    most = NEVER
    while True:
        copy(table, mind.after, 0)
        if table[PHASE] == COLOR:
            settle_color(mind.after, move)
        most = max(most, worth(mind.after, seat, mind))
        if cells == 0:
            return most
        move = count_bits((cells & -cells) - 1)
        cells &= cells - 1


@jitable
def try_move(table: Ints, seat: int, move: int, mind: Mind) -> float:
    """Return what the turn can come to after a move, if the others do the expected."""
    trial = mind.trial
    then, choices = move, 0
    copy(table, trial, 0)
    if table[PHASE] != COLOR:
        expect_others(table, seat, trial, mind.luck)
        trial[DECIDED + seat] = move
        settle_white(trial)
        active = trial[ACTIVE]
        then, choices = PASS, crossable(trial, active, color_cells(trial))
        if active != seat:
            then, choices = choose_fewest_skipped(trial, active, choices, mind.luck), 0
    return best_end(trial, seat, then, choices, mind)


@jitable
@apart
def weigh(table: Ints, seat: int, cells: int, mind: Mind) -> int:
    """Work out what each move of a seat is worth, and return how many there are; a pass is the first."""
    count = 0
    move = PASS
    while True:
        mind.moves[count] = move
        mind.values[count] = try_move(table, seat, move, mind)
        count += 1
        if cells == 0:
            return count
        move = count_bits((cells & -cells) - 1)
        cells &= cells - 1


@jitable
def choose_best(table: Ints, seat: int, cells: int, mind: Mind) -> int:
    """Return the move after which the turn can come to the most."""
    return mind.moves[best_of(mind.values, weigh(table, seat, cells, mind))]


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
            roll(table, luck)
        is_white = table[PHASE] == WHITE
        rolled = white_cells(table) if is_white else color_cells(table)
        first, end = (0, table[SEATS]) if is_white else (table[ACTIVE], table[ACTIVE] + 1)
        for decider in range(first, end):
            if decider == seat and move != OPEN:
                chosen = move
                move = OPEN
            else:
                chosen = choose_best(table, decider, crossable(table, decider, rolled), mind)
            table[DECIDED + decider] = chosen
        if is_white:
            settle_white(table)
        else:
            settle_color(table, table[DECIDED + first])


@jitable
def play_turns(table: Slots, turns: int, luck: Slots, mind: Mind) -> None:
    """Play this turn to its end, and then some more, with the same mind at all seats."""
    play_on(table, 0, OPEN, turns, luck, mind)


@jitable
def try_future(table: Ints, seat: int, index: int, future: int, word: int, mind: Mind) -> float:
    """Return what a candidate comes to in one future; before the first, only play its turn to the end."""
    is_first = future < 0
    start_luck(mind.luck, word, future, table[SEATS])
    for place in range(SIZE):
        mind.future[place] = table[place] if is_first else mind.bases[index * SIZE + place]
    move = mind.candidates[index] if is_first else OPEN
    turns = 0 if is_first else mind.plan[AHEAD] * table[SEATS]
    play_on(mind.future, seat, move, turns, mind.luck, mind)
    if is_first:
        copy(mind.future, mind.bases, index * SIZE)
        return 0.0
    return worth(mind.future, seat, mind)


@jitable
@apart
def find_by_futures(table: Ints, seat: int, count: int, word: int, mind: Mind) -> int:
    """Return the move that comes to the most when its future is tried again and again.

    All are tried with the same rolls. After each round the better half is left, and tried twice as often.
    """
    for index in range(count):
        mind.candidates[index] = mind.moves[index]
        mind.sums[index] = PRIOR * mind.values[index]
        mind.order[index] = index
    doubt = mind.plan[DOUBT] / 1000.0
    left = keep_better(mind.order, mind.sums, count, count, PRIOR * doubt)
    futures, done = mind.plan[FUTURES], -1
    while left > 1:
        for future in range(done, max(done, 0) + futures):
            for place in range(left):
                index = mind.order[place]
                mind.sums[index] += try_future(table, seat, index, future, word, mind)
        done = max(done, 0) + futures
        futures *= 2
        doubt *= CLEARER
        left = keep_better(mind.order, mind.sums, left, (left + 1) // 2, (PRIOR + done) * doubt)
    return mind.candidates[mind.order[0]]


@jitable
@apart
def find_best(table: Ints, seat: int, cells: int, word: int, mind: Mind) -> int:
    """Return the best move that a plan can find; a word of chance decides what is imagined."""
    count = weigh(table, seat, cells, mind)
    if mind.plan[ROUGH] > 0:
        mind.luck[1] = word
        blur(mind.values, count, mind.plan[ROUGH] / 1000.0, mind.luck)
    if mind.plan[FUTURES] > 0 and count > 1:
        return find_by_futures(table, seat, count, word, mind)
    return mind.moves[best_of(mind.values, count)]


@jitable
def choose_by_level(table: Ints, seat: int, cells: int, luck: Slots, mind: Mind) -> int:
    """Return the best move that a plan can find."""
    return find_best(table, seat, cells, next_word(luck, seat), mind)
