"""What the strong player of Qwirkle thinks with: trials that leave no trace, and exact endings."""

from random import Random

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
FAR = 60


def played(rng: Random, seats: int, tiles: int, unseen: int = 0) -> State:
    """Return a state of a greedy game with at most so many tiles in all hands and so many in the bag."""
    while True:
        state: State = GAME.new(seats, {"seniority": tuple(range(seats))})
        while not state.is_over:
            if state.chance:
                state = state.resolve(state.chance.sample(rng.randrange))
                continue
            held = sum(len(state.hand(seat)) for seat in range(seats))
            if held <= tiles and len(state.bag) <= unseen:
                return state
            seat = state.to_act[0]
            state = state.apply(seat, Greedy().choose(state.view(seat), rng, 1.0))


def value(state: State, seat: int, known: dict[State, int]) -> int:
    """Return what a state of two is worth to a seat, by trying everything."""
    if state.is_over:
        lead = state.scores()[seat] - state.scores()[1 - seat]
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


@pytest.mark.parametrize("seed", range(12))
def test_an_ending_is_solved_as_by_trying_everything(seed: int) -> None:
    rng = Random(seed)
    state = played(rng, 2, rng.choice((3, 4, 5, 6)))
    table = list(state.table)
    table[rules.POINTS] = table[rules.POINTS + 1] + rng.randrange(-12, 13)  # so that it is close
    state = State(tuple(table), state.board)
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
    known: dict[State, int] = {}
    assert is_exact
    assert worth == value(state, seat, known)
    assert worth == value(state.apply(seat, first_of(moves, board)), seat, known)
    assert tuple(table) == state.table
    assert repr(grid._replace(edges=grid.edges[: grid.edges[0] + 1])) == before


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_hidden_tiles_do_not_matter(seats: int) -> None:
    state = played(Random(seats), seats, 6 * seats, unseen=60)
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
        mind = master.new_mind([6, 1, 1, 100, 0, 0, 20, 0], list(master.WEIGHTS), list)
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
