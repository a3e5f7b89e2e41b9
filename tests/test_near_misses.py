"""Legal moves are exactly those that apply accepts, for moves that are almost right above all.

In Qwixx and Qwantum every move that there is gets tried. In Qwirkle the lays on offer are bent:
moved by a cell, turned, stretched, cut, with tiles exchanged or taken from elsewhere.
"""

import os
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from qlub.core.conformance import pick_option
from qlub.core.errors import IllegalMove
from qlub.core.game import Move, Pass, State
from qlub.core.registry import find_game
from qlub.games.qwantum import Keep, Reroll, Write
from qlub.games.qwantum.state import DIE_NAMES, dice_in
from qlub.games.qwirkle import Lay, Placed, Swap
from qlub.games.qwirkle.tiles import NAMES
from qlub.games.qwixx import Cross

SOAK = int(os.environ.get("QLUB_SOAK", "1"))
CROSSES: list[Move] = [Cross(colour, number) for colour in "rygb" for number in range(2, 13)]
WRITES: list[Move] = [Write(colour, number) for colour in "vbry" for number in range(1, 34)]
REROLLS: list[Move] = [Reroll(dice_in(dice)) for dice in range(1, 1 << len(DIE_NAMES))]
EVERY_MOVE = {"qwixx": [*CROSSES, Pass()], "qwantum": [*WRITES, *REROLLS, Keep(), Pass()]}


def decisions(name: str, games: int, rng: Random) -> Iterator[tuple[State[Any], int]]:
    """Yield every state of some games in which a seat decides, with that seat."""
    game = find_game(name)
    fewest, most = game.seats
    for _ in range(games):
        seats = rng.randint(fewest, most)
        options = {key: pick_option(option, seats, rng) for key, option in game.options.items()}
        state = game.new(seats, options)
        while not state.is_over:
            if state.chance:
                state = state.resolve(state.chance.sample(rng.randrange))
                continue
            seat = rng.choice(state.to_act)
            yield state, seat
            greedy = game.bots["greedy"].choose(state.view(seat), rng, 1)
            state = state.apply(
                seat, greedy if rng.random() < 0.7 else rng.choice(state.legal(seat))
            )


def is_accepted(state: State[Any], seat: int, move: Move) -> bool:
    try:
        state.apply(seat, move)
    except IllegalMove:
        return False
    return True


@pytest.mark.soak
@pytest.mark.parametrize(("name", "games"), [("qwixx", 20), ("qwantum", 5)])
def test_every_move_is_accepted_if_and_only_if_it_is_legal(name: str, games: int) -> None:
    for state, seat in decisions(name, SOAK * games, Random(name)):
        legal = set(state.legal(seat))
        accepted = {move for move in EVERY_MOVE[name] if is_accepted(state, seat, move)}
        assert accepted == legal


@pytest.mark.soak
def test_almost_legal_lays_are_refused() -> None:
    rng = Random("lays")
    refused = accepted = 0
    for state, seat in decisions("qwirkle", SOAK * 6, rng):
        legal = set(state.legal(seat))
        lays = [move for move in legal if isinstance(move, Lay)] or [Lay.of(("Ro", 0, 0))]
        hand = tuple(find_game("qwirkle").write_position(state)["hands"][seat])
        for _ in range(150):
            move = bent(rng.choice(lays), hand, rng)
            assert is_accepted(state, seat, move) == (move in legal), (state, str(move))
            accepted += move in legal
            refused += move not in legal
        for other in (Pass(), Swap(hand), Swap(hand[:1]), Swap(("Ro",)), Swap(hand[:1] * 3)):
            assert is_accepted(state, seat, other) == (other in legal)
    assert refused > 10_000
    assert accepted > 500


def bent(lay: Lay, hand: tuple[str, ...], rng: Random) -> Lay:
    """Return a lay that was changed in one or two places."""
    placed = [(place.tile, place.x, place.y) for place in lay.placed]
    for _ in range(rng.randint(1, 2)):
        at = rng.randrange(len(placed))
        tile, x, y = placed[at]
        match rng.randrange(7):
            case 0:
                dx, dy = rng.choice([(1, 0), (-1, 0), (0, 1), (0, -1)])
                placed = [(tile, x + dx, y + dy) for tile, x, y in placed]
            case 1:
                placed[at] = tile, x + rng.randint(-1, 1), y + rng.randint(-1, 1)
            case 2:
                placed[at] = rng.choice(hand), x, y
            case 3:
                placed[at] = rng.choice(NAMES), x, y
            case 4 if len(placed) > 1:
                del placed[at]
            case 5 if len(placed) < 6:
                placed.append((rng.choice(hand), x + rng.randint(-2, 2), y + rng.randint(-2, 2)))
            case _:
                other = rng.randrange(len(placed))
                name, across, down = placed[other]
                placed[at], placed[other] = (name, x, y), (tile, across, down)
    cells = {(y, x): tile for tile, x, y in placed}
    return Lay(tuple(Placed(y, x, tile) for (y, x), tile in sorted(cells.items())))
