"""Players that think in a kernel: the same chance gives the same move, and everybody has their own mind."""

from concurrent.futures import ThreadPoolExecutor
from functools import cache
from random import Random
from threading import Barrier
from typing import Any, NamedTuple
from unittest.mock import Mock

import pytest
from clubhouse import PATIENCE

from qlub.core.game import View
from qlub.core.net import net_size
from qlub.core.record import Match
from qlub.core.registry import find_game
from qlub.games.qwixx.features import FEATURES
from qlub.games.qwixx.levels import Learnt
from qlub.games.qwixx.master import Mind, new_mind
from qlub.thinker import Array, Thinker


class Seen(NamedTuple):
    """All that a player needs to see here."""

    seats: int
    number: int


meeting = Barrier(2)


def write_and_read(number: int, word: int, mind: list[int]) -> int:
    """Write to the mind, wait until the other thread has done so, too, and read it."""
    mind[0] = number + word
    meeting.wait(PATIENCE)
    return mind[0]


class Writer(Thinker):
    """A player who says what it has in mind."""

    find = staticmethod(write_and_read)

    def __init__(self) -> None:
        super().__init__("Says what it has in mind.", (), is_quick=True)
        self.minds: list[int] = []

    def mind(self, array: Array, seats: int) -> Any:
        self.minds.append(seats)
        return array([0])

    def ask(self, view: Seen, room: Any, array: Array) -> tuple[Any, ...]:
        return (view.number,)

    def answer(self, view: Seen, found: int, asked: tuple[Any, ...]) -> int:
        return found


def test_two_threads_do_not_disturb_each_other() -> None:
    writer = Writer()
    with ThreadPoolExecutor(2) as pool:
        for _ in range(3):
            asked = [
                pool.submit(writer.choose, Seen(2, number), Random(1), 1.0) for number in (0, 1)
            ]
            first, second = (task.result() for task in asked)
            assert (first, second) == (Random(1).getrandbits(63), first + 1)
    assert writer.minds == [2, 2]


def test_a_mind_is_made_once_for_so_many_seats(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(globals(), "meeting", Barrier(1))
    writer = Writer()
    for seats in (2, 3, 2, 3, 2):
        writer.choose(Seen(seats, 0), Random(1), 1.0)
    assert writer.minds == [2, 3]


def test_nothing_is_used_again_after_a_decision_that_was_broken_off(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(globals(), "meeting", Barrier(1))
    writer = Writer()
    with monkeypatch.context() as patch:
        patch.setattr(meeting, "wait", Mock(side_effect=KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            writer.choose(Seen(2, 0), Random(1), 1.0)
    for _ in range(2):
        writer.choose(Seen(2, 0), Random(1), 1.0)
    assert writer.minds == [2, 2]


@cache
def some_weights() -> tuple[float, ...]:
    rng = Random(1)
    return tuple(rng.gauss(0, 0.1) for _ in range(net_size(FEATURES)))


class Anybody(Learnt):
    """A player of Qwixx without a network of the package."""

    def mind(self, array: Array, seats: int) -> Mind:
        return new_mind(some_weights(), self.plan, array)


def views(seats: int) -> list[View[Any]]:
    """Return what the seats see in a game of random moves, while they have a choice."""
    match, rng = Match.new(find_game("qwixx"), seats), Random(seats)
    seen: list[View[Any]] = []
    while len(seen) < 20:
        state = match.state
        if state.chance:
            match.resolve(state.chance.sample(rng.randrange))
        for seat in match.state.to_act:
            view = match.state.view(seat)
            if len(view.legal()) > 1:
                seen.append(view)
            match.decide(seat, rng.choice(view.legal()))
    return seen


PLANS = [(0, 0, 0, 0), (300, 0, 0, 0), (0, 1, 1, 20)]


@pytest.mark.parametrize("plan", PLANS)
def test_the_same_chance_gives_the_same_move(plan: tuple[int, ...]) -> None:
    """Of a new player, of one who thought of other games before, and in another thread."""
    player = Anybody("Plays.", plan, is_quick=True)
    asked = [*views(2)[::4], *views(3)[::7]]
    moves = [player.choose(view, Random(at), 1.0) for at, view in enumerate(asked)]
    for at, view in reversed(list(enumerate(asked))):
        assert player.choose(view, Random(at), 1.0) == moves[at]
    new = Anybody("Plays.", plan, is_quick=True)
    with ThreadPoolExecutor(2) as pool:
        again = pool.map(lambda at: new.choose(asked[at], Random(at), 1.0), range(len(asked)))
        assert list(again) == moves


def test_a_decision_takes_one_word_of_chance() -> None:
    rng, other = Random(1), Random(1)
    Anybody("Plays.", PLANS[1], is_quick=True).choose(views(2)[0], rng, 1.0)
    other.getrandbits(63)
    assert rng.random() == other.random()


def test_a_player_who_is_not_sure_is_told_apart_by_chance() -> None:
    player, view = Anybody("Plays.", (400, 0, 0, 0), is_quick=True), views(2)[1]
    assert len({str(player.choose(view, Random(seed), 1.0)) for seed in range(30)}) > 1


def test_players_are_told_apart_by_their_plans() -> None:
    """In compiled play whoever has another name is another player."""
    assert len({repr(Anybody("Plays.", plan)) for plan in PLANS}) == len(PLANS)
