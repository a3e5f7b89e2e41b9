"""The processes of a club: its workers, and servers that are back at once after a power cut."""

import multiprocessing
import os
import sys
from multiprocessing.process import BaseProcess
from pathlib import Path

from clubhouse import Club
from postgres import is_dead, process, read

from qlub.cli import main

FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(["alembic.command", "qlub.club.app", "uvicorn", __name__])


class QuickClub(Club):
    """A club whose servers, except the first, are forked off a process that has imported everything.

    That is most of what a server does when it starts, and it is the same every time.
    """

    _has_begun = False
    _fork: BaseProcess | None = None

    def launch(self) -> None:
        if not self._has_begun:
            self._has_begun = True
            super().launch()
            return
        variables = {f"QLUB_{name.upper()}": value for name, value in self._settings.items()}
        self._fork = FORKS.Process(target=serve, args=(variables, self.log))
        self._fork.start()

    def kill(self) -> None:
        super().kill()
        if self._fork:
            self._fork.kill()
            self._fork.join()
            self._fork = None


def serve(variables: dict[str, str], log: Path) -> None:
    """Do what `qlub serve` does with these variables."""
    with log.open("ab") as file:
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
    os.environ.update(variables)
    sys.exit(main(["serve"]))


def workers_of(club: Club) -> list[int]:
    """Return the workers of a club that live."""
    pids = [int(path.name) for path in Path("/proc").glob("[0-9]*")]
    children = [pid for pid in pids if process(pid)[1] == club.pid and not is_dead(pid)]
    return [pid for pid in children if "spawn_main" in read(Path(f"/proc/{pid}/cmdline"))]
