"""Learns Qwixx alone, of which everything is known exactly."""

import os
from typing import Any

import numpy as np

from qlub.compiler import compile_kernel
from qlub.games.qwixx.learning import learn_alone
from qlub.games.qwixx.sheet import ROWS
from qlub.sim.learner import Network
from qlub.sim.solver import GAME, solve


class Alone(Network):
    """A network that learns what the sheets of Qwixx are worth to one player."""

    def __init__(self, seed: int) -> None:
        super().__init__(GAME, 1, seed)
        *_, solution = solve(1, os.cpu_count() or 1)
        self._room = self.errors, np.zeros(ROWS, np.int64), solution.worths
        example = self._arguments(0, 0, 0.0)
        self._run = compile_kernel(learn_alone, *example, vectors=True)

    def play(self, first: int, games: int, rate: float) -> None:
        self._run(*self._arguments(first, games, rate))

    def _arguments(self, first: int, games: int, rate: float) -> tuple[Any, ...]:
        return (self.seed, first, games, *self.things, *self._room, rate)
