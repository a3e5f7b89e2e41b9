"""What the club refuses beyond the rules of the games, and the HTTP status of every refusal."""

from qlub.core.errors import (
    BadEvent,
    BadOption,
    BadPosition,
    BadRequest,
    GameOver,
    IllegalMove,
    NoGame,
    NotYourTurn,
    QlubError,
    UnknownGame,
)


class NotFound(QlubError):
    """There is no such thing, or not for this guest: the two are never told apart."""

    word = "not-found"


class NoGuest(QlubError):
    """The request needs a guest, and came without a valid cookie."""

    word = "no-guest"


class NotAllowed(QlubError):
    """Somebody else may do this, but not this guest."""

    word = "not-allowed"


class NotNow(QlubError):
    """The table is not in a state for this: a seat is taken, the game has begun."""

    word = "not-now"


class TooMany(QlubError):
    """A limit is reached: requests, tables, connections."""

    word = "too-many"


class TooLarge(QlubError):
    """A body or a frame is larger than anything that the club takes."""

    word = "too-large"


class WrongOrigin(QlubError):
    """A browser sent this from a page of another site, or under a name that is not the club's."""

    word = "wrong-origin"


class NotSaved(QlubError):
    """The database did not confirm. Nothing was acknowledged; the same id may be sent again."""

    word = "not-saved"

    def __init__(self) -> None:
        super().__init__("not saved, try again")


STATUS: dict[type[QlubError], int] = {
    BadRequest: 400,
    BadOption: 400,
    BadPosition: 400,
    BadEvent: 400,
    NoGuest: 401,
    NotAllowed: 403,
    WrongOrigin: 403,
    NotFound: 404,
    UnknownGame: 404,
    IllegalMove: 409,
    NotYourTurn: 409,
    GameOver: 409,
    NoGame: 409,
    NotNow: 409,
    TooLarge: 413,
    TooMany: 429,
    NotSaved: 503,
}


def status_of(error: QlubError) -> int:
    """Return the HTTP status of a refusal."""
    return STATUS.get(type(error), 400)


def told(error: QlubError) -> dict[str, str]:
    """Describe a refusal for the client: a word, a sentence, and often a reason."""
    answer = {"error": error.word, "message": str(error)}
    if error.reason:
        answer["reason"] = error.reason
    return answer
