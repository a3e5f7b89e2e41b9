"""Kernel: players of Qwirkle that try their best moves against tiles that the others may hold."""

from math import sqrt

from qlub.core.contest import keep_better
from qlub.core.luck import next_word
from qlub.games.qwirkle.board import Grid
from qlub.games.qwirkle.bots import Choice, choose_swap, lines_of_five
from qlub.games.qwirkle.endgame import solve_end
from qlub.games.qwirkle.futures import deal, find_unseen, mix, spread_of, try_move
from qlub.games.qwirkle.leaves import hand_worth
from qlub.games.qwirkle.memory import remember_board
from qlub.games.qwirkle.mind import (
    BUDGET,
    CANDIDATES,
    DOUBT,
    EFFORT,
    FIVES,
    GROWTH,
    MOST_LAYS,
    SAMPLES,
    Mind,
)
from qlub.games.qwirkle.rules import SEATS, hand_of, may_swap
from qlub.games.qwirkle.search import begin, next_lay
from qlub.games.qwirkle.tiles import COPIES, heap_size, take
from qlub.games.qwirkle.trial import (
    CELLS,
    COUNT,
    LAID,
    MOVE,
    RANK,
    SCORE,
    keep_best,
    note_lay,
)
from qlub.kernel import Ints, Slots, apart, jitable


@jitable
def rank(table: Ints, grid: Grid, hand: int, at: int, mind: Mind) -> None:
    """Rank a lay of the list by its points, the tiles kept, and the lines of five that it opens."""
    moves, trial = mind.moves, mind.trial
    count = moves[at + COUNT]
    for part in range(hand, hand + COPIES):
        trial[part] = table[part]
    for tile in range(at + LAID, at + LAID + count):
        take(trial, hand, moves[tile])
    fives = lines_of_five(grid, moves, count, at + CELLS)
    worth = hand_worth(trial, hand, mind.weights)
    moves[at + RANK] = 10 * moves[at + SCORE] - mind.plan[FIVES] * fives + int(10.0 * worth)


@apart
@jitable
def list_candidates(
    table: Ints, grid: Grid, seat: int, in_bag: int, walk: Slots, choice: Choice, mind: Mind
) -> int:
    """List the moves that are worth a trial, the best first, and return how many there are."""
    moves, most = mind.moves, mind.plan[CANDIDATES]
    hand = hand_of(seat)
    found = 0
    begin(grid, table[hand], walk)
    count = next_lay(grid, walk)
    while count > 0:
        if found == MOST_LAYS:
            found = keep_best(moves, found, most)
        note_lay(walk, count, moves, found * MOVE)
        rank(table, grid, hand, found * MOVE, mind)
        found += 1
        count = next_lay(grid, walk)
    kept = keep_best(moves, found, most)
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
