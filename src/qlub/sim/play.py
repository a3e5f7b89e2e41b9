"""Plays many games of a table: compiled if all players can be, on one core or on several."""

import multiprocessing
import os
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import chain, islice
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess
from typing import Any, TypeVar

import numpy as np

from qlub.bots.program import end_programs
from qlub.core.errors import BadRequest
from qlub.core.record import Match
from qlub.sim.compiled import compile_table, play_compiled, tell_compiled
from qlub.sim.fortune import Luck, luck_of
from qlub.sim.plain import play_plainly
from qlub.sim.table import Numbers, Results, Table

R = TypeVar("R")

PIECE_SECONDS = 0.25
"""About how long one piece of work takes, so that Ctrl-C and progress never wait for long."""
MOST_GAMES = 100_000
AHEAD = 3
"""How many pieces are handed out for each process, so that none waits for work."""
TRIES = 3
GENTLE_SECONDS = 5.0
"""How long a worker has to end before it is made to."""


def play_deals(table: Table, deals: Numbers, seatings: Numbers) -> Results:
    """Play games of a table, a deal and a seating each."""
    if table.policies is None:
        return play_plainly(table, deals, seatings)
    compile_table(table)
    return play_compiled(table, deals, seatings)


def tell_deals(table: Table, deals: Numbers, seatings: Numbers) -> tuple[Results, list[Match]]:
    """Play games of a table and also tell all that happened in them."""
    played: list[Match] = []
    if table.policies is None:
        return play_plainly(table, deals, seatings, played), played
    if not len(deals):
        return play_deals(table, deals, seatings), played
    compile_table(table)
    results, matches = zip(*tell_compiled(table, deals, seatings), strict=True)
    return Results.joined(results), list(matches)


def play_with_luck(table: Table, deals: Numbers, seatings: Numbers) -> tuple[Results, Luck]:
    """Play games of a table and also tell how lucky every seat was in each."""
    results, matches = tell_deals(table, deals, seatings)
    games = zip(matches, deals.tolist(), strict=True)
    return results, np.array([luck_of(match, table.seed, deal) for match, deal in games])


def prepare(table: Table) -> None:
    """Compile what a table needs, if anything."""
    if table.policies is not None:
        compile_table(table)


def seat_bots(deals: Numbers, table: Table, rotate: bool) -> Numbers:
    """Seat bot k at seat k in every game, or move everybody one seat on from game to game.

    With fewer bots than seats they sit down again in the same order.
    """
    shifts = deals % table.seats if rotate else np.zeros_like(deals)
    return (np.arange(table.seats)[None, :] - shifts[:, None]) % table.seats % len(table.bots)


def play_games(table: Table, first: int, count: int, rotate: bool) -> Results:
    """Play some games of a table in a row, each with a deal of its own."""
    deals = np.arange(first, first + count)
    return play_deals(table, deals, seat_bots(deals, table, rotate))


def play_in_pieces(
    play: Callable[[Table, int, int, bool], R],
    table: Table,
    games: int,
    rotate: bool = False,
    processes: int = 1,
) -> Iterator[R]:
    """Play games of a table piece by piece, in one process or in several.

    `play` is `play_games`, or what counts them. Results come in the order of the games.
    """
    prepare(table)  # once, so that the workers find it compiled
    size, done, is_measuring = 1, 0, True
    while done < games and (processes == 1 or is_measuring):
        began = time.perf_counter()
        yield play(table, done, min(size, games - done), rotate)
        done += min(size, games - done)
        is_measuring = time.perf_counter() - began < PIECE_SECONDS / 2 and size < MOST_GAMES
        size *= 1 + is_measuring
    pieces = ((table, at, min(size, games - at), rotate) for at in range(done, games, size))
    yield from _play_in_order(play, pieces, processes)


def _play_in_order(
    play: Callable[..., R], pieces: Iterator[tuple[Table, int, int, bool]], processes: int
) -> Iterator[R]:
    """Play pieces in several processes; those of one that dies are played again."""
    for _ in range(TRIES):
        running: deque[tuple[Any, Future[R]]] = deque()
        try:
            with workers(processes) as pool:
                while True:
                    for piece in islice(pieces, AHEAD * processes - len(running)):
                        running.append((piece, pool.submit(play, *piece)))
                    if not running:
                        return
                    yield running[0][1].result()
                    running.popleft()
        except BrokenProcessPool:
            pieces = chain([piece for piece, _ in running], pieces)
    raise BadRequest("the processes that play keep dying")


@contextmanager
def workers(processes: int) -> Iterator[ProcessPoolExecutor]:
    """Provide processes that leave Ctrl-C to this one and end with it.

    If this one leaves before they are done, what they do is given up.
    """
    others = set(multiprocessing.active_children())
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(processes, context, _follow_parent)
    try:
        yield pool
    except BaseException:
        _end(set(multiprocessing.active_children()) - others)
        raise
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _end(children: set[BaseProcess]) -> None:
    """End workers: gently, so that they end their programs, and surely."""
    for child in children:
        child.terminate()
    for child in children:
        child.join(GENTLE_SECONDS)
        child.kill()


def _follow_parent() -> None:
    """Make a worker end when the process that started it does, even if that one is killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: threading.Thread(target=_leave, daemon=True).start())
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()


def _end_with(sentinel: int) -> None:
    wait([sentinel])
    _leave()


def _leave() -> None:
    end_programs()
    os._exit(1)
