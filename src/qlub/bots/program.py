"""Anybody's program as a player, spoken to by the bot protocol: one line of JSON each way.

Whatever the program does (it is missing, slow, silent, crashes or answers nonsense), a game goes
on: a failed decision is answered by a random legal move and noted in `failures`.
"""

import contextlib
import json
import os
import signal
import subprocess
import threading
from queue import Empty, Queue
from random import Random
from typing import Any

from qlub.core.errors import QlubError, shown
from qlub.core.game import Game, Move, View

LONGEST_ANSWER = 1 << 20

_running: set[subprocess.Popen[bytes]] = set()
"""All programs of this process that were started and not ended."""
_starting = threading.Lock()


def end_programs() -> None:
    """End all programs and never start another: for a process that is about to end."""
    _starting.acquire()
    for process in list(_running):
        _kill(process)


class Program:
    """A program that is started at its first decision, and again whenever it has failed."""

    def __init__(self, game: Game, command: list[str]) -> None:
        self.game = game
        self.command = command
        self.about = f"The program {command[0]}."
        self.failures: list[str] = []
        self._process: subprocess.Popen[bytes] | None = None
        self._answers: Queue[bytes] = Queue()

    def choose(self, view: View[Any], rng: Random, seconds: float) -> Move:
        legal = view.legal()
        try:
            return self._ask(view, legal, seconds)
        except _Failure as failure:
            self.failures.append(str(failure))
            self.close()
            move: Move = rng.choice(legal)
            return move

    def close(self) -> None:
        """End the program."""
        process, self._process = self._process, None
        if process is None:
            return
        _kill(process)
        process.wait()
        _running.discard(process)
        threading.Thread(target=_close_input, args=(process,), daemon=True).start()

    def _ask(self, view: View[Any], legal: tuple[Move, ...], seconds: float) -> Move:
        question = {
            "game": self.game.name,
            "seat": view.seat,
            "view": self.game.write_view(view),
            "legal": [str(move) for move in legal],
            "seconds": seconds,
        }
        self._send(json.dumps(question).encode() + b"\n")
        try:
            line = self._answers.get(timeout=seconds)
        except Empty:
            raise _Failure(f"no answer within {seconds:g} s") from None
        if not line:
            raise _Failure("it ended without an answer")
        return self._read(line, legal)

    def _read(self, line: bytes, legal: tuple[Move, ...]) -> Move:
        try:
            answer = json.loads(line)
            move = self.game.read_move(answer["move"])
        except (ValueError, TypeError, LookupError, AttributeError, RecursionError, QlubError):
            raise _Failure(f"answered {shown(line)}") from None
        if move not in legal:
            raise _Failure(f"answered {shown(str(move))}, which is not legal")
        return move

    def _send(self, line: bytes) -> None:
        process = self._process or self._start()
        writer = threading.Thread(target=_write, args=(process, line), daemon=True)
        writer.start()  # a program that does not read must not hold us up

    def _start(self) -> subprocess.Popen[bytes]:
        try:
            with _starting:
                process = subprocess.Popen(  # noqa: S603 - the person at the keyboard named it
                    self.command,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    start_new_session=True,
                )
                _running.add(process)
        except (OSError, ValueError) as error:
            raise _Failure(f"could not be started: {error}") from None
        self._process = process
        self._answers = Queue()
        threading.Thread(target=_read_lines, args=(process, self._answers), daemon=True).start()
        return process


class _Failure(Exception):
    """What went wrong with one decision."""


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End a program and all that it started."""
    if hasattr(os, "killpg"):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()


def _write(process: subprocess.Popen[bytes], line: bytes) -> None:
    try:
        if process.stdin:
            process.stdin.write(line)
            process.stdin.flush()
    except (OSError, ValueError):
        return  # it has ended or was closed; the missing answer tells


def _close_input(process: subprocess.Popen[bytes]) -> None:
    """Close what the program never read; this waits while a writer still holds it."""
    if process.stdin:
        with contextlib.suppress(OSError):
            process.stdin.close()


def _read_lines(process: subprocess.Popen[bytes], answers: Queue[bytes]) -> None:
    """Pass on each line that the program prints, then an empty one for its end."""
    line = b"-"
    if process.stdout:
        with process.stdout:
            while line:
                line = process.stdout.readline(LONGEST_ANSWER)
                answers.put(line)
