"""What learning needs to know of Qwixx: by games against oneself, or alone by what is known exactly."""

from qlub.core.luck import choice, next_event, scale, start_luck
from qlub.core.net import MARGIN, WIN, judge, learn
from qlub.core.outcome import POINTS
from qlub.games.qwixx.exact import take_sheet, worth_of
from qlub.games.qwixx.features import FEATURES, MOST_THERE, find_features
from qlub.games.qwixx.master import Mind, choose_best, new_mind, play_turns
from qlub.games.qwixx.playout import choose_any, finish, roll
from qlub.games.qwixx.rules import (
    ACTIVE,
    COLOR,
    DECIDED,
    MOST_PENALTIES,
    MOST_SEATS,
    OVER,
    PENALTIES,
    PHASE,
    ROLL,
    SEATS,
    SIZE,
    begin,
    color_cells,
    crossable,
    settle_color,
    settle_white,
    white_cells,
)
from qlub.games.qwixx.sheet import CELLS, ROWS
from qlub.kernel import Floats, Ints, Slots, jitable

MOST_TURNS = MOST_SEATS * (ROWS * CELLS + MOST_PENALTIES)
"""In every turn the active player crosses something or takes a penalty."""

TRUST = 0.7
"""λ: how much the end of a game counts in comparison with later judgements."""
RATE = {1: 0.05, 2: 0.02, 3: 0.02, 4: 0.02, 5: 0.02}
"""How far the network moves at first, by seats; less and less later."""
GAMES = {1: 200_000, 2: 2_000_000, 3: 500_000, 4: 600_000, 5: 400_000}
"""How many games are learnt from, by seats."""

LUCKY_PHASE = "roll"
"""In which phase the dice fall that tell who was lucky."""
THROWS = 64
"""With how many throws those that fell are compared."""

CURIOUS = 12
"""One of so many decisions is any, to see more than the best sheets."""

__all__ = [
    "ACTIVE",
    "FEATURES",
    "GAMES",
    "LUCKY_PHASE",
    "MOST_THERE",
    "MOST_TURNS",
    "OVER",
    "PHASE",
    "RATE",
    "ROLL",
    "SEATS",
    "SIZE",
    "THROWS",
    "TRUST",
    "begin",
    "find_features",
    "finish",
    "learn_alone",
    "new_mind",
    "play_turns",
]


@jitable
def choose_curiously(table: Ints, cells: int, luck: Slots, mind: Mind) -> int:
    """Return the best move, or any now and then."""
    if choice(luck, 0, CURIOUS) == 0:
        return choose_any(table, 0, cells, luck)
    return choose_best(table, 0, cells, mind)


@jitable
def learn_alone(
    seed: int,
    first: int,
    games: int,
    start: Ints,
    table: Slots,
    luck: Slots,
    mind: Mind,
    errors: Floats,
    rows: Slots,
    worths: Floats,
    rate: float,
) -> float:
    """Play games alone and learn what each sheet is worth exactly; returns the mean squared error."""
    wrong, turns = 0.0, 0
    for game in range(first, first + games):
        start_luck(luck, seed, game, 1)
        for place in range(SIZE):
            table[place] = start[place]
        begin(table, scale(next_event(luck), 1))
        while table[PHASE] != OVER:
            take_sheet(table, rows)
            margin = worth_of(rows, table[PENALTIES], worths, 0) / POINTS
            count = find_features(table, 0, table[ACTIVE], mind.there)
            judge(mind.weights, FEATURES, mind.there, count, mind.layers)
            wrong += (margin - mind.layers[MARGIN]) ** 2
            turns += 1
            win = mind.layers[WIN]  # alone, nobody wins: nothing to learn there
            learn(mind.weights, FEATURES, mind.there, count, mind.layers, errors, win, margin, rate)
            roll(table, luck)
            cells = crossable(table, 0, white_cells(table))
            table[DECIDED] = choose_curiously(table, cells, luck, mind)
            settle_white(table)
            if table[PHASE] == COLOR:
                cells = crossable(table, 0, color_cells(table))
                settle_color(table, choose_curiously(table, cells, luck, mind))
    return wrong / turns
