"""Bots think here: each in a process of its own, so that none can hold up or break the club.

Our own bots and the programs that the host has named speak the same protocol, one line of JSON
each way, and are treated alike. A guest names a bot by a word; the commands are the host's alone.
"""

import asyncio
import contextlib
import json
import os
import secrets
import shlex
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import structlog

from qlub.bots import bots_of
from qlub.club.settings import PREFIX
from qlub.core.errors import shown
from qlub.core.game import Game, View

GRACE = 1.0
"""Seconds that an answer may be late."""
STARTING = 10.0
"""Seconds more for the first answer of a process that has just been started."""
LONGEST_ANSWER = 1 << 16

log = structlog.get_logger("qlub.bots")


@dataclass(frozen=True)
class Choice:
    """A bot's decision; when the bot failed, a random legal one and the word for what happened."""

    move: str
    failure: str | None = None


class _Failure(Exception):
    """What went wrong with one decision: a word for the table, the details for the host."""

    def __init__(self, word: str, details: str) -> None:
        super().__init__(details)
        self.word = word


class Thinkers:
    """The bots of one worker: so many think at the same time, the others wait for their turn."""

    def __init__(self, programs: Mapping[str, str], seconds: float, most: int) -> None:
        self.programs = programs
        self.seconds = seconds
        self.most = most
        self._turns = asyncio.Semaphore(most)
        self._idle: list[tuple[list[str], Process]] = []

    def names(self, game: Game) -> tuple[str, ...]:
        """Return the bots that may sit at a table of a game, the weakest of ours first."""
        named = [name.rpartition("/") for name in self.programs]
        ours = bots_of(game)
        theirs = [word for where, _, word in named if where in ("", game.name)]
        return tuple(dict.fromkeys((*ours, *theirs)))

    def stand_in(self, game: Game) -> str:
        """Return the bot that decides for people who are late or have left: our strongest."""
        return list(bots_of(game))[-1]

    async def choose(self, game: Game, bot: str, view: View[Any]) -> Choice:
        """Return a bot's decision, whatever the bot does."""
        legal = [str(move) for move in view.legal()]
        if len(legal) == 1:
            return Choice(legal[0])
        question = {
            "game": game.name,
            "seat": view.seat,
            "view": game.write_view(view),
            "legal": legal,
            "seconds": self.seconds,
        }
        async with self._turns:
            try:
                return Choice(await self._ask(game, bot, question))
            except _Failure as failure:
                log.warning("a bot failed", bot=bot, game=game.name, why=str(failure))
                return Choice(secrets.choice(legal), failure.word)

    async def close(self) -> None:
        """End all processes that wait for a question; the others end with whoever asked them."""
        processes = [process for _, process in self._idle]
        self._idle.clear()
        await asyncio.gather(*map(_end, processes))

    async def _ask(self, game: Game, bot: str, question: Mapping[str, Any]) -> str:
        words = self._command(game, bot)
        process, patience = await self._take(words)
        try:
            async with asyncio.timeout(self.seconds + patience):
                move = await _answer(process, question)
        except TimeoutError:
            raise _Failure("late", f"no answer within {self.seconds:g} s") from None
        else:
            self._idle.append((words, process))
            return move
        finally:
            if not self._idle or self._idle[-1][1] is not process:
                await _end(process)
            while len(self._idle) > self.most:
                await _end(self._idle.pop(0)[1])

    async def _take(self, words: list[str]) -> tuple[Process, float]:
        """Return a process of a program, and how much longer than usual its answer may take."""
        for place, (running, process) in enumerate(self._idle):
            if running == words and process.returncode is None:
                del self._idle[place]
                return process, GRACE
        try:
            return await _start(words), GRACE + STARTING
        except (OSError, ValueError) as error:
            raise _Failure("missing", f"could not be started: {error}") from None

    def _command(self, game: Game, bot: str) -> list[str]:
        if bot in bots_of(game):
            return [sys.executable, "-m", "qlub", "bot", bot]
        command = self.programs.get(f"{game.name}/{bot}") or self.programs.get(bot)
        if command is None:
            raise _Failure("missing", "the host does not name it any more")
        try:
            return shlex.split(command)
        except ValueError as error:
            raise _Failure("missing", f"cannot be read as a command: {error}") from None


async def _start(words: list[str]) -> Process:
    """Start a program; it is ended again if nobody waits for it any more."""
    starting = asyncio.create_task(
        asyncio.create_subprocess_exec(
            *words,
            stdin=PIPE,
            stdout=PIPE,
            stderr=DEVNULL,
            env={key: value for key, value in os.environ.items() if not key.startswith(PREFIX)},
            limit=LONGEST_ANSWER,
            start_new_session=True,
        )
    )
    try:
        return await asyncio.shield(starting)  # half started, nobody could end what it starts
    except asyncio.CancelledError:
        with contextlib.suppress(OSError, ValueError):
            await _end(await starting)
        raise


async def _answer(process: Process, question: Mapping[str, Any]) -> str:
    """Ask a process and return the legal move that it answers."""
    if process.stdin is None or process.stdout is None:
        raise _Failure("missing", "it has no input or output")
    try:
        process.stdin.write(json.dumps(question).encode() + b"\n")
        await process.stdin.drain()
        line = await process.stdout.readline()
    except (OSError, ValueError, RuntimeError) as error:  # it has ended, or prints without end
        raise _Failure("died", str(error)) from None
    if not line.endswith(b"\n"):
        raise _Failure("died", "it ended without an answer")
    try:
        move = json.loads(line)["move"]
    except (ValueError, TypeError, LookupError, RecursionError):
        raise _Failure("nonsense", f"answered {shown(line)}") from None
    if not isinstance(move, str) or move not in question["legal"]:
        raise _Failure("illegal", f"answered {shown(move)}, which is not legal")
    return move


async def _end(process: Process) -> None:
    """End a program and all that it started, and let go of what it still wanted to say."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    with contextlib.suppress(TimeoutError):  # what has escaped may hold its output open
        async with asyncio.timeout(GRACE):
            while process.stdout and await process.stdout.read(LONGEST_ANSWER):
                pass
            await process.wait()
