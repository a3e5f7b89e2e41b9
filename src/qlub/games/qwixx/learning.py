"""Kernel: learns to judge tables of Qwixx from games against oneself, by TD(λ)."""

from qlub.core.luck import next_event, scale, start_luck
from qlub.core.net import MARGIN, WIN, judge, learn
from qlub.games.qwixx.features import FEATURES, MOST_THERE, find_features
from qlub.games.qwixx.master import Mind, choose_best, lead_of, win_share
from qlub.games.qwixx.playout import roll
from qlub.games.qwixx.rules import (
    ACTIVE,
    COLOR,
    DECIDED,
    MOST_PENALTIES,
    MOST_SEATS,
    OVER,
    PHASE,
    SEATS,
    SIZE,
    begin,
    color_cells,
    crossable,
    score,
    settle_color,
    settle_white,
    white_cells,
)
from qlub.games.qwixx.sheet import CELLS, ROWS
from qlub.kernel import Floats, Ints, Slots, jitable

MOST_TURNS = MOST_SEATS * (ROWS * CELLS + MOST_PENALTIES)
"""In every turn the active player crosses something or takes a penalty."""
NOTE = MOST_THERE + 1
"""How many places it takes to note what a seat saw: how much, then what."""


@jitable
def play_turn(table: Slots, luck: Slots, mind: Mind) -> None:
    """Play a turn with the same mind at all seats."""
    roll(table, luck)
    rolled = white_cells(table)
    for seat in range(table[SEATS]):
        cells = crossable(table, seat, rolled)
        table[DECIDED + seat] = choose_best(table, seat, cells, luck, mind)
    settle_white(table)
    if table[PHASE] == COLOR:
        seat = table[ACTIVE]
        cells = crossable(table, seat, color_cells(table))
        settle_color(table, choose_best(table, seat, cells, luck, mind))


@jitable
def learn_games(
    seed: int,
    first: int,
    games: int,
    start: Ints,
    table: Slots,
    luck: Slots,
    mind: Mind,
    errors: Floats,
    notes: Slots,
    trust: float,
    rate: float,
) -> float:
    """Play games against oneself and learn from each; returns the mean of all points.

    `trust` is λ: how much later judgements count less than the end of the game.
    """
    points = 0
    seats = start[SEATS]
    for game in range(first, first + games):
        start_luck(luck, seed, game, seats)
        for place in range(SIZE):
            table[place] = start[place]
        begin(table, scale(next_event(luck), seats))
        noted = 0
        while table[PHASE] != OVER:
            for seat in range(seats):
                count = find_features(table, seat, table[ACTIVE], mind.there)
                notes[noted * NOTE] = count
                for index in range(count):
                    notes[noted * NOTE + 1 + index] = mind.there[index]
                noted += 1
            play_turn(table, luck, mind)
        for seat in range(seats):
            points += score(table, seat)
            win, margin = win_share(table, seat), lead_of(table, seat)
            for note in range(noted - seats + seat, -1, -seats):
                count = notes[note * NOTE]
                for index in range(count):
                    mind.there[index] = notes[note * NOTE + 1 + index]
                judge(mind.weights, FEATURES, mind.there, count, mind.layers)
                said_win, said_margin = mind.layers[WIN], mind.layers[MARGIN]
                learn(
                    mind.weights,
                    FEATURES,
                    mind.there,
                    count,
                    mind.layers,
                    errors,
                    win,
                    margin,
                    rate,
                )
                win = trust * win + (1.0 - trust) * said_win
                margin = trust * margin + (1.0 - trust) * said_margin
    return points / (games * seats)
