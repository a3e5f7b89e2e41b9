"""What a page that knows no rules must be told about a view of Qwantum, and what screens ask too."""

from collections.abc import Sequence
from functools import lru_cache

from qlub.core.game import Json, Pass
from qlub.games.qwantum import rules
from qlub.games.qwantum.sheet import (
    BEFORE_LINE,
    CELLS,
    COLOURS,
    MOST_FAILS,
    MOST_SUM,
    column_points,
)
from qlub.games.qwantum.state import DIE_NAMES, Keep, Move, Sheet, Situation, View, Write

DICE_LIE = ("keep", "reroll", "pick", "share")
"""The phases in which the dice on the table are there to be written."""


def guide(view: View, draft: str) -> Json:
    """Say what lies on the table, what each number is worth, and what the seat that looks may do.

    Any dice may be rolled again, so there is nothing to say about some of them: a draft is ignored.
    """
    return {
        "line": BEFORE_LINE,
        "dice": [
            {"name": name, "colour": face[0], "number": int(face[1])}
            for name, face in zip(DIE_NAMES, view.dice or (), strict=False)
        ],
        "sums": _sums(view),
        "sheets": [_sheet(view, seat) for seat in range(view.seats)],
        "throw": _throw(view),
        "choices": [] if view.phase == "keep" else [_choice(view, move) for move in view.legal()],
        "made": _made(view),
        "fail": _fail(view),
        "ended": _ended(view),
    }


def parts_of(dice: Sequence[str], colour: str) -> list[int]:
    """Return the numbers that the sum of a colour is made of, the white die first (QN-9).

    >>> parts_of(("w4", "v6", "v4", "b6", "b4", "y2", "r6"), "b")
    [4, 6, 4]
    """
    return [int(face[1]) for face in dice if face[0] in ("w", colour)]


def bound(numbers: Sequence[int]) -> tuple[str, int] | None:
    """Return what the next number of a row must be, None where everything goes (QN-4).

    >>> bound([5, 9]), bound([8, 13, 19, 24]), bound([])
    (('>', 9), ('<', 24), None)
    """
    return (">" if len(numbers) < BEFORE_LINE else "<", numbers[-1]) if numbers else None


def reach(numbers: Sequence[int]) -> int:
    """Return how many cells of a row can ever be filled, those that are included.

    >>> reach([5, 9]), reach([5, 32]), reach([5, 9, 12, 20, 1])
    (6, 3, 5)
    """
    filled = len(numbers)
    if not numbers:
        return CELLS
    if filled >= BEFORE_LINE:
        return min(CELLS, filled + numbers[-1] - 1)
    room = filled + MOST_SUM - numbers[-1]
    return CELLS if room >= BEFORE_LINE else room


def column(sheet: Sheet, cell: int) -> int | None:
    """Return the points of a column, None while it is not full (QN-6)."""
    rows = [sheet.rows[colour] for colour in COLOURS]
    if min(map(len, rows)) <= cell:
        return None
    violet, blue, red, yellow = (row[cell] for row in rows)
    return column_points(violet, blue, red, yellow)


def completes(sheet: Sheet, colour: str, number: int) -> int | None:
    """Return the points of the column that a number would complete, if it does."""
    rows = {**sheet.rows, colour: (*sheet.rows[colour], number)}
    return column(Sheet(rows, sheet.fails), len(sheet.rows[colour]))


def fails_cost(fails: int) -> int:
    """Return what so many failed throws cost together (QN-12)."""
    return fails * (fails + 1) // 2


def is_pressed(view: Situation, seat: int) -> bool:
    """Say whether passing is a failed throw for a seat now: it threw and wrote nothing in B (QN-12)."""
    return view.phase == "share" and view.active == seat and view.picked is None


def _sums(view: View) -> list[Json]:
    if view.dice is None:
        return []
    return [
        {
            "colour": colour,
            "total": total,
            "parts": parts_of(view.dice, colour),
            "taken": colour == view.picked,
        }
        for colour, total in view.sums.items()
    ]


def _sheet(view: View, seat: int) -> Json:
    sheet = view.sheet(seat)
    return {
        "rows": [_row(view, seat, sheet, colour) for colour in COLOURS],
        "columns": [_column(view, sheet, cell) for cell in range(CELLS)],
        "fails": {
            "count": sheet.fails,
            "boxes": list(range(1, MOST_FAILS + 1)),
            "points": -fails_cost(sheet.fails),
        },
        "total": view.scores()[seat],
    }


def _row(view: View, seat: int, sheet: Sheet, colour: str) -> Json:
    """Describe a row; `next` is the cell to be written next, None if there is none any more."""
    numbers = sheet.rows[colour]
    row: Json = {"colour": colour, "numbers": list(numbers), "reach": reach(numbers), "next": None}
    if len(numbers) < row["reach"]:
        relation, limit = bound(numbers) or (None, None)
        fits, gain = None, 0
        if view.phase in DICE_LIE:
            fits = view.fits(seat, colour, view.sums[colour])
            gain = completes(sheet, colour, view.sums[colour]) or 0 if fits else 0
        row["next"] = {
            "cell": len(numbers),
            "relation": relation,
            "limit": limit,
            "fits": fits,
            "gain": gain,
        }
    return row


def _column(view: View, sheet: Sheet, cell: int) -> Json:
    """Describe a column: its points, or how many numbers it lacks and what the last would make it."""
    lacking = [colour for colour in COLOURS if len(sheet.rows[colour]) <= cell]
    soon: Json | None = None
    if len(lacking) == 1 and len(sheet.rows[lacking[0]]) == cell:
        soon = _soon(view, sheet, lacking[0])
    return {"points": column(sheet, cell), "lacks": len(lacking), "soon": soon}


def _soon(view: View, sheet: Sheet, colour: str) -> Json | None:
    """Say what a column is worth that lacks one number, now and at best; None if it is lost."""
    worth = _worths(tuple(sheet.rows.values()), colour)
    if not worth:
        return None
    now = worth.get(view.sums[colour]) if view.phase in DICE_LIE else None
    if colour == view.picked:
        now = None
    return {
        "colour": colour,
        "now": now,
        "least": min(worth.values()),
        "most": max(worth.values()),
    }


@lru_cache(4096)  # every page is told of every sheet after every move, and most stay as they were
def _worths(rows: tuple[tuple[int, ...], ...], colour: str) -> dict[int, int]:
    """Return what the column of the next number is worth, for all numbers that fit there."""
    sheet = Sheet(dict(zip(COLOURS, rows, strict=True)), 0)
    below, above = 1, MOST_SUM
    if (limit := bound(sheet.rows[colour])) is not None:
        below, above = (limit[1] + 1, above) if limit[0] == ">" else (below, limit[1] - 1)
    return {number: completes(sheet, colour, number) or 0 for number in range(below, above + 1)}


def _throw(view: View) -> Json | None:
    """Say how moves in A are written: dice go into `reroll` in the order in which they lie."""
    if view.phase != "keep" or not view.legal():
        return None
    return {"keep": str(Keep()), "reroll": "reroll {dice}", "comma": ","}


def _choice(view: View, move: Move) -> Json:
    """Describe a move of B or C, and what it is worth at once."""
    seat = view.seat or 0
    sheet = view.sheet(seat)
    if not isinstance(move, Write):
        cost = sheet.fails + 1 if is_pressed(view, seat) else 0
        return {"move": str(move), "colour": None, "gain": -cost}
    cell = len(sheet.rows[move.colour])
    return {
        "move": str(move),
        "colour": move.colour,
        "number": move.number,
        "cell": cell,
        "gain": completes(sheet, move.colour, move.number) or 0,
        "lacks": sum(len(row) <= cell for row in sheet.rows.values()) - 1,
    }


def _made(view: View) -> Json | None:
    """Return what the seat that looks has decided in C, while others still do."""
    move = None if view.seat is None else view.decisions.get(view.seat)
    return None if move is None else _choice(view, move)


def _fail(view: View) -> Json | None:
    """Say what a failed throw would cost the seat that looks, and whether it is certain (QN-12).

    Where nothing fits in B nothing will fit in C, since the dice and the sheet stay as they are.
    """
    if view.seat is None or view.seat != view.active or view.phase not in ("pick", "share"):
        return None
    if view.picked is not None:
        return None
    decided = view.decisions.get(view.seat)
    is_certain = view.legal() == (Pass(),) if decided is None else decided == Pass()
    return {"cost": view.sheet(view.seat).fails + 1, "certain": is_certain}


def _ended(view: View) -> Json | None:
    """Say why the game ended, and whose sheets brought it about (QN-13, QN-14)."""
    if view.reason is None:
        return None
    if view.reason == "fails":
        return {"why": "fails", "by": [view.active]}
    full = [seat for seat in range(view.seats) if rules.is_full(view.table, seat)]
    return {"why": "sheet", "by": full}
