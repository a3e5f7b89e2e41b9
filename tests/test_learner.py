"""Learning from games against oneself: decided by the seed, and the same compiled and plain."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from qlub.compiler import compile_kernel
from qlub.core.luck import luck_size, new_luck
from qlub.core.net import LAYERS, net_size, new_weights
from qlub.core.record import Match
from qlub.core.registry import find_game
from qlub.games.qwixx import exact
from qlub.games.qwixx.learning import learn_alone
from qlub.games.qwixx.master import new_mind
from qlub.games.qwixx.sheet import ROWS
from qlub.sim.adapted import learning_of
from qlub.sim.learner import Network, SelfPlay, games_learner

RATE = 0.05


def learn_plainly(
    game: str, seats: int, seed: int, games: int, known: Any = None
) -> tuple[float, list[float]]:
    """Return the mean of all points, and the weights after some games, without a compiler."""
    learning: Any = learning_of(game)
    weights = [0.0] * net_size(learning.FEATURES)
    new_weights(weights, learning.FEATURES, new_luck(seed, 0, 1))
    mind = learning.new_mind(weights, (0, 0, 0, 0), list)
    start: Any = Match.new(find_game(game), seats).state
    notes = [0] * (learning.MOST_TURNS * seats * (learning.MOST_THERE + 1))
    room = [0] * learning.SIZE, [0] * luck_size(seats), mind, [0.0] * LAYERS, notes
    learn_games = games_learner(known or learning)
    points = learn_games(seed, 0, games, start.table, *room, learning.TRUST, RATE)
    assert mind.weights != weights
    return points, mind.weights


@pytest.mark.parametrize("game", ["qwixx", "qwantum"])
def test_what_is_learnt_is_decided_by_the_seed(game: str) -> None:
    first, again, other = (learn_plainly(game, 1, seed, 1) for seed in (1, 1, 2))
    assert first == again
    assert first[1] != other[1]


@pytest.mark.parametrize("game", ["qwixx", "qwantum"])
def test_compiled_and_plain_learning_are_the_same(game: str) -> None:
    """At once, or one game after another."""
    _, weights = learn_plainly(game, 2, 3, 2)
    lesson = SelfPlay(game, 2, 3)
    lesson.play(0, 1, RATE)
    lesson.play(1, 1, RATE)
    assert np.allclose(lesson.weights, weights, rtol=0, atol=1e-9)


@pytest.mark.parametrize("name", ["ACTIVE", "MOST_THERE", "SIZE", "begin", "finish", "play_turns"])
def test_a_game_that_misses_a_name_does_not_get_that_of_another(name: str) -> None:
    names = {key: value for key, value in vars(learning_of("qwantum")).items() if key != name}
    with pytest.raises(AttributeError, match=f"no attribute '{name}'"):
        learn_plainly("qwantum", 1, 1, 1, SimpleNamespace(**names))


def test_who_learns_gets_better() -> None:
    """Alone, where points are all that counts."""
    lesson = SelfPlay("qwantum", 1, 1)
    before = mean_points(lesson, 50)
    lesson.play(50, 500, 0.03)
    assert mean_points(lesson, 50) > before + 10
    assert np.isfinite(lesson.weights).all()


def mean_points(lesson: SelfPlay, games: int) -> float:
    """Return what some games come to from which nothing is learnt."""
    weights = lesson.weights.copy()
    points = float(lesson._run(*lesson._arguments(0, games, 0.0)))
    assert (lesson.weights == weights).all()
    return points


def test_what_is_known_exactly_is_learnt_the_same_compiled_and_plain() -> None:
    """Whatever it is: here any numbers are taken for what sheets are worth."""
    worths = np.random.default_rng(1).random(4 * exact.SHEETS) * 100
    lesson = Network("qwixx", 1, 3)
    plain = new_mind(lesson.weights.tolist(), (0, 0, 0, 0), list)
    room = np.zeros(LAYERS), np.zeros(ROWS, np.int64), worths
    inputs = (3, 0, 2, *lesson.things, *room, RATE)
    wrong = compile_kernel(learn_alone, *inputs, vectors=True)(*inputs)
    start: Any = Match.new(find_game("qwixx"), 1).state
    things = start.table, list(start.table), [0] * luck_size(1), plain
    told = learn_alone(3, 0, 2, *things, [0.0] * LAYERS, [0] * ROWS, worths, RATE)  # type: ignore[arg-type]
    assert told == pytest.approx(wrong)
    assert np.allclose(lesson.weights, plain.weights, rtol=0, atol=1e-9)


@pytest.mark.parametrize("game", ["qwixx", "qwantum"])
def test_there_is_a_plan_for_every_number_of_seats(game: str) -> None:
    learning: Any = learning_of(game)
    rules = find_game(game)
    seats = {1, *range(rules.seats[0], rules.seats[1] + 1)}
    assert set(learning.GAMES) == set(learning.RATE) == seats
