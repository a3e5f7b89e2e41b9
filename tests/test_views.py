"""Views hide: change what a seat cannot know, and what it is shown and told stays the same."""

import json
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from qlub.core.errors import QlubError
from qlub.core.game import Game, Json, State
from qlub.core.record import after
from qlub.core.registry import find_game

SEATS = 3


def states(game: Game, rng: Random, games: int) -> Iterator[State[Any]]:
    """Yield all states of some games; everybody mostly plays well, so that games get far."""
    for _ in range(games):
        options = {name: option.default_for(SEATS) for name, option in game.options.items()}
        state = game.new(SEATS, options)
        while not state.is_over:
            yield state
            if state.chance:
                state = state.resolve(state.chance.sample(rng.randrange))
                continue
            seat = rng.choice(state.to_act)
            greedy = game.bots["greedy"].choose(state.view(seat), rng, 1)
            state = state.apply(
                seat, greedy if rng.random() < 0.8 else rng.choice(state.legal(seat))
            )
        yield state


def other_decisions(game: Game, position: Json, viewer: int | None, rng: Random) -> Json:
    """Return a position in which the other seats have sealed something else."""
    copy: Json = json.loads(json.dumps(position))
    for key in copy["decided"]:
        if int(key) != viewer:
            without = {**position, "decided": {}}
            moves = game.read_position(without).legal(int(key))
            copy["decided"][key] = str(rng.choice(moves))
    return copy


def other_tiles(game: Game, position: Json, viewer: int | None, rng: Random) -> Json:
    """Return a position in which the hidden tiles lie elsewhere: other hands, the bag, set aside."""
    copy: Json = json.loads(json.dumps(position))
    hidden = [hand for seat, hand in enumerate(copy["hands"]) if seat != viewer]
    hidden.append(copy["bag"])
    if copy["drawing"] and copy["drawing"]["seat"] != viewer:
        hidden.append(copy["drawing"]["returning"])
    tiles = [tile for heap in hidden for tile in heap]
    rng.shuffle(tiles)
    for heap in hidden:
        heap[:] = [tiles.pop() for _ in heap]
    return copy


CHANGES = {"qwixx": other_decisions, "qwantum": other_decisions, "qwirkle": other_tiles}


@pytest.mark.parametrize("name", CHANGES)
def test_a_view_is_the_same_to_the_byte_whatever_is_hidden(name: str) -> None:
    game, rng = find_game(name), Random(name)
    changed: dict[str, int] = {}
    for state in states(game, rng, games=4):
        position = game.write_position(state)
        for viewer in (None, *range(SEATS)):
            other = CHANGES[name](game, position, viewer, rng)
            try:
                twin = game.read_position(other)
            except QlubError:
                continue  # dealt otherwise the game would be over: the table would know
            shown = json.dumps(game.write_view(state.view(viewer)))
            assert shown == json.dumps(game.write_view(twin.view(viewer)))
            assert state.view(viewer) == twin.view(viewer)  # what our own bots are given
            if viewer is not None:
                assert told(game, state, viewer, rng) == told(game, twin, viewer, rng)
            changed[state.phase] = changed.get(state.phase, 0) + (twin != state)
    hiding = {"qwixx": {"white"}, "qwantum": {"share"}, "qwirkle": {"deal", "turn", "draw"}}
    assert {phase for phase, count in changed.items() if count} >= hiding[name]


def told(game: Game, state: State[Any], seat: int, rng: Random) -> list[str]:
    """Return what a seat hears about a few attempts: its moves, or why it may not."""
    texts = ["r5", "y6", "b10", "-", "keep", "v9", "Ro@1,0", "Gx@0,1", "swap Ro", "swap Pc Pc", "?"]
    heard = [str(move) for move in state.legal(seat)]
    for text in texts:
        try:
            after(game, state, seat, text)
            heard.append("fine")
        except QlubError as refusal:
            heard.append(f"{refusal.word} {refusal}")
    return heard


def test_a_view_shows_what_it_may() -> None:
    game, rng = find_game("qwirkle"), Random(3)
    for state in states(game, rng, games=1):
        position = game.write_position(state)
        for seat in range(SEATS):
            view = game.write_view(state.view(seat))
            assert view["hands"][seat] == position["hands"][seat]
            assert view["bag"] == len(position["bag"])
            assert [size for other, size in enumerate(view["hands"]) if other != seat] == [
                len(hand) for other, hand in enumerate(position["hands"]) if other != seat
            ]
        assert game.write_view(state.view(None))["hands"] == [len(h) for h in position["hands"]]


def test_set_aside_tiles_are_shown_to_their_owner_only() -> None:
    game = find_game("qwirkle")
    state = game.read_position(
        {
            "game": "qwirkle",
            "options": {"seniority": [0, 1]},
            "phase": "turn",
            "active": 0,
            "board": {"0,0": "Ro"},
            "hands": [["Gx", "Gd"], ["Bs"]],
            "bag": ["Yo", "Pc"],
            "points": [1, 0],
            "drawing": None,
        }
    )
    state = state.apply(0, game.read_move("swap Gx"))
    returning = [game.write_view(state.view(seat))["drawing"]["returning"] for seat in (0, 1, None)]
    assert returning == [["Gx"], 1, 1]
