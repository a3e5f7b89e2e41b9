"""What is written in a table's log: one entry for each thing that happened, in order, for ever.

An entry holds everything that followed from it: a move comes with the dice that it made the table
roll. So an entry is stored whole or not at all, and a table never waits for chance.
"""

from typing import TypeAlias

import msgspec

from qlub.core.record import Actor

Events: TypeAlias = tuple[tuple[Actor, str], ...]


class What(msgspec.Struct, frozen=True, tag_field="what", tag=str.lower, omit_defaults=True):
    """One thing that happened at a table."""


class Created(What, frozen=True):
    """A guest, the host, opened the table."""

    game: str
    options: dict[str, object]
    """Those that the host chose; the others follow when it is known how many play."""
    seats: int
    visibility: str
    clock: int | None
    """Seconds for each decision of a person, or None."""
    commitment: str
    again: str | None = None
    """The table of which this is the rematch."""


class Entered(What, frozen=True):
    """A guest came in by the invitation."""


class Sat(What, frozen=True):
    """A guest, or somebody beside them at the same device, took a seat."""

    seat: int
    name: str
    entropy: str = ""


class Left(What, frozen=True):
    """A seat became free."""

    seat: int


class Stirred(What, frozen=True):
    """The person in a seat added to the chance of the game."""

    seat: int
    entropy: str


class Botted(What, frozen=True):
    """The host put a bot into a seat."""

    seat: int
    bot: str
    name: str
    """How the bot is called at this table, where nobody else is."""


class Started(What, frozen=True):
    """The game began with these seats of the table, numbered anew in this order."""

    seating: tuple[int, ...]
    events: Events


class Moved(What, frozen=True):
    """A seat decided."""

    seat: int
    by: str
    """`person`, `bot` (whose seat it is), or `clock` (a bot decided for a person who was late)."""
    events: Events
    """The decision, then the chance that followed."""
    failure: str | None = None
    """Why a bot could not decide; then the decision is a random legal move."""


class Handed(What, frozen=True):
    """A person let a bot play on in their seat."""

    seat: int
    bot: str


class Resumed(What, frozen=True):
    """A person took their seat back from the bot."""

    seat: int


class Resigned(What, frozen=True):
    """A person gave the game up; a bot plays on if others still play."""

    seat: int
    bot: str


class Claimed(What, frozen=True):
    """A guest took over a seat with its key, on another device."""

    seat: int


class Reacted(What, frozen=True):
    """A seat showed one of the reactions."""

    seat: int
    reaction: str


class Rematched(What, frozen=True):
    """The same people play again at another table."""

    table: str


class Closed(What, frozen=True):
    """The table was given up before its game began."""


AnyWhat: TypeAlias = (
    Created
    | Entered
    | Sat
    | Left
    | Stirred
    | Botted
    | Started
    | Moved
    | Handed
    | Resumed
    | Resigned
    | Claimed
    | Reacted
    | Rematched
    | Closed
)


class Entry(msgspec.Struct, frozen=True):
    """One line of a log: its number, its time in milliseconds, who did it, and what it was."""

    seq: int
    at: int
    guest: str | None
    """Who did it, or None for the house itself."""
    command: str | None
    """The id under which the guest sent it; it counts once."""
    what: AnyWhat


_decoder: msgspec.json.Decoder[AnyWhat] = msgspec.json.Decoder(AnyWhat)


def write_body(what: AnyWhat) -> str:
    """Write what happened for the store."""
    return msgspec.json.encode(what).decode()


def read_body(body: str) -> AnyWhat:
    """Read what happened from the store."""
    return _decoder.decode(body)
