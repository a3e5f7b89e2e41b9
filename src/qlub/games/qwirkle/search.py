"""Kernel: a walk through all legal lays of a hand, one after the other.

Every lay has one axis and one first cell on it. From each possible first cell the walk tries the
tiles of the hand, then goes on to the next empty cell behind whatever lies there, as deep as the
line accepts. A tile cannot be tried twice in one lay, since no line accepts its own tiles again.

Say Ro lies alone, the hand holds Rx and Rd, and the axis is across. The cell to the left of Ro is an
edge. A lay may begin there (BACK is 0: it touches at once) or one cell further left (BACK is 1: it
touches with its second tile, which must be one of the GOAL, those that fit at the edge), but not
further left than the hand has tiles for (REACH). At each
depth one tile is laid: with BACK 1 depth 0 tries Rx, finds Rd for depth 1, and so on. A first move
has no edges; there EXACT says how many tiles it must lay.
"""

from qlub.games.qwirkle.board import LONGEST, Grid, is_edge, line_points, neighbours
from qlub.games.qwirkle.tiles import ALL, KINDS, joining, largest_set, of_colour, of_shape
from qlub.kernel import Slots, count_bits, jitable

# Where things lie in a walk: how far it has come, then seven places each for the hand and the depths.
AXIS, STOP, EDGE, BACK, DEPTH, EXACT, HELD, GOAL, REACH, POINTS = range(10)
SETS, CELL, TILE, MAY, LINE, BESIDE, CROSSING = range(10, 10 + 7 * (LONGEST + 1), LONGEST + 1)
# STOP: the axis that is no longer walked along.
# POINTS: what the lay that was found scores.
# SETS: the tiles of the hand that make a line of more than so many with others of it.
# CELL, TILE: after `next_lay` the lay that was found, a tile a depth.
# MAY: the tiles that may be laid at each depth and were not tried yet.
# LINE: those that the line accepts there, before one is laid.
# BESIDE: how many tiles of the board the line has, up to the gap behind the cell.
# CROSSING: the points of the crossing lines, that of the cell included.
WALK_SIZE = CROSSING + LONGEST + 1
ACROSS, DOWN, DONE = range(3)


@jitable
def begin_axis(walk: Slots, axis: int) -> None:
    """Begin anew with the first edge, and with one axis only."""
    walk[AXIS] = axis
    walk[STOP] = axis + 1
    walk[EDGE] = 0
    walk[BACK] = LONGEST  # as if all cells before some edge were done
    walk[DEPTH] = -1
    walk[EXACT] = 0


@jitable
def begin(grid: Grid, held: int, walk: Slots) -> None:
    """Prepare a walk through all lays of a set of tiles, in the order of the edges.

    Edges that are occupied by now are passed over.
    """
    walk[HELD] = held
    for size in range(LONGEST + 1):
        walk[SETS + size] = 0
    left = held
    while left:
        tile = count_bits((left & -left) - 1)
        same_colour = count_bits(held & of_colour(tile // KINDS))
        same_shape = count_bits(held & of_shape(tile % KINDS))
        for size in range(max(same_colour, same_shape)):
            walk[SETS + size] |= left & -left
        left &= left - 1
    if grid.edges[0] > 0:
        begin_axis(walk, ACROSS)
        walk[STOP] = DONE
        return
    walk[AXIS] = walk[STOP] = (
        DONE  # a first move: so many tiles, from the origin to the right (QK-4)
    )
    walk[BACK] = 0
    walk[DEPTH] = 0
    walk[EXACT] = largest_set(held)
    walk[CELL] = grid.origin
    walk[MAY] = held
    walk[LINE] = ALL
    walk[BESIDE] = 0
    walk[CROSSING] = 0


@jitable
def longest_through(walk: Slots) -> int:
    """Return how long a line of the hand's own tiles can be that has one of the goal in it."""
    longest = 0
    while walk[GOAL] & walk[SETS + longest]:
        longest += 1
    return longest


@jitable
def reach_at(grid: Grid, walk: Slots, edge: int) -> int:
    """Return how many tiles the hand can lay in a line through an edge at most."""
    walk[GOAL] = grid.across[edge] & grid.down[edge] & walk[HELD]
    return longest_through(walk)


@jitable
def next_start(grid: Grid, walk: Slots) -> bool:
    """Go to the next possible first cell; say whether there is one.

    Lays begin at an edge, or so many free cells before one that the tiles reach it. The goal is what
    may be laid at that edge: where it is empty no lay through this edge is possible.
    """
    while walk[AXIS] != walk[STOP]:
        walk[BACK] += 1
        if walk[BACK] >= walk[REACH]:
            walk[EDGE] += 1
            walk[BACK] = 0
            if walk[EDGE] > grid.edges[0]:
                walk[AXIS] += 1
                walk[EDGE] = 0
                walk[BACK] = LONGEST
                continue
            walk[REACH] = reach_at(grid, walk, grid.edges[walk[EDGE]])
        step = 1 if walk[AXIS] == ACROSS else grid.width
        start = grid.edges[walk[EDGE]] - step * walk[BACK]
        beside = walk[BACK] > 0 and is_edge(grid, start)
        if walk[GOAL] == 0 or grid.tiles[start] or beside:
            walk[BACK] = LONGEST
            continue
        across, down = grid.across[start], grid.down[start]
        is_down = walk[AXIS] == DOWN
        walk[CELL] = start
        walk[LINE] = ALL
        walk[MAY] = across & down & walk[HELD]
        walk[BESIDE] = neighbours(down if is_down else across)
        walk[CROSSING] = line_points(1 + neighbours(across if is_down else down))
        return True
    return False


@jitable
def open_next(grid: Grid, walk: Slots, depth: int) -> None:
    """Find what may be laid at the next depth, in the next empty cell of the line."""
    is_down = walk[AXIS] == DOWN
    step = grid.width if is_down else 1
    lines = grid.down if is_down else grid.across
    crossings = grid.across if is_down else grid.down
    cell = walk[CELL + depth]
    tile = walk[TILE + depth]
    line = walk[LINE + depth] & lines[cell] & joining(tile)
    may = line & walk[HELD]
    walk[MAY + depth + 1] = 0
    missing = walk[BACK] - depth  # tiles that must follow to reach the edge
    if may == 0 or (missing > 0 and (may & walk[GOAL] == 0 or count_bits(may) < missing)):
        return
    skipped = 0
    cell += step
    while grid.tiles[cell]:
        cell += step
        skipped += 1
    behind = neighbours(lines[cell]) - skipped
    for distance in range(1, behind + 1):
        if not line >> (grid.tiles[cell + distance * step] - 1) & 1:
            return
    walk[CELL + depth + 1] = cell
    walk[LINE + depth + 1] = line
    walk[MAY + depth + 1] = may & lines[cell] & crossings[cell]
    walk[BESIDE + depth + 1] = walk[BESIDE + depth] + behind
    crossing = line_points(1 + neighbours(crossings[cell]))
    walk[CROSSING + depth + 1] = walk[CROSSING + depth] + crossing


@jitable
def next_lay(grid: Grid, walk: Slots) -> int:
    """Go to the next legal lay and return how many tiles it lays, 0 at the end."""
    while True:
        depth = walk[DEPTH]
        if depth < 0:
            if not next_start(grid, walk):
                return 0
            walk[DEPTH] = depth = 0
        may = walk[MAY + depth]
        if may == 0:
            walk[DEPTH] = depth - 1
            continue
        walk[MAY + depth] = may & (may - 1)
        walk[TILE + depth] = count_bits((may & -may) - 1)
        open_next(grid, walk, depth)
        if walk[MAY + depth + 1]:
            walk[DEPTH] = depth + 1
        if walk[EXACT] > 0:
            is_lay = depth + 1 == walk[EXACT]
        else:
            is_lay = depth >= walk[BACK] and (depth > 0 or walk[AXIS] == ACROSS)
        if is_lay:
            points = line_points(depth + 1 + walk[BESIDE + depth]) + walk[CROSSING + depth]
            walk[POINTS] = max(points, 1)
            return depth + 1
