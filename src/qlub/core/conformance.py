"""Checks that must hold for any game: plays random games and looks for broken promises.

A new game is run through `check_game` before anything else is built on it. What it cannot know is
whether the rules are the rulebook's: tests that cite clauses are for that.
"""

import json
from dataclasses import dataclass
from random import Random
from typing import Any

from qlub.core.chance import Drawn, Outcome
from qlub.core.errors import BadEvent, GameOver, IllegalMove, NotYourTurn, QlubError
from qlub.core.game import Game, Move, State, View, status
from qlub.core.options import Choice, Option, SeatOrder
from qlub.core.record import CHANCE, Actor, Match, after, replay

MOST_EVENTS = 20_000
"""A random game that is not over after so many events is taken as one that never ends."""
POOL_SIZE = 100
CLOSE_LOOKS = 0.3
"""The share of states whose moves and views are all tried; the cheap checks are made of every one."""

GUIDED = 50
"""Of so many views one is also asked for its guide, which takes longer than all the rest."""


class Broken(AssertionError):
    """A promise that a game does not keep, with the record that shows it."""


@dataclass
class Checked:
    """What was checked."""

    games: int = 0
    events: int = 0
    refusals: int = 0


def check_game(game: Game, games: int = 10, seed: int = 0) -> Checked:
    """Play random games of every number of seats and check what must hold for all of them.

    Legal moves are exactly those that apply accepts; earlier states never change; positions, views,
    moves and records can be read back; views and guides hide, and nobody is told what they cannot
    know; the order of simultaneous decisions changes nothing and shows nothing; every game ends.
    Raises `Broken` with the record so far otherwise.
    """
    rng = Random(seed)
    checked = Checked()
    fewest, most = game.seats
    for seats in range(1 if game.practice else fewest, most + 1):
        for _ in range(games):
            options = {
                name: pick_option(option, seats, rng) for name, option in game.options.items()
            }
            _Inspection(Match.new(game, seats, options), rng, checked).play()
            checked.games += 1
    return checked


def pick_option(option: Option, seats: int, rng: Random) -> object:
    """Return any value of an option of a kind that we know."""
    if isinstance(option, Choice):
        return rng.choice(option.choices)
    if isinstance(option, SeatOrder):
        return rng.sample(range(seats), seats)
    return option.default_for(seats)


class _Inspection:
    """One random game under inspection."""

    def __init__(self, match: Match, rng: Random, checked: Checked) -> None:
        self.match = match
        self.game = match.game
        self.rng = rng
        self.checked = checked
        self.pool: list[Move] = []
        self.past: list[tuple[State[Any], int, str]] = []
        self.views = 0

    def play(self) -> None:
        try:
            self.play_on()
        except QlubError as refusal:
            self.expect(False, f"refused where it must not: {refusal}")

    def play_on(self) -> None:
        while not self.match.state.is_over:
            self.look(self.match.state)
            self.step(self.match.state)
            self.checked.events += 1
            self.expect(len(self.match.events) < MOST_EVENTS, "the game does not end")
        self.look(self.match.state)
        self.look_closely(self.match.state)
        self.look_at_the_end(self.match.state)
        for state, code, text in self.past:
            self.expect(hash(state) == code and self.written(state) == text, "a past state changed")

    def look(self, state: State[Any]) -> None:
        """Check everything that one state promises."""
        self.past.append((state, hash(state), self.written(state)))
        self.look_at_whose_turn(state)
        again = self.game.read_position(json.loads(self.written(state)))
        self.expect(again == state and hash(again) == hash(state), "a position does not read back")
        self.expect(self.written(again) == self.written(state), "a position is not canonical")
        if self.rng.random() < CLOSE_LOOKS:
            self.look_closely(state)

    def look_closely(self, state: State[Any]) -> None:
        """Check the moves of every seat, the view of every viewer, and now and then the record."""
        for seat in range(state.seats):
            self.look_at_moves(state, seat)
        for viewer in viewers(state):
            self.look_at_view(state, viewer)
        if self.rng.random() < 0.1:
            record = json.loads(json.dumps(self.match.record()))
            self.expect(replay(record).state == state, "a record does not replay")
            self.expect(replay(record).record() == record, "a record is not canonical")

    def look_at_whose_turn(self, state: State[Any]) -> None:
        waiting = [state.is_over, state.chance is not None, bool(state.to_act)]
        self.expect(sum(waiting) == 1, "one of chance, seats or nobody must be next")
        self.expect(state.to_act == tuple(sorted(set(state.to_act))), "to_act must ascend")
        self.expect(not state.sealed, "a decision stays sealed when its phase is over")
        self.expect((state.reason is not None) == state.is_over, "only the end has a reason")
        self.expect(len(state.scores()) == state.seats, "every seat has a score")
        json.dumps(status(state))

    def look_at_moves(self, state: State[Any], seat: int) -> None:
        """Check that legal moves, and only these, are accepted; near misses come from elsewhere."""
        legal = state.legal(seat)
        self.expect(bool(legal) == (seat in state.to_act), "who is to act has moves, nobody else")
        self.expect(len(set(legal)) == len(legal), "a legal move is listed twice")
        for move in self.sampled(legal):
            self.expect(self.game.read_move(str(move)) == move, f"{move} does not read back")
            self.expect(state.apply(seat, move) != state, f"{move} changes nothing")
        for move in self.sampled(self.pool):
            if move not in legal:
                self.refused(state, seat, str(move), self.rightly(state, seat))
        self.pool.extend(self.sampled(legal))
        self.rng.shuffle(self.pool)
        del self.pool[POOL_SIZE:]
        self.refused(state, seat, "no such move", self.rightly(state, seat, BadEvent))

    def rightly(
        self, state: State[Any], seat: int, else_: type[QlubError] = IllegalMove
    ) -> type[QlubError]:
        """Return the error that a wrong move of a seat must meet."""
        if state.is_over:
            return GameOver
        return else_ if seat in state.to_act else NotYourTurn

    def refused(self, state: State[Any], actor: Actor, text: str, error: type[QlubError]) -> None:
        try:
            after(self.game, state, actor, text)
        except QlubError as refusal:
            self.checked.refusals += 1
            self.expect(type(refusal) is error, f"{text}: {refusal.word}, not {error.word}")
        else:
            self.expect(False, f"{text} by {actor} is accepted")

    def look_at_view(self, state: State[Any], viewer: int | None) -> None:
        """Check that a view reads back, offers the same moves, and hides what it must."""
        view = state.view(viewer)
        data = self.game.write_view(view)
        self.expect(
            self.game.read_view(json.loads(json.dumps(data)), viewer) == view, "view reads back"
        )
        self.expect(
            view.legal() == (() if viewer is None else state.legal(viewer)), "a view's moves"
        )
        self.expect(
            (view.to_act, view.sealed, view.scores(), view.reason, view.winners)
            == (state.to_act, state.sealed, state.scores(), state.reason, state.winners),
            "a view tells another story",
        )
        other = view.determinize(self.rng)
        self.expect(other.view(viewer) == view, "determinize gives a state that looks different")
        self.expect(
            json.dumps(self.game.write_view(other.view(viewer))) == json.dumps(data),
            "a view depends on what is hidden",
        )
        self.views += 1
        if self.views % GUIDED == 0:
            self.look_at_guide(view, other.view(viewer))
        if viewer is not None:
            for move in self.sampled(self.pool)[:3]:
                told = [told_by(state, viewer, move), told_by(other, viewer, move)]
                self.expect(told[0] == told[1], f"the refusal of {move} depends on what is hidden")

    def look_at_guide(self, view: View[Any], other: View[Any]) -> None:
        """Check that two views that look the same are guided alike, also through unfinished moves."""
        seen = json.dumps(self.game.write_view(view))
        self.expect(guided(self.game, view, "").startswith("{"), "a view has no guide")
        moves = [str(move) for move in (*view.legal()[:1], *self.pool[:1])]
        for draft in ("", *moves, *(move[: len(move) // 2] for move in moves)):
            guides = [guided(self.game, one, draft) for one in (view, other)]
            self.expect(guides[0] == guides[1], f"a guide for '{draft}' depends on what is hidden")
        self.expect(json.dumps(self.game.write_view(view)) == seen, "a guide changes a view")

    def step(self, state: State[Any]) -> None:
        """Let chance or everybody who is to act go on, these in any order."""
        if state.chance:
            outcome = state.chance.sample(self.rng.randrange)
            self.expect(
                state.chance.parse(str(outcome)) == outcome, f"{outcome} does not read back"
            )
            self.expect(state.chance.allows(outcome), f"{outcome} is not allowed")
            self.refused(state, CHANCE, "no such chance", BadEvent)
            for seat in range(state.seats):
                self.refused(state, seat, str(outcome), NotYourTurn)
            self.look_at_told_chance(state, outcome, state.chance.sample(self.rng.randrange))
            self.match.apply(CHANCE, str(outcome))
            return
        self.refused(state, CHANCE, "first 0", NotYourTurn)
        decisions = [(seat, *self.rng.choices(state.legal(seat), k=2)) for seat in state.to_act]
        in_order = played(state, [(seat, move) for seat, move, _ in decisions])
        self.rng.shuffle(decisions)
        for seat, move, other in decisions:
            self.look_at_told_decision(self.match.state, seat, move, other)
            self.match.apply(seat, f" {move} ")
            if self.match.state.sealed and self.rng.random() < CLOSE_LOOKS:
                self.look_at_view(self.match.state, self.rng.choice(viewers(state)))
        self.expect(self.match.state == in_order, "the order of decisions changes the result")

    def look_at_told_chance(self, state: State[Any], *outcomes: Outcome) -> None:
        """Check what is told of two outcomes; of a draw, others hear the same whatever it is."""
        one, two = (state.resolve(outcome) for outcome in outcomes)
        drawer = outcomes[0].seat if isinstance(outcomes[0], Drawn) else None
        for viewer in viewers(state):
            told = [self.game.tell(CHANCE, str(outcome), viewer) for outcome in outcomes]
            if drawer is None:
                self.expect_told_as_seen(told, one.view(viewer) == two.view(viewer))
            elif viewer == drawer:
                self.expect(told == [*map(str, outcomes)], "a seat is not told what it draws")
            else:
                self.expect(told[0] == told[1], f"seat {viewer} is told what another draws")

    def look_at_told_decision(self, state: State[Any], seat: int, *moves: Move) -> None:
        """Check what is told of two decisions, and that they are sealed while others still decide."""
        one, two = (state.apply(seat, move) for move in moves)
        sealed = sorted((*state.sealed, seat)) if len(state.to_act) > 1 else []
        self.expect(one.sealed == tuple(sealed), f"{one.sealed} are sealed, and should be {sealed}")
        self.expect(not set(one.sealed) & set(one.to_act), "a sealed seat is to act")
        for viewer in viewers(state):
            told = [self.game.tell(seat, str(move), viewer) for move in moves]
            same = one.view(viewer) == two.view(viewer)
            if viewer == seat:
                self.expect(told == [*map(str, moves)], "a seat is not told what it decides")
            elif seat in one.sealed:
                self.expect(same, f"seat {viewer} sees a sealed decision")
            else:
                self.expect_told_as_seen(told, same)

    def expect_told_as_seen(self, told: list[str], is_same: bool) -> None:
        """Expect two events to be told alike exactly if one who is told cannot see a difference."""
        seen = "the same" if is_same else "different"
        self.expect((told[0] == told[1]) == is_same, f"{told} is told of what looks {seen}")

    def look_at_the_end(self, state: State[Any]) -> None:
        self.expect(bool(state.winners), "a finished game has winners")
        self.refused(state, CHANCE, "first 0", GameOver)

    def sampled(self, moves: Any) -> list[Move]:
        """Return some of many moves."""
        return self.rng.sample(list(moves), min(len(moves), 12))

    def written(self, state: State[Any]) -> str:
        return json.dumps(self.game.write_position(state))

    def expect(self, holds: bool, promise: str) -> None:
        if not holds:
            raise Broken(f"{self.game.name}: {promise}\n{json.dumps(self.match.record())}")


def viewers(state: State[Any]) -> tuple[int | None, ...]:
    """Return everybody who may look: a spectator and all seats."""
    return (None, *range(state.seats))


def played(state: State[Any], decisions: list[tuple[int, Move]]) -> State[Any]:
    """Return the state after some decisions."""
    for seat, move in decisions:
        state = state.apply(seat, move)
    return state


def told_by(state: State[Any], seat: int, move: Move) -> str:
    """Return what a seat is told about a move: that it is fine, or why not."""
    try:
        state.apply(seat, move)
    except QlubError as refusal:
        return f"{refusal.word}: {refusal}"
    return "fine"


def guided(game: Game, view: View[Any], draft: str) -> str:
    """Return what the guide says about a move that is not finished: JSON, or why it cannot be one."""
    try:
        return json.dumps(game.guide(view, draft), allow_nan=False)
    except QlubError as refusal:
        return f"{refusal.word}: {refusal} ({refusal.reason})"


__all__ = ["Broken", "Checked", "check_game"]
