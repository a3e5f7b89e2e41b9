"""Takes the pictures of the terminal for the README: `python docs/pictures/take.py`."""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import TerminalTheme
from rich.text import Text

FOLDER = Path(__file__).parent
COLUMNS = 94
LAMP = TerminalTheme(
    (21, 33, 30),
    (240, 234, 220),
    [
        (21, 33, 30),
        (232, 69, 42),
        (82, 174, 152),
        (245, 203, 69),
        (76, 156, 220),
        (203, 147, 244),
        (82, 174, 152),
        (240, 234, 220),
    ],
)
PICTURES = {
    "qwixx": (["qwixx", "--players", "3", "--seed", "12"], 4),
    "qwantum": (["qwantum", "--players", "3", "--seed", "5", "--language", "fr"], 13),
    "qwirkle": (["qwirkle", "--players", "3", "--seed", "4", "--language", "de"], 8),
}


def last_page(arguments: list[str], entries: int) -> str:
    """Play with the first choice so often, and return the page that comes then."""
    environment = {"COLUMNS": str(COLUMNS), "FORCE_COLOR": "1", "COLORTERM": "truecolor"}
    with tempfile.TemporaryDirectory() as folder:  # the game is kept there
        played = subprocess.run(  # noqa: S603 - our own program
            [sys.executable, "-m", "qlub", "play", *arguments],
            input="1\n" * entries,
            capture_output=True,
            encoding="utf-8",
            env={**os.environ, **environment},
            cwd=folder,
            check=True,
        )
    pages = re.split(r"(?=\x1b\[[0-9;]*m Q\w+ )", played.stdout)
    return pages[-1].rpartition("›")[0]


def take(name: str, arguments: list[str], entries: int) -> None:
    """Write the picture of a page."""
    console = Console(record=True, width=COLUMNS, file=Path(os.devnull).open("w"))  # noqa: SIM115
    console.print(Text.from_ansi(last_page(arguments, entries).rstrip()))
    picture = console.export_svg(title=f"qlub play {name}", theme=LAMP)
    picture = re.sub(r"@font-face \{.*?\}", "", picture, flags=re.DOTALL)
    picture = picture.replace("Fira Code", "ui-monospace, DejaVu Sans Mono")
    (FOLDER / f"{name}.svg").write_text(picture)


for picture, (words, count) in PICTURES.items():
    take(picture, words, count)
