"""Players that decide in a kernel: as plain Python where that is quick, else compiled."""

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from random import Random
from threading import local
from typing import Any

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
        self._minds = local()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({list(self.plan)})"

    def mind(self, array: Array, seats: int) -> Any:
        """Return what it thinks with at a table with so many seats."""
        raise NotImplementedError

    def ask(self, view: Any, array: Array) -> tuple[Any, ...]:
        """Return a view as the kernel needs it."""
        raise NotImplementedError

    def answer(self, view: Any, found: int, asked: tuple[Any, ...]) -> Any:
        """Return the move that the kernel has found."""
        raise NotImplementedError

    def choose(self, view: Any, rng: Random, seconds: float) -> Any:
        array = list if self.is_quick else _arrays()
        asked = self.ask(view, array)
        mind = self._take_mind(array, view.seats)
        arguments = (*asked, rng.getrandbits(WORD), mind)
        find = type(self).find if self.is_quick else _compiled(type(self).find, arguments)
        found = int(find(*arguments))
        self._free_minds[view.seats] = mind
        return self.answer(view, found, asked)

    def prepare(self, view: Any) -> None:
        """Read what it has learnt, and compile what it needs if that was never done on this machine."""
        array = list if self.is_quick else _arrays()
        mind = self._take_mind(array, view.seats)
        if not self.is_quick:
            _compiled(type(self).find, (*self.ask(view, array), 0, mind))
        self._free_minds[view.seats] = mind

    @property
    def _free_minds(self) -> dict[int, Any]:
        """The minds of this thread, by how many seats they know: nobody shares one while thinking."""
        free: dict[int, Any] = self._minds.__dict__.setdefault("free", {})
        return free

    def _take_mind(self, array: Array, seats: int) -> Any:
        """Return a mind, a new one after a decision that was broken off, which left it as it was then."""
        return self._free_minds.pop(seats, None) or self.mind(array, seats)


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
