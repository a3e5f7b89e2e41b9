"""Kernel: learns to judge tables of Qwantum from games against oneself, by TD(λ)."""

from qlub.core.luck import next_event, scale, start_luck
from qlub.core.net import MARGIN, WIN, judge, learn
from qlub.games.qwantum.features import FEATURES, MOST_THERE, find_features
from qlub.games.qwantum.master import Mind, choose_best, lead_of, win_share
from qlub.games.qwantum.playout import ALL_DICE, roll
from qlub.games.qwantum.rules import (
    ACTIVE,
    DECIDED,
    KEEP,
    MOST_SEATS,
    OVER,
    PHASE,
    PICK,
    REROLL,
    ROLL,
    ROLLING,
    SEATS,
    SHARE,
    SIZE,
    begin,
    decide,
    score,
)
from qlub.games.qwantum.sheet import CELLS, MOST_FAILS, ROWS
from qlub.kernel import UNDECIDED, Floats, Ints, Slots, jitable

MOST_TURNS = MOST_SEATS * (ROWS * CELLS + MOST_FAILS)
"""In every turn the active player writes something or crosses a failed throw."""
NOTE = MOST_THERE + 1
"""How many places it takes to note what a seat saw: how much, then what."""


@jitable
def play_turn(table: Slots, luck: Slots, mind: Mind) -> None:
    """Play a turn with the same mind at all seats."""
    roll(table, ALL_DICE, luck)
    table[PHASE] = KEEP
    while table[PHASE] != ROLL and table[PHASE] != OVER:
        if table[PHASE] == REROLL:
            roll(table, table[ROLLING], luck)
            table[PHASE] = PICK
        seat = table[ACTIVE]
        if table[PHASE] == SHARE:
            seat = 0
            while table[DECIDED + seat] != UNDECIDED:
                seat += 1
        decide(table, seat, choose_best(table, seat, luck, mind))


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
