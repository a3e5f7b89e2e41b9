"""Kernel: tiles, sets of tiles, and heaps that hold a tile up to three times (QK-1).

A tile is a number from 0 to 35: six times its colour plus its shape. A set of tiles is 36 bits. A
heap (a hand, the bag) is three such sets next to each other in a table: the tiles it holds at least
once, at least twice, and three times.
"""

from qlub.kernel import Ints, Slots, count_bits, jitable

COLOURS = "ROYGBP"
SHAPES = "oxdstc"
KINDS = 6
TILES = 36
COPIES = 3
ALL = (1 << TILES) - 1

NAMES = tuple(colour + shape for colour in COLOURS for shape in SHAPES)
"""The texts of all tiles in tile order."""
NUMBERS = {name: number for number, name in enumerate(NAMES)}

_FIRST_COLOUR = (1 << KINDS) - 1
_FIRST_SHAPE = sum(1 << KINDS * colour for colour in range(KINDS))


@jitable
def of_colour(colour: int) -> int:
    """Return all tiles of a colour."""
    return _FIRST_COLOUR << KINDS * colour


@jitable
def of_shape(shape: int) -> int:
    """Return all tiles of a shape."""
    return _FIRST_SHAPE << shape


@jitable
def joining(tile: int) -> int:
    """Return the tiles that may stand in one line with a tile: same colour or shape, not both (QK-8)."""
    return of_colour(tile // KINDS) ^ of_shape(tile % KINDS)


@jitable
def heap_size(table: Ints, heap: int) -> int:
    """Count all tiles of a heap."""
    return count_bits(table[heap]) + count_bits(table[heap + 1]) + count_bits(table[heap + 2])


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
def tile_at(table: Ints, heap: int, index: int) -> int:
    """Return one tile of a heap, counted from 0 in tile order, each as often as it is there."""
    tile = 0
    while index >= copies(table, heap, tile):
        index -= copies(table, heap, tile)
        tile += 1
    return tile


@jitable
def largest_set(tiles: int) -> int:
    """Return the size of the largest part of a set that shares a colour or a shape (QK-3)."""
    most = 0
    for kind in range(KINDS):
        most = max(most, count_bits(tiles & of_colour(kind)))
        most = max(most, count_bits(tiles & of_shape(kind)))
    return most
