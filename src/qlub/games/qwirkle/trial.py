"""Kernel: lists of lays, and laying tiles so that they can be taken back."""

from qlub.games.qwirkle.board import Grid, place
from qlub.games.qwirkle.rules import HAND_SIZE
from qlub.games.qwirkle.search import CELL, POINTS, TILE, begin, next_lay
from qlub.games.qwirkle.tiles import COPIES, TILES
from qlub.kernel import Ints, Slots, jitable

# Where things lie in a list of moves: how many tiles a move lays, or minus how many it exchanges; its
# points; by what it is ranked; then the cells and the tiles.
COUNT, SCORE, RANK, CELLS = range(4)
LAID = CELLS + HAND_SIZE
MOVE = LAID + HAND_SIZE

# Where things lie in a note of a tile that was laid: the cell, how many edges there were, then for
# each of four sides the end of the line and what was noted there.
_WHERE, _EDGES, _ENDS = range(3)
_NOTE = _ENDS + 2 * 4
NOTES_SIZE = 1 + _NOTE * COPIES * TILES


@jitable
def note_lay(walk: Ints, count: int, moves: Slots, at: int) -> None:
    """Write the lay that a walk has found to a place of a list, ranked by its points."""
    moves[at + COUNT] = count
    moves[at + SCORE] = moves[at + RANK] = walk[POINTS]
    for index in range(count):
        moves[at + CELLS + index] = walk[CELL + index]
        moves[at + LAID + index] = walk[TILE + index]


@jitable
def list_lays(grid: Grid, held: int, walk: Slots, moves: Slots, at: int, most: int) -> int:
    """List all lays of a set of tiles from a place of a list on and return how many there are.

    Those that no longer fit are left out, but never all that have the most points.
    """
    last = at + (most - 1) * MOVE
    begin(grid, held, walk)
    found = 0
    count = next_lay(grid, walk)
    while count > 0:
        if found < most:
            note_lay(walk, count, moves, at + found * MOVE)
            found += 1
        elif walk[POINTS] > moves[last + SCORE]:
            note_lay(walk, count, moves, last)
        count = next_lay(grid, walk)
    return found


@jitable
def exchange_places(moves: Slots, one: int, other: int) -> None:
    """Let two moves of a list change places."""
    for index in range(MOVE):
        moves[one + index], moves[other + index] = moves[other + index], moves[one + index]


@jitable
def bring_best(moves: Slots, at: int, count: int) -> None:
    """Bring the move of the highest rank among some to the first place; of equals the first one."""
    best = at
    for move in range(at + MOVE, at + count * MOVE, MOVE):
        if moves[move + RANK] > moves[best + RANK]:
            best = move
    if best != at:
        exchange_places(moves, at, best)


@jitable
def keep_best(moves: Slots, count: int, most: int) -> int:
    """Bring the moves of the highest ranks to the front of a list, best first; return how many."""
    kept = min(count, most)
    for index in range(kept):
        bring_best(moves, index * MOVE, count - index)
    return kept


@jitable
def try_tile(grid: Grid, cell: int, tile: int, notes: Slots) -> None:
    """Lay a tile and note what is needed to take it back."""
    at = 1 + notes[0] * _NOTE
    notes[0] += 1
    notes[at + _WHERE] = cell
    notes[at + _EDGES] = grid.edges[0]
    at += _ENDS
    for side in range(4):
        step = grid.width if side & 1 else 1
        away = step if side & 2 else -step
        end = cell + away
        while grid.tiles[end]:
            end += away
        notes[at] = end
        notes[at + 1] = grid.across[end] if step == 1 else grid.down[end]
        at += 2
    place(grid, cell, tile)


@jitable
def end_of(notes: Slots, side: int) -> int:
    """Return the end of a line of the tile that was laid last, on one of four sides."""
    return notes[1 + (notes[0] - 1) * _NOTE + _ENDS + 2 * side]


@jitable
def take_back(grid: Grid, notes: Slots, until: int) -> None:
    """Take the last tiles back until so many are left of those that were tried."""
    while notes[0] > until:
        notes[0] -= 1
        at = 1 + notes[0] * _NOTE
        grid.tiles[notes[at + _WHERE]] = 0
        grid.edges[0] = notes[at + _EDGES]
        at += _ENDS
        for side in range(4):
            if side & 1:
                grid.down[notes[at]] = notes[at + 1]
            else:
                grid.across[notes[at]] = notes[at + 1]
            at += 2


@jitable
def try_lay(grid: Grid, moves: Ints, at: int, notes: Slots) -> None:
    """Lay the tiles of a move in a list."""
    for index in range(moves[at + COUNT]):
        try_tile(grid, moves[at + CELLS + index], moves[at + LAID + index], notes)
