"""The players of every game, from random to grandmaster: legal, repeatable, and as strong as promised."""

import pickle
from importlib import import_module
from random import Random
from typing import Any

import pytest

from qlub.bots import bots_of, find_bot
from qlub.core.record import Match
from qlub.core.registry import all_games, find_game
from qlub.sim import simulate
from qlub.sim.statistics import estimate_mean

LEVELS = ["random", "greedy", "club", "master", "grandmaster"]
DECISIONS = {"master": 12, "grandmaster": 3}
"""How often those who take their time are asked."""
OFTEN = 30
APART = 5
"""How many decisions there are from one question to the next; greedy makes the others."""

TABLES = [
    (game.name, seats)
    for game in all_games()
    for seats in ([1] if game.practice else []) + [2, game.seats[1]]
]
GAMES = {"qwixx": 40, "qwantum": 40, "qwirkle": 20}
BEST_ALONE = 115.4831
"""The mean of the best possible play of Qwixx alone."""


def asked(name: str, level: str, seats: int) -> list[tuple[Any, str]]:
    """Return what a level was asked in the course of a game, and what it decided."""
    game, rng = find_game(name), Random(seats)
    player, greedy = find_bot(game, level), find_bot(game, "greedy")
    match, count = Match.new(game, seats), 0
    decided: list[tuple[Any, str]] = []
    while not match.state.is_over and len(decided) < DECISIONS.get(level, OFTEN):
        if match.state.chance:
            match.resolve(match.state.chance.sample(rng.randrange))
        for seat in match.state.to_act:
            view = match.state.view(seat)
            move = greedy.choose(view, rng, 1.0)
            if count % APART == 0:
                move = player.choose(view, rng, 1.0)
                decided.append((view, str(move)))
                legal = map(repr, match.state.legal(seat))
                assert repr(move) in legal  # numbers of NumPy are equal, but cannot be written down
            match.decide(seat, move)
            count += 1
    return decided


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_every_game_has_all_levels_the_weakest_first(game: Any) -> None:
    assert list(bots_of(game)) == LEVELS


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_every_level_goes_to_other_processes_after_it_has_played(game: Any, level: str) -> None:
    player, match = find_bot(game, level), Match.new(game, 2)
    while match.state.chance:
        match.resolve(match.state.chance.sample(Random(1).randrange))
    view = match.state.view(match.state.to_act[0])
    move = player.choose(view, Random(2), 1.0)
    assert pickle.loads(pickle.dumps(player)).choose(view, Random(2), 1.0) == move


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_every_level_moves_legally_and_twice_the_same(name: str, seats: int, level: str) -> None:
    decided = asked(name, level, seats)
    assert len(decided) > 2
    assert asked(name, level, seats) == decided


def test_master_alone_comes_to_99_percent_of_the_best_possible_play() -> None:
    points = simulate("qwixx", ["master"], games=10_000, seed=1).scores[:, 0].astype(float)
    mean = estimate_mean(len(points), points.sum(), (points**2).sum())
    assert mean.low > 0.99 * BEST_ALONE
    assert mean.low < BEST_ALONE


@pytest.mark.parametrize(
    ("name", "seats"),
    [(name, seats) for name, seats in TABLES if seats > 1 and (name, seats) != ("qwirkle", 4)]
    + [("qwixx", 3), ("qwixx", 4), ("qwantum", 3)],
)
def test_no_master_plays_rubbish(name: str, seats: int) -> None:
    """Alone against greedy players it wins more often than one of them would."""
    game, rng = find_game(name), Random(seats)
    levels: Any = import_module(f"qlub.games.{name}.levels")
    master, greedy = (
        type(levels.MASTER)("Is compiled.", levels.MASTER.plan),
        find_bot(game, "greedy"),
    )
    won = 0.0
    for number in range(GAMES[name]):
        match = Match.new(game, seats)
        while not match.state.is_over:
            if match.state.chance:
                match.resolve(match.state.chance.sample(rng.randrange))
            for seat in match.state.to_act:
                player = master if seat == number % seats else greedy
                match.decide(seat, player.choose(match.state.view(seat), rng, 1.0))
        winners = match.state.winners or ()
        won += (number % seats in winners) / max(len(winners), 1)
    assert won / GAMES[name] > 1.2 / seats
