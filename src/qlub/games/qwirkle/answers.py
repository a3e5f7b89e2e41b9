"""Kernel: the best lays of hands on a board where some tiles are on trial.

What a hand can do on the board as it is does not change where no tile is tried near. So the best lays
of a hand on that board are remembered; with tiles on trial the first of them counts that nothing
was laid near, or a lay through one of the cells whose lines have changed. Only where none of these can
be the best the whole board is searched.

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
from qlub.games.qwirkle.bots import Choice, take_lay
from qlub.games.qwirkle.playout import REACH, WIDTH
from qlub.games.qwirkle.search import (
    CELL,
    HELD,
    POINTS,
    TILE,
    begin,
    begin_axis,
    next_lay,
    reach_at,
)
from qlub.games.qwirkle.tiles import ALL, COPIES, TILES
from qlub.games.qwirkle.trial import CELLS, COUNT, LAID, MOVE, NOTES_SIZE, SCORE, end_of, try_tile
from qlub.kernel import Slots, apart, jitable

# Where things lie in what is remembered of a hand: its tiles, for which board, and how many lays follow.
_HELD, _AGE, _FOUND, _LAYS = range(4)
_MOST = 4
_ENTRY = _LAYS + _MOST * MOVE
_ENTRIES = 251

# Where the counters lie: boards, trials, searches, and the first and the last cell of the board.
_BOARDS, _TRIALS, _SEARCHES, _FIRST, _LAST = range(5)


_MOST_POINTS = 40
"""More than this need not be told apart."""
_BOUND = LONGEST + 1


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
    edges = 1 + 4 * COPIES * TILES
    return Memory(
        new_grid(WIDTH, size, WIDTH * REACH + REACH, array),
        array([0] * NOTES_SIZE),
        array([0] * (_ENTRIES * _ENTRY)),
        array([0] * (2 * _BOUND * (MOST_EDGES + 1))),
        array([0] * (_MOST_POINTS + 1 + 2 * (MOST_EDGES + 1))),
        array([0] * edges),
        array([0] * (size // 8)),
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
    at = (2 * edge + axis) * _BOUND
    for count in range(_BOUND):
        bounds[at + count] = 0
    start = grid.edges[edge]
    for back in range(LONGEST):
        cell = start
        crossing = 0
        length = neighbours(lines[cell])
        skipped = 0
        for count in range(1, LONGEST + 1):
            if count > 1:
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
    for count in range(1, _BOUND):
        bounds[at + count] = max(bounds[at + count], bounds[at + count - 1], 1)


@jitable
def begin_trial(memory: Memory) -> None:
    """Begin with no tile on trial."""
    memory.counters[_TRIALS] += 1
    memory.changed[0] = 0


@apart
@jitable
def lay_on_trial(memory: Memory, cell: int, tile: int) -> None:
    """Lay a tile on trial and note which cells have other lines from now on."""
    changed, notes = memory.changed, memory.notes
    try_tile(memory.board, cell, tile, notes)
    for side in range(4):
        end = end_of(notes, side)
        if memory.trial_of[end] != memory.counters[_TRIALS]:
            memory.trial_of[end] = memory.counters[_TRIALS]
            changed[0] += 1
            changed[changed[0]] = end


@jitable
def improve(grid: Grid, walk: Slots, choice: Choice, best: int, most: int) -> tuple[int, int]:
    """Go on to the end of a walk and take the first lay with the most points if it has more than these.

    Returns how many tiles the one has that was taken, and its points.
    """
    count = next_lay(grid, walk)
    while count > 0:
        if walk[POINTS] > most:
            best, most = count, walk[POINTS]
            take_lay(walk, count, choice)
        count = next_lay(grid, walk)
    return best, most


@apart
@jitable
def most_points(grid: Grid, held: int, walk: Slots, choice: Choice) -> tuple[int, int]:
    """Take the first lay with the most points; return how many tiles it has, and the points."""
    begin(grid, held, walk)
    return improve(grid, walk, choice, 0, 0)


@jitable
def queue_edges(grid: Grid, walk: Slots, memory: Memory) -> None:
    """Queue the edges by the most points that the hand of a walk may have there, along each axis."""
    queues = memory.queues
    for points in range(_MOST_POINTS + 1):
        queues[points] = 0
    for edge in range(1, grid.edges[0] + 1):
        reach = reach_at(grid, walk, grid.edges[edge])
        if reach > 0:
            for place in range(2 * edge, 2 * edge + 2):
                points = min(memory.bounds[place * _BOUND + reach], _MOST_POINTS)
                queues[_MOST_POINTS + place] = queues[points]
                queues[points] = place


@jitable
def next_edge(points: int, grid: Grid, walk: Slots, memory: Memory) -> int:
    """Begin a walk at the next edge of the queue; return the most points of a lay there, 0 at the end."""
    queues = memory.queues
    while points > 0 and queues[points] == 0:
        points -= 1
    if points > 0:
        place = queues[points]
        queues[points] = queues[_MOST_POINTS + place]
        memory.starts[0] = 1
        memory.starts[1] = grid.edges[place // 2]
        begin_axis(walk, place % 2)
    return points


@jitable
def starting(grid: Grid, starts: Slots) -> Grid:
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
    lays[at + COUNT], lays[at + SCORE] = count, walk[POINTS]
    for index in range(count):
        lays[at + CELLS + index] = walk[CELL + index]
        lays[at + LAID + index] = walk[TILE + index]


@apart
@jitable
def remember_lays(grid: Grid, held: int, walk: Slots, memory: Memory) -> int:
    """Return where the best lays of a hand on the board without tiles on trial are remembered."""
    lays = memory.lays
    entry = held % _ENTRIES * _ENTRY
    if lays[entry + _HELD] == held and lays[entry + _AGE] == memory.counters[_BOARDS]:
        return entry
    lays[entry + _HELD], lays[entry + _AGE] = held, memory.counters[_BOARDS]
    first, last = entry + _LAYS, entry + _LAYS + (_MOST - 1) * MOVE
    found = 0
    near = starting(grid, memory.starts)
    begin(grid, held, walk)
    queue_edges(grid, walk, memory)
    points = next_edge(_MOST_POINTS, grid, walk, memory)
    while points > 0 and (found < _MOST or points > lays[last + SCORE]):
        count = next_lay(near, walk)
        while count > 0:
            if found < _MOST:
                insert_lay(walk, count, lays, first, first + found * MOVE)
                found += 1
            elif walk[POINTS] > lays[last + SCORE]:
                insert_lay(walk, count, lays, first, last)
            count = next_lay(near, walk)
        points = next_edge(points, grid, walk, memory)
    lays[entry + _FOUND] = found
    return entry


@jitable
def is_untouched(memory: Memory, at: int) -> bool:
    """Say whether nothing was laid near a remembered lay."""
    for cell in range(at + CELLS, at + CELLS + memory.lays[at + COUNT]):
        here = memory.lays[cell]
        if memory.trial_of[here] == memory.counters[_TRIALS] or memory.board.tiles[here]:
            return False
    return True


@jitable
def find_starts(walk: Slots, step: int, memory: Memory) -> None:
    """Find the edges at which lays along an axis may begin that go through a cell that has changed."""
    board, starts, counters = memory.board, memory.starts, memory.counters
    counters[_SEARCHES] += 1
    starts[0] = 0
    for index in range(1, memory.changed[0] + 1):
        cell = memory.changed[index]
        reach = 0 if board.tiles[cell] else reach_at(board, walk, cell)
        while reach > 0 and board.across[cell] & board.down[cell] & walk[HELD]:
            if is_edge(board, cell) and memory.search_of[cell] != counters[_SEARCHES]:
                memory.search_of[cell] = counters[_SEARCHES]
                starts[0] += 1
                starts[starts[0]] = cell
            reach -= 1
            cell -= step
            while board.tiles[cell]:
                cell -= step


@apart
@jitable
def best_near(
    held: int, walk: Slots, choice: Choice, memory: Memory, best: int, most: int
) -> tuple[int, int]:
    """Take the best lay through a cell that has changed if it has more than these points."""
    board = memory.board
    near = starting(board, memory.starts)
    begin(board, held, walk)
    for axis in range(2):
        find_starts(walk, board.width if axis else 1, memory)
        begin_axis(walk, axis)
        best, most = improve(near, walk, choice, best, most)
    return best, most


@apart
@jitable
def best_elsewhere(
    grid: Grid, walk: Slots, choice: Choice, memory: Memory, best: int, most: int, enough: int
) -> tuple[int, int]:
    """Take the best lay anywhere if it has more than these points.

    With the tiles on trial it is one that the board without them has, too, so its edges and their
    bounds still hold; and one that is known to have `enough` points need not be bettered.
    """
    near = starting(memory.board, memory.starts)
    queue_edges(grid, walk, memory)
    points = next_edge(_MOST_POINTS, grid, walk, memory)
    while points > most and most < enough:
        best, most = improve(near, walk, choice, best, most)
        points = next_edge(points, grid, walk, memory)
    return best, most


@jitable
def best_lay(grid: Grid, held: int, walk: Slots, choice: Choice, memory: Memory) -> tuple[int, int]:
    """Take a lay with the most points with the tiles on trial.

    Returns how many tiles it has, and the points.
    """
    lays = memory.lays
    if grid.edges[0] == 0:
        return most_points(memory.board, held, walk, choice)
    entry = remember_lays(grid, held, walk, memory)
    end = entry + _LAYS + lays[entry + _FOUND] * MOVE
    at = entry + _LAYS
    while at < end and not is_untouched(memory, at):
        at += MOVE
    best = most = 0
    if at < end:
        best, most = lays[at + COUNT], lays[at + SCORE]
        for index in range(best):
            choice.cells[index] = lays[at + CELLS + index]
            choice.tiles[index] = lays[at + LAID + index]
    if memory.changed[0] > 0:
        best, most = best_near(held, walk, choice, memory, best, most)
    if at == end and lays[entry + _FOUND] == _MOST and most < lays[end - MOVE + SCORE]:
        enough = lays[end - MOVE + SCORE]
        best, most = best_elsewhere(grid, walk, choice, memory, best, most, enough)
    return best, most
