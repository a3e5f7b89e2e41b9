"""`qlub replay FILE`: checks recorded games and tells how they went."""

import argparse
import json
import sys

from qlub.cli.records import add_file, check_file
from qlub.core.game import Json
from qlub.core.record import Match, replay, result


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the file and the form of the answer."""
    parser.description = (
        "Play every event of a record again, check each against the rules and the result against "
        "the events. Exit status 1 if the record is not a legal game."
    )
    add_file(parser)


def run(options: argparse.Namespace) -> int:
    """Replay all records of a file up to the first that is refused."""
    matches, refusal = check_file(options.file, replay)
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
