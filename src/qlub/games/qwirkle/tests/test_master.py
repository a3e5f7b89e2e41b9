"""What the strong player of Qwirkle thinks with: trials that leave no trace, and exact endings."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from qlub.core.game import Pass
from qlub.core.luck import new_luck
from qlub.games.qwirkle import GAME, endgame, master, rules, trial
from qlub.games.qwirkle.bots import Choice, Greedy
from qlub.games.qwirkle.search import WALK_SIZE
from qlub.games.qwirkle.state import Lay, Move, State
from qlub.games.qwirkle.tiles import NAMES, NUMBERS, heap_size, put
from qlub.games.qwirkle.window import Board

MOVES = 500
MOST_TILES = 4
FAR = 60


def greedy_game(seed: int, seats: int) -> Iterator[State]:
    """Yield the states of a greedy game in which somebody is to decide."""
    rng = Random(seed)
    state: Any = GAME.new(seats, {"seniority": tuple(range(seats))})
    while not state.is_over:
        if state.chance:
            state = state.resolve(state.chance.sample(rng.randrange))
        else:
            yield state
            seat = state.to_act[0]
            state = state.apply(seat, Greedy().choose(state.view(seat), rng, 1.0))


def value(state: Any, seat: int, known: dict[Any, int]) -> int:
    """Return what a state of two is worth to a seat, by trying everything."""
    if state.is_over:
        lead: int = state.scores()[seat] - state.scores()[1 - seat]
        return lead + endgame.WIN * ((lead > 0) - (lead < 0))
    if state not in known:
        active = state.to_act[0]
        values = [value(state.apply(active, move), seat, known) for move in state.legal(active)]
        known[state] = max(values) if active == seat else min(values)
    return known[state]


def first_of(moves: list[int], board: Board) -> Move:
    """Return the first lay of a list, or a pass."""
    if moves[trial.COUNT] == 0:
        return Pass()
    placed = range(moves[trial.COUNT])
    return Lay.of(
        *((NAMES[moves[trial.LAID + n]], *board.cell(moves[trial.CELLS + n])) for n in placed)
    )


@pytest.mark.parametrize("seed", range(3))
def test_endings_are_solved_as_by_trying_everything(seed: int) -> None:
    few = [
        state
        for state in greedy_game(seed, 2)
        if len(state.bag + state.hand(0) + state.hand(1)) <= MOST_TILES
    ]
    assert few
    for state in few:
        for lead in (-7, 3):
            table = list(state.table)
            table[rules.POINTS] = table[rules.POINTS + 1] + lead  # so that it is close
            check_ending(State(tuple(table), state.board))


def check_ending(state: State) -> None:
    """Compare the search with trying everything, and see that it leaves no trace."""
    table = list(state.table)
    seat = state.to_act[0]
    board = Board(state.board.tiles)
    grid = board.tidied()
    before = repr(grid._replace(edges=grid.edges[: grid.edges[0] + 1]))
    moves, notes, frames = (
        [0] * MOVES * trial.MOVE,
        [0] * trial.NOTES_SIZE,
        [0] * endgame.FRAMES_SIZE,
    )
    worth, is_exact = endgame.solve_end(
        table, grid, seat, 1 << 30, [0] * WALK_SIZE, moves, notes, frames
    )
    known: dict[Any, int] = {}
    assert is_exact
    assert worth == value(state, seat, known)
    assert worth == value(state.apply(seat, first_of(moves, board)), seat, known)
    assert tuple(table) == state.table
    assert repr(grid._replace(edges=grid.edges[: grid.edges[0] + 1])) == before


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_hidden_tiles_do_not_matter(seats: int) -> None:
    state = next(state for state in greedy_game(seats, seats) if len(state.bag) <= 60)
    seat = state.to_act[0]
    moves = []
    for shuffle in range(3):
        hidden = list(state.view(seat).unseen())
        Random(shuffle).shuffle(hidden)
        table = list(state.view(seat).table)
        sizes = [(rules.hand_of(other), len(state.hand(other))) for other in range(seats)]
        for heap, size in [*sizes, (rules.BAG, len(state.bag))]:
            for _ in range(size - heap_size(table, heap)):
                put(table, heap, NUMBERS[hidden.pop()])
        choice = Choice([0] * rules.HAND_SIZE, [0] * rules.HAND_SIZE)
        mind = master.new_mind([6, 1, 1, 100, 0, 20, 0], list(master.WEIGHTS), list)
        count = master.choose_by_trial(
            table,
            Board(state.board.tiles, ((-FAR, -FAR), (FAR, FAR))).tidied(),
            seat,
            len(state.bag),
            [0] * WALK_SIZE,
            choice,
            new_luck(1, 0, seats),
            mind,
        )
        moves.append((count, choice))
    assert moves[0] == moves[1] == moves[2]
