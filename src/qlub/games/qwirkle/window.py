"""The board as an immutable thing: a grid that shifts and grows, so that the table has no edge."""

from collections.abc import Collection, Iterator, Mapping
from typing import TypeAlias

from qlub.games.qwirkle.board import MARGIN, MOST_EDGES, Grid, place
from qlub.games.qwirkle.search import (
    CURSOR_SIZE,
    WALK_SIZE,
    Walk,
    begin_first_walk,
    begin_walk,
    next_lay,
)
from qlub.games.qwirkle.tiles import ALL, JOINS, TILES, largest_set

Cell: TypeAlias = tuple[int, int]
"""x to the right and y downwards."""

ORIGIN: Cell = (0, 0)
ROOM = 6
"""How many cells a new window has on each side beyond the margin that it needs."""


class Board:
    """Tiles on an endless table. Compares by its tiles, wherever its window lies.

    >>> Board({(0, 0): 0}) == Board({(0, 0): 0}), Board({(7, 0): 0}) == Board({(0, 0): 0})
    (True, False)
    """

    __slots__ = ("_bottom", "_left", "_right", "_top", "grid", "tiles")

    def __init__(self, tiles: Mapping[Cell, int], reach: Collection[Cell] = ()) -> None:
        """Open a window around these tiles, with room for more in the cells of `reach`.

        The tiles need not make legal lines, but should be near each other.
        """
        self.tiles: Mapping[Cell, int] = tiles
        self._left, self._right = _span(0, tiles, reach, MARGIN + ROOM)
        self._top, self._bottom = _span(1, tiles, reach, MARGIN + ROOM)
        width = self._right - self._left + 1
        size = width * (self._bottom - self._top + 1)
        self.grid = Grid(width, [0] * size, [ALL] * size, [ALL] * size, [0] * (MOST_EDGES + 1))
        for cell, tile in tiles.items():
            place(self.grid, self.index(cell), tile)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Board) and self.tiles == other.tiles

    def __hash__(self) -> int:
        return hash(frozenset(self.tiles.items()))

    def __repr__(self) -> str:
        return f"Board({dict(self.tiles)})"

    def index(self, cell: Cell) -> int:
        """Return the place of a cell in the grid."""
        x, y = cell
        return (y - self._top) * self.grid.width + x - self._left

    def cell(self, index: int) -> Cell:
        """Return the cell of a place in the grid."""
        down, across = divmod(index, self.grid.width)
        return across + self._left, down + self._top

    def is_near(self, cell: Cell) -> bool:
        """Say whether a cell lies well inside the window, as every lay that touches a tile does."""
        x, y = cell
        return self._left + 1 < x < self._right - 1 and self._top + 1 < y < self._bottom - 1

    def about_to_get(self, laid: Mapping[Cell, int]) -> "Board":
        """Return a copy that knows of these tiles and has room for them, for the kernel to lay."""
        left, right = _span(0, self.tiles, laid, MARGIN)
        top, bottom = _span(1, self.tiles, laid, MARGIN)
        inside = self._left <= left and right <= self._right
        if not (inside and self._top <= top and bottom <= self._bottom):
            board = Board(self.tiles, laid)
        else:
            board = object.__new__(Board)
            board._left, board._right = self._left, self._right
            board._top, board._bottom = self._top, self._bottom
            grid = self.grid
            board.grid = Grid(
                grid.width, grid.tiles[:], grid.across[:], grid.down[:], grid.edges[:]
            )
        board.tiles = {**self.tiles, **laid}
        return board

    def lays(self, hand: int) -> Iterator[list[tuple[Cell, int]]]:
        """Walk through every legal lay of a set of tiles, in an order that only the board decides."""
        tiles = [tile for tile in range(TILES) if hand >> tile & 1]
        walk = Walk([0] * CURSOR_SIZE, *([0] * WALK_SIZE for _ in range(5)))
        grid = self._tidy()
        if self.tiles:
            begin_walk(walk, hand)
        else:
            begin_first_walk(walk, hand, self.index(ORIGIN), largest_set(hand))
        while count := next_lay(grid, tiles, len(tiles), walk):
            yield [(self.cell(walk.cells[n]), walk.tiles[n]) for n in range(count)]

    def _tidy(self) -> Grid:
        """Return the grid with its edges in reading order, the occupied ones left out."""
        grid = self.grid
        count = grid.edges[0]
        cells = sorted(cell for cell in grid.edges[1 : count + 1] if not grid.tiles[cell])
        return grid._replace(edges=[len(cells), *cells])

    def faults(self) -> list[str]:
        """Say which tiles stand in a line where they must not, if any (QK-8)."""
        wrong = []
        for (x, y), tile in self.tiles.items():
            for dx, dy in ((1, 0), (0, 1)):
                at = (x + dx, y + dy)
                while at in self.tiles:
                    if not JOINS[tile] >> self.tiles[at] & 1:
                        wrong.append(f"{x},{y} and {at[0]},{at[1]}")
                    at = (at[0] + dx, at[1] + dy)
        return wrong


def is_connected(cells: Collection[Cell]) -> bool:
    """Say whether one can step from every cell to every other."""
    left = set(cells)
    border = [left.pop()] if left else []
    while border:
        x, y = border.pop()
        for near in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
            if near in left:
                left.remove(near)
                border.append(near)
    return not left


def _span(
    axis: int, tiles: Collection[Cell], more: Collection[Cell], margin: int
) -> tuple[int, int]:
    """Return the least and the greatest x (axis 0) or y (axis 1) of some cells, and a margin."""
    values = [cell[axis] for cell in tiles] + [cell[axis] for cell in more]
    return min(values, default=0) - margin, max(values, default=0) + margin
