"""A player with a mind plays for the win, whatever its network says."""

from typing import Any

import pytest
from table import crosses, play, qwixx

from qlub.core.luck import luck_size, new_luck
from qlub.core.net import LAYERS, net_size, new_weights
from qlub.core.registry import find_game
from qlub.games.qwixx.features import FEATURES, MOST_THERE, find_features
from qlub.games.qwixx.learning import MOST_TURNS, NOTE, learn_games
from qlub.games.qwixx.master import Mind, choose_best, new_mind
from qlub.games.qwixx.rules import ACTIVE, PASS, SIZE, legal_cells
from qlub.games.qwixx.state import decode

UP = [2, 3, 4, 5, 6]
DOWN = [12, 11, 10, 9, 8]
GREEN_IS_LOCKED = [*DOWN, 2]


def without_opinion() -> Mind:
    """A mind that gives everybody the same chance in every game that goes on."""
    return new_mind([0.0] * net_size(FEATURES), list)


def chosen(state: Any, seat: int) -> str:
    cells = legal_cells(state.table, seat)
    return str(decode(choose_best(state.table, seat, cells, [], without_opinion())))


@pytest.mark.parametrize(
    ("theirs", "move"),
    [
        ({"g": GREEN_IS_LOCKED}, "r12"),
        ({"g": GREEN_IS_LOCKED, "y": [2, 3, 4, 5], "b": [*DOWN, 7, 6]}, "-"),
    ],
)
def test_a_row_that_ends_the_game_is_closed_by_who_is_ahead(
    theirs: dict[str, Any], move: str
) -> None:
    """Red would be the second row: with 28 + 15 points against 28 that wins, against 66 it loses."""
    match = qwixx(crosses(r=UP, y=UP), crosses(**theirs), active=1)
    play(match, "* w6 w6 r1 y1 b1")
    assert chosen(match.state, 0) == move


def test_what_others_are_about_to_do_is_expected() -> None:
    """Seat 1 will lock yellow. Who locks red at the same time ends the game, with 58 to 28 points."""
    match = qwixx(crosses(r=UP, g=DOWN, b=DOWN), crosses(y=UP), active=1)
    play(match, "* w6 w6 r1 y1 g1 b1")
    assert chosen(match.state, 0) == "r12"


def test_features_fit() -> None:
    """At every number of seats, with the fullest and the emptiest sheets."""
    full = crosses(r=[*UP, 7, 8, 9, 10], y=UP, g=DOWN, b=[12], penalties=3)
    for seats in range(2, 6):
        state: Any = qwixx(full, *[crosses(penalties=3)] * (seats - 1)).state
        for seat in range(seats):
            there = [-1] * MOST_THERE
            count = find_features(state.table, seat, state.table[ACTIVE], there)
            assert len(set(there[:count])) > 5
            assert all(0 <= feature < FEATURES for feature in there[:count])
            assert all(feature == -1 for feature in there[count:])


def test_who_can_only_pass_passes() -> None:
    match = qwixx(crosses(r=[12 - 1], y=[11], g=[3], b=[3]), crosses(), active=1)
    play(match, "* w3 w3 r1 y1 g1 b1")
    state: Any = match.state
    assert legal_cells(state.table, 0) == 0
    assert chosen(match.state, 0) == str(decode(PASS))


def learnt(seed: int) -> list[float]:
    """The weights after two games against oneself."""
    state: Any = find_game("qwixx").new(2, {"end": "table"})
    weights = [0.0] * net_size(FEATURES)
    new_weights(weights, FEATURES, new_luck(1, 0, 1))
    mind = new_mind(weights, list)
    notes = [0] * (MOST_TURNS * 2 * NOTE)
    room = [0] * SIZE, [0] * luck_size(2), mind, [0.0] * LAYERS, notes
    points = learn_games(seed, 0, 2, state.table, *room, 0.8, 0.01)
    assert -20 <= points <= 150
    assert mind.weights != weights
    return list(mind.weights)


def test_what_is_learnt_is_decided_by_the_seed() -> None:
    assert learnt(1) == learnt(1) != learnt(2)
