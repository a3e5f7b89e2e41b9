"""Kernel: the white die and the six coloured dice (QN-1).

A face of a coloured die is ten times its colour plus its number, colours counted as on the sheet.
"""

from qlub.games.qwantum.sheet import COLOURS
from qlub.kernel import Ints, jitable

DICE = 7  # the white die, then die 1 to die 6
WHITE_FACES = ("w1", "w2", "w3", "w4", "w5", "w6")
COLORED_FACES = (
    ("r1", "r4", "y5", "b1", "b5", "v6"),
    ("r2", "r6", "y1", "y3", "b5", "v4"),
    ("r1", "r3", "y2", "y4", "b4", "v3"),
    ("r5", "y6", "b2", "b4", "v1", "v3"),
    ("r3", "y4", "b2", "b6", "v2", "v5"),
    ("r6", "y1", "y5", "b3", "v2", "v6"),
)
FACES = (WHITE_FACES, *COLORED_FACES)


def encode_face(face: str) -> int:
    """Return the kernel's number of a face.

    >>> encode_face("w3"), encode_face("b4")
    (3, 14)
    """
    return int(face[1]) if face[0] == "w" else 10 * COLOURS.index(face[0]) + int(face[1])


def decode_face(die: int, code: int) -> str:
    """Return the face of a kernel's number; die 0 is the white one."""
    colour, number = divmod(code, 10)
    return f"w{number}" if die == 0 else f"{COLOURS[colour]}{number}"


@jitable
def colour_sum(dice: Ints, first: int, colour: int) -> int:
    """Return the white die plus all dice of a colour, the seven dice lying from `first` on (QN-9).

    A colour that nobody rolled is worth the white die alone.
    """
    total = dice[first]
    for die in range(first + 1, first + DICE):
        if dice[die] // 10 == colour:
            total += dice[die] % 10
    return total
