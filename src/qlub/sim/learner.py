"""Learns to judge the tables of a game from games against oneself, by TD(λ)."""

import os
from importlib import import_module
from typing import Any

import numpy as np

from qlub.compiler import compile_kernel
from qlub.core.contest import PLAIN
from qlub.core.luck import luck_size, new_luck, next_event, scale, start_luck
from qlub.core.net import LAYERS, MARGIN, WIN, judge, learn, net_size, new_weights
from qlub.core.outcome import margin_of, win_share
from qlub.core.record import Match
from qlub.core.registry import find_game

# Written for Qwixx: for another game, its own take the place of these names.
from qlub.games.qwixx.learning import (
    ACTIVE,
    FEATURES,
    MOST_THERE,
    OVER,
    PHASE,
    SEATS,
    SIZE,
    begin,
    find_features,
    finish,
    play_turns,
)
from qlub.games.qwixx.sheet import ROWS
from qlub.kernel import Floats, Ints, Slots
from qlub.sim.adapted import compile_for
from qlub.sim.kept import Worths
from qlub.sim.solver import solve


def learn_games(
    seed: int,
    first: int,
    games: int,
    start: Ints,
    table: Slots,
    luck: Slots,
    mind: Any,
    errors: Floats,
    notes: Slots,
    trust: float,
    rate: float,
) -> float:
    """Play games against oneself and learn from each; returns the mean of all points.

    `trust` is λ: how much the end of the game counts against judgements on the way.
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
                at = noted * (MOST_THERE + 1)
                count = find_features(table, seat, table[ACTIVE], mind.there)
                notes[at] = count
                for index in range(count):
                    notes[at + 1 + index] = mind.there[index]
                noted += 1
            play_turns(table, 1, luck, mind)
        finish(table, mind.scores)
        for seat in range(seats):
            points += mind.scores[seat]
            win = win_share(mind.scores, seats, seat)
            margin = margin_of(mind.scores, seats, seat)
            for note in range(noted - seats + seat, -1, -seats):
                at = note * (MOST_THERE + 1)
                count = notes[at]
                for index in range(count):
                    mind.there[index] = notes[at + 1 + index]
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


class Lesson:
    """A network that learns; the same games teach the same."""

    def __init__(self, game: str, seats: int, seed: int) -> None:
        self.game, self.seats, self.seed = game, seats, seed
        self.learning = import_module(f"qlub.games.{game}.learning")
        features = self.learning.FEATURES
        self.weights: Worths = np.zeros(net_size(features))
        first = (self.weights, features, np.array(new_luck(seed, 0, 1)))
        compile_kernel(new_weights, *first)(*first)
        mind = self.learning.new_mind([0.0], PLAIN, np.array)
        self.mind = mind._replace(weights=self.weights)
        before_all: Any = Match.new(find_game(game), seats).state
        start = np.array(before_all.table)
        self.things = start, start.copy(), np.zeros(luck_size(seats), np.int64), self.mind
        self.errors = np.zeros(LAYERS)

    def play(self, first: int, games: int, rate: float) -> None:
        """Learn from some games."""
        raise NotImplementedError


class SelfPlay(Lesson):
    """A network that learns from games against itself."""

    def __init__(self, game: str, seats: int, seed: int) -> None:
        super().__init__(game, seats, seed)
        size = self.learning.MOST_TURNS * seats * (self.learning.MOST_THERE + 1)
        self._room = self.errors, np.zeros(size, np.int64)
        self._run = compile_for(learn_games, game, self._arguments(0, 0, 0.0))

    def play(self, first: int, games: int, rate: float) -> None:
        self._run(*self._arguments(first, games, rate))

    def _arguments(self, first: int, games: int, rate: float) -> tuple[Any, ...]:
        return (self.seed, first, games, *self.things, *self._room, self.learning.TRUST, rate)


class Alone(Lesson):
    """A network that learns what is known exactly: what the sheets of Qwixx are worth to one player."""

    def __init__(self, game: str, seats: int, seed: int) -> None:
        super().__init__(game, seats, seed)
        *_, solution = solve(1, os.cpu_count() or 1)
        self._room = self.errors, np.zeros(ROWS, np.int64), solution.worths
        example = self._arguments(0, 0, 0.0)
        self._run = compile_kernel(self.learning.learn_alone, *example, vectors=True)

    def play(self, first: int, games: int, rate: float) -> None:
        self._run(*self._arguments(first, games, rate))

    def _arguments(self, first: int, games: int, rate: float) -> tuple[Any, ...]:
        return (self.seed, first, games, *self.things, *self._room, rate)


def new_lesson(game: str, seats: int, seed: int) -> Lesson:
    """Return a network that has not learnt anything yet."""
    kind = Alone if (game, seats) == ("qwixx", 1) else SelfPlay
    return kind(game, seats, seed)
