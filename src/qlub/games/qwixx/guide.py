"""What follows from the rules in a view of Qwixx, for pages that know none.

A seat's own sealed decision counts as made on its own sheet, since its player knows it. Whether a row
is closed is left to what lies open: until everybody has decided, others may still take its lock.
"""

from collections.abc import Sequence
from functools import lru_cache

from qlub.core.game import Json
from qlub.games.qwixx import rules
from qlub.games.qwixx.sheet import (
    CELLS,
    COLOURS,
    CROSSES_TO_LOCK,
    LAST,
    PENALTY_POINTS,
    cell_of,
    count_crosses,
    number_at,
    row_of,
    row_points,
    sheet_points,
)
from qlub.games.qwixx.state import ROW_NAMES, Cross, Move, View, encode
from qlub.kernel import count_bits


def guide(view: View, draft: str) -> Json:
    """Return sheets, dice and moves with their worth; a move of Qwixx is never half finished."""
    decided = None if view.seat is None else view.decisions.get(view.seat)
    return {
        "rows": [_row(view, colour) for colour in range(len(COLOURS))],
        "sheets": [_sheet(view, seat) for seat in range(view.seats)],
        "white": None if view.white_dice is None else _white(view.white_dice),
        "moves": [_move(view, move) for move in view.legal()],
        "decided": None if decided is None else _named(decided),
        "ended": _ended(view),
    }


def is_lost(numbers: Sequence[int], colour: int, cell: int) -> bool:
    """Say whether a cell can never be crossed: skipped (QX-2), or last and out of reach (QX-9)."""
    reached = cell_of(colour, numbers[-1]) if numbers else -1
    most_before_last = len(numbers) + LAST - 1 - reached
    return cell < reached or (cell == LAST and most_before_last < CROSSES_TO_LOCK)


def explain_end(view: View) -> str | None:
    """Say why the game is over, more closely than its reason: whose rows they had to be (QX-14it)."""
    if view.reason == "rows" and view.end == "player":
        return "player" if _closers_of_two(view) else "all"
    return view.reason


def _row(view: View, colour: int) -> Json:
    """Return what is the same for everybody: the printed numbers, the die and who closed the row."""
    letter = COLOURS[colour]
    die = view.color_dice.get(letter)
    white = view.white_dice or ()
    sums = [] if die is None else sorted({one + die for one in white})
    locked = [_locks(view, seat) >> CELLS * colour & 1 == 1 for seat in range(view.seats)]
    return {
        "colour": ROW_NAMES[letter],
        "numbers": [number_at(colour, cell) for cell in range(CELLS)],
        "die": die,
        "sums": sums,
        "closed_by": [seat for seat, has_locked in enumerate(locked) if has_locked],
    }


def _sheet(view: View, seat: int) -> Json:
    """Return a sheet cell by cell, with what it is worth."""
    bits, penalties = view.table[rules.SHEET + seat], view.table[rules.PENALTIES + seat]
    decided = view.decisions.get(seat) if seat == view.seat else None
    if isinstance(decided, Cross):
        bits |= 1 << encode(decided)
    return {
        "rows": [
            _cells(row_of(bits, colour), colour, letter in view.closed)
            for colour, letter in enumerate(COLOURS)
        ],
        "penalties": penalties,
        "boxes": rules.MOST_PENALTIES,
        "penalty_points": -PENALTY_POINTS * penalties,
        "points": sheet_points(bits, penalties),
    }


@lru_cache(4096)  # every page is told of every row after every move, and most stay as they were
def _cells(row: int, colour: int, is_closed: bool) -> Json:
    """Return a row of a sheet from left to right."""
    states = [_cell(row, colour, cell, is_closed) for cell in range(CELLS)]
    lock = "taken" if row >> LAST else "closed" if is_closed else "open"
    return {
        "cells": states,
        "lock": "lost" if lock == "open" and states[LAST] == "lost" else lock,
        "needs": max(0, CROSSES_TO_LOCK - count_bits(row)),
        "crosses": count_crosses(row),
        "points": row_points(row),
    }


def _cell(row: int, colour: int, cell: int, is_closed: bool) -> str:
    if row >> cell & 1:
        return "crossed"
    if row >> cell:
        return "lost"
    if is_closed:
        return "closed"
    numbers = [number_at(colour, place) for place in range(CELLS) if row >> place & 1]
    return "lost" if is_lost(numbers, colour, cell) else "open"


def _white(dice: tuple[int, int]) -> Json:
    return {"dice": list(dice), "sum": sum(dice)}


def _named(move: Move) -> Json:
    """Return a move with the words that it is called by."""
    if not isinstance(move, Cross):
        return {"move": str(move), "colour": None, "number": None, "locks": False}
    return {
        "move": str(move),
        "colour": ROW_NAMES[move.colour],
        "number": move.number,
        "locks": cell_of(COLOURS.index(move.colour), move.number) == LAST,
    }


def _move(view: View, move: Move) -> Json:
    """Return a legal move of the seat that looks: its worth, and the sheet as it would be.

    `ends` says that it ends the game whatever the others do.
    """
    seat = view.seat or 0
    table = list(view.table)
    if isinstance(move, Cross):
        table[rules.SHEET + seat] |= 1 << encode(move)
        rules.close_rows(table, rules.locked_by_anybody(table))
    elif view.pass_costs_penalty:
        table[rules.PENALTIES + seat] += 1
    points, penalties = rules.score(table, seat), table[rules.PENALTIES + seat]
    row = None
    if isinstance(move, Cross):
        colour = COLOURS.index(move.colour)
        row = _cells(row_of(table[rules.SHEET + seat], colour), colour, is_closed=False)
    return {
        **_named(move),
        "gain": points - view.scores()[seat],
        "points": points,
        "penalties": penalties,
        "penalty_points": -PENALTY_POINTS * penalties,
        "ends": rules.ending(table) != rules.RUNNING,
        "row": row,
    }


def _ended(view: View) -> Json | None:
    """Return why the game is over, and who brought it about."""
    why = explain_end(view)
    if why is None:
        return None
    seats = range(view.seats)
    by = [seat for seat in seats if view.sheet(seat).penalties == rules.MOST_PENALTIES]
    if why != "penalties":
        by = _closers_of_two(view) if why == "player" else []
    return {"why": why, "by": by}


def _closers_of_two(view: View) -> list[int]:
    """Return the seats that locked two rows or more."""
    return [seat for seat in range(view.seats) if count_bits(_locks(view, seat)) > 1]


def _locks(view: View, seat: int) -> int:
    return rules.locked_rows(view.table[rules.SHEET + seat])
