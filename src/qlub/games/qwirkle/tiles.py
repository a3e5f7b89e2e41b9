"""Kernel: tiles, sets of tiles, and heaps that hold a tile up to three times (QK-1).

A tile is a number from 0 to 35: six times its colour plus its shape. A set of tiles is 36 bits. A
heap (a hand, the bag) is three such sets next to each other in a table: the tiles it holds at least
once, at least twice, and three times.
"""

from qlub.kernel import Ints, Slots, jitable

COLOURS = "ROYGBP"
SHAPES = "oxdstc"
KINDS = 6
TILES = 36
COPIES = 3
ALL = (1 << TILES) - 1

NAMES = tuple(colour + shape for colour in COLOURS for shape in SHAPES)
"""The texts of all tiles in tile order."""
NUMBERS = {name: number for number, name in enumerate(NAMES)}

OF_COLOUR = tuple(
    sum(1 << (KINDS * colour + shape) for shape in range(KINDS)) for colour in range(KINDS)
)
OF_SHAPE = tuple(
    sum(1 << (KINDS * colour + shape) for colour in range(KINDS)) for shape in range(KINDS)
)

JOINS = tuple(
    (OF_COLOUR[tile // KINDS] | OF_SHAPE[tile % KINDS]) & ~(1 << tile) for tile in range(TILES)
)
"""For each tile those that may stand in one line with it: same colour or shape, but not both (QK-8)."""


@jitable
def count_tiles(tiles: int) -> int:
    """Count the tiles of a set."""
    count = 0
    while tiles:
        tiles &= tiles - 1
        count += 1
    return count


@jitable
def heap_size(table: Ints, heap: int) -> int:
    """Count all tiles of a heap."""
    return count_tiles(table[heap]) + count_tiles(table[heap + 1]) + count_tiles(table[heap + 2])


@jitable
def copies(table: Ints, heap: int, tile: int) -> int:
    """Return how often a heap holds a tile."""
    return (table[heap] >> tile & 1) + (table[heap + 1] >> tile & 1) + (table[heap + 2] >> tile & 1)


@jitable
def put(table: Slots, heap: int, tile: int) -> None:
    """Put a tile on a heap that holds fewer than three of it."""
    table[heap + copies(table, heap, tile)] |= 1 << tile


@jitable
def take(table: Slots, heap: int, tile: int) -> None:
    """Take a tile from a heap that holds it."""
    table[heap + copies(table, heap, tile) - 1] &= ~(1 << tile)


@jitable
def largest_set(tiles: int) -> int:
    """Return the size of the largest part of a set that shares a colour or a shape (QK-3)."""
    most = 0
    for kind in range(KINDS):
        most = max(most, count_tiles(tiles & OF_COLOUR[kind]))
        most = max(most, count_tiles(tiles & OF_SHAPE[kind]))
    return most
