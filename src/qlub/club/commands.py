"""What a guest may ask of a table, as it comes over HTTP and over the socket."""

import unicodedata
from typing import Annotated, Literal, TypeAlias

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter

from qlub.core.fair import LONGEST as LONGEST_ENTROPY

LONGEST_NAME = 24
LONGEST_MOVE = 200
INVISIBLE = "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"
"""What Unicode calls letters or marks although nobody sees anything."""
REACTIONS = ("hello", "nice", "wow", "ouch", "thinking", "hurry", "thanks", "sorry", "again", "bye")
"""A fixed set instead of a chat, so that there is nothing to moderate."""


def clean_name(name: str) -> str:
    """Return a name in one form, or refuse one that nobody could read.

    >>> clean_name("  Ann   Lee ")
    'Ann Lee'
    """
    name = " ".join(unicodedata.normalize("NFC", name).split())
    if not 1 <= len(name) <= LONGEST_NAME:
        raise ValueError(f"a name has 1 to {LONGEST_NAME} letters")
    if any(unicodedata.category(letter)[0] == "C" or letter in INVISIBLE for letter in name):
        raise ValueError("a name has no invisible letters")
    if not any(letter.isalnum() for letter in name):
        raise ValueError("a name has at least one letter or digit")
    return name


def _clean_entropy(entropy: str) -> str:
    if any(unicodedata.category(letter)[0] == "C" for letter in entropy):
        raise ValueError("entropy has no invisible letters")
    return entropy


Name = Annotated[str, Field(min_length=1, max_length=100), AfterValidator(clean_name)]
Entropy = Annotated[str, Field(max_length=LONGEST_ENTROPY), AfterValidator(_clean_entropy)]
Identifier = Annotated[str, Field(pattern="^[A-Za-z0-9_-]{1,64}$")]
Seat = Annotated[int, Field(ge=0, le=9)]
Bot = Annotated[str, Field(pattern="^[a-z0-9][a-z0-9_-]{0,31}$")]


class Message(BaseModel):
    """Anything that a client sends: exactly the fields that are named, of exactly these types."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Request(Message):
    """A command to a table. Sent again with the same id, it counts once."""

    id: Identifier | None = None


Invite: TypeAlias = Annotated[str, Field(max_length=64)]


class Enter(Request):
    """Come in by the invitation of a table that is not open to everybody."""

    do: Literal["enter"]
    invite: Invite


class Sit(Request):
    """Take a free seat; again, for the next person at this device."""

    do: Literal["sit"]
    seat: Seat
    name: Name | None = None
    entropy: Entropy = ""


class Leave(Request):
    """Free one's own seat before the game; the host may free any."""

    do: Literal["leave"]
    seat: Seat


class Stir(Request):
    """Add something of one's own to the chance of the game, before it begins."""

    do: Literal["stir"]
    seat: Seat
    entropy: Entropy


class AddBot(Request):
    """Put a bot into a free seat; for the host."""

    do: Literal["bot"]
    seat: Seat
    bot: Bot


class Start(Request):
    """Begin the game; for the host. Seats that are still free are taken away."""

    do: Literal["start"]


class Play(Request):
    """Decide for one's seat."""

    do: Literal["move"]
    seat: Seat
    move: Annotated[str, Field(max_length=LONGEST_MOVE)]


class Hand(Request):
    """Let a bot play on in one's seat, until one takes it back."""

    do: Literal["hand"]
    seat: Seat
    bot: Bot | None = None


class Resume(Request):
    """Take one's seat back from the bot."""

    do: Literal["resume"]
    seat: Seat


class Resign(Request):
    """Give the game up for good."""

    do: Literal["resign"]
    seat: Seat


class Claim(Request):
    """Take over a seat with its key, to play on at another device."""

    do: Literal["claim"]
    key: Annotated[str, Field(max_length=300)]


class React(Request):
    """Show one of the reactions."""

    do: Literal["react"]
    seat: Seat
    reaction: Literal[REACTIONS]  # type: ignore[valid-type]


class Rematch(Request):
    """Play again: the first who asks opens the new table, the others sit down at it."""

    do: Literal["rematch"]


class Close(Request):
    """Give the table up before the game; for the host."""

    do: Literal["close"]


Command: TypeAlias = Annotated[
    Enter
    | Sit
    | Leave
    | Stir
    | AddBot
    | Start
    | Play
    | Hand
    | Resume
    | Resign
    | Claim
    | React
    | Rematch
    | Close,
    Field(discriminator="do"),
]


class NewTable(Message):
    """A table to be opened."""

    id: Identifier | None = None
    game: Annotated[str, Field(max_length=32)]
    seats: Annotated[int, Field(ge=1, le=10)]
    options: dict[str, object] = {}
    visibility: Literal["open", "link"] = "link"
    clock: Annotated[int, Field(ge=5, le=7 * 24 * 3600)] | None = None
    people: Annotated[list[Name], Field(max_length=10)] = []
    """Who sits down at this device at once, in the first seats."""
    bots: Annotated[list[Bot], Field(max_length=10)] = []
    """Which bots sit down beside them."""
    start: bool = False


class Watch(Message):
    """Be told what happens at a table, from an entry on; null for no history."""

    do: Literal["watch"]
    table: Identifier
    since: Annotated[int, Field(ge=0, le=2**31)] | None = None
    guide: bool = False
    """Whether to be told what follows from the rules instead of a list of legal moves."""


class Ask(Message):
    """Ask what the rules say about a move of one's own seat that is not finished yet."""

    do: Literal["ask"]
    id: Identifier
    table: Identifier
    seat: Seat
    draft: Annotated[str, Field(max_length=LONGEST_MOVE)]


class Unwatch(Message):
    """Be told no more."""

    do: Literal["unwatch"]
    table: Identifier


class Ping(Message):
    """Ask whether the connection still lives."""

    do: Literal["ping"]


class Order(Message):
    """Send a command to a table."""

    do: Literal["command"]
    table: Identifier
    command: Command


Frame: TypeAlias = Watch | Unwatch | Ask | Ping | Order

FRAMES: TypeAdapter[Frame] = TypeAdapter(Annotated[Frame, Field(discriminator="do")])
