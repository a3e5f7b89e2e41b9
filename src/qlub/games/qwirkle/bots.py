"""Players of Qwirkle."""

from random import Random
from typing import NamedTuple

from qlub.core.game import Pass
from qlub.games.qwirkle.board import (
    LONGEST,
    Grid,
    line_length,
    step_of,
)
from qlub.games.qwirkle.rules import HAND_SIZE, hand_of
from qlub.games.qwirkle.search import CELL, POINTS, TILE, WALK_SIZE, begin, next_lay
from qlub.games.qwirkle.state import Lay, Move, Swap, View
from qlub.games.qwirkle.tiles import (
    KINDS,
    NAMES,
    TILES,
    copies,
    heap_size,
    of_colour,
    of_shape,
)
from qlub.kernel import Ints, Slots, count_bits, jitable


class Choice(NamedTuple):
    """Where a player puts the move that it takes: the cells of a lay, and the tiles."""

    cells: Slots
    tiles: Slots


@jitable
def take_lay(walk: Slots, count: int, choice: Choice) -> None:
    """Take the lay that a walk has just found."""
    for index in range(count):
        choice.cells[index] = walk[CELL + index]
        choice.tiles[index] = walk[TILE + index]


@jitable
def lines_of_five(grid: Grid, cells: Ints, count: int, at: int) -> int:
    """Count the lines of exactly five tiles that a lay leaves on the table."""
    step = step_of(grid, cells, count, at)
    fives = 0
    if line_length(grid, cells[at], cells[at + count - 1], step) == LONGEST - 1:
        fives += 1
    for index in range(at, at + count):
        if line_length(grid, cells[index], cells[index], grid.width + 1 - step) == LONGEST - 1:
            fives += 1
    return fives


@jitable
def largest_part(held: int) -> int:
    """Return the largest part of a set of tiles that shares a colour or a shape."""
    most = 0
    for kind in range(KINDS):
        if count_bits(held & of_colour(kind)) > count_bits(most):
            most = held & of_colour(kind)
        if count_bits(held & of_shape(kind)) > count_bits(most):
            most = held & of_shape(kind)
    return most


@jitable
def choose_swap(table: Ints, hand: int, in_bag: int, choice: Choice) -> int:
    """Exchange as many tiles as possible, but keep the largest set together."""
    kept = largest_part(table[hand])
    if count_bits(kept) == heap_size(table, hand):
        kept &= kept - 1  # something has to go
    count = 0
    for tile in range(TILES):
        for _ in range(copies(table, hand, tile) - (kept >> tile & 1)):
            if count < in_bag:
                choice.tiles[count] = tile
                count += 1
    return count


@jitable
def choose_most_points(
    table: Ints, grid: Grid, seat: int, in_bag: int, walk: Slots, choice: Choice, luck: Slots
) -> int:
    """Take the lay with the most points, and of equals the first that leaves the fewest lines of five.

    Without a lay, exchange tiles; with an empty bag, pass.
    """
    begin(grid, table[hand_of(seat)], walk)
    best = 0
    most = 0
    fewest = 0
    count = next_lay(grid, walk)
    while count > 0:
        points = walk[POINTS]
        if points >= most:
            fives = lines_of_five(grid, walk, count, CELL)
            if points > most or fives < fewest:
                best, most, fewest = count, points, fives
                take_lay(walk, count, choice)
        count = next_lay(grid, walk)
    if best > 0 or in_bag == 0:
        return best
    return -choose_swap(table, hand_of(seat), in_bag, choice)


class Greedy:
    """Takes the most points, and does not set up a line of five if it can help it."""

    about = (
        "Takes the most points; between equals it avoids leaving a line of five to the next player."
    )
    policy = staticmethod(choose_most_points)

    def choose(self, view: View, rng: Random, seconds: float) -> Move:
        grid = view.board.tidied()
        choice = Choice([0] * HAND_SIZE, [0] * HAND_SIZE)
        count = self.policy(
            view.table, grid, view.seat or 0, view.bag_size, [0] * WALK_SIZE, choice, []
        )
        if count == 0:
            return Pass()
        tiles = [NAMES[tile] for tile in choice.tiles[: abs(count)]]
        if count < 0:
            return Swap(tuple(tiles))
        cells = map(view.board.cell, choice.cells[:count])
        return Lay.of(*((tile, x, y) for tile, (x, y) in zip(tiles, cells, strict=True)))
