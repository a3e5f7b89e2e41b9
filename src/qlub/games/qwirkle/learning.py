"""Kernel: learns what kept tiles are worth from what greedy players score in their next turns.

A least-squares fit needs no turns to be kept, only sums over them: of the products of all that is known
of a turn, and of those with the points that followed. More games add to the same sums.
"""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, NamedTuple

from qlub.games.qwirkle.board import Grid
from qlub.games.qwirkle.bots import Choice, Greedy, choose_most_points
from qlub.games.qwirkle.leaves import count_pairs
from qlub.games.qwirkle.rules import MOST_SEATS, POINTS, hand_of
from qlub.games.qwirkle.state import Move, View
from qlub.games.qwirkle.tiles import heap_size, put, take
from qlub.kernel import Floats, Ints, Slots, count_bits, jitable

KNOWN = 4
"""What is known of the tiles kept: doubles, pairs of one colour or shape, how many there are, and 1."""
SUMS = KNOWN * KNOWN + KNOWN
"""All products of two of these, then the products of each with the points that followed."""
WORTHS = ("a double", "a pair", "a tile kept")
"""What is worked out of them."""
NOTHING = 1e-9
"""Less than this is left of sums of whole numbers by rounding only."""
AHEAD = 2
"""How many turns of one's own follow."""
LEAST_IN_BAG = 24
"""With fewer tiles in the bag it is too near to the end."""
GAMES = {2: 20_000}
"""How many games are learnt from, by seats; what is learnt of two serves all."""
RATE = {2: 0.0}
"""Sums have no rate."""

# Where things lie in what waits for the next turns of a seat: how many tiles were in the bag, how many
# turns wait, then for each, the oldest first, the points of the seat before it and what is known.
_IN_BAG, _WAITING, _TURNS = range(3)
_TURN = 1 + KNOWN
_SEAT = _TURNS + (AHEAD + 1) * _TURN


class Notes(NamedTuple):
    """What a player notes who learns."""

    sums: Floats
    waiting: Slots
    """The last turns of each seat, which count once it is known what followed."""


def new_notes(sums: Sequence[float], array: Callable[[list[Any]], Any]) -> Notes:
    """Return notes that go on from the sums of earlier games, which are `SUMS` zeros at first."""
    return Notes(array([float(number) for number in sums]), array([0] * (MOST_SEATS * _SEAT)))


@jitable
def add_oldest(waiting: Slots, first: int, points: int, sums: Floats) -> None:
    """Add the oldest turn that waits to the sums, now that it is known what followed, and forget it."""
    known = first + 1
    for row in range(KNOWN):
        for column in range(KNOWN):
            sums[row * KNOWN + column] += waiting[known + row] * waiting[known + column]
        followed = points - waiting[first + _TURN]
        sums[KNOWN * KNOWN + row] += waiting[known + row] * followed
    for place in range(first, first + AHEAD * _TURN):
        waiting[place] = waiting[place + _TURN]


@jitable
def note_kept(table: Slots, hand: int, laid: Ints, count: int, waiting: Slots, known: int) -> None:
    """Note what is known of the tiles that a lay keeps."""
    for index in range(count):
        take(table, hand, laid[index])
    waiting[known] = heap_size(table, hand) - count_bits(table[hand])
    waiting[known + 1] = count_pairs(table[hand])
    waiting[known + 2] = heap_size(table, hand)
    waiting[known + 3] = int(table[hand] != 0)
    for index in range(count):
        put(table, hand, laid[index])


@jitable
def choose_and_note(
    table: Slots,
    grid: Grid,
    seat: int,
    in_bag: int,
    walk: Slots,
    choice: Choice,
    luck: Slots,
    notes: Notes,
) -> int:
    """Take the lay with the most points, and note what it keeps and what earlier ones came to."""
    count = choose_most_points(table, grid, seat, in_bag, walk, choice, luck)
    waiting = notes.waiting
    at = seat * _SEAT
    if in_bag > waiting[at + _IN_BAG]:
        waiting[at + _WAITING] = 0  # a bag never gains tiles: another game
    waiting[at + _IN_BAG] = in_bag
    if waiting[at + _WAITING] > AHEAD:
        add_oldest(waiting, at + _TURNS, table[POINTS + seat], notes.sums)
        waiting[at + _WAITING] -= 1
    turn = at + _TURNS + waiting[at + _WAITING] * _TURN
    waiting[at + _WAITING] += 1
    waiting[turn] = table[POINTS + seat]
    for known in range(turn + 1, turn + 1 + KNOWN):
        waiting[known] = 0  # an exchange, or a lay near the end, adds nothing
    if count > 0 and in_bag >= LEAST_IN_BAG:
        note_kept(table, hand_of(seat), choice.tiles, count, waiting, turn + 1)
    return count


class Learner:
    """Plays like the greedy player and notes what the tiles that it keeps come to."""

    about = "Takes the most points, and notes what the tiles that it keeps come to."
    policy = staticmethod(choose_and_note)

    def __init__(self, sums: Sequence[float] = (0.0,) * SUMS) -> None:
        self.sums = sums
        self.notes: Notes | None = None
        """The notes of compiled play, whose sums grow from game to game."""

    def mind(self, array: Callable[[list[Any]], Any], seats: int) -> Notes:
        self.notes = new_notes(self.sums, array)
        return self.notes

    def choose(self, view: View, rng: Random, seconds: float) -> Move:
        return Greedy().choose(view, rng, seconds)


def solve(sums: Sequence[float]) -> tuple[float, float, float]:
    """Return what a double, a pair and each tile kept are worth by the least squares.

    What cannot be told apart from the rest yet, after very few turns, is worth nothing.
    """
    rows = [
        [*map(float, sums[row * KNOWN : (row + 1) * KNOWN]), float(sums[KNOWN * KNOWN + row])]
        for row in range(KNOWN)
    ]
    for column in range(KNOWN):
        pivot = max(range(column, KNOWN), key=lambda row: abs(rows[row][column]))
        rows[column], rows[pivot] = rows[pivot], rows[column]
        if abs(rows[column][column]) < NOTHING:
            rows[column] = [0.0] * (KNOWN + 1)
            rows[column][column] = 1.0
        for row in range(KNOWN):
            if row != column:
                factor = rows[row][column] / rows[column][column]
                pairs = zip(rows[row], rows[column], strict=True)
                rows[row] = [mine - factor * other for mine, other in pairs]
    double, pair, kept, _ = (rows[row][KNOWN] / rows[row][row] for row in range(KNOWN))
    return double, pair, kept
