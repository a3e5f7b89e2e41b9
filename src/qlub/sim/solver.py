"""Works out what every sheet of Qwixx is worth, exactly, and keeps it on disk.

Sheets are worked out level by level, from the fullest to the empty one; those of a level do not depend on
each other, so threads share them.
"""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from platformdirs import user_cache_path

from qlub.compiler import compile_kernel
from qlub.core.luck import luck_size
from qlub.core.record import Match
from qlub.core.registry import find_game
from qlub.games.qwixx import exact
from qlub.games.qwixx.rules import MOST_PENALTIES
from qlub.games.qwixx.sheet import ROWS
from qlub.sim.kept import find_kept, keep
from qlub.sim.sources import hash_of
from qlub.sim.statistics import Estimate, estimate_mean
from qlub.sim.table import Numbers

GAME = "qwixx"
FORMAT = "qlub-exact/2"
SAVE_SECONDS = 5.0
"""How often what is worked out so far is kept."""
GAMES_AT_ONCE = 100_000
SOURCES = ("kernel.py", "games/qwixx/exact.py", "games/qwixx/sheet.py", "games/qwixx/rules.py")


@dataclass
class Solution:
    """What all sheets are worth, as far as that is known."""

    seats: int
    worths: NDArray[np.float64]
    """By turn (one's own, then the others' in their order), sheet and penalties."""
    left: int
    """How many levels are still to be worked out."""
    is_kept: bool | None = None
    """Whether what was worked out is on disk; None as long as nobody tried."""

    @property
    def values(self) -> list[float]:
        """What the game is worth to who rolls first, second, and so on."""
        first, *others = (float(plane[0]) for plane in self.worths.reshape(self.seats, -1))
        return [first, *reversed(others)]  # the last turn of the others is followed by one's own

    @property
    def done(self) -> int:
        """How many sheets are worked out."""
        return exact.SHEETS - sum(map(len, _levels()[: self.left]))


def solve(seats: int, threads: int) -> Iterator[Solution]:
    """Work the game out, going on where an earlier run was ended; yield after each level."""
    solution = load(seats) or Solution(seats, np.zeros(_size(seats)), len(_levels()))
    desks = [_new_desk() for _ in range(threads)]
    kinds = np.array(exact.all_kinds())
    work = compile_kernel(exact.work_out, kinds, kinds, seats, solution.worths, *desks[0])
    saved = time.monotonic()
    with ThreadPoolExecutor(threads) as pool:
        while solution.left:
            rows = _rows(_levels()[solution.left - 1])
            shares = [
                np.ascontiguousarray(rows[start::threads]).ravel() for start in range(threads)
            ]
            tasks = [
                pool.submit(work, share, kinds, seats, solution.worths, *desk)
                for share, desk in zip(shares, desks, strict=True)
            ]
            for task in tasks:
                task.result()
            solution.left -= 1
            if solution.left == 0 or time.monotonic() - saved > SAVE_SECONDS:
                solution.is_kept = keep(_file(seats), _what(seats), solution.left, solution.worths)
                saved = time.monotonic()
            yield solution
    yield solution


def load(seats: int) -> Solution | None:
    """Return what is on disk, whole or begun; None if there is nothing to be trusted."""
    found = find_kept(_file(seats), _what(seats))
    if found is None or len(found[1]) != _size(seats):
        return None
    left, worths = found
    return Solution(seats, worths, left, is_kept=True)


def play_solution(solution: Solution, games: int, seed: int) -> Iterator[tuple[int, Estimate]]:
    """Play whole games alone by a solution, through the rules.

    Yields now and then how many were played, and what mean of their points that leads to expect.
    """
    alone: Any = Match.new(find_game(GAME), 1).state
    start = np.array(alone.table)
    luck, rows = np.zeros(luck_size(1), np.int64), np.zeros(ROWS, np.int64)
    room = start, start.copy(), luck, rows, solution.worths
    play = compile_kernel(exact.play_alone, seed, 0, *room, np.zeros(0, np.int64))
    total = squares = 0
    for first in range(0, games, GAMES_AT_ONCE):
        points = np.zeros(min(GAMES_AT_ONCE, games - first), np.int64)
        play(seed, first, *room, points)
        total += int(points.sum())
        squares += int((points**2).sum())
        done = first + len(points)
        yield done, estimate_mean(done, total, squares)


def _size(seats: int) -> int:
    return seats * exact.SHEETS * MOST_PENALTIES


def _new_desk() -> tuple[Numbers, NDArray[np.float64], NDArray[np.float64]]:
    """Return room to work sheets out."""
    rows = np.zeros(ROWS, np.int64)
    return rows, np.zeros(exact.CELLS_NOTED), np.zeros(exact.THROW_NOTED)


@cache
def _pairs() -> Numbers:
    """Return the kinds of the two rows of each pair."""
    return np.array([(low, high) for high in range(exact.KINDS) for low in range(high + 1)])


def _rows(sheets: Numbers) -> Numbers:
    """Return the kinds of the four rows of sheets."""
    falling = ((np.sqrt(8 * sheets + 1) - 1) // 2).astype(np.int64)
    rising = sheets - falling * (falling + 1) // 2
    return np.concatenate([_pairs()[rising], _pairs()[falling]], axis=1)


@cache
def _levels() -> list[Numbers]:
    """Return all sheets by how far their rows have come together, the emptiest first."""
    lengths = np.array([exact.place_of(row) for row in exact.all_kinds()], np.int16)
    pairs = lengths[_pairs()].sum(axis=1, dtype=np.int16)
    far = np.concatenate([pairs[: pair + 1] + pairs[pair] for pair in range(exact.PAIRS)])
    order = np.argsort(far, kind="stable")
    return np.split(order, np.searchsorted(far[order], np.arange(1, far.max() + 1)))


def _file(seats: int) -> Path:
    return user_cache_path("qlub") / "exact" / f"{GAME}-{seats}.bin"


def _what(seats: int) -> dict[str, object]:
    return {"format": FORMAT, "seats": seats, "sources": hash_of(SOURCES)}
