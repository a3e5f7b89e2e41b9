"""Plays the lessons of all games and writes what the pages show of them: `python tools/lessons.py`.

With `--check` nothing is written, and a file that is not up to date is an error.
"""

import json
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

from qlub.core.game import Json
from qlub.core.lesson import Lesson, tell_lesson, tell_pictures
from qlub.core.registry import all_games

PAGES = Path(__file__).parent.parent / "web" / "src" / "games"


def files() -> Iterator[tuple[Path, str]]:
    """Yield every file that is made from a lesson, with what belongs into it."""
    for game in all_games():
        lesson: Lesson = import_module(f"qlub.games.{game.name}.lesson").LESSON
        yield PAGES / game.name / "lesson.json", written(tell_lesson(game, lesson))
        if lesson.pictures:
            pictures = tell_pictures(game, lesson)
            yield PAGES / game.name / "rules" / "pictures.json", written(pictures)


def written(told: Json) -> str:
    """Return JSON on one line: nobody reads it but programs."""
    return json.dumps(told, ensure_ascii=False, separators=(",", ":")) + "\n"


def main() -> None:
    """Write the files, or check them."""
    for path, text in files():
        if "--check" not in sys.argv:
            path.write_text(text, encoding="utf-8")
        elif path.read_text(encoding="utf-8") != text:
            sys.exit(f"{path} is not up to date: run python tools/lessons.py")


if __name__ == "__main__":
    main()
