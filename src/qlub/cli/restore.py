"""`qlub restore FILE`: puts the copy of a club into an empty database."""

import argparse
from pathlib import Path

from qlub.cli.copies import add_database, counted, read_database, shown_progress


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the file and the database."""
    parser.description = (
        "Put a file of qlub backup into a database that has no club yet, of either kind: all of "
        "it, or nothing. Open the club afterwards; one that is open does not notice."
    )
    parser.add_argument("file", metavar="FILE", type=Path, help="a file of qlub backup")
    add_database(parser)


def run(options: argparse.Namespace) -> int:
    """Copy the club, and say how much that was."""
    from qlub.club.store.copying import restore

    database = read_database(options)
    with shown_progress("Restoring") as tell:
        rows = restore(options.file, database, tell)
    print(f"restored: {counted(rows)}")
    return 0
