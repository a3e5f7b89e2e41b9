"""`qlub verify FILE`: checks that the chance of recorded games follows from what was promised."""

import argparse
import json
import re
import sys

from qlub.cli import DONE, NO
from qlub.cli.records import add_file, check_file
from qlub.core.fair import chances, verify
from qlub.core.game import Json
from qlub.core.record import Match


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the file, the form of the answer, and what was noted before the game."""
    parser.description = (
        "Play every event of a record again, and work out each roll and draw from the secret that "
        "the host committed to before the game. Exit status 1 if one of them differs, if the "
        "record has no proof, or if it is not a legal game. docs/fairness.md tells what this proves."
    )
    add_file(parser)
    parser.add_argument(
        "--commitment",
        metavar="HEX",
        type=_read_commitment,
        help="also check that this commitment, which you noted before the game, was kept",
    )


def run(options: argparse.Namespace) -> int:
    """Verify all records of a file up to the first that is refused."""
    noted: str | None = options.commitment
    matches, refusal = check_file(options.file, lambda data: verify(data, noted))
    if options.json:
        answer = {"ok": refusal is None, "games": [_summary(match) for match in matches]}
        print(json.dumps({**answer, **(refusal or {})}))
    else:
        for match in matches:
            print(_told(match, noted))
        if refusal:
            print(f"no: {refusal['message']}", file=sys.stderr)
    return NO if refusal else DONE


def _read_commitment(text: str) -> str:
    text = text.strip().lower()
    if not re.fullmatch("[0-9a-f]{64}", text):
        raise argparse.ArgumentTypeError("a commitment is 64 digits 0 to 9, a to f")
    return text


def _summary(match: Match) -> Json:
    return {
        "game": match.game.name,
        "seats": list(match.names),
        "chances": chances(match),
        "over": match.state.is_over,
        "commitment": _proof(match)["commitment"],
        "entropy": _proof(match)["entropy"],
    }


def _told(match: Match, noted: str | None) -> str:
    number = chances(match)
    so_far = "" if match.state.is_over else " so far"
    events = f"{number} chance event{'' if number == 1 else 's'} of {match.game.name}{so_far}"
    follow = "follows" if number == 1 else "all follow"
    told = f"yes: {events} {follow} from the secret that was committed to"
    alone = "" if any(_proof(match)["entropy"]) else "; no player added a text to it"
    if noted:
        return f"{told} before the game{alone}"
    return (
        f"{told} as {_proof(match)['commitment']}{alone}; is that what you noted before the game?"
    )


def _proof(match: Match) -> Json:
    return match.fair or {}
