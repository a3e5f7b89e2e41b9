"""Reads JSON objects from strangers field by field, and names what is wrong."""

from collections.abc import Collection, Mapping
from typing import TypeVar

from qlub.core.errors import QlubError, shown

T = TypeVar("T")

_NAMES: dict[type, str] = {dict: "an object", list: "a list", str: "a text", bool: "true or false"}


class Fields:
    """The fields of one JSON object; whatever is wrong with them is raised as `error`.

    >>> from qlub.core.errors import BadRequest
    >>> Fields({"seats": 3}, "request", BadRequest).whole("seats", 1, 5)
    3
    """

    def __init__(self, data: object, name: str, error: type[QlubError]) -> None:
        if not isinstance(data, dict):
            raise error(f"{name} is an object, not {shown(data)}")
        self.data: Mapping[str, object] = data
        self.name = name
        self.error = error

    def expect(self, required: Collection[str], optional: Collection[str] = ()) -> None:
        """Refuse a missing and an unknown field."""
        for field in required:
            if field not in self.data:
                raise self.error(f"{self.name} lacks the field '{field}'")
        for field in self.data:
            if field not in required and field not in optional:
                raise self.error(f"{self.name} has an unknown field {shown(field)}")

    def get(self, field: str) -> object:
        if field not in self.data:
            raise self.error(f"{self.name} lacks the field '{field}'")
        return self.data[field]

    def of(self, field: str, kind: type[T]) -> T:
        """Return a field that must be of one JSON type."""
        value = self.get(field)
        if type(value) is not kind:
            raise self.error(f"'{field}' is {_NAMES[kind]}, not {shown(value)}")
        return value

    def word(self, field: str, choices: Collection[str]) -> str:
        """Return a text that must be one of a few."""
        value = self.get(field)
        if not isinstance(value, str) or value not in choices:
            raise self.error(f"'{field}' is one of {', '.join(choices)}, not {shown(value)}")
        return value

    def whole(self, field: str, low: int, high: int) -> int:
        """Return a whole number between bounds."""
        return whole(self.get(field), f"'{field}'", low, high, self.error)

    def null(self, field: str, phase: str) -> None:
        """Refuse anything but null."""
        if self.get(field) is not None:
            raise self.error(f"'{field}' is null in phase {phase}, not {shown(self.get(field))}")

    def seat(self, field: str, seats: int) -> int:
        """Return a seat at the table."""
        value = self.get(field)
        if type(value) is not int or not 0 <= value < seats:
            raise self.error(f"'{field}' is a seat from 0 to {seats - 1}, not {shown(value)}")
        return value


def whole(value: object, name: str, low: int, high: int, error: type[QlubError]) -> int:
    """Return a whole number between bounds; true and 1.0 are not whole numbers."""
    if type(value) is not int or not low <= value <= high:
        raise error(f"{name} is a whole number from {low} to {high}, not {shown(value)}")
    return value
