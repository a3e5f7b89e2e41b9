"""Everything that can be refused: one class for each error word of the protocol."""


class QlubError(Exception):
    """A request that is refused, changes nothing, and says why in one line.

    `reason` is a word for programs that explain refusals in their own language, if there is one.
    """

    word = "error"

    def __init__(self, message: str, reason: str | None = None) -> None:
        super().__init__(message)
        self.reason = reason


class BadRequest(QlubError):
    """Not JSON, an unknown verb, a field missing or of the wrong type, a seat not at the table."""

    word = "bad-request"


class UnknownGame(QlubError):
    """No game has this name."""

    word = "unknown-game"


class BadOption(QlubError):
    """An unknown option or value, or a number of seats that the game does not have."""

    word = "bad-option"


class BadPosition(QlubError):
    """A position that could not lie on a table."""

    word = "bad-position"


class NoGame(QlubError):
    """Nothing has been set up yet."""

    word = "no-game"


class GameOver(QlubError):
    """The game has ended and takes no more events."""

    word = "game-over"


class NotYourTurn(QlubError):
    """An actor, chance included, who has nothing to do now."""

    word = "not-your-turn"


class BadEvent(QlubError):
    """A text that is never an event of its actor, is not canonical, or is chance that cannot be."""

    word = "bad-event"


class IllegalMove(QlubError):
    """A well-formed move that the rules do not allow now. It always has a reason."""

    word = "illegal-move"

    def __init__(self, message: str, reason: str) -> None:
        super().__init__(message, reason)


class Unfair(QlubError):
    """A record whose chance events are not those that its proof promised. Only `verify` says so."""

    word = "unfair"


def shown(value: object, most: int = 60) -> str:
    """Show what somebody sent inside a message, cut to a length that still reads well.

    >>> shown("r" * 100)
    "'rrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrr…"
    """
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # an integer of thousands of digits, a deep nest
        text = type(value).__name__
    return text if len(text) <= most else text[: most - 1] + "…"
