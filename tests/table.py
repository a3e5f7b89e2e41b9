"""Lays tables for the tests: positions in a few words, and matches played by a list of events."""

from collections.abc import Sequence

import pytest

from qlub.core.errors import IllegalMove, QlubError
from qlub.core.game import Json
from qlub.core.record import CHANCE, Actor, Match
from qlub.core.registry import find_game


def new(game: str, seats: int, **options: object) -> Match:
    """Sit down to a game from its beginning."""
    return Match.new(find_game(game), seats, options)


def play(match: Match, *events: str) -> Match:
    """Let an actor and a text each happen: `play(match, "* first 0", "1 r5")`."""
    for event in events:
        match.apply(*_read(event))
    return match


def refuse(match: Match, event: str, error: type[QlubError], reason: str | None = None) -> None:
    """Expect an event to be refused, for a reason if it is an illegal move, and to change nothing."""
    before, told = match.state, len(match.events)
    with pytest.raises(error) as refusal:
        match.apply(*_read(event))
    if isinstance(refusal.value, IllegalMove):
        assert refusal.value.reason == reason
    assert (match.state, len(match.events)) == (before, told)


def _read(event: str) -> tuple[Actor, str]:
    actor, text = event.split(" ", 1)
    return (CHANCE if actor == CHANCE else int(actor)), text


def moves(match: Match, seat: int) -> list[str]:
    """Return the texts of a seat's legal moves."""
    return [str(move) for move in match.state.legal(seat)]


def position(match: Match) -> Json:
    """Return where a match stands, as a position."""
    return match.game.write_position(match.state)


def sheet(match: Match, seat: int) -> Json:
    """Return the sheet of a seat, as in a position."""
    found: Json = position(match)["sheets"][seat]
    return found


def crosses(*, penalties: int = 0, **rows: Sequence[int]) -> Json:
    """Return a sheet of Qwixx: `crosses(r=[5, 7], penalties=1)`."""
    return {row: list(rows.get(row, ())) for row in "rygb"} | {"penalties": penalties}


def numbers(*, fails: int = 0, **rows: Sequence[int]) -> Json:
    """Return a sheet of Qwantum: `numbers(v=[6, 9], fails=1)`."""
    return {row: list(rows.get(row, ())) for row in "vbry"} | {"fails": fails}


def qwixx(*sheets: Json, active: int = 0, end: str = "table") -> Match:
    """Set up sheets of Qwixx; next, the active player rolls."""
    return Match.from_position(
        {
            "game": "qwixx",
            "options": {"end": end},
            "phase": "roll",
            "active": active,
            "dice": None,
            "sheets": list(sheets),
            "decided": {},
            "crossed": False,
        }
    )


def qwantum(*sheets: Json, active: int = 0) -> Match:
    """Set up sheets of Qwantum; next, the active player rolls."""
    return Match.from_position(
        {
            "game": "qwantum",
            "options": {},
            "phase": "roll",
            "active": active,
            "dice": None,
            "sheets": list(sheets),
            "picked": None,
            "rerolling": [],
            "decided": {},
        }
    )


def qwirkle(
    board: Json,
    *hands: str,
    bag: str | None = None,
    points: Sequence[int] | None = None,
    active: int = 0,
) -> Match:
    """Set up a board and hands of Qwirkle; next, the active player lays or exchanges.

    Without a bag, it holds what the 108 tiles still hold.
    """
    setup: Json = {
        "game": "qwirkle",
        "options": {},
        "phase": "turn",
        "active": active,
        "board": board,
        "hands": [hand.split() for hand in hands],
        "points": list(points or [0] * len(hands)),
        "drawing": None,
    }
    if bag is not None:
        setup["bag"] = bag.split()
    return Match.from_position(setup)


def rows(*lines: str, x: int = 0, y: int = 0) -> Json:
    """Return a board of Qwirkle drawn in rows, `.` for an empty cell, from a corner at x, y.

    >>> rows("Ro Rx", ".  Bx", y=-1)
    {'0,-1': 'Ro', '1,-1': 'Rx', '1,0': 'Bx'}
    """
    return {
        f"{x + across},{y + down}": tile
        for down, line in enumerate(lines)
        for across, tile in enumerate(line.split())
        if tile != "."
    }
