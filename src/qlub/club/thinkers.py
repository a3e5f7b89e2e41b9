"""Bots think here: each in a process of its own, so that none can hold up or break the club.

Our own bots and the programs that the host has named speak the same protocol, one line of JSON
each way. A guest names a bot by a word; the commands are the host's alone. Some of our bots are
compiled once on a machine: that is begun when the club opens, and whoever needs it waits for it.
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
from collections import defaultdict
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import structlog

from qlub.bots import bots_of
from qlub.club.settings import PREFIX
from qlub.core.errors import shown
from qlub.core.game import Game, View

GRACE = 1.0
"""Seconds that an answer may be late."""
OWN_TIME = 10.0
"""Seconds that our own bots have at least, which count trials and not the clock."""
STARTING = 10.0
"""Seconds more for the first answer of a program that has just been started."""
COMPILING = 600.0
"""Seconds more for the first answer of one of our own, which may have to be compiled."""
OURS = [sys.executable, "-m", "qlub", "bot", "--named"]
"""All our bots in one program: each question says who is asked."""
PREPARE = [sys.executable, "-m", "qlub", "bot", "--prepare"]
LONGEST_ANSWER = 1 << 16
LONGEST_REASON = 400
"""Letters of what a program says why it cannot answer, so that a log stays readable."""

log = structlog.get_logger("qlub.bots")


@dataclass(frozen=True)
class Choice:
    """A bot's decision; when the bot failed, a random legal one and the word for what happened."""

    move: str
    failure: str | None = None


@dataclass
class _Running:
    """A process, and what it has answered for: games and bots."""

    words: list[str]
    process: Process
    answered: set[tuple[str, str]] = field(default_factory=set)


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
        self._compiling: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._compiled: set[str] = set()
        """Games whose compiled bots have answered once."""
        self._idle: list[_Running] = []
        self._preparing: asyncio.Task[None] | None = None

    def names(self, game: Game) -> tuple[str, ...]:
        """Return the bots that may sit at a table of a game, the weakest of ours first."""
        named = [name.rpartition("/") for name in self.programs]
        ours = bots_of(game)
        theirs = [word for where, _, word in named if where in ("", game.name)]
        return tuple(dict.fromkeys((*ours, *theirs)))

    def stand_in(self, game: Game) -> str:
        """Return the bot that decides for people who are late or have left: our strongest quick one."""
        return [name for name in bots_of(game) if _is_quick(game, name)][-1]

    def prepare(self) -> None:
        """Begin to compile what our own bots need, if that was never done on this machine."""
        self._preparing = asyncio.create_task(_prepare())

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
        async with self._turn(game, bot):
            try:
                return Choice(await self._ask(game, bot, question))
            except _Failure as failure:
                log.warning("a bot failed", bot=bot, game=game.name, why=str(failure))
                return Choice(secrets.choice(legal), failure.word)

    async def close(self) -> None:
        """End all processes that wait for a question; the others end with whoever asked them."""
        if self._preparing:
            self._preparing.cancel()
            await asyncio.gather(self._preparing, return_exceptions=True)
        processes = [idle.process for idle in self._idle]
        self._idle.clear()
        await asyncio.gather(*map(_end, processes))

    @contextlib.asynccontextmanager
    async def _turn(self, game: Game, bot: str) -> AsyncIterator[None]:
        """Wait until a bot may think; one that may have to be compiled takes no turn of anybody else."""
        if _is_quick(game, bot) or game.name in self._compiled:
            async with self._turns:
                yield
            return
        async with self._compiling[game.name]:
            if game.name not in self._compiled:
                yield
                return
        async with self._turns:
            yield

    async def _ask(self, game: Game, bot: str, question: Mapping[str, Any]) -> str:
        words, seconds = self._command(game, bot), self.seconds
        running = await self._take(words)
        if words == OURS:
            question = {**question, "bot": bot}
            seconds = max(seconds, OWN_TIME)
        try:
            async with asyncio.timeout(seconds + _patience(running, game, bot)):
                move = await _answer(running.process, question)
        except BaseException as error:
            await _end(running.process)
            if isinstance(error, TimeoutError):
                raise _Failure("late", f"no answer within {seconds:g} s") from None
            raise
        running.answered.add((game.name, bot))
        if not _is_quick(game, bot):
            self._compiled.add(game.name)
        self._idle.append(running)
        while len(self._idle) > self.most:
            await _end(self._idle.pop(0).process)
        return move

    async def _take(self, words: list[str]) -> _Running:
        """Return a process of a program that nobody else asks."""
        for place, idle in enumerate(self._idle):
            if idle.words == words and idle.process.returncode is None:
                return self._idle.pop(place)
        try:
            return _Running(words, await _start(words))
        except (OSError, ValueError) as error:
            raise _Failure("missing", f"could not be started: {error}") from None

    def _command(self, game: Game, bot: str) -> list[str]:
        if bot in bots_of(game):
            return OURS
        command = self.programs.get(f"{game.name}/{bot}") or self.programs.get(bot)
        if command is None:
            raise _Failure("missing", "the host does not name it any more")
        try:
            return shlex.split(command)
        except ValueError as error:
            raise _Failure("missing", f"cannot be read as a command: {error}") from None


def _is_quick(game: Game, bot: str) -> bool:
    """Say whether a bot never has to be compiled."""
    return getattr(bots_of(game).get(bot), "is_quick", True)


def _patience(running: _Running, game: Game, bot: str) -> float:
    """Return how much longer than usual an answer may take."""
    if (game.name, bot) in running.answered:
        return GRACE
    return GRACE + (STARTING if _is_quick(game, bot) else COMPILING)


async def _prepare() -> None:
    """Compile in a process that ends with the club, whatever ends the club."""
    try:
        process = await _start(PREPARE, is_apart=False)
    except (OSError, ValueError) as error:
        log.warning("nothing could be compiled ahead", why=str(error))
        return
    try:
        if await process.wait():
            log.warning("some bots could not be compiled ahead; qlub bot --prepare says why")
    finally:
        await _end(process)


async def _start(words: list[str], is_apart: bool = True) -> Process:
    """Start a program; it is ended again if nobody waits for it any more.

    One that is not apart gets the signals that a terminal or a supervisor sends to all of the club.
    """
    starting = asyncio.create_task(
        asyncio.create_subprocess_exec(
            *words,
            stdin=PIPE,
            stdout=PIPE,
            stderr=DEVNULL,
            env={key: value for key, value in os.environ.items() if not key.startswith(PREFIX)},
            limit=LONGEST_ANSWER,
            start_new_session=is_apart,
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
        answer = json.loads(line)
        if "error" in answer:
            raise _Failure("nonsense", str(answer["message"])[:LONGEST_REASON])
        move = answer["move"]
    except (ValueError, TypeError, LookupError, RecursionError):
        raise _Failure("nonsense", f"answered {shown(line)}") from None
    if not isinstance(move, str) or move not in question["legal"]:
        raise _Failure("illegal", f"answered {shown(move)}, which is not legal")
    return move


async def _end(process: Process) -> None:
    """End a program and all that it started, and let go of what it still wanted to say."""
    if hasattr(os, "killpg"):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    with contextlib.suppress(ProcessLookupError):
        process.kill()
    with contextlib.suppress(TimeoutError):  # what has escaped may hold its output open
        async with asyncio.timeout(GRACE):
            while process.stdout and await process.stdout.read(LONGEST_ANSWER):
                pass
            await process.wait()
