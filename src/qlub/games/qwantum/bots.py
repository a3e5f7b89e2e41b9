"""Players of Qwantum."""

from random import Random

from qlub.core.game import Pass
from qlub.games.qwantum.dice import FACES, encode_face
from qlub.games.qwantum.sheet import BEFORE_LINE, CELLS, COLOURS
from qlub.games.qwantum.state import DIE_NAMES, Keep, Move, Reroll, View, Write

TARGETS = (5, 9, 13, 17, 13, 9)
"""What greedy would like to have in each column of a row."""
PLENTY = 4.0
"""How far from its target a number may be before greedy would rather pass."""


class Greedy:
    """Aims at a target in every column and rolls again what does not serve it."""

    about = "Has a number in mind for every column, keeps the dice that help, and rolls the others."

    def choose(self, view: View, rng: Random, seconds: float) -> Move:
        seat = view.seat or 0
        if view.phase == "keep":
            return choose_reroll(view, seat)
        writes = [move for move in view.legal() if isinstance(move, Write)]
        if not writes:
            return Pass()
        best = min(writes, key=lambda write: misfit(view, seat, write.colour, write.number))
        pressed = view.active == seat and view.picked is None and view.phase == "share"
        worst = 2 * PLENTY if pressed else PLENTY
        return best if misfit(view, seat, best.colour, best.number) <= worst else Pass()


def misfit(view: View, seat: int, colour: str, number: float) -> float:
    """Say how far a number is from what greedy would like in a row; infinite if it cannot go there.

    Up to the thick line a number that is too high costs room for those to come, so it counts more.
    """
    numbers = view.sheet(seat).rows[colour]
    filled = len(numbers)
    if filled == CELLS:
        return float("inf")
    if numbers and (number <= numbers[-1] if filled < BEFORE_LINE else number >= numbers[-1]):
        return float("inf")
    off = number - TARGETS[filled]
    too_far = off > 0 if filled < BEFORE_LINE - 1 else off < 0
    return abs(off) * (1.5 if too_far else 1.0)


def choose_reroll(view: View, seat: int) -> Move:
    """Keep the dice for the colour whose expected sum after a reroll serves best."""
    dice = view.dice or ()
    sums = view.sums
    standing = min(misfit(view, seat, colour, total) for colour, total in sums.items())
    if standing <= 1:
        return Keep()
    best: tuple[float, tuple[str, ...]] = (standing, ())
    for colour in COLOURS:
        rolling = tuple(
            name
            for name, face in zip(DIE_NAMES, dice, strict=True)
            if name != "w" and face[0] != colour
        )
        expected = sums[colour] + sum(_worth(DIE_NAMES.index(name), colour) for name in rolling)
        best = min(best, (misfit(view, seat, colour, expected), rolling))
    return Reroll(best[1]) if best[1] else Keep()


def _worth(die: int, colour: str) -> float:
    """Return what a die adds to a colour on average."""
    return sum(encode_face(face) % 10 for face in FACES[die] if face[0] == colour) / 6
