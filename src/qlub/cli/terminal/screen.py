"""What a game shows in a terminal, and the plain screen of a game that brings none.

A game's own screen is the class `Screen` in `qlub.games.<name>.screen`; its texts lie beside it.
"""

from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Protocol

from rich.console import Group, RenderableType
from rich.text import Text

from qlub.core.errors import IllegalMove
from qlub.core.game import Game, Move
from qlub.drawing import Page
from qlub.words import Words


class Screen(Protocol):
    """How one game is shown, explained and spoken to. It sees only views, so that nothing leaks.

    Styles are those that `qlub.cli.terminal.console` names.
    """

    @staticmethod
    def emblem() -> Text:
        """Return two short lines to know the game by."""

    def draw(self, view: Any, page: Page) -> RenderableType:
        """Draw dice or board, one's own sheet or hand, the others, then news and choices."""

    def prompt(self, view: Any) -> tuple[str, str, str]:
        """Return where in the turn we are, what to do in one sentence, and a hint."""

    def moves(self, view: Any) -> Sequence[Move]:
        """Return the legal moves in the order in which they are offered by number."""

    def label(self, view: Any, move: Move) -> tuple[Text, str]:
        """Return a move in words and what it is worth."""

    def read(self, view: Any, entry: str) -> str:
        """Return the notation of what somebody typed, as far as it can be understood."""

    def refusal(self, view: Any, move: Move, error: IllegalMove) -> str:
        """Say in one friendly line why a move is not allowed."""

    def tell(
        self, before: Any, decisions: Mapping[int, Move], after: Any
    ) -> list[tuple[int | None, str]]:
        """Tell what happened between two views, each thing with its seat.

        `decisions` are those that became known; there are none where chance acted.
        """

    def notation(self) -> str:
        """Say in one line how a move is typed."""

    def explain(self, view: Any) -> list[tuple[str, str]]:
        """Explain how moves are written and what happens in this phase, as terms and texts."""

    def ending(self, view: Any) -> tuple[str, RenderableType]:
        """Say why the game ended, and draw where everybody's points come from."""


def find_screen(game: Game, words: Words, names: Sequence[str]) -> Screen:
    """Return the screen of a game for a table of these names."""
    package = f"qlub.games.{game.name}"
    if find_spec(f"{package}.screen") is None:
        return PlainScreen(game, words, names)
    own_words = Words.of(package, words.language)
    screen: Screen = import_module(f"{package}.screen").Screen(own_words, names)
    return screen


class PlainScreen:
    """The position in its fields and the legal moves in their notation, for any game."""

    def __init__(self, game: Game, words: Words, names: Sequence[str]) -> None:
        self.game = game
        self.words = words
        self.names = names

    @staticmethod
    def emblem() -> Text:
        return Text("")

    def draw(self, view: Any, page: Page) -> RenderableType:
        position = Text()
        for field, value in self.game.write_view(view).items():
            position.append(f"{field:>10}  ", "muted").append(f"{value}\n")
        return Group(position, page.news, page.choices)

    def prompt(self, view: Any) -> tuple[str, str, str]:
        return view.phase, self.words("plain.prompt"), self.words("plain.hint")

    def moves(self, view: Any) -> Sequence[Move]:
        moves: Sequence[Move] = view.legal()
        return moves

    def label(self, view: Any, move: Move) -> tuple[Text, str]:
        return Text(str(move)), ""

    def read(self, view: Any, entry: str) -> str:
        return entry

    def refusal(self, view: Any, move: Move, error: IllegalMove) -> str:
        return str(error)

    def tell(
        self, before: Any, decisions: Mapping[int, Move], after: Any
    ) -> list[tuple[int | None, str]]:
        told = self.game.tell
        return [(seat, told(seat, str(move), after.seat)) for seat, move in decisions.items()]

    def notation(self) -> str:
        return self.words("plain.hint")

    def explain(self, view: Any) -> list[tuple[str, str]]:
        return [(view.phase, self.words("plain.hint"))]

    def ending(self, view: Any) -> tuple[str, RenderableType]:
        return str(view.reason), Text()
