"""Plays chunks on a running cluster of dask.distributed, whose workers may come, die and return."""

import logging
import re
import socket
import time
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import CancelledError
from importlib import import_module
from itertools import islice
from typing import Any

from qlub import __version__
from qlub.core.errors import BadRequest
from qlub.sim.counts import Counts, play_chunk
from qlub.sim.plan import Chunk, Plan
from qlub.sim.sources import sources_of

AHEAD = 3
"""How many chunks are handed out for each thread of the workers that there are."""
LEAST = 24
"""How many are handed out at least: workers may come later."""
RETRIES = 3
COUNT_AGAIN = 1.0
"""Seconds after which workers are counted again."""
PATIENCE = 5.0
"""Seconds in which a scheduler must answer."""
ADDRESS = re.compile(r"((tcp|tls|ws|wss|ucx)://)?(\[[0-9a-fA-F:.]+\]|[^\s/:\[\]]+):[0-9]{1,5}")


class AnotherVersion(BadRequest):
    """A worker would play by other rules than this process."""


def play_on_cluster(
    plan: Plan, chunks: Iterable[Chunk], address: str
) -> Generator[tuple[Chunk, Counts], None, None]:
    """Play chunks on the workers of a scheduler and yield them as they are done.

    A chunk of a worker that dies is played by another. Its key is made of the plan and the chunk, so
    the cluster never plays one twice at the same time.
    """
    client = connect(address)
    try:
        _check_workers(client, plan.game)
        yield from _play(client, plan, iter(chunks))
    except (OSError, CancelledError):
        raise BadRequest(f"lost the cluster at {address}; what it finished is kept") from None
    finally:
        client.close(timeout=2)


def connect(address: str) -> Any:
    """Return a client of a running scheduler, or say in one line why there is none."""
    if not ADDRESS.fullmatch(address):
        raise BadRequest(f"a cluster has an address such as tcp://127.0.0.1:8786, not {address!r}")
    try:
        distributed = import_module("distributed")
    except ImportError as error:
        raise BadRequest(
            f"a cluster needs {error.name}; install it with: pip install 'qlub[sim,cluster]'"
        ) from None
    for talker in ("distributed", "distributed.client", "tornado.application"):
        logging.getLogger(talker).setLevel(logging.CRITICAL)  # we say it in one line
    try:
        return distributed.Client(address, timeout=PATIENCE, set_as_default=False)
    except OSError as error:
        raise BadRequest(f"no cluster answers at {address}: {error}") from None


def _check_workers(client: Any, game: str) -> None:
    """Refuse a cluster with a worker that has no Qlub or another one; `play_for` checks later ones."""
    for worker, sources in client.run(sources_of, game, on_error="return").items():
        if isinstance(sources, OSError):
            continue  # it has just died, and the scheduler will notice
        if isinstance(sources, Exception):
            raise BadRequest(f"the worker at {worker} cannot play: {sources}")
        if sources != sources_of(game):
            raise AnotherVersion(f"the worker at {worker} has another version of Qlub")


def _play(client: Any, plan: Plan, todo: Iterator[Chunk]) -> Iterator[tuple[Chunk, Counts]]:
    """Keep some more chunks out than there are hands, and bring the results in as they come."""
    sources = sources_of(plan.game)
    running: dict[Any, Chunk] = {}
    done = import_module("distributed").as_completed(loop=client.loop)
    counted, room = 0.0, LEAST
    while True:
        if time.monotonic() > counted + COUNT_AGAIN:
            counted, room = time.monotonic(), max(LEAST, AHEAD * sum(client.nthreads().values()))
        for chunk in islice(todo, max(0, room - len(running))):
            key = f"qlub-{plan.fingerprint}-{sources}-{chunk.pairing}-{chunk.part}"
            future = client.submit(play_for, sources, plan, chunk, key=key, retries=RETRIES)
            running[future] = chunk
            done.add(future)
        if not running:
            return
        batch = done.next_batch()
        for future, counts in zip(batch, _gather(client, batch), strict=True):
            chunk = running.pop(future)
            future.release()  # it will be on our disk, and the cluster need not keep it
            yield chunk, counts


def play_for(sources: str, plan: Plan, chunk: Chunk) -> Counts:
    """Play a chunk for somebody who has the same rules and bots, and refuse anybody else."""
    if sources != sources_of(plan.game):
        raise AnotherVersion(
            f"the worker on {socket.gethostname()} has another version of Qlub "
            f"({__version__}, rules and bots {sources_of(plan.game)}, not {sources})"
        )
    return play_chunk(plan, chunk)


def _gather(client: Any, batch: list[Any]) -> list[Counts]:
    """Fetch what some chunks came to, or say in one line why they did not."""
    try:
        counts: list[Counts] = client.gather(batch)
    except (BadRequest, OSError, CancelledError):
        raise
    except import_module("distributed").KilledWorker:
        raise BadRequest("a chunk killed every worker that tried it") from None
    except Exception as error:  # whatever went wrong on another machine
        raise BadRequest(f"a worker of the cluster failed: {error!r}") from error
    return counts
