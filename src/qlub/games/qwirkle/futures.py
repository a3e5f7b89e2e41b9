"""Kernel: what moves of Qwirkle come to when the unseen tiles are dealt and everybody plays on."""

from math import sqrt

from qlub.core.luck import choice as choose_number
from qlub.games.qwirkle.answers import begin_trial, best_lay, lay_on_trial
from qlub.games.qwirkle.board import Grid
from qlub.games.qwirkle.bots import Choice
from qlub.games.qwirkle.leaves import hand_worth
from qlub.games.qwirkle.mind import (
    LEAST_VARIANCE,
    MARGIN,
    ROUNDS,
    TO_THE_END,
    VARIANCE,
    VARIANCE_BASE,
    Mind,
)
from qlub.games.qwirkle.rules import BAG, LAST_TILE_POINTS, POINTS, SEATS, hand_of
from qlub.games.qwirkle.tiles import COPIES, TILES, copies, heap_size, put, take
from qlub.games.qwirkle.trial import CELLS, COUNT, LAID, SCORE, take_back
from qlub.kernel import Floats, Ints, Slots, apart, jitable


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
