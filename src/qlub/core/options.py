"""The options of a game: what may be chosen before it begins."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from qlub.core.errors import BadOption, shown


class Option(Protocol):
    """One thing that may be chosen before a game begins."""

    def describe(self) -> dict[str, object]:
        """Describe the option as the `games` request lists it."""

    def read(self, name: str, value: object, seats: int) -> object:
        """Check a value, or raise `BadOption`."""

    def default_for(self, seats: int) -> object:
        """Return the value of a table that chooses nothing."""


@dataclass(frozen=True)
class Choice:
    """One word out of several."""

    default: str
    choices: tuple[str, ...]

    def describe(self) -> dict[str, object]:
        return {"default": self.default, "choices": list(self.choices)}

    def read(self, name: str, value: object, seats: int) -> object:
        if not isinstance(value, str) or value not in self.choices:
            choices = ", ".join(self.choices)
            raise BadOption(f"option {name} is one of {choices}, not {shown(value)}")
        return value

    def default_for(self, seats: int) -> object:
        return self.default


@dataclass(frozen=True)
class SeatOrder:
    """Every seat once, in some order; by default, and for null, in the order of their numbers."""

    about: str

    def describe(self) -> dict[str, object]:
        return {"default": None, "about": self.about}

    def read(self, name: str, value: object, seats: int) -> object:
        if value is None:
            return self.default_for(seats)
        if (
            not isinstance(value, list | tuple)
            or any(type(seat) is not int for seat in value)
            or sorted(value) != list(range(seats))
        ):
            raise BadOption(f"option {name} lists seats 0 to {seats - 1} once, not {shown(value)}")
        return tuple(value)

    def default_for(self, seats: int) -> object:
        return tuple(range(seats))


def read_options(
    known: Mapping[str, Option], given: Mapping[str, object], seats: int
) -> dict[str, object]:
    """Check the given options and fill in the defaults of the others.

    >>> read_options({"end": Choice("table", ("table", "player"))}, {}, 2)
    {'end': 'table'}
    """
    for name in given:
        if name not in known:
            names = ", ".join(known) or "it has none"
            raise BadOption(f"unknown option {shown(name)}; options of this game: {names}")
    return {
        name: option.read(name, given[name], seats) if name in given else option.default_for(seats)
        for name, option in known.items()
    }
