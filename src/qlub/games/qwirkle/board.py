"""Kernel: the board, which tiles may be laid where, and what a lay is worth.

A board is a window on the endless table: rows of `width` cells one after the other, so that a step
across is 1 and a step down is `width`. The window must reach `MARGIN` cells beyond every tile.
Beside the tiles a grid keeps, for each empty cell, the tiles that the line across it and the line
down through it would accept: a tile may be laid where both do.
"""

from collections.abc import Callable
from typing import NamedTuple

from qlub.games.qwirkle.tiles import ALL, TILES, joining
from qlub.kernel import Ints, Slots, jitable

MARGIN = 8
LONGEST = 6
QWIRKLE_POINTS = 6
MOST_EDGES = 4 + 3 * 108  # every tile but the first can add three cells at most


class Grid(NamedTuple):
    """A board as the kernel sees it."""

    width: int
    origin: int
    """The cell where the first tile is laid."""
    tiles: Slots
    """One more than the tile in each cell, 0 if it is empty."""
    across: Slots
    """The tiles that an empty cell's line across accepts; all if it has no neighbours there.

    Above these 36 bits: how many neighbours it has there, up to the next gap on both sides."""
    down: Slots
    """The same for the line down."""
    edges: Slots
    """How many cells ever touched a tile, then these cells; some are occupied by now."""


def new_grid(width: int, size: int, origin: int, array: Callable[[list[int]], Slots]) -> Grid:
    """Return an empty board of so many cells, kept in whatever `array` makes of a list."""
    accepting = [ALL] * size
    return Grid(
        width,
        origin,
        array([0] * size),
        array(accepting),
        array(accepting),
        array([0] * (MOST_EDGES + 1)),
    )


@jitable
def line_accepts(tiles: Slots, cell: int, step: int) -> int:
    """Return the tiles that may fill an empty cell as far as its line in one direction goes (QK-8).

    A cell between two stretches joins them: unless together they are a line, it accepts nothing.
    Above the tiles stands how many neighbours there are.
    """
    accepted = ALL
    neighbours = 0
    at = cell - step
    while tiles[at]:
        accepted &= joining(tiles[at] - 1)
        neighbours += 1
        at -= step
    fits_before = accepted
    at = cell + step
    while tiles[at]:
        accepted &= joining(tiles[at] - 1)
        if not fits_before >> (tiles[at] - 1) & 1:
            accepted = 0
        neighbours += 1
        at += step
    return accepted | neighbours << TILES


@jitable
def neighbours(line: int) -> int:
    """Return how many neighbours an empty cell has in a line, given what is noted of that line."""
    return line >> TILES


@jitable
def fitting_at(grid: Grid, cell: int) -> int:
    """Return the tiles that an empty cell accepts, all of them if it touches none."""
    return grid.across[cell] & grid.down[cell] & ALL


@jitable
def is_edge(grid: Grid, cell: int) -> bool:
    """Say whether an empty cell touches a tile."""
    return fitting_at(grid, cell) != ALL


@jitable
def place(grid: Grid, cell: int, tile: int) -> None:
    """Lay a tile in an empty cell and note what its lines accept at their four ends from now on."""
    grid.tiles[cell] = tile + 1
    for side in range(4):
        step = grid.width if side & 1 else 1
        away = step if side & 2 else -step
        end = cell + away
        while grid.tiles[end]:
            end += away
        if not is_edge(grid, end):
            grid.edges[0] += 1
            grid.edges[grid.edges[0]] = end
        if step == 1:
            grid.across[end] = line_accepts(grid.tiles, end, step)
        else:
            grid.down[end] = line_accepts(grid.tiles, end, step)


@jitable
def tidy(grid: Grid) -> None:
    """Bring the edges into reading order and leave out those that are occupied by now."""
    edges = grid.edges
    kept = 0
    for index in range(1, edges[0] + 1):
        cell = edges[index]
        if grid.tiles[cell] == 0:
            kept += 1
            at = kept
            while at > 1 and edges[at - 1] > cell:
                edges[at] = edges[at - 1]
                at -= 1
            edges[at] = cell
    edges[0] = kept


@jitable
def clear(grid: Grid, cells: Ints, count: int) -> None:
    """Take the tiles in the first `count` of these cells off the board, which must be all there are."""
    for index in range(count):
        cell = cells[index]
        grid.tiles[cell] = 0
        for near in (cell, cell - 1, cell + 1, cell - grid.width, cell + grid.width):
            grid.across[near] = ALL
            grid.down[near] = ALL
    grid.edges[0] = 0


@jitable
def fitting_tiles(grid: Grid) -> int:
    """Return all tiles that fit anywhere on the board (QK-15)."""
    fitting = 0
    for index in range(1, grid.edges[0] + 1):
        cell = grid.edges[index]
        if grid.tiles[cell] == 0:
            fitting |= fitting_at(grid, cell)
    return fitting


@jitable
def stretch(tiles: Slots, cell: int, step: int) -> int:
    """Count the tiles that follow a cell without a gap."""
    count = 0
    cell += step
    while tiles[cell]:
        count += 1
        cell += step
    return count


@jitable
def line_points(length: int) -> int:
    """Return the points of a line: one a tile, six more for a Qwirkle, none for a single tile."""
    return (length > 1) * length + (length == LONGEST) * QWIRKLE_POINTS


@jitable
def step_of(grid: Grid, cells: Ints, count: int, at: int = 0) -> int:
    """Return the step from one cell of a lay to the next along its line; 1 for a single tile."""
    return grid.width if count > 1 and (cells[at + 1] - cells[at]) % grid.width == 0 else 1


@jitable
def line_length(grid: Grid, first: int, last: int, step: int) -> int:
    """Return how long a line will be once it is filled from one cell to another."""
    before, behind = stretch(grid.tiles, first, -step), stretch(grid.tiles, last, step)
    return before + (last - first) // step + 1 + behind


@jitable
def lay_points(grid: Grid, cells: Ints, count: int) -> int:
    """Return what laying tiles in the first `count` of these cells will score (QK-11, QK-12).

    The cells are in order along their line and still empty.
    """
    step = step_of(grid, cells, count)
    points = line_points(line_length(grid, cells[0], cells[count - 1], step))
    for index in range(count):
        crossing = line_length(grid, cells[index], cells[index], grid.width + 1 - step)
        points += line_points(crossing)
    return max(points, 1)


# Why a lay is refused.
FITS, NOT_A_LINE, TAKEN, GAP, NO_TOUCH, NO_FIT = range(6)


@jitable
def lay_fault(grid: Grid, cells: Ints, laid: Ints, count: int) -> int:
    """Say what is wrong with laying tiles in cells, given in order, on a board that has tiles.

    The tiles stand in one line without an empty cell between the first and the last (QK-6), touch
    what is there (QK-7), and every line that they make or extend is a line (QK-8).
    """
    step = step_of(grid, cells, count)
    touches = False
    for index in range(count):
        if grid.tiles[cells[index]]:
            return TAKEN
        if (cells[index] - cells[0]) % step or (
            step == 1 and cells[index] // grid.width != cells[0] // grid.width
        ):
            return NOT_A_LINE
        touches = touches or is_edge(grid, cells[index])
    if not touches:
        return NO_TOUCH
    at = cells[0]
    while grid.tiles[at - step]:
        at -= step
    accepted = ALL
    index = 0
    while index < count or grid.tiles[at]:
        if grid.tiles[at]:
            tile = grid.tiles[at] - 1
        elif at == cells[index]:
            tile = laid[index]
            crossing = grid.down[at] if step == 1 else grid.across[at]
            if not crossing >> tile & 1:
                return NO_FIT
            index += 1
        else:
            return GAP
        if not accepted >> tile & 1:
            return NO_FIT
        accepted &= joining(tile)
        at += step
    return FITS
