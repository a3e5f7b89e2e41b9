"""Marks the plain functions of the rules that may also be compiled."""

from collections.abc import Callable, MutableSequence, Sequence
from typing import ParamSpec, TypeAlias, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

Ints: TypeAlias = Sequence[int]
"""Small integers that a kernel only reads: a tuple or a list, or an array when compiled."""

Slots: TypeAlias = MutableSequence[int]
"""Small integers that a kernel writes: a list, or an array when compiled."""

UNDECIDED = -1
"""In place of a seat's sealed decision: it has not decided yet."""

SEALED = -2
"""In place of a seat's sealed decision: it has decided, but the one who looks may not see how."""

Floats: TypeAlias = MutableSequence[float]
"""Numbers with a fraction that a kernel reads or writes."""

marked: list[Callable[..., object]] = []
"""Every function marked so far, in the order in which they were defined."""
_known: set[int] = set()
_apart: set[int] = set()


def jitable(function: Callable[P, R]) -> Callable[P, R]:
    """Remember a function for the compiler and leave it as it is.

    Nothing is compiled here, so playing a game never pays for importing Numba: `qlub.sim` hands the
    remembered functions over when it is asked to.
    """
    marked.append(function)
    _known.add(id(function))
    return function


def apart(function: Callable[P, R]) -> Callable[P, R]:
    """Ask the compiler to keep a function apart: a long one that is called from many places.

    All others are copied to where they are called.
    """
    _apart.add(id(function))
    return function


def is_apart(function: Callable[..., object]) -> bool:
    """Say whether a function is to be kept apart."""
    return id(function) in _apart


def is_jitable(function: Callable[..., object]) -> bool:
    """Say whether a function was marked."""
    return id(function) in _known


@jitable
def count_bits(bits: int) -> int:
    """Count the bits of a number that is not negative, with the processor's own instruction if compiled.

    >>> count_bits(0b1011)
    3
    """
    return bits.bit_count()


@jitable
def bit_at(bits: int, number: int) -> int:
    """Return one bit of a number, counted from the lowest; 0 if it has fewer.

    >>> bin(bit_at(0b1011, 2)), bit_at(0b1011, 3)
    ('0b1000', 0)
    """
    for _ in range(number):
        bits &= bits - 1
    return bits & -bits


@jitable
def note(log: Slots, number: int) -> None:
    """Add a number to a log, whose first place counts all; a log of one place is not kept.

    What no longer fits is counted, but not kept.
    """
    if len(log) > 1:
        log[0] += 1
        if log[0] < len(log):
            log[log[0]] = number
