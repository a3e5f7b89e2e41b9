"""Players for every game, and how a player is found by its name."""

import shlex
from collections.abc import Mapping

from qlub.bots.program import Program
from qlub.bots.random_bot import RandomBot
from qlub.core.errors import BadRequest, shown
from qlub.core.game import Bot, Game

COMMAND = "cmd:"


def bots_of(game: Game) -> Mapping[str, Bot]:
    """Return the players of a game by name, the weakest first."""
    return {"random": RandomBot(), **game.bots}


def find_bot(game: Game, name: str) -> Bot:
    """Return a player by its name, or somebody's program for `cmd:./mybot --strong`."""
    if name.startswith(COMMAND):
        try:
            words = shlex.split(name.removeprefix(COMMAND))
        except ValueError as error:
            raise BadRequest(f"{shown(name)} cannot be read as a command: {error}") from None
        if not words:
            raise BadRequest(f"{shown(name)} names no program; write cmd:./mybot --strong")
        return Program(game, words)
    bots = bots_of(game)
    if name not in bots:
        names = ", ".join(bots)
        raise BadRequest(f"unknown bot {shown(name)}; {game.name} has {names}, or cmd:PROGRAM")
    return bots[name]
