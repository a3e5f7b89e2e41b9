"""What the strong player of Qwirkle thinks with: trials that leave no trace, and exact endings."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import pytest

from qlub.core.game import Pass
from qlub.core.luck import new_luck
from qlub.games.qwirkle import GAME, answers, endgame, futures, master, memory, mind, rules, trial
from qlub.games.qwirkle.board import lay_points
from qlub.games.qwirkle.bots import Choice, Greedy
from qlub.games.qwirkle.levels import CLUB, MASTER, Trier, lay_out
from qlub.games.qwirkle.playout import Room, new_room
from qlub.games.qwirkle.search import WALK_SIZE
from qlub.games.qwirkle.state import Lay, Move, State
from qlub.games.qwirkle.tiles import COPIES, NAMES, NUMBERS, TILES, heap_size, put
from qlub.games.qwirkle.window import Board
from qlub.thinker import Array

MOVES = 500
MOST_TILES = 4
QUICK = [6, 1, 1, 100, 0, 20, 0, 1000]
WEIGHTS = [-0.5, 0.25, -0.75, *mind.SURE]
"""What tiles kept may be worth: about what was learnt, or anything else."""


class Quick(Trier):
    """A player who does not need what was learnt."""

    def mind(self, array: Array, seats: int) -> mind.Mind:
        return mind.new_mind(list(self.plan), WEIGHTS, array)


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


def test_an_ending_is_searched_with_whatever_room_there_is_for_moves() -> None:
    """Plain lists refuse a place behind their end; compiled ones would not."""
    state = next(state for state in greedy_game(1, 2) if not state.bag)
    seat = state.to_act[0]
    for room in range(endgame.MOST_DEPTH + 2, endgame.MOST_DEPTH + 60):
        table, board = list(state.table), Board(state.board.tiles)
        moves = [0] * room * trial.MOVE
        notes, frames = [0] * trial.NOTES_SIZE, [0] * endgame.FRAMES_SIZE
        grid, walk = board.tidied(), [0] * WALK_SIZE
        endgame.solve_end(table, grid, seat, 20, walk, moves, notes, frames)
        assert tuple(table) == state.table
        assert first_of(moves, board) in state.legal(seat)


def a_rich_hand() -> tuple[list[int], Room]:
    """Six tiles of a colour before a large board: they have more lays than anybody keeps."""
    state = next(state for state in greedy_game(5, 2) if len(state.bag) <= 50)
    table, room = list(state.table), new_room(list)
    lay_out(state.board.tiles, room)
    hand = rules.hand_of(0)
    table[hand : hand + COPIES] = [0] * COPIES
    for tile in range(rules.HAND_SIZE):
        put(table, hand, tile)
    return table, room


def test_a_list_that_is_too_short_still_has_the_most_points() -> None:
    table, room = a_rich_hand()
    most = []
    for places in (5000, 50):
        moves = [0] * (places * trial.MOVE)
        held = table[rules.hand_of(0)]
        found = trial.list_lays(room.grid, held, room.walk, moves, 0, places)
        assert (found == places) is (places == 50)
        most.append(max(moves[trial.SCORE : found * trial.MOVE : trial.MOVE]))
    assert most[0] == most[1]


def test_candidates_are_the_best_of_all_lays(monkeypatch: pytest.MonkeyPatch) -> None:
    table, room = a_rich_hand()
    ranks = []
    for most in (5000, 500, 20):
        monkeypatch.setattr(mind, "MOST_LAYS", most)
        monkeypatch.setattr(master, "MOST_LAYS", most)
        thoughts = mind.new_mind(QUICK, WEIGHTS, list)
        master.list_candidates(table, room.grid, 0, 0, room.walk, room.choice, thoughts)
        last = QUICK[mind.CANDIDATES] * trial.MOVE
        ranks.append(thoughts.moves[trial.RANK : last : trial.MOVE])
    assert ranks[0] == sorted(ranks[0], reverse=True)
    assert ranks == ranks[:1] * 3


def decide_plainly(view: Any, plan: list[int], word: int = 1) -> Move:
    """Return the move of a plan by the plain functions."""
    player = Quick("Is plain.", plan)
    asked = player.ask(view, new_room(list), list)
    arguments = (*asked, word, player.mind(list, view.seats))
    return player.answer(view, Quick.find(*arguments), asked)


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
        room = new_room(list)
        lay_out(state.board.tiles, room)
        thoughts = mind.new_mind(QUICK, WEIGHTS, list)
        luck = new_luck(1, 0, seats)
        count = master.choose_by_trial(
            table, room.grid, seat, len(state.bag), room.walk, room.choice, luck, thoughts
        )
        moves.append((count, room.choice))
    assert moves[0] == moves[1] == moves[2]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_moves_are_legal_and_the_same_when_compiled(seats: int) -> None:
    level = Quick("Is quick.", QUICK)
    for turn, state in enumerate(greedy_game(seats, seats)):
        if turn % 9 == 0 or not state.bag:
            view = state.view(state.to_act[0])
            move = level.choose(view, Random(turn), 1.0)
            state.apply(state.to_act[0], move)
            assert move == level.choose(view, Random(turn), 1.0)
            if turn % 2 == 0:
                assert move == decide_plainly(view, QUICK, Random(turn).getrandbits(63))


@pytest.mark.parametrize("is_quick", [True, False], ids=["plain", "compiled"])
def test_a_room_that_is_used_again_shows_nothing_of_before(is_quick: bool) -> None:
    level = Quick("Is asked often.", QUICK, is_quick=is_quick)
    games = [list(greedy_game(seed, 2))[3::9] for seed in range(2)]
    for turn, states in enumerate(zip(*games, strict=False)):
        for state in states:
            view = state.view(state.to_act[0])
            alone = Quick("Is asked once.", QUICK, is_quick=is_quick)
            assert level.choose(view, Random(turn), 1.0) == alone.choose(view, Random(turn), 1.0)


def test_trials_end_when_they_took_enough_turns() -> None:
    state = next(state for state in greedy_game(2, 2) if len(state.bag) <= 30)
    view = state.view(state.to_act[0])
    took = []
    for effort in (20, 1000):
        plan = [*QUICK[: mind.EFFORT], effort]
        plan[mind.SAMPLES] = 6
        thoughts = mind.new_mind(plan, WEIGHTS, list)
        arguments = (*Quick("Is plain.", plan).ask(view, new_room(list), list), 1, thoughts)
        master.find_best(*arguments)
        took.append(thoughts.turns[0])
    longest_deal = (QUICK[mind.CANDIDATES] + 1) * 2
    assert 20 <= took[0] < 20 + longest_deal < took[1]


@pytest.mark.parametrize("in_bag", [0, 5])
def test_tiles_that_are_missing_are_in_nobodys_hand_and_are_not_drawn(
    in_bag: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A position need not have all 108 tiles; then even an empty bag does not tell the other hand."""
    state = next(state for state in greedy_game(2, 2) if len(state.bag) <= 60)
    position: Any = GAME.write_position(state)
    position["bag"] = position["bag"][:in_bag]
    begun: Any = GAME.read_position(position)
    seen: set[tuple[int, int]] = set()
    play_on = futures.play_on

    def watched(grid: Any, seat: int, front: int, back: int, *others: Any) -> int:
        hands = [heap_size(others[-1].trial, rules.hand_of(other)) for other in range(2)]
        seen.add((hands[1 - seat], hands[seat] + back - front))
        return play_on(grid, seat, front, back, *others)

    monkeypatch.setattr(futures, "play_on", watched)
    seat = begun.to_act[0]
    move = decide_plainly(begun.view(seat), QUICK)
    begun.apply(seat, move)
    held = len(begun.hand(seat))
    assert {size for size, _ in seen} == {len(begun.hand(1 - seat))}
    assert all(held + in_bag - 6 <= left <= held + in_bag for _, left in seen)


@pytest.mark.parametrize("level", [CLUB, MASTER])
def test_levels_move_legally(level: Trier) -> None:
    for turn, state in enumerate(greedy_game(7, 3)):
        if turn % 6 == 0:
            seat = state.to_act[0]
            state.apply(seat, level.choose(state.view(seat), Random(turn), 1.0))


def test_a_position_may_lie_anywhere() -> None:
    state = next(state for state in greedy_game(5, 2) if len(state.bag) <= 70)
    shift = 1000
    tiles = {(x + shift, y - shift): tile for (x, y), tile in state.board.tiles.items()}
    seat = state.to_act[0]
    here = decide_plainly(state.view(seat), QUICK)
    there = decide_plainly(State(state.table, Board(tiles)).view(seat), QUICK)
    assert isinstance(here, Lay)
    assert isinstance(there, Lay)
    moved = [(one.tile, one.x + shift, one.y - shift) for one in here.placed]
    assert [(one.tile, one.x, one.y) for one in there.placed] == moved


def check_answers(board: Board, hands: Sequence[int], room: Room, known: memory.Memory) -> None:
    """Let hands lay on trial, one after the other, and compare each with a search of the whole board."""
    lay_out(board.tiles, room)
    memory.remember_board(room.grid, known)
    before = [[*part] for part in (known.board.tiles, known.board.across, known.board.down)]
    answers.begin_trial(known)
    other = Choice([0] * rules.HAND_SIZE, [0] * rules.HAND_SIZE)
    for held in hands:
        count, points = answers.best_lay(room.grid, held, room.walk, room.choice, known)
        assert points == answers.most_points(known.board, held, room.walk, other)[1]
        if count > 0:
            assert points == lay_points(known.board, room.choice.cells, count)
        for cell, tile in zip(*(part[:count] for part in room.choice), strict=True):
            answers.lay_on_trial(known, cell, tile)
    trial.take_back(known.board, known.notes, 0)
    assert before == [known.board.tiles, known.board.across, known.board.down]


def test_answers_with_tiles_on_trial_are_as_good_as_a_search_of_the_whole_board() -> None:
    """Boards come and go, and the same hands are asked again and again: what is remembered must fit."""
    rng = Random(3)
    room, known = new_room(list), memory.new_memory(list)
    boards = [Board({})] + [state.board for seed in (3, 4) for state in greedy_game(seed, 2)]
    hands = [0] * 5
    for trials in range(80):
        hands[trials % 5] = sum(
            1 << tile for tile in rng.sample(range(TILES), rng.choice([2, 4, 6]))
        )
        board = rng.choice(boards[:: 1 + trials % 9])
        for _ in range(2):
            check_answers(board, rng.choices(hands, k=5), room, known)
