"""`qlub replay FILE`: checks recorded games and tells how they went."""

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path

from qlub.core.errors import QlubError
from qlub.core.game import Json
from qlub.core.protocol import read_json
from qlub.core.record import Match, replay, result


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the file and the form of the answer."""
    parser.description = (
        "Play every event of a record again, check each against the rules and the result against "
        "the events. Exit status 1 if the record is not a legal game."
    )
    parser.add_argument(
        "file", metavar="FILE", help="a .qlub.json record, a .jsonl, or - for input"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(options: argparse.Namespace) -> int:
    """Replay all records of a file up to the first that is refused."""
    matches: list[Match] = []
    refusal: Json | None = {"error": "bad-request", "message": f"{options.file} has no record"}
    for number, line in _records(options.file):
        try:
            matches.append(replay(read_json(line)))
            refusal = None
        except QlubError as error:
            where = f"record {number}: " if number else ""
            refusal = {"error": error.word, "message": f"{where}{error}"}
            break
    if options.json:
        answer = {"ok": refusal is None, "games": [_summary(match) for match in matches]}
        print(json.dumps({**answer, **(refusal or {})}))
    else:
        for match in matches:
            print(_told(match))
    if refusal:
        if not options.json:
            print(f"qlub: {refusal['error']}: {refusal['message']}", file=sys.stderr)
        return 1
    return 0


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


def _summary(match: Match) -> Json:
    return {
        "game": match.game.name,
        "seats": list(match.names),
        "events": len(match.events),
        "scores": list(match.state.scores()),
        "result": result(match.state),
    }


def _told(match: Match) -> str:
    names = [_printable(name) for name in match.names]
    scores = match.state.scores()
    standing = ", ".join(f"{name} {score}" for name, score in zip(names, scores, strict=True))
    head = f"{match.game.name}, {len(match.events)} events: {standing}"
    if match.state.winners is None:
        return f"{head}; still running, {match.state.awaited}"
    winners = " and ".join(names[seat] for seat in match.state.winners)
    return f"{head}; won by {winners}, ended by {match.state.reason}"


def _printable(name: str) -> str:
    """Return a name without anything that would move the cursor."""
    return "".join(letter if letter.isprintable() else "·" for letter in name)
