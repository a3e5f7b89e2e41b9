"""Kernel: players of Qwirkle that try their best moves against tiles that the others may hold."""

from collections.abc import Callable
from math import sqrt
from typing import Any, NamedTuple

from qlub.core.contest import keep_better
from qlub.core.luck import choice as choose_number
from qlub.core.luck import next_word
from qlub.games.qwirkle.answers import (
    Memory,
    begin_trial,
    best_lay,
    lay_on_trial,
    new_memory,
    remember_board,
)
from qlub.games.qwirkle.board import Grid
from qlub.games.qwirkle.bots import Choice, choose_swap, lines_of_five
from qlub.games.qwirkle.endgame import FRAMES_SIZE, solve_end
from qlub.games.qwirkle.leaves import LEARNT, hand_worth
from qlub.games.qwirkle.rules import (
    BAG,
    LAST_TILE_POINTS,
    POINTS,
    SEATS,
    SIZE,
    hand_of,
    may_swap,
)
from qlub.games.qwirkle.tiles import (
    COPIES,
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
    RANK,
    SCORE,
    bring_best,
    list_lays,
    take_back,
)
from qlub.kernel import Floats, Ints, Slots, apart, jitable

MOST_LAYS = 2000
MOST_CANDIDATES = 64

# What a plan says: how many lays are tried, with how many deals at first, for how many rounds; for how
# many tables an end is searched; with how many tiles in the bag a trial goes to the end of the game;
# tenths of a point that a line of five costs a lay before it is tried; by how many quarters the number
# of deals grows; after how many turns in all trials no more begin.
CANDIDATES, SAMPLES, ROUNDS, BUDGET, TO_THE_END, FIVES, GROWTH, EFFORT = range(8)
# Behind what the tiles kept are worth, the weights say how sure a lead is.
VARIANCE_BASE, VARIANCE, LEAST_VARIANCE, MARGIN, DOUBT = range(LEARNT, LEARNT + 5)
SURE = (-40.0, 9.0, 20.0, 0.001, 7.5)


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
    memory: Memory
    values: Floats
    order: Slots
    """What the moves came to that are tried, and the best of them first."""
    frames: Slots
    turns: Slots
    """How many turns trials took, in a single place."""
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
        new_memory(array),
        array([0.0] * MOST_CANDIDATES),
        array([0] * MOST_CANDIDATES),
        array([0] * FRAMES_SIZE),
        array([0]),
        array([0] * 2),
    )


@jitable
def find_unseen(table: Ints, seat: int, unseen: Slots) -> int:
    """List the tiles that may be in the bag or in other hands, and return how many there are.

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

    The seat draws from the front of the bag and the others from the back, so that what it draws
    does not depend on how much they do. Nobody exchanges: when nobody can lay, that counts as the end.
    Returns -1 when the game is over.
    """
    trial, bag = mind.trial, mind.bag
    seats = trial[SEATS]
    active = seat
    passes = 0
    for _ in range(turns):
        mind.turns[0] += 1
        active = active + 1 if active + 1 < seats else 0
        hand = hand_of(active)
        count, points = best_lay(grid, trial[hand], walk, choice, mind.memory)
        if count == 0:
            passes += 1
            if passes == seats:
                return -1
            continue
        passes = 0
        trial[POINTS + active] += points
        for index in range(count):
            lay_on_trial(mind.memory, choice.cells[index], choice.tiles[index])
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
def spread_of(left: int, seats: int, weights: Floats) -> float:
    """Return how much a lead over another may still change, about, with so many tiles left."""
    variance = (weights[VARIANCE] * left + weights[VARIANCE_BASE]) * 2.0 / seats
    return sqrt(max(weights[LEAST_VARIANCE], variance))


@jitable
def share_won(trial: Ints, seat: int, weights: Floats) -> float:
    """Return what a seat has won of a game that is over, and a little for its lead."""
    lead = 1000
    equals = 1
    for other in range(trial[SEATS]):
        if other != seat:
            ahead = trial[POINTS + seat] - trial[POINTS + other]
            lead = min(lead, ahead)
            equals += ahead == 0
    return (lead >= 0) / equals + weights[MARGIN] * lead


@jitable
def chance_to_win(trial: Ints, seat: int, left: int, weights: Floats) -> float:
    """Return about how likely a seat is to win with so many tiles left, and a little for its lead.

    Each other adds to the odds against it what they would be between these two.
    """
    mine = trial[POINTS + seat] + hand_worth(trial, hand_of(seat), weights)
    spread = spread_of(left, trial[SEATS], weights)
    lead = 1000.0
    against = 0.0
    for other in range(trial[SEATS]):
        if other != seat:
            worth = hand_worth(trial, hand_of(other), weights)
            ahead = mine - trial[POINTS + other] - worth
            lead = min(lead, ahead)
            far = ahead / spread
            odds = sqrt(1.0 + far * far) - far
            against += odds * odds
    return 1.0 / (1.0 + against) + weights[MARGIN] * lead


@jitable
def deal(table: Ints, seat: int, hidden: int, mind: Mind) -> int:
    """Deal so many unseen tiles as they are mixed now, first to the others; return where the bag begins."""
    trial = mind.trial
    trial[SEATS] = table[SEATS]
    for index in range(hidden):
        mind.bag[index] = mind.unseen[index]
    front = 0
    for other in range(table[SEATS]):
        trial[POINTS + other] = table[POINTS + other]
        hand = hand_of(other)
        for part in range(hand, hand + COPIES):
            trial[part] = table[part] if other == seat else 0
        if other != seat:
            size = heap_size(table, hand)  # how many they are is known to all
            for index in range(front, front + size):
                put(trial, hand, mind.bag[index])
            front += size
    return front


@apart
@jitable
def try_move(
    table: Ints,
    grid: Grid,
    seat: int,
    hidden: int,
    at: int,
    walk: Slots,
    choice: Choice,
    mind: Mind,
) -> float:
    """Try a move of the list with the unseen tiles as they are mixed now and return what it is worth."""
    trial, bag, moves = mind.trial, mind.bag, mind.moves
    begin_trial(mind.memory)
    front = deal(table, seat, hidden, mind)
    mine = hand_of(seat)
    back = hidden
    count = moves[at + COUNT]
    for index in range(abs(count)):
        take(trial, mine, moves[at + LAID + index])
    for _ in range(abs(count)):
        if front < back:
            put(trial, mine, bag[front])
            front += 1
    if count > 0:
        for index in range(count):
            lay_on_trial(mind.memory, moves[at + CELLS + index], moves[at + LAID + index])
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
    take_back(mind.memory.board, mind.memory.notes, 0)
    if left < 0:
        return share_won(trial, seat, mind.weights)
    return chance_to_win(trial, seat, left, mind.weights)


@apart
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
        for part in range(hand, hand + COPIES):
            trial[part] = table[part]
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


@apart
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

    A word of chance decides how they are. All candidates are tried with the same deals; then the
    better half is left and tried with more, until there is one.
    """
    moves, values, order = mind.moves, mind.values, mind.order
    remember_board(grid, mind.memory)
    mind.luck[1] = word
    unseen = find_unseen(table, seat, mind.unseen)
    hidden = in_bag
    for other in range(table[SEATS]):
        if other != seat:
            hidden += heap_size(table, hand_of(other))
    is_known = hidden == unseen  # of some positions tiles are missing, and nobody knows which
    if in_bag == 0 and table[SEATS] == 2 and is_known and mind.plan[BUDGET] > 0:
        deal(table, seat, hidden, mind)
        board, notes = mind.memory.board, mind.memory.notes
        solve_end(mind.trial, board, seat, mind.plan[BUDGET], walk, moves, notes, mind.frames)
        left = 1
    else:
        left = list_candidates(table, grid, seat, in_bag, walk, choice, mind)
    if left == 0:
        return 0
    for index in range(left):
        values[index] = 0.0
        order[index] = index
    doubt = mind.weights[DOUBT] / spread_of(hidden, table[SEATS], mind.weights)
    samples = mind.plan[SAMPLES]
    done, enough = 0, samples
    mind.turns[0] = 0
    while left > 1:
        while done < enough and mind.turns[0] < mind.plan[EFFORT]:
            mix(mind.unseen, unseen, mind.luck)
            for place in range(left):
                at = order[place] * MOVE
                values[order[place]] += try_move(table, grid, seat, hidden, at, walk, choice, mind)
            done += 1
        samples += samples * mind.plan[GROWTH] // 4
        enough += samples
        left = keep_better(order, values, left, (left + 1) // 2, doubt * sqrt(done))
    best = order[0] * MOVE
    count = moves[best + COUNT]
    for index in range(abs(count)):
        choice.cells[index] = moves[best + CELLS + index]
        choice.tiles[index] = moves[best + LAID + index]
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
