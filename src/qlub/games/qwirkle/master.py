"""Kernel: players of Qwirkle that try their best moves against tiles that the others may hold."""

from collections.abc import Callable, Collection, Sequence
from math import sqrt
from random import Random
from typing import Any, NamedTuple

from qlub.core.game import Pass
from qlub.core.luck import choice as choose_number
from qlub.core.luck import next_word
from qlub.games.qwirkle.board import Grid
from qlub.games.qwirkle.bots import Choice, choose_swap, lines_of_five
from qlub.games.qwirkle.endgame import FRAMES_SIZE, solve_end
from qlub.games.qwirkle.leaves import LEARNT, hand_worth
from qlub.games.qwirkle.rules import (
    BAG,
    HAND_SIZE,
    LAST_TILE_POINTS,
    POINTS,
    SEATS,
    SIZE,
    hand_of,
    may_swap,
)
from qlub.games.qwirkle.search import CELL, TILE, WALK_SIZE, begin, next_lay
from qlub.games.qwirkle.search import POINTS as WORTH
from qlub.games.qwirkle.state import Lay, Move, Swap, View
from qlub.games.qwirkle.tiles import (
    COPIES,
    NAMES,
    NUMBERS,
    TILES,
    copies,
    heap_size,
    put,
    take,
)
from qlub.games.qwirkle.trial import (
    CELLS,
    COUNT,
    LAID,
    MOVE,
    NOTES_SIZE,
    RANK,
    SCORE,
    bring_best,
    exchange_places,
    list_lays,
    take_back,
    try_lay,
    try_tile,
)
from qlub.games.qwirkle.window import Board, Cell
from qlub.kernel import Floats, Ints, Slots, jitable

MOST_LAYS = 2000
MOST_CANDIDATES = 64
WIDE = 40
"""How far a trial can get from the tiles that lie there."""

# What a plan says: how many lays are tried, with how many deals at first, for how many rounds; for how
# many tables an end is searched; with how many tiles in the bag a trial goes to the end of the game;
# tenths of a point that a line of five costs a lay before it is tried; by how many quarters the number
# of deals grows.
CANDIDATES, SAMPLES, ROUNDS, BUDGET, TO_THE_END, FIVES, GROWTH = range(7)
PLAN = (20, 16, 2, 6000, 12, 20, 2)
# Behind what the tiles kept are worth, the weights say how sure a lead is.
SPREAD_BASE, SPREAD, LEAST_SPREAD, MARGIN, TEMPO, DOUBT = range(3, 9)
WEIGHTS = (*LEARNT, -40.0, 9.0, 20.0, 0.001, 0.0, 7.5)


class Mind(NamedTuple):
    """What such a player thinks with."""

    plan: Slots
    weights: Floats
    trial: Slots
    """A table on which moves are tried."""
    unseen: Slots
    """The tiles that the seat does not see, in a random order."""
    bag: Slots
    """The same in the course of a trial."""
    moves: Slots
    notes: Slots
    values: Floats
    frames: Slots
    luck: Slots
    """A stream of its own, begun anew for each decision."""


def new_mind(plan: list[int], weights: list[float], array: Callable[[list[Any]], Any]) -> Mind:
    """Return a mind with a plan."""
    return Mind(
        array(plan),
        array(weights),
        array([0] * SIZE),
        array([0] * COPIES * TILES),
        array([0] * COPIES * TILES),
        array([0] * (MOST_LAYS * MOVE)),
        array([0] * NOTES_SIZE),
        array([0.0] * MOST_CANDIDATES),
        array([0] * FRAMES_SIZE),
        array([0] * 2),
    )


@jitable
def find_unseen(table: Ints, seat: int, unseen: Slots) -> int:
    """List the tiles in the bag and in other hands, all mixed up, and return how many there are.

    This is all that a player may know of them; nothing else here looks at these heaps.
    """
    count = 0
    for tile in range(TILES):
        held = copies(table, BAG, tile)
        for other in range(table[SEATS]):
            if other != seat:
                held += copies(table, hand_of(other), tile)
        for _ in range(held):
            unseen[count] = tile
            count += 1
    return count


@jitable
def mix(tiles: Slots, count: int, luck: Slots) -> None:
    """Bring tiles into a random order."""
    for left in range(count, 1, -1):
        other = choose_number(luck, 0, left)
        tiles[left - 1], tiles[other] = tiles[other], tiles[left - 1]


@jitable
def most_points(grid: Grid, held: int, walk: Slots, choice: Choice) -> tuple[int, int]:
    """Take the first lay with the most points; return how many tiles it has, and the points."""
    best = 0
    most = 0
    begin(grid, held, walk)
    count = next_lay(grid, walk)
    while count > 0:
        if walk[WORTH] > most:
            best, most = count, walk[WORTH]
            for index in range(count):
                choice.cells[index] = walk[CELL + index]
                choice.tiles[index] = walk[TILE + index]
        count = next_lay(grid, walk)
    return best, most


@jitable
def play_on(
    grid: Grid,
    seat: int,
    front: int,
    back: int,
    turns: int,
    walk: Slots,
    choice: Choice,
    mind: Mind,
) -> int:
    """Let the others and then the seat lay the most points for some turns; return the tiles left.

    The seat draws from the front of the bag and the others from the back, so that what one draws
    does not depend on how much the others do. Returns -1 when the game is over.
    """
    trial, bag = mind.trial, mind.bag
    seats = trial[SEATS]
    active = seat
    passes = 0
    for _ in range(turns):
        active = active + 1 if active + 1 < seats else 0
        hand = hand_of(active)
        count, points = most_points(grid, trial[hand], walk, choice)
        if count == 0:
            passes += 1
            if passes == seats:
                return -1
            continue
        passes = 0
        trial[POINTS + active] += points
        for index in range(count):
            try_tile(grid, choice.cells[index], choice.tiles[index], mind.notes)
            take(trial, hand, choice.tiles[index])
        for _ in range(count):
            if front < back:
                if active == seat:
                    put(trial, hand, bag[front])
                    front += 1
                else:
                    back -= 1
                    put(trial, hand, bag[back])
        if trial[hand] == 0:
            trial[POINTS + active] += LAST_TILE_POINTS
            return -1
    left = back - front
    for other in range(seats):
        left += heap_size(trial, hand_of(other))
    return left


@jitable
def spread_of(left: int, weights: Floats) -> float:
    """Return how much the lead may still change, about, with so many tiles left."""
    return sqrt(max(weights[LEAST_SPREAD], weights[SPREAD] * left + weights[SPREAD_BASE]))


@jitable
def chance_to_win(trial: Ints, seat: int, left: int, weights: Floats) -> float:
    """Return about how likely a seat is to win with so many tiles left; -1 if the game is over."""
    best = -1000.0
    for other in range(trial[SEATS]):
        if other != seat:
            points = float(trial[POINTS + other])
            if left >= 0:
                points += hand_worth(trial, hand_of(other), weights)
            best = max(best, points)
    lead = trial[POINTS + seat] - best
    if left < 0:
        return (1.0 if lead > 0 else 0.5 if lead == 0 else 0.0) + weights[MARGIN] * lead
    lead += hand_worth(trial, hand_of(seat), weights) + weights[TEMPO]
    far = lead / spread_of(left, weights)
    return 0.5 + 0.5 * far / sqrt(1.0 + far * far) + weights[MARGIN] * lead


@jitable
def deal(table: Ints, seat: int, unseen: int, mind: Mind) -> int:
    """Deal the unseen tiles to the others as they are mixed now; return where the bag begins."""
    trial = mind.trial
    trial[SEATS] = table[SEATS]
    for index in range(unseen):
        mind.bag[index] = mind.unseen[index]
    front = 0
    for other in range(table[SEATS]):
        trial[POINTS + other] = table[POINTS + other]
        hand = hand_of(other)
        for place in range(hand, hand + COPIES):
            trial[place] = table[place] if other == seat else 0
        if other != seat:
            size = heap_size(table, hand)  # how many they are is known to all
            for index in range(front, front + size):
                put(trial, hand, mind.bag[index])
            front += size
    return front


@jitable
def try_move(
    table: Ints,
    grid: Grid,
    seat: int,
    unseen: int,
    at: int,
    walk: Slots,
    choice: Choice,
    mind: Mind,
) -> float:
    """Try a move of the list with the unseen tiles as they are mixed now and return what it is worth."""
    trial, bag, moves = mind.trial, mind.bag, mind.moves
    front = deal(table, seat, unseen, mind)
    mine = hand_of(seat)
    back = unseen
    count = moves[at + COUNT]
    for index in range(abs(count)):
        take(trial, mine, moves[at + LAID + index])
    for _ in range(abs(count)):
        if front < back:
            put(trial, mine, bag[front])
            front += 1
    if count > 0:
        try_lay(grid, moves, at, mind.notes)
        trial[POINTS + seat] += moves[at + SCORE]
    else:
        middle = (front + back) // 2
        for index in range(-count):  # they go back into the bag, somewhere
            front -= 1
            bag[front] = moves[at + LAID + index]
            other = min(middle + index, back - 1)
            bag[front], bag[other] = bag[other], bag[front]
    left = -1
    if trial[mine] == 0:
        trial[POINTS + seat] += LAST_TILE_POINTS
    else:
        turns = table[SEATS] * mind.plan[ROUNDS]
        if back - front <= mind.plan[TO_THE_END]:
            turns = COPIES * TILES
        left = play_on(grid, seat, front, back, turns, walk, choice, mind)
    take_back(grid, mind.notes, 0)
    return chance_to_win(trial, seat, left, mind.weights)


@jitable
def list_candidates(
    table: Ints, grid: Grid, seat: int, in_bag: int, walk: Slots, choice: Choice, mind: Mind
) -> int:
    """List the moves that are worth a trial and return how many there are."""
    moves = mind.moves
    hand = hand_of(seat)
    lays = list_lays(grid, table[hand], walk, moves, 0, MOST_LAYS - 1)
    trial = mind.trial
    for index in range(lays):
        at = index * MOVE
        for place in range(hand, hand + COPIES):
            trial[place] = table[place]
        count = moves[at + COUNT]
        for tile in range(at + LAID, at + LAID + count):
            take(trial, hand, moves[tile])
        fives = lines_of_five(grid, moves, count, at + CELLS)
        worth = hand_worth(trial, hand, mind.weights)
        moves[at + RANK] = 10 * moves[at + SCORE] - mind.plan[FIVES] * fives + int(10.0 * worth)
    kept = min(lays, mind.plan[CANDIDATES])
    for index in range(kept):
        bring_best(moves, index * MOVE, lays - index)
    if in_bag > 0 and may_swap(grid, in_bag, 1):
        at = kept * MOVE
        count = choose_swap(table, hand, in_bag, choice)
        moves[at + COUNT] = -count
        moves[at + SCORE] = 0
        for index in range(count):
            moves[at + LAID + index] = choice.tiles[index]
        kept += 1
    return kept


@jitable
def keep_better(moves: Slots, values: Floats, count: int, doubt: float) -> int:
    """Bring the better half of the moves to the front, best first, and return how many are left.

    Those that are behind by more than the doubt are not.
    """
    left = (count + 1) // 2
    for index in range(left):
        best = index
        for other in range(index + 1, count):
            if values[other] > values[best]:
                best = other
        if best != index:
            values[index], values[best] = values[best], values[index]
            exchange_places(moves, index * MOVE, best * MOVE)
    while values[left - 1] < values[0] - doubt:
        left -= 1
    return left


@jitable
def find_best(
    table: Ints,
    grid: Grid,
    seat: int,
    in_bag: int,
    walk: Slots,
    choice: Choice,
    word: int,
    mind: Mind,
) -> int:
    """Take the move that wins most often when the unseen tiles are dealt again and again.

    A word of chance decides how they are.
    All candidates are tried with the same deals; after each round the better half is left, and the
    next has twice as many deals.
    """
    moves, values = mind.moves, mind.values
    mind.notes[0] = 0
    mind.luck[1] = word
    unseen = find_unseen(table, seat, mind.unseen)
    if in_bag == 0 and table[SEATS] == 2 and mind.plan[BUDGET] > 0:
        deal(table, seat, unseen, mind)
        solve_end(mind.trial, grid, seat, mind.plan[BUDGET], walk, moves, mind.notes, mind.frames)
        left = 1
    else:
        left = list_candidates(table, grid, seat, in_bag, walk, choice, mind)
    if left == 0:
        return 0
    for index in range(left):
        values[index] = 0.0
    doubt = mind.weights[DOUBT] / spread_of(unseen, mind.weights)
    samples = mind.plan[SAMPLES]
    done = 0
    while left > 1:
        for _ in range(samples):
            mix(mind.unseen, unseen, mind.luck)
            for index in range(left):
                at = index * MOVE
                values[index] += try_move(table, grid, seat, unseen, at, walk, choice, mind)
        done += samples
        samples += samples * mind.plan[GROWTH] // 4
        left = keep_better(moves, values, left, doubt * sqrt(done))
    count = moves[COUNT]
    for index in range(abs(count)):
        choice.cells[index] = moves[CELLS + index]
        choice.tiles[index] = moves[LAID + index]
    return count


@jitable
def choose_by_trial(
    table: Ints,
    grid: Grid,
    seat: int,
    in_bag: int,
    walk: Slots,
    choice: Choice,
    luck: Slots,
    mind: Mind,
) -> int:
    """Take the move that wins most often in trials."""
    return find_best(table, grid, seat, in_bag, walk, choice, next_word(luck, seat), mind)


class Master:
    """Tries its best moves against tiles that the others may hold, and solves the end of a game of two."""

    about = "Tries its best moves against tiles that the others may hold, and solves the end."
    policy = staticmethod(choose_by_trial)

    def __init__(self, plan: Sequence[int] = PLAN) -> None:
        self.plan = plan

    def __repr__(self) -> str:
        return f"Master({list(self.plan)})"

    def mind(self, array: Callable[[list[Any]], Any]) -> Mind:
        return new_mind(list(self.plan), list(WEIGHTS), array)

    def choose(self, view: View, rng: Random, seconds: float) -> Move:
        board = Board(view.board.tiles, wide_around(view.board.tiles))
        choice = Choice([0] * HAND_SIZE, [0] * HAND_SIZE)
        count = find_best(
            table_of(view),
            board.tidied(),
            view.seat or 0,
            view.bag_size,
            [0] * WALK_SIZE,
            choice,
            rng.getrandbits(63),
            self.mind(list),
        )
        return read_choice(board, choice, count)


def wide_around(tiles: Collection[Cell]) -> list[Cell]:
    """Return two cells so far from these that no trial gets there."""
    across, down = [x for x, _ in tiles] or [0], [y for _, y in tiles] or [0]
    return [(min(across) - WIDE, min(down) - WIDE), (max(across) + WIDE, max(down) + WIDE)]


def table_of(view: View) -> list[int]:
    """Return a table as the kernel needs it: the unseen tiles are dealt in tile order."""
    table = list(view.table)
    hidden = [NUMBERS[tile] for tile in view.unseen()]
    for seat, size in enumerate(view.hand_sizes):
        while heap_size(table, hand_of(seat)) < size:
            put(table, hand_of(seat), hidden.pop())
    for tile in hidden:
        put(table, BAG, tile)
    return table


def read_choice(board: Board, choice: Choice, count: int) -> Move:
    """Return the move that a policy has put there."""
    if count == 0:
        return Pass()
    tiles = [NAMES[tile] for tile in choice.tiles[: abs(count)]]
    if count < 0:
        return Swap(tuple(tiles))
    cells = map(board.cell, choice.cells[:count])
    return Lay.of(*((tile, x, y) for tile, (x, y) in zip(tiles, cells, strict=True)))
