"""Kernel: the white die and the six coloured dice (QN-1).

A face of a coloured die is ten times its colour plus its number, colours counted as on the sheet.
"""

from qlub.games.qwantum.sheet import COLOURS
from qlub.kernel import jitable

SIDES = 6
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


FACE_BITS = 6
SIDES_OF = tuple(
    sum(encode_face(face) << FACE_BITS * side for side, face in enumerate(faces)) for faces in FACES
)
"""All faces of each die side by side, the white die first."""


@jitable
def face_of(die: int, side: int) -> int:
    """Return the face on a side of a die.

    >>> face_of(1, 2) == encode_face("y5")
    True
    """
    return SIDES_OF[die] >> FACE_BITS * side & (1 << FACE_BITS) - 1
