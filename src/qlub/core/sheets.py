"""What games of sheets and sealed decisions share, over a kernel that keeps all in one table.

Everybody has a sheet that lies open. In one phase of a turn all decide at the same time, and nobody
sees another's decision until all are in.
"""

from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import ClassVar, Generic, Protocol, TypeVar

from qlub.core import game
from qlub.core.errors import BadEvent, BadOption, BadPosition, shown
from qlub.core.fields import Fields
from qlub.core.game import Json, Move
from qlub.core.options import Option, read_options
from qlub.kernel import SEALED, UNDECIDED, Ints, Slots

M = TypeVar("M", bound=Move)


class Rules(Protocol):
    """The kernel of such a game: where things lie in its table, and a few questions to it."""

    @property
    def SEATS(self) -> int: ...

    @property
    def PHASE(self) -> int: ...

    @property
    def ACTIVE(self) -> int: ...

    @property
    def DECIDED(self) -> int: ...

    @property
    def MOST_SEATS(self) -> int: ...

    @property
    def PHASES(self) -> tuple[str, ...]: ...

    @property
    def REASONS(self) -> tuple[str | None, ...]: ...

    def may_decide(self, table: Ints, seat: int) -> bool: ...

    def ending(self, table: Ints) -> int: ...

    def score(self, table: Ints, seat: int) -> int: ...


@dataclass(frozen=True)
class Situation(game.Situation, Generic[M]):
    """What lies open: sheets, dice, whose turn it is. `table` is the kernel's."""

    kernel: ClassVar[Rules]
    table: tuple[int, ...]

    @property
    def seats(self) -> int:
        return self.table[self.kernel.SEATS]

    @property
    def phase(self) -> str:
        return self.kernel.PHASES[self.table[self.kernel.PHASE]]

    @property
    def active(self) -> int | None:
        return None if self.phase == "first" else self.table[self.kernel.ACTIVE]

    @property
    def to_act(self) -> tuple[int, ...]:
        return tuple(seat for seat in range(self.seats) if self.kernel.may_decide(self.table, seat))

    @property
    def sealed(self) -> tuple[int, ...]:
        return tuple(self.decisions)

    @property
    def reason(self) -> str | None:
        return self.kernel.REASONS[self.kernel.ending(self.table)] if self.is_over else None

    def scores(self) -> tuple[int, ...]:
        return tuple(self.kernel.score(self.table, seat) for seat in range(self.seats))

    @property
    def decisions(self) -> dict[int, M | None]:
        """The sealed decisions by seat; None for one that may not be seen."""
        codes = self.table[self.kernel.DECIDED : self.kernel.DECIDED + self.seats]
        return {
            seat: None if code == SEALED else self.decode(code)
            for seat, code in enumerate(codes)
            if code != UNDECIDED
        }

    @staticmethod
    @abstractmethod
    def encode(move: M) -> int:
        """Return the kernel's number of a move."""

    @staticmethod
    @abstractmethod
    def decode(code: int) -> M:
        """Return the move of a kernel's number."""

    @abstractmethod
    def moves_of(self, seat: int) -> tuple[M, ...]:
        """Return the legal moves of a seat in a fixed order, pass last."""

    def sealed_for(self, viewer: int | None) -> tuple[int, ...]:
        """Return the table with the decisions of everybody else hidden."""
        table = list(self.table)
        for seat in range(self.seats):
            if seat != viewer and table[self.kernel.DECIDED + seat] != UNDECIDED:
                table[self.kernel.DECIDED + seat] = SEALED
        return tuple(table)

    def unsealed(self, rng: Random) -> tuple[int, ...]:
        """Return the table with some legal decision wherever one is hidden."""
        table = list(self.table)
        for seat in range(self.seats):
            if table[self.kernel.DECIDED + seat] == SEALED:
                table[self.kernel.DECIDED + seat] = UNDECIDED
                moves = replace(self, table=tuple(table)).moves_of(seat)
                table[self.kernel.DECIDED + seat] = self.encode(rng.choice(moves))
        return tuple(table)


def write_decisions(situation: Situation[M]) -> Json:
    """Write the sealed decisions for a position; those that may not be seen are `true`."""
    return {
        str(seat): True if move is None else str(move) for seat, move in situation.decisions.items()
    }


def read_frame(
    data: object,
    name: str,
    rules: Rules,
    fields: tuple[str, ...],
    options: Mapping[str, Option],
) -> tuple[Fields, list[object], dict[str, object]]:
    """Check what is common to all positions; return the position, its sheets and its options."""
    position = Fields(data, "position", BadPosition)
    phase = position.word("phase", rules.PHASES)
    position.expect((*fields, "reason") if phase == "over" else fields)
    position.word("game", (name,))
    sheets: list[object] = position.of("sheets", list)
    if not 1 <= len(sheets) <= rules.MOST_SEATS:
        raise BadPosition(f"'sheets' has 1 to {rules.MOST_SEATS} sheets, not {len(sheets)}")
    try:
        chosen = read_options(options, position.of("options", dict), len(sheets))
    except BadOption as error:
        raise BadPosition(str(error)) from None
    return position, sheets, chosen


def read_turn(position: Fields, rules: Rules, table: Slots) -> None:
    """Read phase and active seat into a table that has its sheets already.

    The game must be over exactly when the position says so, and for that reason.
    """
    phase = position.word("phase", rules.PHASES)
    table[rules.PHASE] = rules.PHASES.index(phase)
    if phase == "first":
        position.null("active", phase)
    else:
        table[rules.ACTIVE] = position.seat("active", table[rules.SEATS])
    reason = rules.REASONS[rules.ending(table)]
    if phase != "over":
        if reason:
            raise BadPosition(f"this game should already be over ({reason})")
    elif reason is None:
        raise BadPosition("this game is not over yet: no sheet gives a reason")
    elif position.get("reason") != reason:
        raise BadPosition(f"'reason' is {reason}, not {shown(position.get('reason'))}")


def read_decisions(
    position: Fields,
    situation: Situation[M],
    phase: str,
    read_move: Callable[[str], M],
    viewer: int | None,
    is_view: bool,
) -> tuple[int, ...]:
    """Read the sealed decisions of the phase that has them, and return the table with them."""
    decided = position.of("decided", dict)
    if decided and situation.phase != phase:
        raise BadPosition(f"'decided' is empty except in phase {phase}")
    if len(decided) == situation.seats:
        raise BadPosition(f"'decided' has every seat, so the phase is no longer {phase}")
    table = list(situation.table)
    for key, text in decided.items():
        if key not in map(str, range(situation.seats)):
            raise BadPosition(f"'decided' names {shown(key)}, which is not a seat")
        seat = int(key)
        if is_view and seat != viewer:
            if text is not True:
                raise BadPosition(f"the decision of seat {seat} is not yours to see")
            code = SEALED
        else:
            code = _read_decision(situation, seat, text, read_move)
        table[situation.kernel.DECIDED + seat] = code
    return tuple(table)


def _read_decision(
    situation: Situation[M], seat: int, text: object, read_move: Callable[[str], M]
) -> int:
    try:
        move = read_move(text) if isinstance(text, str) else None
    except BadEvent:
        move = None
    if move is None or move not in situation.moves_of(seat):
        raise BadPosition(f"seat {seat} cannot have decided {shown(text)}")
    return situation.encode(move)
