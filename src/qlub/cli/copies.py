"""What `qlub backup` and `qlub restore` share: the database, the progress, the sentence at the end."""

import argparse
import contextlib
import signal
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from qlub.club.settings import Settings

if TYPE_CHECKING:
    from sqlalchemy import URL

LONG = 1.0
"""Seconds after which somebody at a terminal wants to see that it goes on."""


def add_database(parser: argparse.ArgumentParser) -> None:
    """Add the flag that names the club's database, as `qlub serve` has it."""
    parser.add_argument(
        "--database",
        metavar="URL",
        help="sqlite:///FILE or postgresql://USER@HOST/NAME "
        "(default: QLUB_DATABASE, or the file of your own club)",
    )


def read_database(options: argparse.Namespace) -> "URL":
    """Return the database that was named, or the one that `qlub serve` would use."""
    from qlub.club.store.database import read_url

    given = {"database": options.database} if options.database else {}
    return read_url(Settings.read(given).database_url)


@contextlib.contextmanager
def shown_progress(what: str) -> Iterator[Callable[[int, int], None]]:
    """Give a function to be told how far a copy is; on a terminal, a long one is seen to go on."""
    from rich.progress import Progress

    from qlub.cli.console import Console

    console = Console(stderr=True)
    progress = Progress(console=console, transient=True)
    task = progress.add_task(what)
    began = time.monotonic()

    def tell(done: int, total: int) -> None:
        if console.is_terminal and time.monotonic() - began > LONG:
            progress.start()
        progress.update(task, completed=done, total=total)

    before = signal.signal(signal.SIGTERM, signal.default_int_handler)  # tidy up, as after Ctrl-C
    try:
        yield tell
    except KeyboardInterrupt:
        print("qlub: stopped; nothing was written", file=sys.stderr)
        raise
    finally:
        progress.live.stop()
        signal.signal(signal.SIGTERM, before)


def counted(rows: Mapping[str, int]) -> str:
    """Say how much was copied.

    >>> counted({"tables": 1, "entries": 30})
    '1 table, 30 entries, 0 guests'
    """
    words = {"tables": "table", "entries": "entry", "guests": "guest"}
    numbers = {name: rows.get(name, 0) for name in words}
    return ", ".join(
        f"{number} {words[name] if number == 1 else name}" for name, number in numbers.items()
    )
