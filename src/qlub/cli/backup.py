"""`qlub backup FILE`: copies a club into a file, also while it is open."""

import argparse
from pathlib import Path

from qlub.cli.copies import add_database, counted, read_database, shown_progress


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the file, the database, and whether an older copy may go."""
    parser.description = (
        "Copy a club as it is at one moment into one file; it may be open meanwhile. The file is a "
        "database of SQLite: qlub serve --database sqlite:///FILE opens it, qlub restore puts it "
        "into another database. It holds the secrets of the club: keep it private."
    )
    parser.add_argument("file", metavar="FILE", type=Path, help="the file to write")
    add_database(parser)
    parser.add_argument("--force", action="store_true", help="write over a file that is there")


def run(options: argparse.Namespace) -> int:
    """Copy the club, and say how much that was."""
    from qlub.club.store.copying import backup

    database = read_database(options)
    with shown_progress("Copying") as tell:
        rows = backup(database, options.file, tell, options.force)
    print(f"{options.file}: {counted(rows)}")
    return 0
