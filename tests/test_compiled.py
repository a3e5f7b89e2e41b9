"""Compiled and plain play of the same seeds are the same games, event for event."""

import os
import subprocess
import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from qlub.bots import bots_of
from qlub.core import luck
from qlub.core.record import Match
from qlub.core.registry import find_game, game_names
from qlub.sim import Table
from qlub.sim.compiled import compile_table, play_compiled, tell_compiled
from qlub.sim.plain import play_plainly
from qlub.sim.play import seat_bots

GAMES = {"qwixx": 40, "qwantum": 30, "qwirkle": 2}
"""How many games of each number of seats are compared."""


OPTIONS: dict[str, list[dict[str, object]]] = {"qwixx": [{"end": "table"}, {"end": "player"}]}


def beginners(game: str) -> tuple[str, ...]:
    """Return the bots of a game that need no mind."""
    return tuple(name for name, bot in bots_of(find_game(game)).items() if not hasattr(bot, "mind"))


def tables(game: str) -> Iterator[Table]:
    """Every number of seats, all options, and the bots that need no mind."""
    fewest, most = find_game(game).seats
    for seats in range(1 if find_game(game).practice else fewest, most + 1):
        for options in OPTIONS.get(game, [{}]):
            yield Table(game, seats, beginners(game), options, seed=seats)


@pytest.mark.parametrize("game", game_names())
def test_compiled_and_plain_games_are_the_same(game: str) -> None:
    for table in tables(game):
        compare(table)


def compare(table: Table) -> None:
    assert table.policies, "every bot of the house can be compiled"
    deals = np.arange(GAMES[table.game])
    seatings = seat_bots(deals, table, rotate=True)
    seatings[::3] = seatings[::3] ** 2 % len(table.bots)  # and some with one bot twice
    compile_table(table)
    played: list[Match] = []
    compiled = play_compiled(table, deals, seatings)
    plain = play_plainly(table, deals, seatings, played)
    assert compiled.scores.tolist() == plain.scores.tolist()
    assert compiled.reasons.tolist() == plain.reasons.tolist()
    assert compiled.turns.tolist() == plain.turns.tolist()
    told = list(tell_compiled(table, deals, seatings))
    assert [results.scores[0].tolist() for results, _ in told] == plain.scores.tolist()
    for (_, one), other in zip(told, played, strict=True):
        assert one.events == other.events
        assert one.record() == other.record()


def test_seniority_is_played_by_in_compiled_games() -> None:
    deals, seatings = np.arange(30), np.ones((30, 4), np.int64)
    results = []
    for seniority in ((0, 1, 2, 3), (3, 2, 1, 0)):
        table = Table("qwirkle", 4, ("random", "greedy"), {"seniority": seniority})
        compile_table(table)
        for _, match in tell_compiled(table, deals[:2], seatings[:2]):
            assert match.record()["options"] == {"seniority": list(seniority)}
        results.append(play_compiled(table, deals, seatings).scores.tolist())
    assert results[0] != results[1], "some of thirty deals tie for the first move"


def test_words_are_those_of_wyrand() -> None:
    """The first numbers for seed 42, as the tests of Lemire's SwiftWyhash have them."""
    published = (12558987674375533620, 16846851108956068306, 14652274819296609082)
    words = [luck.word_of(luck.ahead(42, number)) for number in (1, 2, 3)]
    assert words == [word >> 1 for word in published]


@pytest.mark.parametrize("count", [2, 3, 6, 108])
def test_choices_are_even(count: int) -> None:
    """Chi-squared stays below its 99.99 % quantile, for a seed that never changes."""
    draws = 200 * count
    source = luck.new_luck(1, 0, 2)
    seen = np.bincount([luck.choice(source, 0, count) for _ in range(draws)], minlength=count)
    expected = draws / count
    chi_squared = float(((seen - expected) ** 2 / expected).sum())
    free = count - 1
    assert chi_squared < free * (1 - 2 / (9 * free) + 3.72 * (2 / (9 * free)) ** 0.5) ** 3


def test_streams_of_a_game_have_nothing_in_common() -> None:
    streams = [luck.new_luck(seed, deal, 4) for seed, deal in product(range(5), range(50))]
    assert len({key for keys in streams for key in keys}) == 5 * 50 * 5


CHECKED = """
import numpy as np
from test_compiled import tables
from qlub.core.registry import game_names
from qlub.sim.play import play_games

for game in game_names():
    for table in tables(game):
        play_games(table, 0, 100, rotate=True)
"""


def test_all_bounds_are_kept() -> None:
    """The compiled games of all tables in a process in which every index is checked."""
    done = subprocess.run(
        [sys.executable, "-c", CHECKED],
        env={**os.environ, "NUMBA_BOUNDSCHECK": "1", "PYTHONPATH": str(Path(__file__).parent)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
