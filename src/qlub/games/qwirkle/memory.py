"""Kernel: what is remembered of a board: the best lays of hands, and the most points at every edge.

The best lays are found by looking first at the edges where the most points are possible.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from qlub.games.qwirkle.board import (
    LONGEST,
    MOST_EDGES,
    Grid,
    fitting_at,
    is_edge,
    line_points,
    neighbours,
    new_grid,
    stretch,
)
from qlub.games.qwirkle.playout import REACH, WIDTH
from qlub.games.qwirkle.search import POINTS, begin, begin_axis, next_lay, reach_at
from qlub.games.qwirkle.tiles import ALL, COPIES, TILES
from qlub.games.qwirkle.trial import MOVE, NOTES_SIZE, SCORE, note_lay
from qlub.kernel import Slots, apart, jitable

# Where things lie in what is remembered of a hand: its tiles, for which board, and how many lays follow.
_HELD, _AGE, FOUND, LAYS = range(4)
REMEMBERED = 4
"""How many lays of a hand are remembered at most."""
_ENTRY = LAYS + REMEMBERED * MOVE
_ENTRIES = 251
"""How many hands are: a prime, so that they seldom meet in one place."""

# Where the counters lie: boards, trials, searches, and the first and the last cell of the board.
_BOARDS, TRIALS, SEARCHES, _FIRST, _LAST = range(5)

MOST_POINTS = line_points(LONGEST) * (1 + LONGEST)
"""The most that a lay can score: six lines of six that cross a seventh."""
_COUNTS = LONGEST + 1
"""For how many tiles there are bounds: from none to six."""


class Memory(NamedTuple):
    """What is known of a board and of the tiles on trial."""

    board: Grid
    """A copy of the board, on which tiles are tried."""
    notes: Slots
    """What is needed to take them back."""
    lays: Slots
    """The best lays of hands on the board without them."""
    bounds: Slots
    """For each edge, along each axis: the most points of a lay with up to so many tiles from there."""
    queues: Slots
    """For each number of points the last edge where a lay may have so many, then the one before each."""
    changed: Slots
    """How many cells have other lines than before, then these cells."""
    starts: Slots
    """The edges at which lays through these cells may begin."""
    trial_of: Slots
    """The last trial in which the lines of each cell changed."""
    search_of: Slots
    """The last search in which each cell was a start."""
    counters: Slots


def new_memory(array: Callable[[list[Any]], Any]) -> Memory:
    """Return a memory of nothing."""
    size = WIDTH * WIDTH
    ends = 4 * COPIES * TILES
    return Memory(
        new_grid(WIDTH, size, WIDTH * REACH + REACH, array),
        array([0] * NOTES_SIZE),
        array([0] * (_ENTRIES * _ENTRY)),
        array([0] * (2 * _COUNTS * (MOST_EDGES + 1))),
        array([0] * (MOST_POINTS + 1 + 2 * (MOST_EDGES + 1))),
        array([0] * (ends + 1)),
        array([0] * (MOST_EDGES + 1)),
        array([0] * size),
        array([0] * size),
        array([0] * 5),
    )


@jitable
def remember_board(grid: Grid, memory: Memory) -> None:
    """Begin anew with a board, whose edges must be tidy: everything lies between the first and the last."""
    board, counters = memory.board, memory.counters
    for cell in range(counters[_FIRST], counters[_LAST]):
        board.tiles[cell] = 0
        board.across[cell] = board.down[cell] = ALL
    counters[_FIRST] = counters[_LAST] = 0
    if grid.edges[0] > 0:
        counters[_FIRST], counters[_LAST] = grid.edges[1], grid.edges[grid.edges[0]] + 1
    for cell in range(counters[_FIRST], counters[_LAST]):
        board.tiles[cell] = grid.tiles[cell]
        board.across[cell] = grid.across[cell]
        board.down[cell] = grid.down[cell]
    for index in range(grid.edges[0] + 1):
        board.edges[index] = grid.edges[index]
    memory.notes[0] = 0
    counters[_BOARDS] += 1
    for edge in range(1, grid.edges[0] + 1):
        for axis in range(2):
            find_bounds(grid, edge, axis, memory.bounds)


@jitable
def find_bounds(grid: Grid, edge: int, axis: int, bounds: Slots) -> None:
    """Find the most points of lays from an edge on, or from before it, with up to so many tiles."""
    step = grid.width if axis else 1
    lines = grid.down if axis else grid.across
    crossings = grid.across if axis else grid.down
    at = (2 * edge + axis) * _COUNTS
    for count in range(_COUNTS):
        bounds[at + count] = 0
    start = grid.edges[edge]
    for back in range(LONGEST):
        cell = start
        crossing = 0
        length = neighbours(lines[cell])
        skipped = 0
        for count in range(1, LONGEST + 1):
            if count > 1:  # tiles that were skipped were counted from the cell before them
                length += neighbours(lines[cell]) - skipped
            length += 1
            crossing += line_points(1 + neighbours(crossings[cell]))
            if length > LONGEST or fitting_at(grid, cell) == 0:
                break
            if count > back:
                points = line_points(length) + crossing
                bounds[at + count] = max(bounds[at + count], points)
            cell += step
            skipped = stretch(grid.tiles, cell - step, step)
            cell += skipped * step
        start -= step
        if grid.tiles[start] or is_edge(grid, start):
            break
    for count in range(1, _COUNTS):
        bounds[at + count] = max(bounds[at + count], bounds[at + count - 1], 1)


@jitable
def queue_edges(grid: Grid, walk: Slots, memory: Memory) -> None:
    """Queue the edges by the most points that the hand of a walk may have there, along each axis."""
    queues = memory.queues
    for points in range(MOST_POINTS + 1):
        queues[points] = 0
    for edge in range(1, grid.edges[0] + 1):
        reach = reach_at(grid, walk, grid.edges[edge])
        if reach > 0:
            for place in range(2 * edge, 2 * edge + 2):
                points = memory.bounds[place * _COUNTS + reach]
                queues[MOST_POINTS + place] = queues[points]
                queues[points] = place


@jitable
def next_edge(points: int, grid: Grid, walk: Slots, memory: Memory) -> int:
    """Begin a walk at the next edge of the queue; return the most points of a lay there, 0 at the end."""
    queues = memory.queues
    while points > 0 and queues[points] == 0:
        points -= 1
    if points > 0:
        place = queues[points]
        queues[points] = queues[MOST_POINTS + place]
        memory.starts[0] = 1
        memory.starts[1] = grid.edges[place // 2]
        begin_axis(walk, place % 2)
    return points


@jitable
def only_from(grid: Grid, starts: Slots) -> Grid:
    """Return a grid as a walk sees it that begins at these edges only."""
    return Grid(grid.width, grid.origin, grid.tiles, grid.across, grid.down, starts)


@jitable
def insert_lay(walk: Slots, count: int, lays: Slots, first: int, last: int) -> None:
    """Put the lay of a walk where it belongs by its points, in the place of the last one."""
    at = last
    while at > first and lays[at - MOVE + SCORE] < walk[POINTS]:
        for place in range(at, at + MOVE):
            lays[place] = lays[place - MOVE]
        at -= MOVE
    note_lay(walk, count, lays, at)


@apart
@jitable
def remember_lays(grid: Grid, held: int, walk: Slots, memory: Memory) -> int:
    """Return where the best lays of a hand on the board without tiles on trial are remembered."""
    lays = memory.lays
    entry = held % _ENTRIES * _ENTRY
    if lays[entry + _HELD] == held and lays[entry + _AGE] == memory.counters[_BOARDS]:
        return entry
    lays[entry + _HELD], lays[entry + _AGE] = held, memory.counters[_BOARDS]
    first, last = entry + LAYS, entry + LAYS + (REMEMBERED - 1) * MOVE
    found = 0
    near = only_from(grid, memory.starts)
    begin(grid, held, walk)
    queue_edges(grid, walk, memory)
    points = next_edge(MOST_POINTS, grid, walk, memory)
    while points > 0 and (found < REMEMBERED or points > lays[last + SCORE]):
        count = next_lay(near, walk)
        while count > 0:
            if found < REMEMBERED:
                insert_lay(walk, count, lays, first, first + found * MOVE)
                found += 1
            elif walk[POINTS] > lays[last + SCORE]:
                insert_lay(walk, count, lays, first, last)
            count = next_lay(near, walk)
        points = next_edge(points, grid, walk, memory)
    lays[entry + FOUND] = found
    return entry
