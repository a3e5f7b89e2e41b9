"""Says in one line what is wrong with a message that does not have the shape it should have."""

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from qlub.core.errors import BadRequest

LONGEST = 200


def explain(error: ValidationError) -> BadRequest:
    """Return the refusal of a message, by its first fault."""
    return explain_faults(error.errors(include_url=False, include_input=False))


def explain_faults(faults: Sequence[Mapping[str, Any] | Any]) -> BadRequest:
    """Return the refusal of a message by the first of its faults."""
    fault = faults[0]
    place = ".".join(str(part) for part in fault["loc"] if part not in ("body", "query", "path"))
    message = str(fault["msg"]).removeprefix("Value error, ")
    if fault["type"] == "union_tag_not_found":
        message = "'do' is missing"
    elif fault["type"] == "union_tag_invalid":
        message = f"'do' is one of {fault['ctx']['expected_tags']}"
    message = message[:1].lower() + message[1:]
    told = (f"{place}: {message}" if place else message)[:LONGEST]
    reason = "name" if {"name", "people"} & set(fault["loc"]) else None
    return BadRequest("".join(letter if letter.isprintable() else "�" for letter in told), reason)
