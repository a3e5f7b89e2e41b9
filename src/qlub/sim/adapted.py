"""Kernels that are written once, for Qwixx, and serve every game whose tables a network judges."""

from collections.abc import Callable
from importlib import import_module
from inspect import signature
from pathlib import Path
from types import FunctionType
from typing import Any

from numba import typeof

from qlub.compiler import compile_source
from qlub.sim.sources import hash_of

Function = Callable[..., Any]

_SOURCE = '''"""Written by qlub.sim: {name} for {game}, ready to be compiled."""

from numba import njit

from qlub.sim.adapted import for_game
from {module} import {name} as of_qwixx

# As of {version}.
adapted = njit(inline="always", _nrt=False)(for_game(of_qwixx, "{game}"))


@njit(cache=True, nogil=True, _nrt=False)
def run({arguments}):
    return adapted({arguments})
'''


def for_game(function: Function, game: str) -> Function:
    """Return a kernel for another game: what its `learning` knows takes the place of Qwixx's."""
    names = {**function.__globals__, **vars(import_module(f"qlub.games.{game}.learning"))}
    adapted = FunctionType(function.__code__, names, function.__name__)
    adapted.__module__ = function.__module__
    return adapted


def compile_for(function: Function, game: str, arguments: tuple[Any, ...]) -> Function:
    """Compile a kernel for a game, with arguments such as these."""
    source = _SOURCE.format(
        name=function.__name__,
        module=function.__module__,
        game=game,
        version=hash_of([f"{function.__module__.removeprefix('qlub.').replace('.', '/')}.py"]),
        arguments=", ".join(signature(function).parameters),
    )
    home = Path(str(import_module(f"qlub.games.{game}").__file__)).parent
    types = tuple(map(typeof, arguments))
    name = f"{game}_{function.__name__}"
    return compile_source(name, source, types, home, vectors=True).run  # type: ignore[no-any-return]
