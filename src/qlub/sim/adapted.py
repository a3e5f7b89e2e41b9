"""Kernels that are written once and serve every game whose tables a network judges."""

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from inspect import signature
from pathlib import Path
from types import ModuleType
from typing import Any

from numba import typeof

from qlub.compiler import compile_source
from qlub.sim.sources import hash_of

Function = Callable[..., Any]
Maker = Callable[[Any], Function]
"""Makes a kernel for a game of what the game's `learning` knows."""

_SOURCE = '''"""Written by qlub.sim: {name} for {game}, ready to be compiled."""

from numba import njit

from qlub.sim.adapted import learning_of
from {module} import {name}

# As of {version}.
kernel = njit(_nrt=False)({name}(learning_of("{game}")))


@njit(cache=True, nogil=True, _nrt=False)
def run({arguments}):
    return kernel({arguments})
'''


def can_learn(game: str) -> bool:
    """Say whether a game knows of learning at all."""
    return find_spec(f"qlub.games.{game}.learning") is not None


def learning_of(game: str) -> ModuleType:
    """Return what a game knows of learning."""
    return import_module(f"qlub.games.{game}.learning")


def compile_for(maker: Maker, game: str, arguments: tuple[Any, ...]) -> Function:
    """Make a kernel for a game and compile it, with arguments such as these."""
    learning = learning_of(game)
    source = _SOURCE.format(
        name=maker.__name__,
        module=maker.__module__,
        game=game,
        version=hash_of([f"{maker.__module__.removeprefix('qlub.').replace('.', '/')}.py"]),
        arguments=", ".join(signature(maker(learning)).parameters),
    )
    home = Path(str(learning.__file__)).parent
    types = tuple(map(typeof, arguments))
    name = f"{game}_{maker.__name__}"
    return compile_source(name, source, types, home, vectors=True).run  # type: ignore[no-any-return]
