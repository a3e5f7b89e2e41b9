"""Kernel: the end of a game of two, when the bag is empty and the other hand is known by counting.

An alpha-beta search over lays and passes, deepened step by step: up to a limit all lays are tried, and
beyond it only the one with the most points, so that every line of play is followed to its end. Once
nothing was left out, the result is exact.
"""

from qlub.games.qwirkle.board import Grid
from qlub.games.qwirkle.rules import LAST_TILE_POINTS, POINTS, hand_of
from qlub.games.qwirkle.tiles import put, take
from qlub.games.qwirkle.trial import (
    COUNT,
    LAID,
    MOVE,
    RANK,
    SCORE,
    bring_best,
    exchange_places,
    list_lays,
    take_back,
    try_lay,
)
from qlub.kernel import Ints, Slots, jitable

WIN = 1000
"""How much more a win is worth than a point."""
FAR = 1 << 40
MOST_DEPTH = 30
MOST_PLACES = 1 << 12

# Where things lie in a frame: the first move of its list, how many there are, how many were tried, the
# least and the most that matters, the best so far, and its place.
_AT, _FOUND, _NEXT, _LEAST, _MOST, _BEST, _PLACE = range(7)
_FRAME = 7
FRAMES_SIZE = _FRAME * (MOST_DEPTH + 1)


@jitable
def final_value(trial: Ints, active: int) -> int:
    """Return what the end is worth to the one who moved last of two: its lead, and more if it wins."""
    lead = trial[POINTS + active] - trial[POINTS + 1 - active]
    if trial[hand_of(active)] == 0:
        lead += LAST_TILE_POINTS
    return lead + WIN * ((lead > 0) - (lead < 0))


@jitable
def do_move(trial: Slots, grid: Grid, active: int, moves: Ints, at: int, notes: Slots) -> None:
    """Make a move of a list on trial."""
    trial[POINTS + active] += moves[at + SCORE]
    for index in range(moves[at + COUNT]):
        take(trial, hand_of(active), moves[at + LAID + index])
    try_lay(grid, moves, at, notes)


@jitable
def undo_move(trial: Slots, grid: Grid, active: int, moves: Ints, at: int, notes: Slots) -> None:
    """Take the last move back."""
    trial[POINTS + active] -= moves[at + SCORE]
    for index in range(moves[at + COUNT]):
        put(trial, hand_of(active), moves[at + LAID + index])
    take_back(grid, notes, notes[0] - moves[at + COUNT])


@jitable
def place_of(moves: Ints, at: int) -> int:
    """Return the place that a first move had among all, which its rank still tells."""
    return -moves[at + RANK] % MOST_PLACES


@jitable
def search_end(
    trial: Slots,
    grid: Grid,
    seat: int,
    favourite: int,
    limit: int,
    budget: int,
    walk: Slots,
    moves: Slots,
    notes: Slots,
    frames: Slots,
) -> tuple[int, int, int, bool]:
    """Search the end of a game of two: all lays up to a limit of turns, then those with most points.

    Returns the best first move as its place among all, what it is worth to the seat, for how many
    tables moves were listed, and whether nothing was left out. The move at the place `favourite` is
    tried first. Gives up when the budget of tables is spent; then the best so far counts, and the
    value is -FAR if there is none.
    """
    most = len(moves) // MOVE
    frames[_AT], frames[_LEAST], frames[_MOST] = 0, -FAR, FAR
    depth = 0
    active = seat
    tables = 0
    is_exact = True
    is_new = True
    while True:
        frame = depth * _FRAME
        at = frames[frame + _AT]
        if is_new:
            is_new = False
            tables += 1
            room = most - at // MOVE - MOST_DEPTH + depth  # one place is left for each turn to come
            found = list_lays(grid, trial[hand_of(active)], walk, moves, at, room)
            if found == 0:  # pass
                moves[at + COUNT] = moves[at + SCORE] = moves[at + RANK] = 0
                found = 1
            if depth == 0:
                for index in range(found):
                    moves[index * MOVE + RANK] = moves[index * MOVE + RANK] * MOST_PLACES - index
                moves[favourite * MOVE + RANK] += FAR
            is_cut = found == room or (found > 1 and depth >= limit)
            if is_cut:
                is_exact = False
                bring_best(moves, at, found)
                found = 1
            frames[frame + _FOUND], frames[frame + _NEXT] = found, 0
            frames[frame + _BEST], frames[frame + _PLACE] = -FAR, favourite
        tried = frames[frame + _NEXT]
        is_done = tried == frames[frame + _FOUND]
        if is_done or frames[frame + _LEAST] >= frames[frame + _MOST] or tables >= budget:
            value = -frames[frame + _BEST]
            depth -= 1
            if depth < 0:
                is_exact = is_exact and is_done
                return frames[_PLACE], frames[_BEST], tables, is_exact
            active = 1 - active
            frame = depth * _FRAME
            move = frames[frame + _AT] + (frames[frame + _NEXT] - 1) * MOVE
            undo_move(trial, grid, active, moves, move, notes)
            if tables >= budget:
                is_exact = False
                continue
        else:
            move = at + tried * MOVE
            bring_best(moves, move, frames[frame + _FOUND] - tried)
            frames[frame + _NEXT] += 1
            do_move(trial, grid, active, moves, move, notes)
            both_pass = False
            if depth > 0 and moves[move + COUNT] == 0:
                before = frame - _FRAME
                last = frames[before + _AT] + (frames[before + _NEXT] - 1) * MOVE
                both_pass = moves[last + COUNT] == 0
            if trial[hand_of(active)] != 0 and not both_pass:
                least, far = frames[frame + _LEAST], frames[frame + _MOST]
                depth += 1
                frame = depth * _FRAME
                frames[frame + _AT] = at + frames[frame - _FRAME + _FOUND] * MOVE
                frames[frame + _LEAST], frames[frame + _MOST] = -far, -least
                active = 1 - active
                is_new = True
                continue
            value = final_value(trial, active)
            undo_move(trial, grid, active, moves, move, notes)
        if value > frames[frame + _BEST]:
            frames[frame + _BEST] = value
            frames[frame + _LEAST] = max(frames[frame + _LEAST], value)
            if depth == 0:
                frames[_PLACE] = place_of(moves, move)


@jitable
def solve_end(
    trial: Slots,
    grid: Grid,
    seat: int,
    budget: int,
    walk: Slots,
    moves: Slots,
    notes: Slots,
    frames: Slots,
) -> tuple[int, bool]:
    """Bring the best move of a seat in the end of a game of two to the front of the list.

    Returns what it is worth, and whether that is exact: it is unless the budget was spent before.
    """
    place, value, is_exact = 0, -FAR, False
    limit = 1
    while budget > 0 and limit <= MOST_DEPTH:
        best, worth, tables, is_exact = search_end(
            trial, grid, seat, place, limit, budget, walk, moves, notes, frames
        )
        if worth > -FAR:
            place, value = best, worth
        if is_exact:
            break
        budget -= tables
        limit += 1
    at = 0
    while place_of(moves, at) != place:
        at += MOVE
    if at > 0:
        exchange_places(moves, 0, at)
    return value, is_exact
