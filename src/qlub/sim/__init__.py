"""Compiled play: hands the marked functions of the rules to Numba. The only room that imports it."""

from importlib import import_module

from numba.extending import register_jitable

from qlub import kernel
from qlub.core.registry import game_names


def compile_kernels() -> None:
    """Let compiled code call every marked function of every game; safe to call again."""
    for name in game_names():
        import_module(f"qlub.games.{name}")
    while kernel.marked:
        register_jitable(kernel.marked.pop())
