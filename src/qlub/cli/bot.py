"""`qlub bot NAME`: one of our bots as a program that speaks the bot protocol."""

import argparse
import json
import os
import sys
from random import Random
from typing import Any

from qlub.bots import bots_of, find_bot
from qlub.core.errors import BadRequest, QlubError, shown
from qlub.core.fields import Fields
from qlub.core.game import Bot, Game, Json, View
from qlub.core.protocol import read_json
from qlub.core.record import Match
from qlub.core.registry import all_games, find_game

LEISURE = 5
"""How far behind everybody else on the machine the compiler stands."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the name of the bot and a seed."""
    parser.description = (
        "Read one JSON object a line with a game, a seat, its view and its legal moves, and answer "
        'one such as {"move": "r5"}. docs/protocol.md has the details.'
    )
    names = list(dict.fromkeys(name for game in all_games() for name in bots_of(game)))
    who = parser.add_mutually_exclusive_group(required=True)
    who.add_argument(
        "name", metavar="NAME", nargs="?", choices=names, help=f"one of {', '.join(names)}"
    )
    who.add_argument("--named", action="store_true", help="whomever the 'bot' of a line names")
    who.add_argument(
        "--prepare", action="store_true", help="only compile what bots need, once on a computer"
    )
    parser.add_argument("--seed", type=int, help="make the bot's own chance repeatable")


def run(options: argparse.Namespace) -> int:
    """Answer for whatever game each line names."""
    if options.prepare:
        return _prepare()
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


def _answer(line: bytes, name: str | None, rng: Random) -> Json:
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
    bot = find_bot(game, name) if name else _named(game, question.of("bot", str))
    return {"move": str(bot.choose(view, rng, float(str(seconds))))}


def _named(game: Game, name: str) -> Bot:
    """Return one of our bots: a line never starts a program."""
    if name not in bots_of(game):
        raise BadRequest(f"{game.name} has no bot {shown(name)}")
    return find_bot(game, name)


def _prepare() -> int:
    """Compile what bots of all games need, as far as it goes, and say what did not."""
    if hasattr(os, "nice"):
        os.nice(LEISURE)
    missing = 0
    for game in all_games():
        for name, bot in bots_of(game).items():
            prepare = getattr(bot, "prepare", lambda view: None)
            for seats in range(game.seats[0], game.seats[1] + 1):
                try:
                    prepare(_decision(game, seats))
                except (ImportError, QlubError) as error:
                    missing = 1
                    print(f"qlub: {game.name}, {name}: {error}", file=sys.stderr)
                    break
    return missing


def _decision(game: Game, seats: int) -> View[Any]:
    """Return the view of somebody who has to decide at a table with so many seats."""
    match = Match.new(game, seats)
    while match.state.chance:
        match.resolve(match.state.chance.sample(Random(0).randrange))
    return match.state.view(match.state.to_act[0])
