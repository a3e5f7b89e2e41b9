"""Reads files of records, for the commands that check them."""

import argparse
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from qlub.core.errors import QlubError
from qlub.core.game import Json
from qlub.core.protocol import read_json
from qlub.core.record import Match


def add_file(parser: argparse.ArgumentParser) -> None:
    """Add the file and the form of the answer."""
    parser.add_argument(
        "file", metavar="FILE", help="a .qlub.json record, a .jsonl, or - for input"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def check_file(name: str, check: Callable[[object], Match]) -> tuple[list[Match], Json | None]:
    """Check all records of a file up to the first that is refused, and return that refusal too."""
    matches: list[Match] = []
    refusal: Json | None = {"error": "bad-request", "message": f"{name} has no record"}
    for number, line in _records(name):
        try:
            matches.append(check(read_json(line)))
            refusal = None
        except QlubError as error:
            where = f"record {number}: " if number else ""
            return matches, {"error": error.word, "message": f"{where}{error}"}
    return matches, refusal


def _records(name: str) -> Iterator[tuple[int | None, bytes]]:
    """Yield the records of a file; those of a .jsonl with their line number, counted from 1."""
    data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    lines = [(number, line) for number, line in enumerate(data.split(b"\n"), 1) if line.strip()]
    if name.endswith(".jsonl") or (len(lines) > 1 and _is_record(lines[0][1])):
        yield from lines
    else:
        yield None, data


def _is_record(line: bytes) -> bool:
    """Say whether a line is a whole JSON object, so that its file has one a line."""
    try:
        return isinstance(read_json(line), dict)
    except QlubError:
        return False
