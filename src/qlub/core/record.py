"""Matches in progress, the records that they leave, and replaying them."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from qlub.core.chance import Outcome
from qlub.core.errors import (
    BadPosition,
    BadRequest,
    QlubError,
    UnknownGame,
    shown,
)
from qlub.core.fields import Fields
from qlub.core.game import CHANCE as CHANCE
from qlub.core.game import Actor as Actor
from qlub.core.game import Game, Json, Move, State, check_seats
from qlub.core.options import read_options
from qlub.core.registry import find_game

FORMAT = "qlub-record/1"


@dataclass
class Match:
    """A game being played: who sits where, where it began, what happened, and where it stands.

    >>> match = Match.new(find_game("qwixx"), 2)
    >>> match.apply("*", "first 0")
    >>> match.apply("*", "w4 w1 r2 y3 g5 b6")
    >>> match.apply(0, "r5")
    >>> match.state.to_act
    (1,)
    """

    game: Game
    options: Mapping[str, object]
    names: tuple[str, ...]
    start: Json | None
    state: State[Any]
    events: list[tuple[Actor, str]] = field(default_factory=list)
    fair: Json | None = None

    @classmethod
    def new(
        cls,
        game: Game,
        seats: int,
        options: Mapping[str, object] | None = None,
        names: Sequence[str] | None = None,
    ) -> "Match":
        """Sit down to a game from its beginning."""
        check_seats(game, seats)
        chosen = read_options(game.options, options or {}, seats)
        names = tuple(names) if names else default_names(seats)
        return cls(game, chosen, names, None, game.new(seats, chosen))

    @classmethod
    def from_position(cls, position: object, names: Sequence[str] | None = None) -> "Match":
        """Go on from a position, or raise `BadPosition`."""
        fields = Fields(position, "position", BadPosition)
        try:
            game = find_game(fields.of("game", str))
        except UnknownGame as error:
            raise BadPosition(str(error)) from None
        state = game.read_position(position)
        start = game.write_position(state)
        names = tuple(names) if names else default_names(state.seats)
        return cls(game, start["options"], names, start, state)

    def apply(self, actor: Actor, text: str) -> None:
        """Take the next event, or refuse it and change nothing."""
        state, text = after(self.game, self.state, actor, text)
        self._take((actor, text), state)

    def decide(self, seat: int, move: Move) -> None:
        """Take a seat's move that is already read."""
        self._take((seat, str(move)), self.state.apply(seat, move))

    def resolve(self, outcome: Outcome) -> None:
        """Take what chance supplies."""
        self._take((CHANCE, str(outcome)), self.state.resolve(outcome))

    def _take(self, event: tuple[Actor, str], state: State[Any]) -> None:
        self.events.append(event)  # first, so that an interrupt never loses what was decided
        self.state = state

    def record(self) -> Json:
        """Return the record of everything so far, ready for JSON."""
        return {
            "format": FORMAT,
            "game": self.game.name,
            "options": {name: _plain(value) for name, value in self.options.items()},
            "seats": list(self.names),
            "start": self.start,
            "events": [list(event) for event in self.events],
            "result": result(self.state),
            "fair": self.fair,
        }


def after(game: Game, state: State[Any], actor: Actor, text: str) -> tuple[State[Any], str]:
    """Return the state after an event and the event's text without surrounding spaces."""
    text = text.strip(" ")
    if actor == CHANCE:
        return state.resolve(state.awaited_chance().parse(text)), text
    if actor not in range(state.seats):
        raise BadRequest(
            f"seat {shown(actor)} is not at the table; seats are 0 to {state.seats - 1}"
        )
    seat = int(actor)
    state.check_to_act(seat)
    return state.apply(seat, game.read_move(text)), text


def result(state: State[Any]) -> Json | None:
    """Return scores, winners and reason of a game that is over, else None."""
    if state.winners is None:
        return None
    return {
        "scores": list(state.scores()),
        "winners": list(state.winners),
        "reason": state.reason,
    }


def default_names(seats: int) -> tuple[str, ...]:
    """Return names for people who gave none."""
    return tuple(f"Player {seat + 1}" for seat in range(seats))


def replay(data: object) -> Match:
    """Play a record again event by event and check its result, or say what is wrong with it."""
    record = Fields(data, "record", BadRequest)
    record.expect(("format", "game", "options", "seats", "start", "events", "result", "fair"))
    if record.get("format") != FORMAT:
        raise BadRequest(f"'format' is {FORMAT}, not {shown(record.get('format'))}")
    events = record.of("events", list)
    match = _seated(record)
    for index, event in enumerate(events):
        try:
            match.apply(*read_event(event))
        except QlubError as error:
            error.args = (f"event {index}: {error}",)
            raise
    if json.dumps(record.get("result"), sort_keys=True) != json.dumps(
        result(match.state), sort_keys=True
    ):
        told, true = shown(record.get("result"), 200), shown(result(match.state), 200)
        raise BadRequest(f"'result' is {told}, but the events lead to {true}")
    return match


def _seated(record: Fields) -> Match:
    """Return the match of a record before its first event; the first error that applies is raised."""
    name, given = record.of("game", str), record.of("options", dict)
    names = read_names(record.of("seats", list))
    start = None if record.get("start") is None else record.of("start", dict)
    fair = None if record.get("fair") is None else record.of("fair", dict)
    match = Match.new(find_game(name), len(names), given, names)
    if start is not None:
        match = _moved_to(match, Match.from_position(start, names))
    match.fair = fair
    return match


def _moved_to(match: Match, start: Match) -> Match:
    """Return the match that goes on from a start which must be of the same game."""
    if start.game is not match.game:
        raise BadPosition(f"'start' is of {start.game.name}, the record of {match.game.name}")
    if start.state.seats != match.state.seats:
        raise BadPosition(f"'start' has {start.state.seats} seats, not {match.state.seats}")
    if start.record()["options"] != match.record()["options"]:
        raise BadPosition(f"'start' has the options {shown(start.options)}, the record others")
    return start


def read_names(names: list[object], seats: int | None = None) -> tuple[str, ...]:
    """Check the names of the seats."""
    for name in names:
        if not isinstance(name, str):
            raise BadRequest(f"a name is a text, not {shown(name)}")
    if seats is not None and len(names) != seats:
        raise BadRequest(f"{seats} seats need {seats} names, not {len(names)}")
    return tuple(str(name) for name in names)


def read_event(event: object) -> tuple[Actor, str]:
    """Check that something is an actor and a text."""
    if not isinstance(event, list) or len(event) != 2:
        raise BadRequest(f"an event is [actor, text], not {shown(event)}")
    actor, text = event
    return read_actor(actor), read_text(text)


def read_actor(actor: object) -> Actor:
    """Check that something could be an actor at some table."""
    if actor == CHANCE and isinstance(actor, str):
        return actor
    if type(actor) is not int or actor < 0:
        raise BadRequest(f"an actor is a seat number or '{CHANCE}', not {shown(actor)}")
    return actor


def read_text(text: object) -> str:
    """Check that an event is a text."""
    if not isinstance(text, str):
        raise BadRequest(f"an event is a text, not {shown(text)}")
    return text


def _plain(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value
