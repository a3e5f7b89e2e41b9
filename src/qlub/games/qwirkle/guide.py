"""Guides a page through a move of Qwirkle: where tiles may go, and what they make so far.

A hand may have thousands of lays, so a page does not get them all. It asks tile by tile: every lay
can be built so that what lies there is legal at each step, beginning beside the board and going
outwards. Only the first move is not legal before its last tile.
"""

from collections.abc import Iterator
from typing import cast

from qlub.core.errors import BadEvent, IllegalMove
from qlub.core.game import Json
from qlub.games.qwirkle import rules
from qlub.games.qwirkle.board import fitting_at, line_length, line_points, step_of
from qlub.games.qwirkle.notation import read_move
from qlub.games.qwirkle.state import Lay, Placed, State, View
from qlub.games.qwirkle.tiles import (
    KINDS,
    NAMES,
    NUMBERS,
    largest_set,
    of_colour,
    of_shape,
)
from qlub.games.qwirkle.window import Board, Cell
from qlub.kernel import count_bits

NOTHING = Lay(())
SIDES = (1, 0), (-1, 0), (0, 1), (0, -1)


def guide(view: View, draft: str) -> Json:
    """Say what the seat that looks may do, after the tiles that it has laid so far.

    `spots` has, for each tile still held, the cells where it may go next and all points then.
    `missing` tiles must follow before the lay is legal, which only happens in the first move.
    """
    if view.seat is None or view.seat not in view.to_act:
        if draft:
            raise BadEvent("this seat has nothing to lay now")
        return _facts(view) | _told(view, NOTHING, 0, {}) | {"exchange": 0, "pass": False}
    laid = _read_draft(draft)
    first = _first_size(view)
    if first:
        missing = first - len(laid.placed)
        spots = _first_spots(view, laid, first)
    else:
        missing = 0
        spots = _spots(view, laid)
    return _facts(view) | _told(view, laid, missing, spots) | _other_moves(view)


def _facts(view: View) -> Json:
    """Count the tiles in the bag, and all that the seat cannot see by colour and shape."""
    counts = dict.fromkeys(NAMES, 0)
    for tile in view.unseen():
        counts[tile] += 1
    unseen = list(counts.values())
    rows = [unseen[at : at + KINDS] for at in range(0, len(unseen), KINDS)]
    return {"bag": view.bag_size, "unseen": rows, "first": _first_size(view)}


def _told(view: View, laid: Lay, missing: int, spots: dict[str, dict[Cell, int]]) -> Json:
    """Write what the tiles laid make, line by line, and where others may follow."""
    return {
        "draft": str(laid),
        "legal": bool(laid.placed) and not missing,
        "missing": missing,
        "points": _points(view, laid) if laid.placed else 0,
        "lines": _lines(view, laid),
        "bonus": _bonus(view, len(laid.placed)),
        "spots": {
            tile: {f"{x},{y}": points for (x, y), points in cells.items()}
            for tile, cells in spots.items()
            if cells
        },
    }


def _other_moves(view: View) -> Json:
    """Say how many tiles may be exchanged at most, and whether to pass is allowed (QK-9, QK-10)."""
    grid = view.board.grid
    held = view.hand_sizes[view.table[rules.ACTIVE]]
    counts = [n for n in range(1, held + 1) if rules.may_swap(grid, view.bag_size, n)]
    return {
        "exchange": max(counts, default=0),
        "pass": rules.may_pass(view.table, grid, view.bag_size),
    }


def _read_draft(draft: str) -> Lay:
    if not draft:
        return NOTHING
    laid = read_move(draft)
    if not isinstance(laid, Lay):
        raise BadEvent("a draft has tiles laid so far, such as Ro@0,0")
    return laid


def _first_size(view: View) -> int:
    """Return how many tiles the first move must have, or 0 if it is made or not this seat's (QK-4)."""
    if view.board.tiles or view.seat is None or view.seat not in view.to_act:
        return 0
    return largest_set(view.table[rules.hand_of(view.seat)])


def _first_spots(view: View, laid: Lay, size: int) -> dict[str, dict[Cell, int]]:
    """Return the free cells of the first move for all tiles of a largest set that has what is laid."""
    held = view.table[rules.hand_of(view.seat or 0)]
    used = 0
    for place in laid.placed:
        used |= 1 << NUMBERS[place.tile]
    sets = [
        held & kind
        for kind in (*map(of_colour, range(KINDS)), *map(of_shape, range(KINDS)))
        if count_bits(held & kind) == size
    ]
    sets = [tiles for tiles in sets if used & ~tiles == 0]
    cells = [(x, 0) for x in range(size)]
    taken = [(place.x, place.y) for place in laid.placed]
    if not sets or count_bits(used) < len(taken) or not set(taken) <= set(cells):
        raise BadEvent("these tiles do not begin a first move", "first-place")
    points = _length_points(len(taken) + 1)
    free = {cell: points for cell in cells if cell not in taken}
    return {
        tile: dict(free)
        for number, tile in enumerate(NAMES)
        if not used >> number & 1 and any(tiles >> number & 1 for tiles in sets)
    }


def _spots(view: View, laid: Lay) -> dict[str, dict[Cell, int]]:
    """Return the cells where each tile of the hand may follow those laid, or be the first of them."""
    hand = list(view.hand(view.seat or 0))
    board = view.board
    if laid.placed:
        try:
            after = cast(State, State(view.table, board).apply(view.seat or 0, laid))
        except IllegalMove as error:
            raise BadEvent(str(error), error.reason) from None
        board = after.board
        for place in laid.placed:
            hand.remove(place.tile)
    spots: dict[str, dict[Cell, int]] = {tile: {} for tile in dict.fromkeys(hand)}
    for cell in _ends(board, laid) if laid.placed else _edges(board):
        accepted = fitting_at(board.grid, board.index(cell))
        fitting = [tile for tile in spots if accepted >> NUMBERS[tile] & 1]
        if fitting:
            points = _points(view, _with(laid, cell))
            for tile in fitting:
                spots[tile][cell] = points
    return spots


def _edges(board: Board) -> Iterator[Cell]:
    """Yield the empty cells that touch a tile."""
    grid = board.grid
    for index in grid.edges[1 : grid.edges[0] + 1]:
        if not grid.tiles[index]:
            yield board.cell(index)


def _ends(board: Board, laid: Lay) -> Iterator[Cell]:
    """Yield the empty cells at the ends of the line that is being laid, of both if it may be either."""
    start, *others = laid.placed
    for dx, dy in SIDES:
        if any((place.y - start.y) * dx or (place.x - start.x) * dy for place in others):
            continue
        x, y = start.x + dx, start.y + dy
        while (x, y) in board.tiles:
            x, y = x + dx, y + dy
        yield x, y


def _with(laid: Lay, cell: Cell) -> Lay:
    """Return a lay with one more cell filled: what is laid there makes no difference to the points."""
    x, y = cell
    return Lay(tuple(sorted((*laid.placed, Placed(y, x, "")))))


def _points(view: View, laid: Lay) -> int:
    count = len(laid.placed)
    if not view.board.tiles:
        return _length_points(count)
    return view.points_of(laid) + _bonus(view, count)


def _length_points(count: int) -> int:
    """Return the points of a first move of so many tiles, wherever they lie so far (QK-11)."""
    return max(line_points(count), 1)


def _bonus(view: View, count: int) -> int:
    """Return the points for laying out one's hand while the bag is empty (QK-14)."""
    is_last = view.seat is not None and count == view.hand_sizes[view.seat] > 0
    return rules.LAST_TILE_POINTS if is_last and view.bag_size == 0 else 0


def _lines(view: View, laid: Lay) -> list[Json]:
    """Return every line that the tiles laid make or extend, the one that they stand in first."""
    if not view.board.tiles:
        lengths = [len(laid.placed)]
    elif laid.placed:
        grid = view.board.grid
        cells = [view.board.index((place.x, place.y)) for place in laid.placed]
        step = step_of(grid, cells, len(cells))
        lengths = [line_length(grid, cells[0], cells[-1], step)]
        lengths += [line_length(grid, cell, cell, grid.width + 1 - step) for cell in cells]
    else:
        lengths = []
    return [{"length": n, "points": line_points(n)} for n in lengths if n > 1]
