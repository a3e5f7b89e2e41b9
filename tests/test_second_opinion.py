"""The rules agree with a naive second opinion, written apart from them, on thousands of games."""

import os
from collections.abc import Iterator
from random import Random
from types import ModuleType
from typing import Any

import pytest
from naive import qwantum, qwirkle, qwixx

from qlub.core.conformance import pick_option
from qlub.core.record import Match
from qlub.core.registry import find_game, game_names

SOAK = int(os.environ.get("QLUB_SOAK", "1"))
NAIVE: dict[str, ModuleType] = {"qwantum": qwantum, "qwirkle": qwirkle, "qwixx": qwixx}
GAMES = {"qwantum": 30, "qwirkle": 4, "qwixx": 60}
MOST_TILES = 60  # the naive Qwirkle is too slow to list all lays on a larger board
LISTED = 0.08  # the share of Qwirkle states whose lays it lists


def test_every_game_has_a_second_opinion() -> None:
    assert sorted(NAIVE) == list(game_names())


@pytest.mark.soak
@pytest.mark.parametrize("name", NAIVE)
@pytest.mark.parametrize("part", range(2))
def test_games_agree_event_for_event(name: str, part: int) -> None:
    rng = Random(f"{name} {part}")
    for _ in range(SOAK * GAMES[name] // 2):
        position = None
        for match, actor, text in random_play(name, rng):
            before = position or match.game.write_position(match.state)
            check_scores_and_moves(match, before, rng)
            match.apply(actor, text)
            told = NAIVE[name].apply(before, actor, text)
            position = match.game.write_position(match.state)
            assert told == position, (before, actor, text)
        assert match.state.reason == NAIVE[name].is_over(position)


def random_play(name: str, rng: Random) -> Iterator[tuple[Match, int | str, str]]:
    """Yield a random game with the event that comes next; whoever iterates applies it."""
    game = find_game(name)
    fewest, most = game.seats
    seats = rng.randint(1 if game.practice else fewest, most)
    options = {key: pick_option(option, seats, rng) for key, option in game.options.items()}
    match = Match.new(game, seats, options)
    greedy = game.bots["greedy"]
    while not match.state.is_over:
        state = match.state
        if state.chance:
            yield match, "*", str(state.chance.sample(rng.randrange))
            continue
        seat = rng.choice(state.to_act)
        view = state.view(seat)
        move: Any = rng.choice(view.legal()) if rng.random() < 0.3 else greedy.choose(view, rng, 1)
        yield match, seat, str(move)


def check_scores_and_moves(match: Match, position: dict[str, Any], rng: Random) -> None:
    naive = NAIVE[match.game.name]
    assert list(match.state.scores()) == naive.scores(position)
    if "board" in position and (len(position["board"]) > MOST_TILES or rng.random() >= LISTED):
        return
    for seat in range(match.state.seats):
        moves = [str(move) for move in match.state.legal(seat)]
        assert set(moves) == naive.legal(position, seat), (position, seat)
        assert len(set(moves)) == len(moves)
        assert moves.index("-") == len(moves) - 1 if "-" in moves else True
