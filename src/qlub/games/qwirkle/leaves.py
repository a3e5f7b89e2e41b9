"""Kernel: what the tiles are worth that a player of Qwirkle keeps, beyond the points of the turn.

The numbers were learnt from what greedy players score in their next turns: doubles clog a hand, tiles
that go together help, and whoever keeps fewer draws more.
"""

from qlub.games.qwirkle.tiles import KINDS, heap_size, of_colour, of_shape
from qlub.kernel import Floats, Ints, count_bits, jitable

# Where the weights lie.
DOUBLE, PAIR, KEPT = range(3)
LEARNT = 3
"""How many were learnt: what each second or third of a tile, each pair of one colour or shape, and each
tile kept is worth."""


@jitable
def count_pairs(held: int) -> int:
    """Count the pairs of tiles that share a colour or a shape."""
    pairs = 0
    for kind in range(KINDS):
        colour = count_bits(held & of_colour(kind))
        shape = count_bits(held & of_shape(kind))
        pairs += colour * (colour - 1) + shape * (shape - 1)
    return pairs // 2


@jitable
def hand_worth(table: Ints, hand: int, weights: Floats) -> float:
    """Return what the tiles of a hand will be worth in the next turns."""
    size = heap_size(table, hand)
    doubles = size - count_bits(table[hand])
    pairs = count_pairs(table[hand])
    return weights[DOUBLE] * doubles + weights[PAIR] * pairs + weights[KEPT] * size
