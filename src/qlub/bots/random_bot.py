"""The player that picks any legal move."""

from random import Random
from typing import Any

from qlub.core.game import Move, View


class RandomBot:
    """Picks any legal move, all equally likely."""

    about = "Picks any legal move."

    def choose(self, view: View[Any], rng: Random, seconds: float) -> Move:
        move: Move = rng.choice(view.legal())
        return move
