"""What learns from games: networks, by TD(λ) against themselves, and sums over turns."""

from typing import Any, Protocol

import numpy as np

from qlub.compiler import compile_kernel
from qlub.core.contest import PLAIN
from qlub.core.luck import luck_size, new_luck, next_event, scale, start_luck
from qlub.core.net import LAYERS, MARGIN, WIN, judge, learn, net_size, new_weights
from qlub.core.outcome import margin_of, win_share
from qlub.core.record import Match
from qlub.core.registry import find_game
from qlub.kernel import Floats, Ints, Slots
from qlub.sim.adapted import Function, compile_for, learning_of
from qlub.sim.kept import Worths
from qlub.sim.play import play_deals
from qlub.sim.table import Table


def games_learner(its: Any) -> Function:
    """Return the kernel that learns from games of a game, given what its `learning` knows."""

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
        seats: int = start[its.SEATS]
        for game in range(first, first + games):
            start_luck(luck, seed, game, seats)
            for place in range(its.SIZE):
                table[place] = start[place]
            its.begin(table, scale(next_event(luck), seats))
            noted = 0
            while table[its.PHASE] != its.OVER:
                for seat in range(seats):
                    at = noted * (its.MOST_THERE + 1)
                    count = its.find_features(table, seat, table[its.ACTIVE], mind.there)
                    notes[at] = count
                    for index in range(count):
                        notes[at + 1 + index] = mind.there[index]
                    noted += 1
                its.play_turns(table, 1, luck, mind)
            its.finish(table, mind.scores)
            for seat in range(seats):
                points += mind.scores[seat]
                win = win_share(mind.scores, seats, seat)
                margin = margin_of(mind.scores, seats, seat)
                for note in range(noted - seats + seat, -1, -seats):
                    at = note * (its.MOST_THERE + 1)
                    count = notes[at]
                    for index in range(count):
                        mind.there[index] = notes[at + 1 + index]
                    judge(mind.weights, its.FEATURES, mind.there, count, mind.layers)
                    said_win, said_margin = mind.layers[WIN], mind.layers[MARGIN]
                    learn(
                        mind.weights,
                        its.FEATURES,
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

    return learn_games


class Lesson(Protocol):
    """Something that learns from games; the same games teach the same."""

    weights: Worths
    """All that was learnt so far."""

    def play(self, first: int, games: int, rate: float) -> None:
        """Learn from some games."""

    def result(self) -> list[float]:
        """Return what a player needs of it."""

    def figures(self) -> dict[str, float]:
        """Return what can be told of it without a game, by name: nothing of a network."""


class Network:
    """A network that has not learnt anything yet, and what its games need."""

    def __init__(self, game: str, seats: int, seed: int) -> None:
        self.game, self.seats, self.seed = game, seats, seed
        self.learning: Any = learning_of(game)
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

    def result(self) -> list[float]:
        return [float(weight) for weight in self.weights]

    def figures(self) -> dict[str, float]:
        return {}


class SelfPlay(Network):
    """A network that learns from games against itself."""

    def __init__(self, game: str, seats: int, seed: int) -> None:
        super().__init__(game, seats, seed)
        size = self.learning.MOST_TURNS * seats * (self.learning.MOST_THERE + 1)
        self._room = self.errors, np.zeros(size, np.int64)
        self._run = compile_for(games_learner, game, self._arguments(0, 0, 0.0))

    def play(self, first: int, games: int, rate: float) -> None:
        self._run(*self._arguments(first, games, rate))

    def _arguments(self, first: int, games: int, rate: float) -> tuple[Any, ...]:
        return (self.seed, first, games, *self.things, *self._room, self.learning.TRUST, rate)


class Sums:
    """Sums over the turns of a player that notes them, of which the worths it needs are worked out."""

    def __init__(self, game: str, seats: int, seed: int) -> None:
        self.learning: Any = learning_of(game)
        self.weights: Worths = np.zeros(self.learning.SUMS)
        self._learner = self.learning.Learner(self.weights)
        self._table = Table(game, seats, (self._learner,), {}, seed)

    def play(self, first: int, games: int, rate: float) -> None:
        deals = np.arange(first, first + games)
        play_deals(self._table, deals, np.zeros((games, self._table.seats), np.int64))
        self.weights[:] = self._learner.notes.sums

    def result(self) -> list[float]:
        return list(self.learning.solve(self.weights))

    def figures(self) -> dict[str, float]:
        return dict(zip(self.learning.WORTHS, self.result(), strict=True))
