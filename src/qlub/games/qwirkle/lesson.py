"""The lesson of Qwirkle: two people at a table, from a line of three to the last tile."""

from collections.abc import Iterator

from qlub.core.game import Json
from qlub.core.lesson import Lesson, Step
from qlub.games.qwirkle.guide import guide
from qlub.games.qwirkle.state import Lay, Placed, View


def _turn(board: dict[str, str], mine: str, theirs: str, points: tuple[int, int]) -> Json:
    """Return a position in which the learner is to move; the bag has all other tiles."""
    return {
        "game": "qwirkle",
        "options": {"seniority": [0, 1]},
        "phase": "turn",
        "active": 0,
        "board": board,
        "hands": [mine.split(), theirs.split()],
        "points": list(points),
        "drawing": None,
    }


def _rows(*rows: str, left: int = 0, top: int = 0) -> dict[str, str]:
    """Return a board that is drawn with a dot for every empty cell."""
    return {
        f"{left + x},{top + y}": tile
        for y, row in enumerate(rows)
        for x, tile in enumerate(row.split())
        if tile != "."
    }


FIVE = _rows(
    "Po Yo .  .  .  .",
    ".  Ro Rx Rd Rs Rt",
    ".  .  Bx Bd .  Ot",
    ".  .  .  Gd .  .",
    left=-1,
    top=-1,
)
FULL = _rows(
    "Yo Bo .  .  .  .",
    ".  Bs Rs Ps .  .",
    ".  Bt .  Pd Gd Od",
    ".  Bx Yx .  Gc Oc",
    ".  .  Yt Ot .  .",
    left=-1,
    top=-1,
)

STEPS = (
    Step(
        "colour", "Rd@2,0", _turn(_rows("Ro Rx"), "Rd Gd Bo Bd Ys Pt", "Gx Bx Yt Pc Ps Os", (2, 0))
    ),
    Step(
        "shape",
        "Bd@2,1 Gd@2,2",
        before=(("*", "0: Oc"), (1, "Gx@1,-1"), ("*", "1: Yd")),
    ),
    Step("both", "Bo@0,1", before=(("*", "0: Yc Ps"), (1, "Bx@1,1"), ("*", "1: Gt"))),
    Step("qwirkle", "Rc@5,0", _turn(FIVE, "Rc Yx Yx Gs Pc Yt", "Bo Oo Yd Ps Rs Gc", (31, 29))),
    Step("exchange", "swap Yx Yx", before=(("*", "0: Os"), (1, "Bo@0,1"), ("*", "1: Gx"))),
    Step("end", "Gs@3,0", _turn(FULL, "Gs", "Ys Rt", (92, 99)) | {"bag": []}),
    Step("score"),
)

MOVES = (
    "Bt@0,0 Bs@1,0 Bc@2,0",
    "Gt@0,1 Yt@0,2",
    "Gs@1,1",
    "Gc@2,1 Gd@3,1",
    "Bo@-1,0 Bd@3,0",
    "Bx@4,0",
)
"""The moves of the example in the rules."""


def drafts(view: View) -> Iterator[str]:
    """Yield all tiles laid so far, as a page may come to them by the spots of the guide."""
    found: set[str] = set()
    waiting = [""]
    while waiting:
        told = guide(view, waiting.pop())
        laid = [read_place(place) for place in told["draft"].split()]
        for tile, cells in told["spots"].items():
            for cell in cells:
                x, y = map(int, cell.split(","))
                draft = str(Lay(tuple(sorted([*laid, Placed(y, x, tile)]))))
                if draft not in found:
                    found.add(draft)
                    waiting.append(draft)
    yield from sorted(found)


def read_place(text: str) -> Placed:
    """Read a tile and its cell."""
    tile, _, cell = text.partition("@")
    x, y = map(int, cell.split(","))
    return Placed(y, x, tile)


LESSON = Lesson(STEPS, drafts)
