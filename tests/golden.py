"""Finds golden records: whole games, at least one for every way in which a game can end."""

import json
from pathlib import Path

from qlub.core.game import Json
from qlub.core.record import Match, replay

GAMES = Path(__file__).parent.parent / "src" / "qlub" / "games"


def golden_files() -> list[Path]:
    """Return the files of all golden records."""
    return sorted(GAMES.glob("*/tests/golden/*.qlub.json"))


def golden(game: str, name: str) -> Json:
    """Return a golden record of a game by its name."""
    path = GAMES / game / "tests" / "golden" / f"{name}.qlub.json"
    record: Json = json.loads(path.read_text(encoding="utf-8"))
    return record


def before_the_end(record: Json) -> Match:
    """Play a record again up to its last event."""
    return replay(record | {"events": record["events"][:-1], "result": None})
