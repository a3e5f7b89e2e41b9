"""States, views and moves of Qwixx over the kernel."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import ClassVar, TypeAlias

from qlub.core import game, sheets
from qlub.core.chance import Chance, First, Lot, Outcome, Rolled, Throw
from qlub.core.errors import BadEvent, IllegalMove
from qlub.core.game import Pass
from qlub.games.qwixx import rules
from qlub.games.qwixx.sheet import (
    CELLS,
    COLOURS,
    CROSSES_TO_LOCK,
    LAST,
    cell_of,
    number_at,
    row_of,
    row_points,
)
from qlub.kernel import count_bits


@dataclass(frozen=True, slots=True)
class Cross:
    """Cross a number in the row of a colour: `Cross("r", 5)`."""

    colour: str
    number: int

    def __post_init__(self) -> None:
        if self.colour not in tuple(COLOURS) or not 2 <= self.number <= 12:
            raise BadEvent(f"there is no {self.colour}{self.number} on a sheet")

    def __str__(self) -> str:
        return f"{self.colour}{self.number}"


Move: TypeAlias = Cross | Pass

ROW_NAMES = {"r": "red", "y": "yellow", "g": "green", "b": "blue"}


def encode(move: Move) -> int:
    """Return the kernel's number of a move.

    >>> decode(encode(Cross("g", 7)))
    Cross(colour='g', number=7)
    """
    if isinstance(move, Pass):
        return rules.PASS
    colour = COLOURS.index(move.colour)
    return CELLS * colour + cell_of(colour, move.number)


def decode(code: int) -> Move:
    """Return the move of a kernel's number."""
    if code == rules.PASS:
        return Pass()
    colour, cell = divmod(code, CELLS)
    return Cross(COLOURS[colour], number_at(colour, cell))


@dataclass(frozen=True)
class Sheet:
    """One player's sheet in rulebook words."""

    rows: Mapping[str, tuple[int, ...]]
    """The crossed numbers of each row from left to right; the last one means the lock as well."""
    penalties: int


@dataclass(frozen=True)
class Situation(sheets.Situation[Move]):
    """What lies open: sheets, dice, whose turn it is. `table` is the kernel's."""

    kernel: ClassVar[sheets.Rules] = rules
    encode = staticmethod(encode)
    decode = staticmethod(decode)

    @property
    def end(self) -> str:
        """The option `end`: rows closed by the whole table end the game, or by one player."""
        return rules.ENDS[self.table[rules.END]]

    @property
    def white_dice(self) -> tuple[int, int] | None:
        """The two white dice as they lie, or None before the roll."""
        first, second = self.table[rules.DIE : rules.DIE + 2]
        return (first, second) if first else None

    @property
    def color_dice(self) -> dict[str, int]:
        """The coloured dice as they lie, those of closed rows removed."""
        dice = self.table[rules.DIE + 2 : rules.DIE + rules.DICE]
        return {colour: die for colour, die in zip(COLOURS, dice, strict=True) if die}

    @property
    def closed(self) -> tuple[str, ...]:
        """The colours of the closed rows."""
        return tuple(
            colour for index, colour in enumerate(COLOURS) if rules.is_closed(self.table, index)
        )

    @property
    def has_crossed(self) -> bool:
        """Whether the active player already crossed in action 1 of this turn."""
        return bool(self.table[rules.CROSSED])

    @property
    def pass_costs_penalty(self) -> bool:
        """Whether the active player, if they pass now, crossed nothing in either action (QX-8)."""
        return self.phase == "color" and not self.has_crossed

    def sheet(self, seat: int) -> Sheet:
        """Return the sheet of a seat."""
        bits = self.table[rules.SHEET + seat]
        rows = {
            colour: _crossed(index, row_of(bits, index)) for index, colour in enumerate(COLOURS)
        }
        return Sheet(rows, self.table[rules.PENALTIES + seat])

    def row_points(self, seat: int, colour: str) -> int:
        """Return what a row of a seat is worth (QX-15)."""
        return row_points(row_of(self.table[rules.SHEET + seat], COLOURS.index(colour)))

    def points_of(self, seat: int, cross: Cross) -> int:
        """Return what a cross would add to the points of a seat (QX-15)."""
        colour = COLOURS.index(cross.colour)
        row = row_of(self.table[rules.SHEET + seat], colour)
        return row_points(row | 1 << cell_of(colour, cross.number)) - row_points(row)

    def moves_of(self, seat: int) -> tuple[Move, ...]:
        """Return the legal moves of a seat, row by row and from left to right, pass last."""
        if not rules.may_decide(self.table, seat):
            return ()
        cells = rules.legal_cells(self.table, seat)
        crosses = tuple(decode(code) for code in range(rules.PASS) if cells >> code & 1)
        return (*crosses, Pass())


@dataclass(frozen=True)
class State(Situation, game.State[Move]):
    """Everything about a game of Qwixx at one moment."""

    @classmethod
    def new(cls, seats: int, end: str) -> "State":
        table = [0] * rules.SIZE
        rules.start(table, seats, rules.ENDS.index(end))
        return cls(tuple(table))

    @property
    def chance(self) -> Chance | None:
        if self.phase == "first":
            return Lot("first", self.seats)
        if self.phase == "roll":
            colours = [colour for colour in COLOURS if colour not in self.closed]
            return Throw("roll", tuple(_FACES[colour] for colour in ("w", "w", *colours)))
        return None

    def legal(self, seat: int) -> tuple[Move, ...]:
        return self.moves_of(seat)

    def view(self, seat: int | None) -> "View":
        return View(self.sealed_for(seat), seat)

    def _apply(self, seat: int, move: Move) -> "State":
        code = encode(move)
        if code != rules.PASS and not rules.legal_cells(self.table, seat) >> code & 1:
            raise self._refusal(seat, code)
        table = list(self.table)
        rules.decide(table, seat, code)
        return State(tuple(table))

    def _refusal(self, seat: int, code: int) -> IllegalMove:
        """Say why a cell may not be crossed now."""
        table = self.table
        colour, cell = divmod(code, CELLS)
        letter = COLOURS[colour]
        name = f"{ROW_NAMES[letter]} {number_at(colour, cell)}"
        row = row_of(table[rules.SHEET + seat], colour)
        if letter in self.closed:
            return IllegalMove(f"the {ROW_NAMES[letter]} row is closed", "closed")
        rolled = rules.white_cells(table) if self.phase == "white" else rules.color_cells(table)
        if not rolled >> code & 1:
            return IllegalMove(f"{name} is not a sum of these dice", "not-rolled")
        if cell == LAST and count_bits(row) < CROSSES_TO_LOCK and not row >> LAST:
            return IllegalMove(f"{name} needs five crosses before it", "five-first")
        return IllegalMove(f"{name} is not to the right of your last cross", "behind")

    def _resolve(self, outcome: Outcome) -> "State":
        table = list(self.table)
        if isinstance(outcome, First):
            rules.begin(table, outcome.seat)
        elif isinstance(outcome, Rolled):
            dice = [0] * rules.DICE
            dice[:2] = int(outcome.faces[0][1]), int(outcome.faces[1][1])
            for face in outcome.faces[2:]:
                dice[2 + COLOURS.index(face[0])] = int(face[1])
            rules.throw(table, dice)
        return State(tuple(table))


@dataclass(frozen=True)
class View(Situation, game.View[Move]):
    """A game of Qwixx as a seat may see it: the others' sealed decisions are hidden."""

    seat: int | None

    def legal(self) -> tuple[Move, ...]:
        return () if self.seat is None else self.moves_of(self.seat)

    def determinize(self, rng: Random) -> State:
        return State(self.unsealed(rng))


_FACES = {colour: tuple(f"{colour}{n}" for n in range(1, 7)) for colour in ("w", *COLOURS)}


@cache  # a row has few thousand faces, and every view shows every row
def _crossed(index: int, row: int) -> tuple[int, ...]:
    """Return the numbers that are crossed in a row."""
    return tuple(number_at(index, cell) for cell in range(CELLS) if row >> cell & 1)
