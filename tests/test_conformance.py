"""Every registered game keeps the promises of all games, and a game that breaks one is caught."""

import os
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from qlub.core import conformance, sheets
from qlub.core.conformance import Broken, check_game
from qlub.core.errors import BadEvent
from qlub.core.game import Game, Json, tell_all
from qlub.core.record import CHANCE, Actor
from qlub.core.registry import all_games, find_game
from qlub.games.qwixx import notation, rules
from qlub.games.qwixx.state import Cross, Move, State, View
from qlub.kernel import Slots

SOAK = int(os.environ.get("QLUB_SOAK", "1"))
GAMES = {"qwixx": 6, "qwantum": 5, "qwirkle": 1}

real_apply = State._apply
real_decide = rules.decide
real_settle_color = rules.settle_color


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


def seal_nothing(situation: sheets.Situation[Move]) -> tuple[int, ...]:
    return ()


def seal_what_can_be_read(situation: sheets.Situation[Move]) -> tuple[int, ...]:
    """Forget in a view the decisions that it hides."""
    return tuple(seat for seat, move in situation.decisions.items() if move)


def reasonless(table: Slots) -> int:
    return rules.RUNNING


def endless_color(table: Slots, move: int) -> None:
    """Go on with the next player whatever was closed or crossed."""
    active = table[rules.ACTIVE]
    real_settle_color(table, move)
    if table[rules.PHASE] == rules.OVER:
        table[rules.ACTIVE] = (active + 1) % table[rules.SEATS]
        table[rules.PHASE] = rules.ROLL
        for die in range(rules.DICE):
            table[rules.DIE + die] = 0


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
        (sheets.Situation, "sealed", property(seal_nothing), "are sealed, and should be"),
        (sheets.Situation, "sealed", property(seal_what_can_be_read), "another story"),
        (rules, "ending", reasonless, "only the end has a reason"),
        (rules, "settle_color", endless_color, "should already be over|does not end"),
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


def tell_draws(actor: Actor, text: str, viewer: int | None) -> str:
    """Hide what others exchange, but not what they draw."""
    return text if actor == CHANCE else find_game("qwirkle").tell(actor, text, viewer)


def tell_swaps(actor: Actor, text: str, viewer: int | None) -> str:
    """Hide what others draw, but not what they exchange."""
    return find_game("qwirkle").tell(actor, text, viewer) if actor == CHANCE else text


def tell_spectators(actor: Actor, text: str, viewer: int | None) -> str:
    """Hide from other seats, but not from spectators."""
    return text if viewer is None else find_game("qwirkle").tell(actor, text, viewer)


def tell_as_to_spectators(actor: Actor, text: str, viewer: int | None) -> str:
    """Hide from a seat even what it does itself."""
    return find_game("qwirkle").tell(actor, text, None)


def tell_little(actor: Actor, text: str, viewer: int | None) -> str:
    """Hide what lies open for all to see."""
    return text if actor == viewer else "?"


@pytest.mark.parametrize(
    ("name", "tell", "complaint"),
    [
        ("qwirkle", tell_all, "seat None is told what another draws"),
        ("qwirkle", tell_draws, "is told what another draws"),
        ("qwirkle", tell_swaps, "is told of what looks the same"),
        ("qwirkle", tell_spectators, "seat None is told what another draws"),
        ("qwirkle", tell_as_to_spectators, "a seat is not told what it draws"),
        ("qwixx", tell_little, "is told of what looks different"),
    ],
)
def test_a_game_that_tells_too_much_or_too_little_is_caught(
    name: str, tell: Callable[[Actor, str, int | None], str], complaint: str
) -> None:
    with pytest.raises(Broken, match=complaint):
        check_game(replace(find_game(name), tell=tell), games=1)


def guide_and_change(view: View, draft: str) -> Json:
    """Write a penalty into the view that is only to be looked at."""
    table = list(view.table)
    table[rules.PENALTIES] += 1
    object.__setattr__(view, "table", tuple(table))
    return {}


def guide_by_identity(view: View, draft: str) -> Json:
    """Say something that is no part of the view."""
    return {"tag": id(view)}


def guide_with_sets(view: View, draft: str) -> Json:
    """Say something that is no JSON."""
    return {"moves": set(view.legal())}


def guide_nobody(view: View, draft: str) -> Json:
    raise BadEvent("no idea")


@pytest.mark.parametrize(
    ("guide", "error", "complaint"),
    [
        (guide_and_change, Broken, "a guide changes a view"),
        (guide_by_identity, Broken, "depends on what is hidden"),
        (guide_with_sets, TypeError, "not JSON serializable"),
        (guide_nobody, Broken, "a view has no guide"),
    ],
)
def test_a_guide_that_misleads_is_caught(
    guide: Callable[[View, str], Json], error: type[Exception], complaint: str
) -> None:
    with pytest.raises(error, match=complaint):
        check_game(replace(find_game("qwixx"), guide=guide), games=1)
