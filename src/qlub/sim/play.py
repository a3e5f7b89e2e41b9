"""Plays many games of a table: compiled if all players can be, on one core or on several."""

import multiprocessing
import signal
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager

import numpy as np

from qlub.core.record import Match
from qlub.sim.compiled import compile_table, play_compiled, tell_matches
from qlub.sim.plain import play_matches, play_plainly
from qlub.sim.table import Numbers, Results, Table

CHUNK = 20_000
"""Games that are played in one go when they are compiled."""


def play_deals(table: Table, deals: Numbers, seatings: Numbers) -> Results:
    """Play games of a table, a deal and a seating each."""
    if table.policies is None:
        return play_plainly(table, deals, seatings)
    compile_table(table)
    return play_compiled(table, deals, seatings)


def tell_deals(table: Table, deals: Numbers, seatings: Numbers) -> Iterator[Match]:
    """Play games of a table and return all that happened in them."""
    if table.policies is None:
        return play_matches(table, deals, seatings)
    compile_table(table)
    return tell_matches(table, deals, seatings)


def prepare(table: Table) -> None:
    """Compile what a table needs, if anything."""
    if table.policies is not None:
        compile_table(table)


def play_in_chunks(
    table: Table, deals: Numbers, seatings: Numbers, processes: int = 1, chunk: int = CHUNK
) -> Iterator[Results]:
    """Play games of a table in several processes; return results in the order of the games."""
    starts = range(0, len(deals), chunk)
    pieces = [(table, deals[at : at + chunk], seatings[at : at + chunk]) for at in starts]
    if processes == 1 or len(pieces) < 2:
        for piece in pieces:
            yield play_deals(*piece)
        return
    prepare(table)  # once, so that the workers find it compiled
    with workers(min(processes, len(pieces))) as pool:
        yield from pool.map(play_deals, *zip(*pieces, strict=True))


@contextmanager
def workers(processes: int) -> Iterator[ProcessPoolExecutor]:
    """Provide processes that leave Ctrl-C to us and end with us."""
    pool = ProcessPoolExecutor(
        processes,
        multiprocessing.get_context("spawn"),
        signal.signal,
        (signal.SIGINT, signal.SIG_IGN),
    )
    try:
        yield pool
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def seat_bots(bots: int, seats: int, games: int, rotate: bool) -> Numbers:
    """Seat bot k at seat k in every game, or move everybody one seat on from game to game."""
    shifts = np.arange(games)[:, None] if rotate else np.zeros((games, 1), np.int64)
    return (np.arange(seats)[None, :] - shifts) % bots
