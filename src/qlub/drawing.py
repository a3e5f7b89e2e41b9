"""What the screens of all games draw with: a page to fill, pigments, chips and dice."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from rich.console import RenderableType
from rich.text import Text

from qlub.core.game import Move


@dataclass(frozen=True)
class Page:
    """A page of the terminal that a screen fills: what goes on it besides the table, and its size."""

    listed: Mapping[int, Move]
    """The moves on offer by their numbers."""
    choices: RenderableType
    """The same in words."""
    news: RenderableType
    width: int
    height: int
    """How many lines there would be if only a title, a prompt and a hint stood above the table."""
    has_colour: bool


class Pigment(NamedTuple):
    """A colour of a game: what is written on it, itself, an open cell in it, and its dark edge."""

    ink: str
    paint: str
    veil: str
    edge: str

    @property
    def bold(self) -> str:
        """The style of something written on it."""
        return f"bold {self.ink} on {self.paint}"


BONE = Pigment("#1b2624", "#f3ecd8", "#f3ecd8", "#c2b791")
"""The white dice of all games."""

CROSS = "✕"
MINUS = "−"
PIPS = {
    1: ("     ", "  ●  ", "     "),
    2: ("●    ", "     ", "    ●"),
    3: ("●    ", "  ●  ", "    ●"),
    4: ("●   ●", "     ", "●   ●"),
    5: ("●   ●", "  ●  ", "●   ●"),
    6: ("●   ●", "●   ●", "●   ●"),
}
DIE_WIDTH = 7


def signed(number: int) -> str:
    """Write a number with a minus as long as the other signs.

    >>> signed(-5), signed(12)
    ('−5', '12')
    """
    return str(number).replace("-", MINUS)


def chip(letter: str, pigment: Pigment) -> Text:
    """Draw a letter on its colour."""
    return Text.assemble((f" {letter.upper()} ", pigment.bold))


def painted_die(face: Sequence[str], pigment: Pigment, has_edge: bool) -> Text:
    """Draw a die in its colour, with a darker lower edge where there is room."""
    lines = [Text(f" {line} ", pigment.bold) for line in face]
    return Text("\n").join([*lines, Text("▀" * DIE_WIDTH, pigment.edge)] if has_edge else lines)


def boxed_die(face: Sequence[str]) -> Text:
    """Draw a die as a box, where there is no colour."""
    sides = "".join(f"│ {line} │\n" for line in face)
    return Text(f"╭───────╮\n{sides}╰───────╯")
