"""Kernel: a walk through all legal lays of a hand, one after the other.

Every lay has one axis and one first cell on it. From each possible first cell the walk tries the
tiles of the hand, then goes on to the next empty cell behind whatever lies there, as deep as the
line accepts. A tile cannot be tried twice in one lay, since no line accepts its own tiles again.

Say Ro lies alone, the hand holds Rx and Rd, and the axis is across. The cell to the left of Ro is an
edge. A lay may begin there (BACK is 0: it touches at once) or one cell further left (BACK is 1: it
touches with its second tile, which must be one of the GOAL, those that fit at the edge). At each
depth one tile is laid: with BACK 1 depth 0 tries Rx, finds Rd for depth 1, and so on. A first move
has no edges; there EXACT says how many tiles it must lay.
"""

from typing import NamedTuple

from qlub.games.qwirkle.board import LONGEST, Grid, is_edge
from qlub.games.qwirkle.tiles import ALL, JOINS
from qlub.kernel import Ints, Slots, jitable

# Where things lie in a cursor.
AXIS, EDGE, BACK, DEPTH, EXACT, HELD, GOAL = range(7)
CURSOR_SIZE = 7
ACROSS, DOWN, DONE = range(3)


class Walk(NamedTuple):
    """How far a walk has come. After `next_lay` its first cells and tiles are the lay found."""

    cursor: Slots
    cells: Slots
    tiles: Slots
    tried: Slots
    """How many tiles of the hand were tried at each depth."""
    may: Slots
    """The tiles that may be laid at each depth."""
    line: Slots
    """The tiles that the line accepts at each depth, before one is laid there."""


WALK_SIZE = LONGEST + 1


@jitable
def begin_walk(walk: Walk, held: int) -> None:
    """Prepare a walk through all lays of a set of tiles on a board that has tiles."""
    walk.cursor[AXIS] = ACROSS
    walk.cursor[EDGE] = 0
    walk.cursor[BACK] = LONGEST  # as if all cells before some edge were done
    walk.cursor[DEPTH] = -1
    walk.cursor[EXACT] = 0
    walk.cursor[HELD] = held


@jitable
def begin_first_walk(walk: Walk, held: int, origin: int, size: int) -> None:
    """Prepare a walk through all first moves: so many tiles, from the origin to the right (QK-4)."""
    walk.cursor[AXIS] = DONE
    walk.cursor[BACK] = 0
    walk.cursor[DEPTH] = 0
    walk.cursor[EXACT] = size
    walk.cursor[HELD] = held
    walk.cells[0] = origin
    walk.tried[0] = 0
    walk.may[0] = held
    walk.line[0] = ALL


@jitable
def next_start(grid: Grid, hand_size: int, walk: Walk) -> bool:
    """Go to the next possible first cell; say whether there is one.

    Lays begin at an edge, or so many free cells before one that the tiles reach it. The goal is what
    may be laid at that edge: where it is empty no lay through this edge is possible.
    """
    cursor = walk.cursor
    while cursor[AXIS] != DONE:
        cursor[BACK] += 1
        if cursor[BACK] >= hand_size:
            cursor[EDGE] += 1
            cursor[BACK] = 0
            if cursor[EDGE] > grid.edges[0]:
                cursor[AXIS] += 1
                cursor[EDGE] = 0
                cursor[BACK] = LONGEST
                continue
            edge = grid.edges[cursor[EDGE]]
            cursor[GOAL] = grid.across[edge] & grid.down[edge] & cursor[HELD]
        step = 1 if cursor[AXIS] == ACROSS else grid.width
        start = grid.edges[cursor[EDGE]] - step * cursor[BACK]
        beside = cursor[BACK] > 0 and is_edge(grid, start)
        if cursor[GOAL] == 0 or grid.tiles[start] or beside:
            cursor[BACK] = LONGEST
            continue
        walk.cells[0] = start
        walk.tried[0] = 0
        walk.line[0] = ALL
        walk.may[0] = grid.across[start] & grid.down[start] & cursor[HELD]
        return True
    return False


@jitable
def open_next(grid: Grid, walk: Walk, depth: int) -> None:
    """Find what may be laid at the next depth, in the next empty cell of the line."""
    cursor = walk.cursor
    is_down = cursor[AXIS] == DOWN
    step = grid.width if is_down else 1
    lines = grid.down if is_down else grid.across
    crossings = grid.across if is_down else grid.down
    cell = walk.cells[depth]
    line = walk.line[depth] & lines[cell] & JOINS[walk.tiles[depth]]
    may = line & cursor[HELD]
    if depth < cursor[BACK] and may & cursor[GOAL] == 0:
        may = 0
    if may:
        cell += step
        while grid.tiles[cell]:
            cell += step
        may &= lines[cell] & crossings[cell]
        behind = cell + step
        while may and grid.tiles[behind]:
            if not line >> (grid.tiles[behind] - 1) & 1:
                may = 0
            behind += step
    walk.cells[depth + 1] = cell
    walk.tried[depth + 1] = 0
    walk.line[depth + 1] = line
    walk.may[depth + 1] = may


@jitable
def next_lay(grid: Grid, hand: Ints, hand_size: int, walk: Walk) -> int:
    """Go to the next legal lay of these different tiles and return how many it lays, 0 at the end."""
    cursor = walk.cursor
    while True:
        depth = cursor[DEPTH]
        if depth < 0:
            if not next_start(grid, hand_size, walk):
                return 0
            cursor[DEPTH] = depth = 0
        tried = walk.tried[depth]
        while tried < hand_size and not walk.may[depth] >> hand[tried] & 1:
            tried += 1
        if tried == hand_size:
            cursor[DEPTH] = depth - 1
            continue
        walk.tried[depth] = tried + 1
        walk.tiles[depth] = hand[tried]
        if depth + 1 < hand_size:
            open_next(grid, walk, depth)
            if walk.may[depth + 1]:
                cursor[DEPTH] = depth + 1
        if cursor[EXACT] > 0:
            if depth + 1 == cursor[EXACT]:
                return depth + 1
        elif depth >= cursor[BACK] and (depth > 0 or cursor[AXIS] == ACROSS):
            return depth + 1
