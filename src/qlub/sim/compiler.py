"""Joins a game's play-out with the players at the table and compiles it."""

from collections.abc import Callable, Sequence
from importlib import import_module
from inspect import signature
from pathlib import Path
from types import FunctionType
from typing import Any

from numba import int8, int32, int64, typeof

from qlub.compiler import compile_source

Function = Callable[..., Any]

NO_MIND = 0
"""In the place of the mind of a player who needs none."""

NUMBERS, GRID = int64[::1], int64[:, ::1]
RESULTS = (int32[:, ::1], int8[::1], int32[::1])
"""Scores, reasons and turns."""

_SOURCE = '''"""Written by qlub.sim: {game} with these players, ready to be compiled."""

from numba import njit

from qlub.core.luck import start_luck
from qlub.sim.compiler import with_players
from {playout} import finish
from {playout} import play as plain_play

# With {players}.


@njit(forceinline=True, no_cfunc_wrapper=True, _nrt=False)
def choose({arguments}):
{branches}


# Copied in here, so that it is not compiled twice.
play = njit(inline="always", _nrt=False)(with_players(plain_play, choose))


@njit(cache=True, _nrt=False)
def run(seed, deals, seatings, start, room, minds, luck, log, scores, reasons, turns):
    seats = seatings.shape[1]
    for game in range(deals.shape[0]):
        start_luck(luck, seed, deals[game], seats)
        turns[game] = play(seatings[game], minds, start, room, luck, log)
        reasons[game] = finish(room, scores[game])
'''


def with_players(play: Function, choose: Function) -> Function:
    """Return a game's play-out in which `choose` asks these players."""
    function = FunctionType(play.__code__, {**play.__globals__, "choose": choose}, play.__name__)
    function.__module__ = play.__module__
    return function


def build(game: str, policies: Sequence[Function], minds: Sequence[Any], room: Any) -> Function:
    """Return the compiled loop over whole games of a game with these players.

    Players are named by their place in `policies`; who has a mind is given it. Of players from outside
    the package nothing is kept.
    """
    playout = import_module(f"qlub.games.{game}.playout")
    source = _SOURCE.format(
        game=game,
        playout=playout.__name__,
        players=", ".join(f"{one.__module__}.{one.__qualname__}" for one in policies),
        **_choosing(policies, minds),
    )
    is_ours = all(str(policy.__module__).startswith("qlub.") for policy in policies)
    things = (typeof(room), typeof(tuple(minds)))  # type: ignore[no-untyped-call]
    types = (int64, NUMBERS, GRID, NUMBERS, *things, NUMBERS, NUMBERS, *RESULTS)
    home = Path(str(playout.__file__)).parent if is_ours else None
    has_minds = any(mind is not NO_MIND for mind in minds)
    names = {f"policy_{number}": policy for number, policy in enumerate(policies)}
    return compile_source(game, source, types, home, names, has_minds).run  # type: ignore[no-any-return]


def _choosing(policies: Sequence[Function], minds: Sequence[Any]) -> dict[str, str]:
    """Return the head and the body of the function that asks the right player.

    Players who think alike, with minds of their own, are asked in one place, so it is compiled once.
    """
    names = list(signature(policies[0]).parameters)
    if minds[0] is not NO_MIND:
        names.pop()
    lines = []
    for first, policy in enumerate(policies):
        alike = [number for number, other in enumerate(policies) if other is policy]
        if first != alike[0]:
            continue
        lines.append(f"    if {' or '.join(f'player == {number}' for number in alike)}:")
        given = ", ".join(names)
        if minds[first] is not NO_MIND:
            given += ", mind"
            lines.append(f"        mind = minds[{first}]")
            for number in alike[1:]:
                lines.append(f"        if player == {number}:")
                lines.append(f"            mind = minds[{number}]")
        lines.append(f"        return policy_{first}({given})")
    lines.append("    return -1")
    return {"arguments": f"player, minds, {', '.join(names)}", "branches": "\n".join(lines)}
