"""Kernel: the course of a game of Qwirkle, who may do what, and when it ends.

A table is one short run of integers, laid out by the constants below; hands, the bag and the tiles
set aside in an exchange are heaps in it. The board is a grid of its own.
"""

from qlub.games.qwirkle.board import Grid, fitting_tiles, lay_points, place
from qlub.games.qwirkle.tiles import (
    COPIES,
    TILES,
    copies,
    heap_size,
    largest_set,
    put,
    take,
)
from qlub.kernel import Ints, Slots, jitable

DEAL, TURN, DRAW, OVER = range(4)
PHASES = ("deal", "turn", "draw", "over")

MOST_SEATS = 4
HAND_SIZE = 6
LAST_TILE_POINTS = 6

# Where things lie in a table. Heaps take three places each.
SEATS, PHASE, ACTIVE, COUNT = range(4)
SENIORITY = 4
POINTS = SENIORITY + MOST_SEATS
HAND = POINTS + MOST_SEATS
BAG = HAND + MOST_SEATS * COPIES
ASIDE = BAG + COPIES
SIZE = ASIDE + COPIES

RUNNING, FINISHED, BLOCKED = range(3)
REASONS = (None, "finished", "blocked")


@jitable
def hand_of(seat: int) -> int:
    """Return where the hand of a seat lies in a table."""
    return HAND + COPIES * seat


@jitable
def start(table: Slots, seats: int, seniority: Ints) -> None:
    """Put all 108 tiles into the bag; next, seat 0 is dealt six (QK-1, QK-2).

    In a tie for the first move the seat named first in `seniority` is the oldest (QK-3).
    """
    for index in range(SIZE):
        table[index] = 0
    for tile in range(TILES):
        for _ in range(COPIES):
            put(table, BAG, tile)
    table[SEATS] = seats
    table[COUNT] = HAND_SIZE
    for rank in range(seats):
        table[SENIORITY + rank] = seniority[rank]


@jitable
def draw(table: Slots, grid: Grid, drawn: Ints) -> None:
    """Give the tiles drawn from the bag to the seat that draws, and go on."""
    for index in range(table[COUNT]):
        take(table, BAG, drawn[index])
        put(table, hand_of(table[ACTIVE]), drawn[index])
    if table[PHASE] == DEAL:
        table[ACTIVE] += 1
        if table[ACTIVE] == table[SEATS]:
            table[ACTIVE] = starter(table)
            table[COUNT] = 0
            table[PHASE] = TURN
        return
    for tile in range(TILES):
        while copies(table, ASIDE, tile) > 0:
            take(table, ASIDE, tile)
            put(table, BAG, tile)
    next_turn(table, grid)


@jitable
def starter(table: Ints) -> int:
    """Return who begins: the largest set of one colour or shape, in a tie the oldest (QK-3)."""
    best = table[SENIORITY]
    for rank in range(1, table[SEATS]):
        seat = table[SENIORITY + rank]
        if largest_set(table[hand_of(seat)]) > largest_set(table[hand_of(best)]):
            best = seat
    return best


@jitable
def lay(table: Slots, grid: Grid, cells: Slots, laid: Ints, count: int) -> None:
    """Lay tiles that may be laid, score them, and go on to drawing or to the next turn."""
    seat = table[ACTIVE]
    table[POINTS + seat] += lay_points(grid, cells, count)
    for index in range(count):
        place(grid, cells[index], laid[index])
        take(table, hand_of(seat), laid[index])
    kept = heap_size(table, hand_of(seat))
    in_bag = heap_size(table, BAG)
    if in_bag > 0:
        table[COUNT] = min(HAND_SIZE - kept, in_bag)  # QK-13
        table[PHASE] = DRAW
    elif kept == 0:
        table[POINTS + seat] += LAST_TILE_POINTS  # QK-14
        table[PHASE] = OVER
    else:
        next_turn(table, grid)


@jitable
def swap(table: Slots, given: Ints, count: int) -> None:
    """Set tiles aside; they go back into the bag after as many are drawn (QK-9)."""
    for index in range(count):
        take(table, hand_of(table[ACTIVE]), given[index])
        put(table, ASIDE, given[index])
    table[COUNT] = count
    table[PHASE] = DRAW


@jitable
def next_turn(table: Slots, grid: Grid) -> None:
    """Let the next seat play, unless no tile anywhere fits (QK-15)."""
    table[COUNT] = 0
    if ending(table, grid) != RUNNING:
        table[PHASE] = OVER
        return
    table[ACTIVE] = (table[ACTIVE] + 1) % table[SEATS]
    table[PHASE] = TURN


@jitable
def can_lay(table: Ints, grid: Grid, seat: int) -> bool:
    """Say whether a seat has a tile that fits somewhere; on an empty board any does (QK-10)."""
    hand = table[hand_of(seat)]
    return hand != 0 and (grid.edges[0] == 0 or fitting_tiles(grid) & hand != 0)


@jitable
def may_swap(grid: Grid, in_bag: int, count: int) -> bool:
    """Say whether so many may be exchanged: not more than in the bag (QK-9), not to begin (QK-4)."""
    return grid.edges[0] > 0 and 1 <= count <= in_bag


@jitable
def may_pass(table: Ints, grid: Grid, in_bag: int) -> bool:
    """Say whether the active seat may pass: only with an empty bag and nothing to lay (QK-10)."""
    return in_bag == 0 and not can_lay(table, grid, table[ACTIVE])


@jitable
def ending(table: Ints, grid: Grid) -> int:
    """Return why the game must end before the next turn, or RUNNING (QK-14, QK-15)."""
    if table[BAG] == 0:
        for seat in range(table[SEATS]):
            if table[hand_of(seat)] == 0:
                return FINISHED
    held = table[BAG]
    for seat in range(table[SEATS]):
        held |= table[hand_of(seat)]
    if grid.edges[0] > 0 and fitting_tiles(grid) & held == 0:
        return BLOCKED
    return RUNNING
