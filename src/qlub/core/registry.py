"""Finds the games under `qlub.games`: a new folder there is a new game, with no list to edit."""

from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from qlub.core.errors import UnknownGame, shown
from qlub.core.game import Game


@cache
def game_names() -> tuple[str, ...]:
    """Return the names of all games, in alphabetical order, without importing them."""
    games = import_module("qlub.games")
    return tuple(sorted(found.name for found in iter_modules(games.__path__) if found.ispkg))


@cache
def find_game(name: str) -> Game:
    """Return the game of a name, or raise `UnknownGame`."""
    if name not in game_names():
        raise UnknownGame(f"unknown game {shown(name)}; the games are {', '.join(game_names())}")
    game: Game = import_module(f"qlub.games.{name}").GAME
    return game


def all_games() -> tuple[Game, ...]:
    """Return all games."""
    return tuple(find_game(name) for name in game_names())
