"""The club never loses a move: killed again and again while people play, it keeps all it promised."""

import asyncio
import os
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest
from audit import audit
from clubhouse import PATIENCE, Club
from forks import QuickClub, workers_of
from postgres import Postgres, is_dead, wait_until
from regulars import Notes, come_together

SOAK = int(os.environ.get("QLUB_SOAK", "1"))
SETTINGS = {"bot_processes": "1"}
"""Bots are started anew after every blow; one at a time is enough."""
MOST_COMMANDS = 60
"""The next blow comes after so many commands at the latest."""
LONGEST_WAIT = 0.008
"""Seconds from such a command to the blow at the latest: about as long as the club needs for it."""


class Blow(NamedTuple):
    """A way to hurt a club, and what makes it well again."""

    whom: str
    strike: Callable[[], None]
    mend: Callable[[], None]


class Evening:
    """A club full of people who play on, whatever blow falls on it."""

    def __init__(self, club: Club, seed: str) -> None:
        self.club = club
        self.rng = Random(seed)
        self.notes = Notes(self._count_down)
        self.parties = come_together(club, self.notes, seed)
        self._blow = self.to_server()
        self._commands_left = 0
        self._has_fallen = asyncio.Event()

    async def spend(self, blows: list[Blow]) -> None:
        """Let everybody play while one blow after the other falls, and go home after the last."""
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(party.play()) for party in self.parties]
            for number, blow in enumerate(blows, 1):
                await self._wait_for(blow)
                self.notes.counts[f"kills of a {blow.whom}"] += 1
                self.notes.is_closing = number == len(blows)
                await asyncio.to_thread(blow.mend)
            async with asyncio.timeout(PATIENCE):
                await asyncio.wait(tasks)

    async def _wait_for(self, blow: Blow) -> None:
        self._has_fallen.clear()
        self._blow, self._commands_left = blow, self.rng.randint(1, MOST_COMMANDS)
        async with asyncio.timeout(PATIENCE):
            await self._has_fallen.wait()

    def _count_down(self) -> None:
        """Strike when the last of so many commands has left, before anybody can read an answer."""
        self._commands_left -= 1
        if self._commands_left == 0:
            people = [one for party in self.parties for one in party.people]
            self.notes.counts["commands in flight"] += sum(bool(one.pending) for one in people)
            time.sleep(self.rng.uniform(0, LONGEST_WAIT))
            self._blow.strike()
            self._has_fallen.set()

    def to_server(self) -> Blow:
        """Kill all processes of the club; who is there again before it has to wait at the door."""
        return Blow("server", self.club.kill, self.club.launch)

    def to_worker(self) -> Blow:
        """Kill one of two workers; the club itself starts another."""

        def strike() -> None:
            worker = self.rng.choice(workers_of(self.club))
            os.kill(worker, signal.SIGKILL)
            wait_until(lambda: is_dead(worker))

        return Blow("worker", strike, lambda: wait_until(lambda: len(workers_of(self.club)) == 2))


def tell(counts: Counter[str]) -> None:
    """Say how much has happened; `make soak` shows it."""
    sys.stdout.write(", ".join(f"{count} {what}" for what, count in sorted(counts.items())) + "\n")


@pytest.mark.soak
def test_a_server_on_sqlite_is_killed_again_and_again(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'club.db'}"
    with QuickClub(database, tmp_path / "log", **SETTINGS) as club:
        evening = Evening(club, "evening")
        asyncio.run(evening.spend([evening.to_server()] * 50 * SOAK))
    audit(database, evening.notes)
    tell(evening.notes.counts)


@pytest.mark.soak
def test_workers_a_server_and_postgresql_are_killed_again_and_again(
    tmp_path: Path, postgres: Postgres, postgres_url: str
) -> None:
    with Club(postgres_url, tmp_path / "log", workers="2", **SETTINGS) as club:
        evening = Evening(club, "evening")
        server, worker = evening.to_server(), evening.to_worker()
        database = Blow("database", postgres.kill, postgres.start)
        blows = [*[server] * 6, *[worker] * 7, *[database] * 7] * SOAK
        evening.rng.shuffle(blows)
        asyncio.run(evening.spend([*blows, server]))
    audit(postgres_url, evening.notes)
    tell(evening.notes.counts)
