"""Plays chunks on this machine, in this process or in several."""

from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import chain, islice

from qlub.core.errors import BadRequest
from qlub.sim.counts import Counts, play_chunk
from qlub.sim.fortune import prepare_luck
from qlub.sim.plan import Chunk, Plan
from qlub.sim.play import prepare, workers

AHEAD = 3
"""How many chunks are handed out for each process, so that none waits for work."""
TRIES = 3


def compile_players(plan: Plan) -> None:
    """Compile what a plan needs, once for all processes of this machine."""
    for table in plan.tables():
        prepare(table)
    if plan.less_luck:
        prepare_luck(plan.game, plan.seats)


def play_here(
    plan: Plan, chunks: Iterable[Chunk], processes: int = 1
) -> Generator[tuple[Chunk, Counts], None, None]:
    """Play chunks and yield them as they are done.

    `chunks` is asked for more only when there is room, so it may end early. Chunks of a process that
    dies are played again.
    """
    if processes == 1:
        for chunk in chunks:
            yield chunk, play_chunk(plan, chunk)
        return
    todo = iter(chunks)
    for _ in range(TRIES):
        given: list[Chunk] = []
        try:
            with workers(processes) as pool:
                yield from _play_in_pool(pool, plan, todo, given, processes * AHEAD)
                return
        except BrokenProcessPool:
            todo = chain(given, todo)
    raise BadRequest("the processes that play keep dying; what they finished is kept")


def _play_in_pool(
    pool: ProcessPoolExecutor, plan: Plan, todo: Iterator[Chunk], given: list[Chunk], most: int
) -> Iterator[tuple[Chunk, Counts]]:
    """Keep a pool busy; `given` are the chunks that it has and has not finished."""
    running: dict[Future[Counts], Chunk] = {}
    while True:
        for chunk in islice(todo, most - len(running)):
            given.append(chunk)
            running[pool.submit(play_chunk, plan, chunk)] = chunk
        if not running:
            return
        for future in wait(running, return_when=FIRST_COMPLETED).done:
            counts = future.result()
            chunk = running.pop(future)
            given.remove(chunk)
            yield chunk, counts
