"""The kernels compile, and whole games played compiled and plain are the same, event for event.

Each driver below plays a game from a list of random numbers and logs what happened. It is run twice
on the same numbers: as it is, on lists, and compiled by Numba with bounds checked, on arrays. The
log is then played a third time through states.
"""

import os
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

os.environ["NUMBA_BOUNDSCHECK"] = "1"  # read by Numba when it is first imported

import numba
import numpy as np
import pytest

from qlub.core.chance import Drawn, First, Rolled
from qlub.core.game import Pass
from qlub.core.registry import game_names
from qlub.games.qwantum import dice as qwantum_dice
from qlub.games.qwantum import rules as qwantum
from qlub.games.qwantum import state as qwantum_state
from qlub.games.qwirkle import board, search, tiles
from qlub.games.qwirkle import rules as qwirkle
from qlub.games.qwirkle import state as qwirkle_state
from qlub.games.qwixx import rules as qwixx
from qlub.games.qwixx import state as qwixx_state
from qlub.kernel import Ints, Slots
from qlub.sim import compile_kernels

RANDOMS = 20_000
SIDE = 240


def play_qwixx(table: Slots, log: Slots, randoms: Ints, seats: int, end: int, dice: Slots) -> int:
    qwixx.start(table, seats, end)
    at = 1
    qwixx.begin(table, randoms[0] % seats)
    log[0] = randoms[0] % seats
    while table[qwixx.PHASE] != qwixx.OVER:
        if table[qwixx.PHASE] == qwixx.ROLL:
            closed = qwixx.closed_rows(table)
            for die in range(qwixx.DICE):
                removed = die > 1 and (closed >> (die - 2)) & 1 == 1
                dice[die] = 0 if removed else 1 + randoms[at] % 6
                log[at] = dice[die]
                at += 1
            qwixx.throw(table, dice)
        for seat in range(seats):
            if qwixx.may_decide(table, seat):
                cells = qwixx.legal_cells(table, seat)
                move = qwixx.PASS
                for cell in range(qwixx.PASS):
                    if (cells >> cell) & 1 == 1 and (move == qwixx.PASS or randoms[at] % 3 == 0):
                        move = cell
                qwixx.decide(table, seat, move)
                log[at] = move
                at += 1
    return at


def play_qwantum(
    table: Slots, log: Slots, randoms: Ints, seats: int, faces: Ints, dice: Slots
) -> int:
    qwantum.start(table, seats)
    at = 1
    qwantum.begin(table, randoms[0] % seats)
    log[0] = randoms[0] % seats
    while table[qwantum.PHASE] != qwantum.OVER:
        if table[qwantum.PHASE] == qwantum.ROLL or table[qwantum.PHASE] == qwantum.REROLL:
            for die in range(qwantum_dice.DICE):
                if table[qwantum.PHASE] == qwantum.ROLL or (table[qwantum.ROLLING] >> die) & 1 == 1:
                    dice[die] = faces[6 * die + randoms[at] % 6]
                log[at] = dice[die]
                at += 1
            qwantum.throw(table, dice)
        for seat in range(seats):
            if qwantum.may_decide(table, seat):
                move = qwantum.PASS
                if table[qwantum.PHASE] == qwantum.KEEP:
                    move = randoms[at] % 128
                else:
                    for colour in range(4):
                        writing = qwantum.writing(colour, qwantum.sum_of(table, colour))
                        legal = qwantum.is_legal(table, seat, writing)
                        if legal and (move == qwantum.PASS or randoms[at] % 2 == 0):
                            move = writing
                qwantum.decide(table, seat, move)
                log[at] = move
                at += 1
    return at


def play_qwirkle(
    table: Slots,
    log: Slots,
    randoms: Ints,
    seats: int,
    grid: board.Grid,
    walk: search.Walk,
    hand: Slots,
    cells: Slots,
    laid: Slots,
) -> int:
    origin = SIDE // 2 * SIDE + SIDE // 2
    qwirkle.start(table, seats, hand)
    at = 0
    while table[qwirkle.PHASE] != qwirkle.OVER:
        if table[qwirkle.PHASE] != qwirkle.TURN:
            for index in range(table[qwirkle.COUNT]):
                tile = randoms[at] % tiles.TILES
                while (table[qwirkle.BAG] >> tile) & 1 == 0:
                    tile = (tile + 1) % tiles.TILES
                hand[index] = tile
                log[at] = tile
                at += 1
                tiles.take(table, qwirkle.BAG, tile)
            for index in range(table[qwirkle.COUNT]):
                tiles.put(table, qwirkle.BAG, hand[index])
            qwirkle.draw(table, grid, hand)
            continue
        held = table[qwirkle.hand_of(table[qwirkle.ACTIVE])]
        size = 0
        for tile in range(tiles.TILES):
            if (held >> tile) & 1 == 1:
                hand[size] = tile
                size += 1
        if grid.edges[0] == 0:
            search.begin_first_walk(walk, held, origin, tiles.largest_set(held))
        else:
            search.begin_walk(walk, held)
        count = 0
        for _ in range(1 + randoms[at] % 40):
            found = search.next_lay(grid, hand, size, walk)
            if found == 0:
                break
            count = found
            for index in range(count):
                cells[index] = walk.cells[index]
                laid[index] = walk.tiles[index]
        if count > 0:
            log[at] = count
            log[at + 1] = board.lay_points(grid, cells, count)
            log[at + 2] = 0 if grid.edges[0] == 0 else board.lay_fault(grid, cells, laid, count)
            at += 3
            for index in range(count):
                log[at] = (cells[index] - origin) * tiles.TILES + laid[index]
                at += 1
            qwirkle.lay(table, grid, cells, laid, count)
        elif qwirkle.may_swap(grid, tiles.heap_size(table, qwirkle.BAG), 1):
            log[at] = -1
            log[at + 1] = hand[0]
            at += 2
            qwirkle.swap(table, hand, 1)
        else:
            log[at] = 0
            at += 1
            qwirkle.next_turn(table, grid)
    return at


def grid_on(array: Callable[[list[int]], Any]) -> board.Grid:
    size = SIDE * SIDE
    lines = (array([tiles.ALL] * size), array([tiles.ALL] * size))
    return board.Grid(SIDE, array([0] * size), *lines, array([0] * (board.MOST_EDGES + 1)))


def walk_on(array: Callable[[list[int]], Any]) -> search.Walk:
    depths = (array([0] * search.WALK_SIZE) for _ in range(5))
    return search.Walk(array([0] * search.CURSOR_SIZE), *depths)


def extras_of(name: str, array: Callable[[list[int]], Any], variant: int) -> tuple[Any, ...]:
    """Return what a driver needs besides table, log, random numbers and seats."""
    if name == "qwixx":
        return (variant % 2, array([0] * qwixx.DICE))
    if name == "qwantum":
        faces = [qwantum_dice.encode_face(face) for die in qwantum_dice.FACES for face in die]
        return (array(faces), array([0] * qwantum_dice.DICE))
    hand = array([0, 1, 2, 3, 0, 0])
    return (grid_on(array), walk_on(array), hand, array([0] * 6), array([0] * 6))


def retell_qwixx(log: Sequence[int], seats: int, variant: int) -> tuple[int, ...]:
    """Play a log again through states, and return the last table."""
    state = qwixx_state.State.new(seats, qwixx.ENDS[variant % 2]).resolve(First(log[0]))
    at = 1
    while not state.is_over:
        if state.chance:
            dice = zip("wwrygb", log[at : at + qwixx.DICE], strict=True)
            state = state.resolve(Rolled(tuple(f"{name}{die}" for name, die in dice if die)))
            at += qwixx.DICE
        for seat in state.to_act:
            state = state.apply(seat, qwixx_state.decode(log[at]))
            at += 1
    assert at == len(log)
    assert isinstance(state, qwixx_state.State)
    return state.table


def retell_qwantum(log: Sequence[int], seats: int, variant: int) -> tuple[int, ...]:
    """Play a log again through states, and return the last table."""
    state = qwantum_state.State.new(seats).resolve(First(log[0]))
    at = 1
    while not state.is_over:
        if state.chance:
            codes = enumerate(log[at : at + qwantum_dice.DICE])
            faces = tuple(qwantum_dice.decode_face(die, code) for die, code in codes)
            state = state.resolve(Rolled(faces))
            at += qwantum_dice.DICE
        for seat in range(seats):
            if seat in state.to_act:
                state = state.apply(seat, qwantum_state.decode(log[at]))
                at += 1
    assert at == len(log)
    assert isinstance(state, qwantum_state.State)
    return state.table


def retell_qwirkle(log: Sequence[int], seats: int, variant: int) -> tuple[int, ...]:
    """Play a log again through states, checking points, and return the last table."""
    state: Any = qwirkle_state.State.new(seats, range(seats))
    at = 0
    while not state.is_over:
        if state.chance:
            drawn = sorted(log[at : at + state.chance.count])
            names = tuple(tiles.NAMES[tile] for tile in drawn)
            state = state.resolve(Drawn(state.chance.seat, names))
            at += len(drawn)
            continue
        (seat,) = state.to_act
        count = log[at]
        if count > 0:
            lay = lay_in(log[at + 3 : at + 3 + count])
            assert (log[at + 1], log[at + 2]) == (state.points_of(lay), board.FITS)
            state = state.apply(seat, lay)
            at += 3 + count
        elif count < 0:
            state = state.apply(seat, qwirkle_state.Swap((tiles.NAMES[log[at + 1]],)))
            at += 2
        else:
            state = state.apply(seat, Pass())
            at += 1
    assert at == len(log)
    table: tuple[int, ...] = state.table
    return table


def lay_in(codes: Sequence[int]) -> qwirkle_state.Lay:
    """Return the lay of cells counted from the origin, each with its tile."""
    placed = []
    for code in codes:
        cell, tile = divmod(code, tiles.TILES)
        y, x = divmod(cell + SIDE // 2, SIDE)
        placed.append((tiles.NAMES[tile], x - SIDE // 2, y))
    return qwirkle_state.Lay.of(*placed)


GAMES_BOTH_WAYS: dict[str, tuple[Any, Any, int, int, int]] = {
    "qwixx": (play_qwixx, retell_qwixx, qwixx.SIZE, 5, 600),
    "qwantum": (play_qwantum, retell_qwantum, qwantum.SIZE, 4, 300),
    "qwirkle": (play_qwirkle, retell_qwirkle, qwirkle.SIZE, 4, 60),
}


def test_every_game_is_compiled() -> None:
    assert sorted(GAMES_BOTH_WAYS) == list(game_names())


@pytest.mark.parametrize("name", GAMES_BOTH_WAYS)
def test_plain_and_compiled_games_are_the_same(name: str) -> None:
    driver, retell, size, most_seats, games = GAMES_BOTH_WAYS[name]
    compile_kernels()
    compiled = numba.njit(driver)
    rng = Random(name)
    for game in range(games):
        seats = rng.randint(2, most_seats)
        randoms = [rng.randrange(1 << 30) for _ in range(RANDOMS)]
        table, log = [0] * size, [0] * RANDOMS
        length = driver(table, log, randoms, seats, *extras_of(name, list, game))
        arrays = np.zeros(size, np.int64), np.zeros(RANDOMS, np.int64)
        array_length = compiled(*arrays, np.array(randoms), seats, *extras_of(name, np.array, game))
        assert length == array_length
        assert log == arrays[1].tolist()
        assert table == arrays[0].tolist()
        assert retell(log[:length], seats, game) == tuple(table)
