"""`qlub bot NAME`: one of our bots as a program that speaks the bot protocol."""

import argparse
import json
import sys
from random import Random

from qlub.bots import bots_of, find_bot
from qlub.core.errors import BadRequest, QlubError
from qlub.core.fields import Fields
from qlub.core.game import Json
from qlub.core.protocol import read_json
from qlub.core.registry import all_games, find_game


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the name of the bot and a seed."""
    parser.description = (
        "Read one JSON object a line with a game, a seat, its view and its legal moves, and answer "
        'one such as {"move": "r5"}. docs/protocol.md has the details.'
    )
    names = sorted({name for game in all_games() for name in bots_of(game)})
    parser.add_argument("name", metavar="NAME", choices=names, help=f"one of {', '.join(names)}")
    parser.add_argument("--seed", type=int, help="make the bot's own chance repeatable")


def run(options: argparse.Namespace) -> int:
    """Answer for whatever game each line names."""
    rng = Random(options.seed)
    for line in sys.stdin.buffer:
        if line.strip():
            try:
                answer = _answer(line, options.name, rng)
            except QlubError as error:
                answer = {"error": error.word, "message": str(error)}
            sys.stdout.write(json.dumps(answer) + "\n")
            sys.stdout.flush()
    return 0


def _answer(line: bytes, name: str, rng: Random) -> Json:
    question = Fields(read_json(line), "question", BadRequest)
    game = find_game(question.of("game", str))
    seat = question.get("seat")
    if type(seat) is not int or seat < 0:
        raise BadRequest("'seat' is the number of a seat")
    view = game.read_view(question.get("view"), seat)
    if seat not in view.to_act or not view.legal():
        raise BadRequest(f"seat {seat} has nothing to decide")
    seconds = question.data.get("seconds", 2.0)
    if type(seconds) not in (int, float):
        raise BadRequest("'seconds' is a number")
    return {"move": str(find_bot(game, name).choose(view, rng, float(str(seconds))))}
