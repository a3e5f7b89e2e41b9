"""The board as an immutable thing: a grid that shifts and grows, so that the table has no edge."""

from collections.abc import Collection, Iterator, Mapping
from typing import TypeAlias

from qlub.games.qwirkle.board import MARGIN, Grid, new_grid, place, tidy
from qlub.games.qwirkle.search import CELL, TILE, WALK_SIZE, begin, next_lay
from qlub.games.qwirkle.tiles import joining

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
        origin = -self._top * width - self._left
        self.grid = new_grid(width, size, origin, list)
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
            board.grid = grid._replace(
                tiles=grid.tiles[:],
                across=grid.across[:],
                down=grid.down[:],
                edges=grid.edges[:],
            )
        board.tiles = {**self.tiles, **laid}
        return board

    def lays(self, hand: int) -> Iterator[list[tuple[Cell, int]]]:
        """Walk through every legal lay of a set of tiles, in an order that only the board decides."""
        walk = [0] * WALK_SIZE
        grid = self.tidied()
        begin(grid, hand, walk)
        while count := next_lay(grid, walk):
            yield [(self.cell(walk[CELL + n]), walk[TILE + n]) for n in range(count)]

    def tidied(self) -> Grid:
        """Return the grid with tidy edges of its own."""
        grid = self.grid._replace(edges=self.grid.edges[:])
        tidy(grid)
        return grid

    def faults(self) -> list[str]:
        """Say which tiles stand in a line where they must not, if any (QK-8)."""
        wrong = []
        for (x, y), tile in self.tiles.items():
            for dx, dy in ((1, 0), (0, 1)):
                at = (x + dx, y + dy)
                while at in self.tiles:
                    if not joining(tile) >> self.tiles[at] & 1:
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
