"""Compiled play: whole games by the thousand, matches and tournaments. The only room with Numba in it.

>>> from qlub.sim import simulate
>>> results = simulate("qwixx", ["greedy", "random"], games=100, seed=1)  # doctest: +SKIP
>>> results.scores.mean(axis=0)  # doctest: +SKIP
"""

from collections.abc import Mapping, Sequence

from qlub.core.errors import BadOption
from qlub.core.game import Bot
from qlub.sim.play import play_games, play_in_pieces
from qlub.sim.table import Results, Table

__all__ = ["Results", "Table", "simulate"]


def simulate(
    game: str,
    bots: Sequence[str | Bot],
    games: int = 1000,
    *,
    seed: int = 1,
    rotate: bool = False,
    processes: int = 1,
    options: Mapping[str, object] | None = None,
) -> Results:
    """Let bots play games against each other, one at each seat, and return how they went.

    Game k of a seed is the same game however many are played and on however many processes. With
    `rotate` everybody moves one seat on from game to game.
    """
    if not (isinstance(games, int) and games > 0 and isinstance(processes, int) and processes > 0):
        raise BadOption(
            f"expected whole numbers from 1 on, not {games} games, {processes} processes"
        )
    table = Table(game, len(bots), tuple(bots), options or {}, seed)
    return Results.joined(list(play_in_pieces(play_games, table, games, rotate, processes)))
