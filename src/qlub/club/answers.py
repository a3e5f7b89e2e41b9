"""What the club answers over HTTP, as OpenAPI describes it."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field


class Answer(BaseModel):
    """Exactly the fields that are named."""

    model_config = ConfigDict(extra="forbid")


class Refusal(Answer):
    """Why something was not done: a word for programs, a sentence for people."""

    error: str
    message: str
    reason: str | None = Field(None, description="why a move is illegal, as a word")


class Guest(Answer):
    """Who you are."""

    name: str


class MaybeGuest(Answer):
    """Who you are, if the club knows you."""

    name: str | None


class GameAnswer(Answer):
    """A game that may be played here."""

    name: str
    seats: list[int] = Field(description="the fewest and the most seats of the rulebook")
    practice: bool = Field(description="whether it may be played alone")
    options: dict[str, dict[str, Any]]
    bots: dict[str, str] = Field(
        description="the bots that may sit at its tables, the weakest first"
    )


class Games(Answer):
    """What may be played, and what a seat may say."""

    games: list[GameAnswer]
    reactions: list[str]


class NewTableAnswer(Answer):
    """The table that was opened, and the invitation to it."""

    table: str
    invite: str
    seq: int


class Done(Answer):
    """The number of the entry that the command became. It is stored."""

    seq: int


class Sitter(Answer):
    """Who sits in a seat, in a list of tables."""

    name: str
    kind: Literal["person", "bot"]


class Summary(Answer):
    """A table in a list."""

    table: str
    game: str
    status: Literal["gathering", "playing", "over", "closed"]
    visibility: Literal["open", "link"]
    clock: int | None
    seats: list[Sitter | None]
    yours: list[int]
    your_turn: bool
    scores: list[int] | None
    created: int
    changed: int
    seq: int


class Tables(Answer):
    """Tables, the newest first."""

    tables: list[Summary]


class Chair(Sitter):
    """Who sits in a seat, and which bot plays there."""

    bot: str | None
    resigned: bool


class State(Answer):
    """What everybody may know of a table who may see it."""

    game: str
    options: dict[str, Any]
    status: Literal["gathering", "playing", "over", "closed"]
    visibility: Literal["open", "link"]
    clock: int | None = Field(description="seconds for each decision")
    created: int
    changed: int
    seats: list[Chair | None]
    turn: dict[str, Any] | None = Field(description="where the game stands, as `status` says it")
    deadlines: dict[str, int] = Field(description="by seat, in milliseconds since 1970")
    places: list[int] | None = Field(description="by seat, once the game is over")
    fair: dict[str, Any] = Field(description="the proof of honest chance")
    again: str | None = Field(description="the table of the rematch")
    before: str | None = Field(description="the table of which this is the rematch")


class You(Answer):
    """What you are at this table."""

    seats: list[int]
    host: bool


class SeatView(Answer):
    """What one of your seats, or a spectator (null), sees and may do."""

    seat: int | None
    view: dict[str, Any]
    legal: list[str] | None = None
    guide: dict[str, Any] | None = Field(
        None, description="in place of `legal`, if asked for: what follows from the rules"
    )


class Update(Answer):
    """What happened since the entry that you have, and where the table stands."""

    type: Literal["update"]
    table: str
    seq: int
    since: int | None
    entries: list[dict[str, Any]]
    revealed: list[dict[str, Any]]
    state: State
    you: You
    views: list[SeatView]


class Invitation(Answer):
    """What lets somebody in. Send it in the part of a link behind #, which no server sees."""

    invite: str


class Welcome(Answer):
    """What somebody with an invitation may know before they come in."""

    game: str
    status: Literal["gathering", "playing", "over", "closed"]
    host: str | None = Field(description="the name of the host, who may not have sat down")
    seats: list[Sitter | None]


class SeatKey(Answer):
    """What lets another device take over a seat."""

    key: str


class Step(Answer):
    """One moment of a game: what happened, and how it lay then to your eyes."""

    seq: int
    at: int
    event: list[int | str | None] | None = Field(
        description="who and what, as in an entry; null before the first event"
    )
    turn: dict[str, Any]
    view: dict[str, Any]
    guide: dict[str, Any]
    chance: dict[str, Any] | None = Field(
        description="what chance could supply: `seats`, `dice`, or a `seat` that draws from a `bag`"
    )


class History(Answer):
    """A game from its beginning, event by event."""

    steps: list[Step]


class Result(Answer):
    """How a game of yours ended."""

    table: str
    at: int
    game: str
    seats: int
    seat: int
    name: str
    score: int
    place: int
    gave_up: bool


class Results(Answer):
    """Your results, the newest first."""

    results: list[Result]


class Rating(Answer):
    """How strong you are at a game for a number of seats: mu minus three sigma."""

    game: str
    seats: int
    rating: float
    games: int
    wins: int


class Ratings(Answer):
    """Your ratings, by game and number of seats."""

    ratings: list[Rating]


class Leader(Answer):
    """A player among others: the cautious rating is mu minus three sigma."""

    name: str
    kind: Literal["person", "bot"]
    you: bool
    rating: float
    mu: float
    sigma: float
    games: int
    wins: int


class Leaders(Answer):
    """The best players of a game for a number of seats."""

    leaders: list[Leader]


class Health(Answer):
    """Whether the database answers."""

    ok: bool
