"""Remembers what happened at a table in words, and tells it only once it may be known."""

from typing import Any, NamedTuple

from qlub.cli.terminal.screen import Screen
from qlub.core.game import Move, State, View
from qlub.core.record import CHANCE, Actor, Match


class News(NamedTuple):
    """One thing that happened; seat None means that it concerns all."""

    seat: int | None
    text: str


class Narrator:
    """Follows a match event by event for one who looks: a seat, or None for what lies open.

    Decisions that are made at the same time are told together, when the last one is in.
    """

    def __init__(self, screen: Screen, looker: int | None) -> None:
        self.screen = screen
        self.looker = looker
        self.news: list[News] = []
        self._before: View[Any] | None = None
        self._decisions: dict[int, Move] = {}

    def follow(self, before: State[Any], actor: Actor, move: Move, after: State[Any]) -> None:
        """Take note of an event and of the states around it."""
        if self._before is None:
            self._before = before.view(self.looker)
        if actor != CHANCE:
            self._decisions[int(actor)] = move
        if after.sealed:
            return
        told = self.screen.tell(self._before, self._decisions, after.view(self.looker))
        self.news += [News(seat, text) for seat, text in told]
        self._before, self._decisions = None, {}

    def add(self, seat: int | None, text: str) -> None:
        """Take note of something that is no event of the game."""
        self.news.append(News(seat, text))

    def catch_up(self, match: Match) -> None:
        """Follow a match from its beginning, so that nothing is missing after a break."""
        if match.start is None:
            again = Match.new(match.game, match.state.seats, match.options, match.names)
        else:
            again = Match.from_position(match.start, match.names)
        for actor, text in match.events:
            before = again.state
            again.apply(actor, text)
            move = text if actor == CHANCE else match.game.read_move(text)
            self.follow(before, actor, move, again.state)
