"""The strong players of Qwirkle, from friendly to fearsome."""

from collections.abc import Mapping
from typing import Any

from qlub.core.game import Pass
from qlub.games.qwirkle.board import Grid, clear, place, tidy
from qlub.games.qwirkle.bots import Choice
from qlub.games.qwirkle.leaves import LEARNT
from qlub.games.qwirkle.master import choose_by_trial, find_best
from qlub.games.qwirkle.mind import SURE, Mind, new_mind
from qlub.games.qwirkle.playout import Room, cell_of, new_room
from qlub.games.qwirkle.rules import BAG, hand_of
from qlub.games.qwirkle.state import Lay, Move, Swap, View
from qlub.games.qwirkle.tiles import NAMES, NUMBERS, heap_size, put
from qlub.games.qwirkle.window import Cell
from qlub.thinker import Array, Thinker, learnt_weights


def lay_out(tiles: Mapping[Cell, int], room: Room) -> None:
    """Lay tiles in a room in the place of those that lie there, the first of them in its middle."""
    grid, occupied = room.grid, room.occupied
    clear(grid, occupied[1:], occupied[0])
    across, down = home_of(tiles)
    occupied[0] = len(tiles)
    for count, ((x, y), tile) in enumerate(tiles.items(), 1):
        occupied[count] = grid.origin + (y - down) * grid.width + x - across
        place(grid, occupied[count], tile)
    tidy(grid)


def home_of(tiles: Mapping[Cell, int]) -> Cell:
    """Return the cell that lies in the middle of a room."""
    return next(iter(tiles), (0, 0))


def table_of(view: View) -> list[int]:
    """Return a table as the kernel needs it: the unseen tiles are dealt in tile order."""
    table = list(view.table)
    hidden = [NUMBERS[tile] for tile in view.unseen()]
    for seat, size in enumerate(view.hand_sizes):
        while heap_size(table, hand_of(seat)) < size:
            put(table, hand_of(seat), hidden.pop())
    for tile in hidden:
        put(table, BAG, tile)
    return table


def read_choice(tiles: Mapping[Cell, int], grid: Grid, choice: Choice, count: int) -> Move:
    """Return the move that was chosen in a room in which these tiles lie."""
    if count == 0:
        return Pass()
    names = [NAMES[tile] for tile in choice.tiles[: abs(count)]]
    if count < 0:
        return Swap(tuple(names))
    across, down = home_of(tiles)
    places = [cell_of(int(place) - grid.origin) for place in choice.cells[:count]]
    return Lay.of(
        *((tile, x + across, y + down) for tile, (x, y) in zip(names, places, strict=True))
    )


class Trier(Thinker):
    """Tries its best moves against tiles that the others may hold."""

    policy = staticmethod(choose_by_trial)
    find = staticmethod(find_best)

    def mind(self, array: Array, seats: int) -> Mind:
        weights = learnt_weights("qwirkle", 2, LEARNT)  # they serve any number of seats
        return new_mind(list(self.plan), [*weights, *SURE], array)

    def room(self, array: Array) -> Room:
        return new_room(array)

    def ask(self, view: View, room: Room, array: Array) -> tuple[Any, ...]:
        lay_out(view.board.tiles, room)
        table = array(table_of(view))
        return table, room.grid, view.seat or 0, view.bag_size, room.walk, room.choice

    def answer(self, view: View, found: int, asked: tuple[Any, ...]) -> Move:
        _, grid, *_, choice = asked
        return read_choice(view.board.tiles, grid, choice, found)


CLUB = Trier(
    "Tries a few good moves against a few hands that the others may hold.",
    (8, 3, 1, 200, 0, 20, 0, 1000),
    is_quick=True,
)
MASTER = Trier(
    "Tries its best moves against tiles that the others may hold, and searches the end of a game of two.",
    (20, 16, 2, 6000, 12, 20, 2, 8000),
)
GRANDMASTER = Trier(
    "Tries more moves than master against four times as many hands, and looks longer at the end.",
    (32, 64, 2, 40000, 12, 20, 2, 150_000),
)
