"""Players that decide in a kernel: as plain Python where that is quick, else compiled."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from random import Random
from threading import local
from typing import Any, NamedTuple

from qlub.core.weights import read_net

Array = Callable[[list[Any]], Any]
"""Makes what a kernel reads and writes of a list: a list in plain Python, an array when compiled."""
WORD = 63
"""Bits of chance for a decision."""


@cache
def learnt_weights(game: str, seats: int, size: int) -> tuple[float, ...]:
    """Return what was learnt of a game with so many seats."""
    file = Path(__file__).parent / "games" / game / "nets" / f"{seats}.net"
    return read_net(file, game, seats, size)


class Desk(NamedTuple):
    """All that a player needs for a decision."""

    mind: Any
    room: Any
    array: Array


class Thinker:
    """A player with a plan: how long it thinks, and how finely it judges."""

    policy: Callable[..., int]
    """How it decides in compiled games: a kernel whose last argument is the mind."""
    find: Callable[..., int]
    """The same for one decision: the arguments of `ask`, a word of chance, the mind."""

    def __init__(self, about: str, plan: Sequence[int], *, is_quick: bool = False) -> None:
        self.about = about
        self.plan = plan
        self.is_quick = is_quick
        """Whether it need not be compiled to decide at a table."""
        self._desks = local()

    def __getstate__(self) -> dict[str, Any]:
        """Leave the desks here: in another process there are new ones."""
        return {name: value for name, value in vars(self).items() if name != "_desks"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state, _desks=local())

    def __repr__(self) -> str:
        return f"{type(self).__name__}({list(self.plan)})"

    def mind(self, array: Array, seats: int) -> Any:
        """Return what it thinks with at a table with so many seats."""
        raise NotImplementedError

    def room(self, array: Array) -> Any:
        """Return room to lay a view out, if that takes any."""
        return None

    def ask(self, view: Any, room: Any, array: Array) -> tuple[Any, ...]:
        """Return a view as the kernel needs it."""
        raise NotImplementedError

    def answer(self, view: Any, found: int, asked: tuple[Any, ...]) -> Any:
        """Return the move that the kernel has found."""
        raise NotImplementedError

    def choose(self, view: Any, rng: Random, seconds: float) -> Any:
        with self._desk(view.seats) as (mind, room, array):
            asked = self.ask(view, room, array)
            arguments = (*asked, rng.getrandbits(WORD), mind)
            find = type(self).find if self.is_quick else _compiled(type(self).find, arguments)
            return self.answer(view, int(find(*arguments)), asked)

    def prepare(self, view: Any) -> None:
        """Read what it has learnt, and compile what it needs if that was never done on this machine."""
        with self._desk(view.seats) as (mind, room, array):
            if not self.is_quick:
                _compiled(type(self).find, (*self.ask(view, room, array), 0, mind))

    @contextmanager
    def _desk(self, seats: int) -> Iterator[Desk]:
        """Lend a desk that is used again and again, since it takes a while to make: one for each thread.

        After a decision that was broken off nobody tidies up: there will be a new one.
        """
        free: dict[int, Desk] = self._desks.__dict__.setdefault("free", {})
        desk = free.pop(seats, None)
        if desk is None:
            array = list if self.is_quick else _arrays()
            desk = Desk(self.mind(array, seats), self.room(array), array)
        yield desk
        free[seats] = desk


@cache
def _arrays() -> Array:
    from qlub.compiler import array  # it takes a while, and not every player needs it

    return array


_ready: dict[Callable[..., int], Callable[..., int]] = {}


def _compiled(find: Callable[..., int], examples: tuple[Any, ...]) -> Callable[..., int]:
    from qlub.compiler import compile_kernel

    if find not in _ready:
        _ready[find] = compile_kernel(find, *examples, vectors=True)
    return _ready[find]
