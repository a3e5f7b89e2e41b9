"""The lesson of Qwixx: two people at a table, from the first cross to the second closed row."""

from qlub.core.game import Json
from qlub.core.lesson import Lesson, Step

EMPTY: Json = {"r": [], "y": [], "g": [], "b": [], "penalties": 0}


def _roll(active: int, *sheets: Json) -> Json:
    """Return a position before a roll."""
    return {
        "game": "qwixx",
        "options": {"end": "table"},
        "phase": "roll",
        "active": active,
        "dice": None,
        "sheets": list(sheets),
        "decided": {},
        "crossed": False,
    }


def _sheet(r: list[int], y: list[int], g: list[int], b: list[int], penalties: int = 0) -> Json:
    return {"r": r, "y": y, "g": g, "b": b, "penalties": penalties}


LATE = _roll(
    1,
    _sheet([3, 5, 6, 8, 11], [3, 5, 7], [12, 10, 9, 7, 5], [11, 9, 8], penalties=1),
    _sheet([2, 4, 7, 8], [3, 5, 6], [12, 11, 8, 7], [12, 10, 9, 6]),
)

STEPS = (
    Step("white", "r3", _roll(1, EMPTY, EMPTY), before=(("*", "w1 w2 r6 y4 g5 b6"),)),
    Step("skip", "r5", before=((1, "y3"), (1, "y5"), ("*", "w2 w3 r6 y1 g4 b5"))),
    Step("colour", "y3", before=((1, "-"),)),
    Step("pass", "-", before=(("*", "w1 w2 r4 y6 g6 b5"),)),
    Step(
        "penalty",
        "y5",
        before=((1, "-"), (1, "g8"), ("*", "w1 w1 r2 y4 g5 b6"), (0, "-"), (1, "-")),
    ),
    Step("lock", "r12", LATE, before=(("*", "w6 w6 r2 y3 g5 b4"),)),
    Step("end", "g2", before=((1, "-"), (1, "y9"), ("*", "w1 w1 y5 g3 b6"))),
    Step("score", before=((1, "-"),)),
)

_CLOSING = [11, 9, 8, 6, 4]

PICTURES = {
    "sheet": _roll(0, EMPTY),
    "crossing": _roll(0, _sheet([4, 6], [7], [10, 8], [11])),
    "roll": {
        **_roll(0, EMPTY),
        "phase": "white",
        "dice": {"w": [2, 5], "r": 4, "y": 1, "g": 6, "b": 3},
    },
    "closing-five": _roll(0, _sheet([], [], [], _CLOSING)),
    "closing-lock": _roll(0, _sheet([], [], [], [*_CLOSING, 2])),
    "closing-four": _roll(0, _sheet([], [], [], [11, 9, 8, 4])),
    "score": _roll(
        0,
        _sheet([2, 3, 5, 6, 9], [6, 8], [12, 11, 9, 8, 6, 5, 2], [10, 9, 7, 4], penalties=1),
    ),
}

LESSON = Lesson(STEPS, pictures=PICTURES)
