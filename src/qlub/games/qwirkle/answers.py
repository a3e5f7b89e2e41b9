"""Kernel: the best lays of hands on a board where some tiles are on trial.

What a hand can do on the board as it is does not change where no tile is tried near. So the best lays
of a hand on that board are remembered; with tiles on trial the first of them counts that nothing
was laid near, or a lay through one of the cells whose lines have changed. Only where none of these can
be the best the whole board is searched.
"""

from qlub.games.qwirkle.board import Grid, is_edge
from qlub.games.qwirkle.bots import Choice, take_lay
from qlub.games.qwirkle.memory import (
    FOUND,
    LAYS,
    MOST_POINTS,
    REMEMBERED,
    SEARCHES,
    TRIALS,
    Memory,
    next_edge,
    only_from,
    queue_edges,
    remember_lays,
)
from qlub.games.qwirkle.search import HELD, POINTS, begin, begin_axis, next_lay, reach_at
from qlub.games.qwirkle.trial import CELLS, COUNT, LAID, MOVE, SCORE, end_of, try_tile
from qlub.kernel import Slots, apart, jitable


@jitable
def begin_trial(memory: Memory) -> None:
    """Begin with no tile on trial."""
    memory.counters[TRIALS] += 1
    memory.changed[0] = 0


@apart
@jitable
def lay_on_trial(memory: Memory, cell: int, tile: int) -> None:
    """Lay a tile on trial and note which cells have other lines from now on."""
    changed, notes = memory.changed, memory.notes
    try_tile(memory.board, cell, tile, notes)
    for side in range(4):
        end = end_of(notes, side)
        if memory.trial_of[end] != memory.counters[TRIALS]:
            memory.trial_of[end] = memory.counters[TRIALS]
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
def is_untouched(memory: Memory, at: int) -> bool:
    """Say whether nothing was laid near a remembered lay."""
    for cell in range(at + CELLS, at + CELLS + memory.lays[at + COUNT]):
        here = memory.lays[cell]
        if memory.trial_of[here] == memory.counters[TRIALS] or memory.board.tiles[here]:
            return False
    return True


@jitable
def find_starts(walk: Slots, step: int, memory: Memory) -> None:
    """Find the edges at which lays along an axis may begin that go through a cell that has changed."""
    board, starts, counters = memory.board, memory.starts, memory.counters
    counters[SEARCHES] += 1
    starts[0] = 0
    for index in range(1, memory.changed[0] + 1):
        cell = memory.changed[index]
        reach = 0 if board.tiles[cell] else reach_at(board, walk, cell)
        while reach > 0 and board.across[cell] & board.down[cell] & walk[HELD]:
            if is_edge(board, cell) and memory.search_of[cell] != counters[SEARCHES]:
                memory.search_of[cell] = counters[SEARCHES]
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
    near = only_from(board, memory.starts)
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
    """Take the best lay of the hand of a walk anywhere if it has more than these points.

    With the tiles on trial it is one that the board without them has, too, so its edges and their
    bounds still hold; and one that is known to have `enough` points need not be bettered.
    """
    near = only_from(memory.board, memory.starts)
    queue_edges(grid, walk, memory)
    points = next_edge(MOST_POINTS, grid, walk, memory)
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
    end = entry + LAYS + lays[entry + FOUND] * MOVE
    at = entry + LAYS
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
    if at == end and lays[entry + FOUND] == REMEMBERED and most < lays[end - MOVE + SCORE]:
        enough = lays[end - MOVE + SCORE]
        best, most = best_elsewhere(grid, walk, choice, memory, best, most, enough)
    return best, most
