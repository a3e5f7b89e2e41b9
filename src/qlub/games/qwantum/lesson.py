"""The lesson of Qwantum: two people at a table, from a first throw to a full sheet."""

from qlub.core.game import Json
from qlub.core.lesson import Lesson, Step

EMPTY: Json = {"v": [], "b": [], "r": [], "y": [], "fails": 0}


def _roll(active: int, *sheets: Json) -> Json:
    """Return a position before a throw."""
    return {
        "game": "qwantum",
        "options": {},
        "phase": "roll",
        "active": active,
        "dice": None,
        "sheets": list(sheets),
        "picked": None,
        "rerolling": [],
        "decided": {},
    }


def _sheet(v: list[int], b: list[int], r: list[int], y: list[int], fails: int = 0) -> Json:
    return {"v": v, "b": b, "r": r, "y": y, "fails": fails}


EARLY = _roll(0, _sheet([4], [], [], []), _sheet([], [5], [], [7]))
RIVAL = _sheet([6, 11], [5, 9], [8, 12, 14], [7, 10])
MIDDLE = _roll(1, _sheet([5, 9, 13, 17], [4, 8, 10], [3, 7], [6, 9, 15]), RIVAL)
LATER = _roll(0, _sheet([5, 9, 13, 17, 14], [4, 8, 10], [3, 7, 12], [6, 9, 15]), RIVAL)
LAST = _roll(
    0,
    _sheet(
        [5, 9, 13, 17, 14, 8], [4, 8, 10, 16, 12, 5], [3, 7, 12, 19, 11, 6], [6, 9, 15, 18, 13], 1
    ),
    _sheet([6, 11, 14, 20, 12], [5, 9, 14, 18, 11, 4], [8, 12, 14, 19, 10], [7, 10, 13, 21, 9], 2),
)

STEPS = (
    Step("throw", "reroll 2,5", EARLY, before=(("*", "w2 v6 b5 v3 y6 b6 v2"),)),
    Step("pick", "b4", before=(("*", "w2 v6 y1 v3 y6 b2 v2"),)),
    Step("share", "r2"),
    Step(
        "line",
        "v14",
        MIDDLE,
        before=(("*", "w3 v6 b5 b4 b2 v5 y1"), (1, "keep"), (1, "b14")),
    ),
    Step("column", "r12", before=((1, "v14"), ("*", "w3 r4 y3 b4 r5 b6 v2"), (0, "keep"))),
    Step(
        "fail",
        "-",
        LATER,
        before=(
            ("*", "w6 r1 r6 v3 b2 y4 y5"),
            (0, "reroll w,1"),
            ("*", "w5 v6 r6 v3 b2 y4 y5"),
            (0, "-"),
        ),
    ),
    Step("end", "y7", LAST, before=(("*", "w2 y5 r2 v3 b4 r3 b3"), (0, "keep"))),
    Step("score"),
)

PICTURES = {
    "sheet": _roll(0, EMPTY),
    "throw": {
        **_roll(0, EMPTY),
        "phase": "pick",
        "dice": ["w4", "b5", "y3", "y4", "v1", "b2", "r6"],
    },
    "score": _roll(
        0,
        _sheet(
            [4, 8, 11, 16, 12, 7],
            [6, 9, 14, 21, 15],
            [4, 10, 13, 15, 9, 3],
            [7, 8, 11, 18, 13],
            2,
        ),
    ),
}

LESSON = Lesson(STEPS, pictures=PICTURES)
