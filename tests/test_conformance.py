"""Every registered game keeps the promises of all games, and a game that breaks one is caught."""

import os
from dataclasses import replace
from typing import Any

import pytest

from qlub.core import conformance
from qlub.core.conformance import Broken, check_game
from qlub.core.game import Game
from qlub.core.registry import all_games, find_game
from qlub.games.qwixx import notation, rules
from qlub.games.qwixx.state import Cross, Move, State, View
from qlub.kernel import Slots

SOAK = int(os.environ.get("QLUB_SOAK", "1"))
GAMES = {"qwixx": 30, "qwantum": 30, "qwirkle": 5}

real_apply = State._apply
real_decide = rules.decide


@pytest.mark.soak
@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
@pytest.mark.parametrize("part", range(2))
def test_game_keeps_its_promises(game: Game, part: int) -> None:
    checked = check_game(game, games=SOAK * GAMES.get(game.name, 10), seed=part)
    assert checked.refusals > checked.events > checked.games > 0


def leaky_view(state: State, seat: int | None) -> View:
    """Show everybody's sealed decisions."""
    return View(state.table, seat)


def lenient_apply(state: State, seat: int, move: Move) -> State:
    """Let anything be crossed."""
    table = list(state.table)
    rules.decide(table, seat, state.encode(move))
    return State(tuple(table))


def strict_apply(state: State, seat: int, move: Move) -> State:
    """Refuse red, though it is listed."""
    if isinstance(move, Cross) and move.colour == "r":
        raise state._refusal(seat, state.encode(move))
    return real_apply(state, seat, move)


def hasty_decide(table: Slots, seat: int, move: int) -> None:
    """Let it depend on who decides last in action 1 whether the active player has crossed."""
    phase = table[rules.PHASE]
    real_decide(table, seat, move)
    if phase == rules.WHITE and table[rules.PHASE] == rules.COLOR:
        table[rules.CROSSED] = seat % 2


def endless(table: Slots) -> int:
    return rules.RUNNING


def forgetful_write(situation: Any) -> Any:
    """Write a position without its penalties."""
    position = notation.write(situation)
    return {**position, "sheets": [{**sheet, "penalties": 0} for sheet in position["sheets"]]}


@pytest.mark.parametrize(
    ("owner", "name", "fake", "complaint"),
    [
        (State, "view", leaky_view, "sealed|not yours"),
        (State, "_apply", lenient_apply, "is accepted"),
        (State, "_apply", strict_apply, "refused where it must not"),
        (rules, "decide", hasty_decide, "the order of decisions"),
        (rules, "ending", endless, "refused where it must not|does not end"),
    ],
)
def test_a_broken_promise_is_caught(
    monkeypatch: pytest.MonkeyPatch, owner: Any, name: str, fake: Any, complaint: str
) -> None:
    monkeypatch.setattr(owner, name, fake)
    monkeypatch.setattr(conformance, "MOST_EVENTS", 400)
    with pytest.raises(Broken, match=complaint):
        check_game(find_game("qwixx"), games=3)


def test_a_position_that_does_not_read_back_is_caught() -> None:
    with pytest.raises(Broken, match="read back"):
        check_game(replace(find_game("qwixx"), write_position=forgetful_write), games=3)
