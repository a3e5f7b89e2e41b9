"""Players of Qwirkle."""

from random import Random

from qlub.core.game import Pass
from qlub.games.qwirkle.board import LONGEST, line_length, step_of
from qlub.games.qwirkle.state import Lay, Move, Swap, View
from qlub.games.qwirkle.tiles import NUMBERS, largest_set


class Greedy:
    """Takes the most points, and does not set up a line of five if it can help it."""

    about = (
        "Takes the most points; between equals it avoids leaving a line of five to the next player."
    )

    def choose(self, view: View, rng: Random, seconds: float) -> Move:
        moves = view.legal()
        lays = [move for move in moves if isinstance(move, Lay)]
        if lays:
            return min(lays, key=lambda lay: (-view.points_of(lay), lines_of_five(view, lay)))
        swaps = [move for move in moves if isinstance(move, Swap)]
        return min(swaps, key=lambda swap: _kept(view, swap)) if swaps else Pass()


def lines_of_five(view: View, lay: Lay) -> int:
    """Count the lines of exactly five tiles that a lay leaves on the table."""
    grid = view.board.grid
    cells = [view.board.index((place.x, place.y)) for place in lay.placed]
    step = step_of(grid, cells, len(cells))
    lengths = [line_length(grid, cells[0], cells[-1], step)]
    lengths += [line_length(grid, cell, cell, grid.width + 1 - step) for cell in cells]
    return lengths.count(LONGEST - 1)


def _kept(view: View, swap: Swap) -> tuple[int, int]:
    """Rank an exchange: keep the largest set together, then exchange as many as possible."""
    hand = list(view.hand(view.seat or 0))
    for tile in swap.tiles:
        hand.remove(tile)
    tiles = 0
    for tile in hand:
        tiles |= 1 << NUMBERS[tile]
    return -largest_set(tiles), -len(swap.tiles)
