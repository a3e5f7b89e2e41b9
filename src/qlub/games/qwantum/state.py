"""States, views and moves of Qwantum over the kernel."""

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import ClassVar, TypeAlias

from qlub.core import game, sheets
from qlub.core.chance import Chance, First, Lot, Outcome, Rolled, Throw
from qlub.core.errors import BadEvent, IllegalMove
from qlub.core.game import Pass
from qlub.games.qwantum import rules
from qlub.games.qwantum.dice import DICE, FACES, decode_face, encode_face
from qlub.games.qwantum.sheet import (
    BEFORE_LINE,
    CELLS,
    COLOURS,
    MOST_SUM,
    can_write,
    length,
    number_in,
)

DIE_NAMES = "w123456"
ROW_NAMES = {"v": "violet", "b": "blue", "r": "red", "y": "yellow"}


@dataclass(frozen=True, slots=True)
class Keep:
    """Leave all dice as they lie."""

    def __str__(self) -> str:
        return "keep"


@dataclass(frozen=True, slots=True)
class Reroll:
    """Roll some dice again: `Reroll(("w", "1", "4"))`, the white one first."""

    dice: tuple[str, ...]

    def __post_init__(self) -> None:
        if not self.dice or self.dice != tuple(name for name in DIE_NAMES if name in self.dice):
            raise BadEvent("dice to roll again are some of w 1 2 3 4 5 6 in this order, each once")

    def __str__(self) -> str:
        return f"reroll {','.join(self.dice)}"


@dataclass(frozen=True, slots=True)
class Write:
    """Write a sum in the row of its colour: `Write("v", 6)`."""

    colour: str
    number: int

    def __post_init__(self) -> None:
        if self.colour not in tuple(COLOURS) or not 1 <= self.number <= MOST_SUM:
            raise BadEvent(f"{self.colour}{self.number} can never be written")

    def __str__(self) -> str:
        return f"{self.colour}{self.number}"


Move: TypeAlias = Keep | Reroll | Write | Pass


def encode(move: Move) -> int:
    """Return the kernel's number of a move.

    >>> decode(encode(Reroll(("w", "4"))))
    Reroll(dice=('w', '4'))
    """
    match move:
        case Keep():
            return rules.KEEP_ALL
        case Reroll(dice):
            return sum(1 << DIE_NAMES.index(die) for die in dice)
        case Write(colour, number):
            return rules.writing(COLOURS.index(colour), number)
        case Pass():
            return rules.PASS


def decode(code: int) -> Move:
    """Return the move of a kernel's number."""
    if code == rules.KEEP_ALL:
        return Keep()
    if code < rules.PASS:
        return Reroll(dice_in(code))
    if code == rules.PASS:
        return Pass()
    colour, number = divmod(code - rules.WRITE, 64)
    return Write(COLOURS[colour], number)


def dice_in(rolling: int) -> tuple[str, ...]:
    """Return the names of a set of dice.

    >>> dice_in(0b10011)
    ('w', '1', '4')
    """
    return tuple(name for die, name in enumerate(DIE_NAMES) if rolling >> die & 1)


_REROLLS: tuple[Move, ...] = tuple(decode(code) for code in range(rules.PASS))


@dataclass(frozen=True)
class Sheet:
    """One player's sheet in rulebook words."""

    rows: Mapping[str, tuple[int, ...]]
    """The numbers of each row from left to right."""
    fails: int


@dataclass(frozen=True)
class Situation(sheets.Situation[Move]):
    """What lies open: sheets, dice, whose turn it is. `table` is the kernel's."""

    kernel: ClassVar[sheets.Rules] = rules
    encode = staticmethod(encode)
    decode = staticmethod(decode)

    @property
    def dice(self) -> tuple[str, ...] | None:
        """The faces of the seven dice as they lie, the white one first, or None before the roll."""
        codes = self.table[rules.DIE : rules.DIE + DICE]
        if not codes[0]:
            return None
        return tuple(decode_face(die, code) for die, code in enumerate(codes))

    @property
    def rerolling(self) -> tuple[str, ...]:
        """The dice that are to be rolled again, in phase `reroll`."""
        return dice_in(self.table[rules.ROLLING])

    @property
    def picked(self) -> str | None:
        """The colour that the active player wrote in B, in phase `share`."""
        picked = self.table[rules.PICKED]
        return None if picked == rules.NOTHING else COLOURS[picked]

    @property
    def sums(self) -> dict[str, int]:
        """What each colour is worth with the dice as they lie (QN-9)."""
        return {colour: rules.sum_of(self.table, index) for index, colour in enumerate(COLOURS)}

    def sheet(self, seat: int) -> Sheet:
        """Return the sheet of a seat."""
        rows: dict[str, tuple[int, ...]] = {}
        for index, colour in enumerate(COLOURS):
            row = self.table[rules.row_place(seat, index)]
            rows[colour] = tuple(number_in(row, cell) for cell in range(length(row)))
        return Sheet(rows, self.table[rules.FAILS + seat])

    def fits(self, seat: int, colour: str, number: int) -> bool:
        """Say whether a number may be the next in a row of a seat (QN-4)."""
        row = self.table[rules.row_place(seat, COLOURS.index(colour))]
        return can_write(row, number)

    def moves_of(self, seat: int) -> tuple[Move, ...]:
        """Return the legal moves of a seat: `keep` and all rerolls, or sums by row, pass last."""
        if not rules.may_decide(self.table, seat):
            return ()
        if self.phase == "keep":
            return _REROLLS
        colours = rules.takeable(self.table, seat)
        writes = (
            Write(colour, rules.sum_of(self.table, index))
            for index, colour in enumerate(COLOURS)
            if colours >> index & 1
        )
        return (*writes, Pass())


@dataclass(frozen=True)
class State(Situation, game.State[Move]):
    """Everything about a game of Qwantum at one moment."""

    @classmethod
    def new(cls, seats: int) -> "State":
        table = [0] * rules.SIZE
        rules.start(table, seats)
        return cls(tuple(table))

    @property
    def chance(self) -> Chance | None:
        if self.phase == "first":
            return Lot("first", self.seats)
        if self.phase == "roll":
            return Throw("roll", FACES)
        if self.phase == "reroll" and self.dice:
            rolling = self.table[rules.ROLLING]
            return Throw(
                "reroll",
                tuple(
                    FACES[die] if rolling >> die & 1 else (face,)
                    for die, face in enumerate(self.dice)
                ),
            )
        return None

    def legal(self, seat: int) -> tuple[Move, ...]:
        return self.moves_of(seat)

    def view(self, seat: int | None) -> "View":
        return View(self.sealed_for(seat), seat)

    def _apply(self, seat: int, move: Move) -> "State":
        code = encode(move)
        if not rules.is_legal(self.table, seat, code):
            raise self._refusal(seat, move)
        table = list(self.table)
        rules.decide(table, seat, code)
        return State(tuple(table))

    def _refusal(self, seat: int, move: Move) -> IllegalMove:
        """Say why a move is not allowed now."""
        if self.phase == "keep":
            return IllegalMove("first keep the dice or roll some again", "keep-first")
        if not isinstance(move, Write):
            return IllegalMove("the dice stay as they lie", "dice-stay")
        name = ROW_NAMES[move.colour]
        if move.number != self.sums[move.colour]:
            total = self.sums[move.colour]
            return IllegalMove(f"{name} is worth {total}, not {move.number}", "not-rolled")
        if move.colour == self.picked:
            return IllegalMove(f"{name} was already used in this turn", "picked")
        numbers = self.sheet(seat).rows[move.colour]
        if len(numbers) == CELLS:
            return IllegalMove(f"your {name} row is full", "full")
        relation = "greater" if len(numbers) < BEFORE_LINE else "smaller"
        return IllegalMove(
            f"{name} {move.number} does not fit: it must be {relation} than {numbers[-1]}",
            relation,
        )

    def _resolve(self, outcome: Outcome) -> "State":
        table = list(self.table)
        if isinstance(outcome, First):
            rules.begin(table, outcome.seat)
        elif isinstance(outcome, Rolled):
            rules.throw(table, [encode_face(face) for face in outcome.faces])
        return State(tuple(table))


@dataclass(frozen=True)
class View(Situation, game.View[Move]):
    """A game of Qwantum as a seat may see it: the others' sealed decisions are hidden."""

    seat: int | None

    def legal(self) -> tuple[Move, ...]:
        return () if self.seat is None else self.moves_of(self.seat)

    def determinize(self, rng: Random) -> State:
        return State(self.unsealed(rng))
