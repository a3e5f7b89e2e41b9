"""Trains the strong players from nothing, and goes on where an earlier run was ended."""

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from platformdirs import user_cache_path

import qlub
from qlub.core.errors import BadRequest
from qlub.core.registry import find_game
from qlub.core.weights import write_net
from qlub.sim import solver
from qlub.sim.adapted import can_learn, learning_of
from qlub.sim.alone import Alone
from qlub.sim.kept import find_kept, keep
from qlub.sim.learner import Lesson, SelfPlay, Sums
from qlub.sim.play import play_deals
from qlub.sim.sources import sources_of
from qlub.sim.table import Table

FORMAT = "qlub-learning/1"
GAMES_AT_ONCE = 200
"""How many games are learnt from before anybody can interrupt; it changes nothing of what is learnt."""
STEPS = 100
"""In how many steps a player learns, each with less haste than the one before."""
LOOKS = (1, 2, 3, 4, 5, 7, 10, 14, 20, 28, 40, 55, 75, 100)
"""After which of them it is measured: at first it learns fast."""
END = 0.02
"""What is left of the rate of learning at the end."""
SAVE_SECONDS = 2.0
DEALS = 250
"""Deals of a measurement, each played at every seat."""
ALONE = 4000
"""Games of a measurement of one alone."""
MEASURE_SEED = 77


Curve: TypeAlias = list[tuple[int, dict[str, float]]]
"""After how many games a player was measured, and what came out."""


@dataclass
class Training:
    """A player in training, as far as it has come."""

    game: str
    seats: int
    games: int
    seed: int
    done: int = 0
    """Games it has learnt from."""
    curve: Curve = field(default_factory=list)
    is_kept: bool | None = None
    """Whether what was learnt is on disk; None as long as nobody tried."""

    @cached_property
    def lesson(self) -> Lesson:
        """What it has learnt so far."""
        return _new_lesson(self.game, self.seats, self.seed)

    @cached_property
    def player(self) -> "_InTraining":
        """A player with what was learnt so far."""
        return _InTraining(self)

    @property
    def command(self) -> str:
        """What makes the same again."""
        return (
            f"qlub train {self.game} --seats {self.seats} --games {self.games} --seed {self.seed}"
        )

    def write(self, file: Path) -> None:
        """Write what was learnt, and how."""
        file.parent.mkdir(parents=True, exist_ok=True)
        made = {
            "game": self.game,
            "seats": self.seats,
            "command": self.command,
            "date": datetime.now(UTC).date().isoformat(),
            "version": qlub.__version__,
        }
        write_net(file, made, self.lesson.result())


def _new_lesson(game: str, seats: int, seed: int) -> Lesson:
    """Return what learns a game, and has learnt nothing yet."""
    if (game, seats) == (solver.GAME, 1):
        return Alone(seed)
    kind = Sums if hasattr(learning_of(game), "Learner") else SelfPlay
    return kind(game, seats, seed)


def train(game: str, seats: int, games: int | None, seed: int) -> Iterator[Training]:
    """Train a player, going on where an earlier run was ended; yield after each piece."""
    learning = learning_of(game)
    training = Training(game, seats, games or learning.GAMES[seats], seed)
    lesson = training.lesson
    what, file = _what(training), _file(training)
    if found := find_kept(file, what):
        (training.done, training.curve), lesson.weights[:] = found
        training.is_kept = True
    saved = time.monotonic()
    while training.done < training.games:
        yield training
        step = ((training.done + 1) * STEPS - 1) // training.games  # of the next game
        end = training.games * (step + 1) // STEPS
        rate = learning.RATE[seats] * END ** (step / STEPS)
        count = min(end - training.done, GAMES_AT_ONCE)
        lesson.play(training.done, count, rate)
        training.done += count
        if training.done == end and step + 1 in LOOKS:
            training.curve.append((end, measure(training)))
        if training.done == training.games or time.monotonic() - saved > SAVE_SECONDS:
            state = [training.done, training.curve]
            training.is_kept = keep(file, what, state, lesson.weights)
            saved = time.monotonic()
    yield training


def measure(training: Training) -> dict[str, float]:
    """Return how good a player is by now."""
    if figures := training.lesson.figures():
        return figures
    if training.seats == 1:
        table = Table(training.game, 1, (training.player,), {}, MEASURE_SEED)
        deals = np.arange(ALONE)
        results = play_deals(table, deals, np.zeros((len(deals), 1), np.int64))
        return {"points alone": float(results.scores.mean())}
    table = Table(training.game, training.seats, (training.player, "greedy"), {}, MEASURE_SEED)
    deals = np.repeat(np.arange(DEALS), training.seats)
    mine = np.tile(np.eye(training.seats, dtype=bool), (DEALS, 1))
    results = play_deals(table, deals, np.where(mine, 0, 1))
    return {"share of wins against greedy": float(results.shares[mine].mean())}


class _InTraining:
    """A player with what was learnt so far."""

    about = "Is learning."

    def __init__(self, training: Training) -> None:
        self.training = training
        master = import_module(f"qlub.games.{training.game}.levels").MASTER
        self.policy = master.policy
        self._plan = master.plan

    def __repr__(self) -> str:
        return "in training"

    def mind(self, array: Any, seats: int) -> Any:
        mind = learning_of(self.training.game).new_mind([0.0], self._plan, array)
        return mind._replace(weights=self.training.lesson.weights)

    def choose(self, view: Any, rng: Any, seconds: float) -> Any:
        raise NotImplementedError


def _what(training: Training) -> Mapping[str, object]:
    sources = sources_of(training.game, learnt=False)  # what others have learnt does not matter
    return {"format": FORMAT, "command": training.command, "sources": sources}


def _file(training: Training) -> Path:
    name = f"{training.game}-{training.seats}-{training.games}-{training.seed}.bin"
    return user_cache_path("qlub") / "learning" / name


def check(game: str, seats: int | None, games: int | None) -> list[int]:
    """Return for how many seats a player is to be trained, or refuse what cannot be learnt."""
    if not can_learn(find_game(game).name):
        raise BadRequest(f"nobody can learn {game} yet: it has no learning.py")
    known = list(learning_of(game).GAMES)
    if games is not None and games < STEPS:
        raise BadRequest(f"--games is at least {STEPS}: less teaches nothing")
    if seats is not None and seats not in known:
        raise BadRequest(f"{game} is learnt for {', '.join(map(str, known))} seats, not {seats}")
    return known if seats is None else [seats]
