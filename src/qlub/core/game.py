"""What a game is: states that take moves and chance, and views that hide what a seat cannot know."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

from qlub.core.chance import Chance, Outcome
from qlub.core.errors import BadEvent, BadOption, GameOver, NotYourTurn
from qlub.core.options import Option

CHANCE = "*"

Json: TypeAlias = dict[str, Any]
Actor: TypeAlias = int | str
"""A seat number, or `"*"` for chance."""
M = TypeVar("M", bound="Move")


class Move(Protocol):
    """A decision; its text is the canonical one of the notation. Moves compare by value."""

    def __str__(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Pass:
    """Decide to do nothing."""

    def __str__(self) -> str:
        return "-"


class Situation(ABC):
    """What lies open on the table, in a state and in every view of it."""

    @property
    @abstractmethod
    def seats(self) -> int:
        """How many seats play."""

    @property
    @abstractmethod
    def phase(self) -> str:
        """The part of the turn; the last phase of every game is `over`."""

    @property
    @abstractmethod
    def active(self) -> int | None:
        """The seat whose turn it is, once that is known."""

    @property
    @abstractmethod
    def to_act(self) -> tuple[int, ...]:
        """The seats that may decide now: several when they decide at the same time."""

    @property
    def sealed(self) -> tuple[int, ...]:
        """The seats that have decided while others still do, ascending.

        The last event of such a seat is hidden from everybody else until all have decided.
        """
        return ()

    @property
    @abstractmethod
    def reason(self) -> str | None:
        """Why the game ended, or None while it runs."""

    @abstractmethod
    def scores(self) -> tuple[int, ...]:
        """What each seat would have if the game ended now, sealed decisions not counted."""

    @property
    def is_over(self) -> bool:
        return self.phase == "over"

    @property
    def winners(self) -> tuple[int, ...] | None:
        """The seats with most points, all of them in a tie, or None while the game runs."""
        if not self.is_over:
            return None
        scores = self.scores()
        return tuple(seat for seat, score in enumerate(scores) if score == max(scores))


class State(Situation, Generic[M]):
    """Everything about a game at one moment. Immutable and hashable.

    Chance is never rolled inside: `chance` says what is needed, and `resolve` goes on with it.
    """

    @property
    @abstractmethod
    def chance(self) -> Chance | None:
        """What chance must supply now, or None."""

    @abstractmethod
    def legal(self, seat: int) -> tuple[M, ...]:
        """The moves of a seat in a fixed order, pass last; empty when it is not to act."""

    @abstractmethod
    def view(self, seat: int | None) -> "View[M]":
        """The state as a seat may see it, or a spectator (None)."""

    def apply(self, seat: int, move: M) -> "State[M]":
        """Return the state after a seat's decision, or refuse it."""
        self.check_to_act(seat)
        return self._apply(seat, move)

    def resolve(self, outcome: Outcome) -> "State[M]":
        """Return the state after chance supplied what was needed, or refuse it."""
        chance = self.awaited_chance()
        if not chance.allows(outcome):
            raise BadEvent(f"'{outcome}' is not what chance may supply now ({chance.kind})")
        return self._resolve(outcome)

    def check_to_act(self, seat: int) -> None:
        """Refuse a seat that has nothing to decide now."""
        if self.is_over:
            raise GameOver("the game is over")
        if seat not in self.to_act:
            raise NotYourTurn(f"seat {seat} has nothing to decide now: {self.awaited}")

    def awaited_chance(self) -> Chance:
        """Return what chance must supply now, or refuse if that is nothing."""
        if self.is_over:
            raise GameOver("the game is over")
        chance = self.chance
        if chance is None:
            raise NotYourTurn(f"chance has nothing to do now: {self.awaited}")
        return chance

    @abstractmethod
    def _apply(self, seat: int, move: M) -> "State[M]":
        """Apply the move of a seat that is to act, or raise `IllegalMove`."""

    @abstractmethod
    def _resolve(self, outcome: Outcome) -> "State[M]":
        """Go on with an outcome that was allowed."""

    @property
    def awaited(self) -> str:
        """Say in a few words who must act now."""
        if self.chance:
            return f"waiting for chance ({self.chance.kind})"
        return "waiting for seat " + ", ".join(map(str, self.to_act))


class View(Situation, Generic[M]):
    """A state as one seat may see it, or a spectator. Nothing in it depends on what is hidden."""

    seat: int | None

    @abstractmethod
    def legal(self) -> tuple[M, ...]:
        """The moves of the seat that looks."""

    @abstractmethod
    def determinize(self, rng: Random) -> State[M]:
        """Return some state that looks like this, with what is hidden filled in at random."""


class Bot(Protocol):
    """A player that sees only views."""

    about: str

    def choose(self, view: Any, rng: Random, seconds: float) -> Move:
        """Return one of the view's legal moves within about so many seconds."""


def list_moves(view: View[Any], draft: str) -> Json:
    """Return the least guide that a page can play by: the moves of the seat that looks."""
    return {"moves": [str(move) for move in view.legal()]}


def tell_all(actor: Actor, text: str, viewer: int | None) -> str:
    """Return the text of an event as it is, for a game in which all events lie open."""
    return text


@dataclass(frozen=True, eq=False)
class Game:
    """The rules of one game, its notation and its players.

    A game is found by its folder: `qlub.games.<name>` has one of these as `GAME`.
    """

    name: str
    seats: tuple[int, int]
    """The fewest and the most seats of the rulebook."""
    practice: bool
    """Whether it may also be set up for one seat."""
    turn: str
    """The phase in which every turn begins."""
    reasons: tuple[str, ...]
    """Why a game can end."""
    options: Mapping[str, Option]
    bots: Mapping[str, Bot]
    new: Callable[[int, Mapping[str, Any]], State[Any]]
    """Returns the state before the first event, for so many seats and options that are checked."""
    read_move: Callable[[str], Move]
    """Reads a canonical text, or raises `BadEvent`."""
    write_position: Callable[[Any], Json]
    read_position: Callable[[object], State[Any]]
    """Reads and checks a position, or raises `BadPosition`."""
    write_view: Callable[[Any], Json]
    read_view: Callable[[object, int | None], View[Any]]
    """Reads the view of a seat, or raises `BadPosition`."""
    guide: Callable[[Any, str], Json] = list_moves
    """Says what follows from the rules in a view, for a page that knows none: moves and their worth.

    The text is a move that is not finished yet, such as tiles laid so far, or empty: `BadEvent` if
    it cannot become a move. A game whose moves are made at once pays no attention to it. Nothing in
    a guide depends on what the view hides.
    """
    tell: Callable[[Actor, str, int | None], str] = tell_all
    """Returns the text of an actor's event as a seat may know it, or a spectator (None).

    Sealed decisions are not its business: see `Situation.sealed`.
    """


def check_seats(game: Game, seats: int) -> None:
    """Refuse a number of seats that the game does not have."""
    fewest, most = game.seats
    if not (fewest <= seats <= most or (game.practice and seats == 1)):
        practice = ", or 1 for practice" if game.practice else ""
        raise BadOption(f"{game.name} has {fewest} to {most} seats{practice}, not {seats}")


def status(state: State[Any]) -> Json:
    """Describe where a game stands, as the protocol shows it."""
    return {
        "phase": state.phase,
        "active": state.active,
        "to_act": list(state.to_act),
        "chance": state.chance.kind if state.chance else None,
        "scores": list(state.scores()),
        "over": state.is_over,
        "winners": None if state.winners is None else list(state.winners),
        "reason": state.reason,
    }
