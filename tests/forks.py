"""The processes of a club: its workers, and servers that are back at once after a power cut."""

import multiprocessing
import os
import sys
from multiprocessing.process import BaseProcess
from pathlib import Path

from clubhouse import PATIENCE, Club
from postgres import is_dead, process, read

from qlub.cli import main

FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(["alembic.command", "qlub.club.app", "uvicorn", __name__])


class QuickClub(Club):
    """A club whose servers are forked off a process that has imported everything.

    That is most of what a server does when it starts, and it is the same every time.
    """

    _fork: BaseProcess | None = None

    @property
    def pid(self) -> int:
        assert self._fork
        assert self._fork.pid
        return self._fork.pid

    def launch(self) -> None:
        """Start the server without waiting for it."""
        variables = {f"QLUB_{name.upper()}": value for name, value in self._settings.items()}
        self._fork = FORKS.Process(target=serve, args=({**os.environ, **variables}, self.log))
        self._fork.start()

    def has_ended(self) -> bool:
        assert self._fork
        return self._fork.exitcode is not None

    def kill(self) -> None:
        """End the server at once, as a power cut would."""
        if self._fork:
            self._fork.kill()
            self._fork.join()
            self._fork = None

    def stop(self) -> int:
        """Ask the server to end and return its exit status."""
        assert self._fork
        self._fork.terminate()
        self._fork.join(PATIENCE)
        status = self._fork.exitcode
        assert status is not None, "it does not end"
        self._fork = None
        return status


def serve(variables: dict[str, str], log: Path) -> None:
    """Do what `qlub serve` does with these variables."""
    with log.open("ab") as file:
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
    os.environ.clear()
    os.environ.update(variables)
    sys.exit(main(["serve"]))


def workers_of(club: Club) -> list[int]:
    """Return the workers of a club that live."""
    pids = [int(path.name) for path in Path("/proc").glob("[0-9]*")]
    children = [pid for pid in pids if process(pid)[1] == club.pid and not is_dead(pid)]
    return [pid for pid in children if "spawn_main" in read(Path(f"/proc/{pid}/cmdline"))]
