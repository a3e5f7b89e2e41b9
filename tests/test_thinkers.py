"""Bots think in processes of their own: whatever these do, a legal decision comes back."""

import asyncio
import json
import os
import shlex
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import programs
import pytest
import structlog.testing
import uvloop
from clubhouse import PATIENCE
from fairly import begun, step
from programs import FAILURES, is_running, pids

from qlub.bots import bots_of
from qlub.club import thinkers
from qlub.club.thinkers import Choice, Thinkers
from qlub.core.game import View
from qlub.core.registry import find_game

T = TypeVar("T")
Loop = Callable[[], asyncio.AbstractEventLoop]
LOOPS: list[Loop] = [uvloop.new_event_loop, asyncio.new_event_loop]
"""The one that a server uses, and the one that it uses where there is no other."""


def view_of(game: str, seat: int = 0) -> View[Any]:
    """Return a seat's view of a game in which it has several moves to choose from."""
    match, fair = begun(game, 2)
    while match.state.chance:
        step(match, fair, None)  # type: ignore[arg-type]
    views = [match.state.view(seat) for seat in match.state.to_act]
    return max(views, key=lambda view: len(view.legal()))


def using(
    named: dict[str, str],
    act: Callable[[Thinkers], Awaitable[T]],
    loop: Loop = uvloop.new_event_loop,
    **wish: Any,
) -> T:
    """Let something happen with bots; afterwards nothing of them is left, and no file is open."""

    async def run() -> T:
        before = open_files()
        bots = Thinkers(named, **{"seconds": PATIENCE, "most": 2, **wish})
        try:
            return await act(bots)
        finally:
            await bots.close()
            async with asyncio.timeout(PATIENCE):
                while open_files() > before:
                    await asyncio.sleep(0.01)
            for _ in range(10):  # the loop takes a few rounds to forget what is closed
                await asyncio.sleep(0)

    with asyncio.Runner(loop_factory=loop) as runner:
        return runner.run(run())


def open_files() -> int:
    """Count what this process has open, without the one thing that an event loop keeps."""
    links = [file.readlink() for file in Path("/proc/self/fd").iterdir() if file.is_symlink()]
    return len([link for link in links if link != Path(os.devnull)])


@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize("bot", FAILURES)
def test_a_bad_program_costs_one_decision_and_tells_nothing(
    bot: str, loop: Loop, tmp_path: Path
) -> None:
    view = view_of("qwixx")
    legal = [str(move) for move in view.legal()]

    async def ask(bots: Thinkers) -> list[Choice]:
        return [await bots.choose(find_game("qwixx"), bot, view) for _ in range(3)]

    choices = using(programs.commands(tmp_path), ask, loop)
    assert [choice.failure for choice in choices] == [FAILURES[bot]] * 3
    assert all(choice.move in legal for choice in choices)


@pytest.mark.parametrize("loop", LOOPS)
def test_a_program_that_has_ended_cannot_be_asked(loop: Loop) -> None:
    async def ask(bots: Thinkers) -> None:
        process = await thinkers._start(["true"])
        async with asyncio.timeout(PATIENCE):
            while process.stdin and not process.stdin.is_closing():
                await asyncio.sleep(0.001)
        with pytest.raises(thinkers._Failure):
            await thinkers._answer(process, {"legal": ["-"]})
        await thinkers._end(process)

    using({}, ask, loop)


def test_the_log_says_in_full_why_a_bot_refuses() -> None:
    """A network that is cut, for example: the host must know which file, and what to do."""
    why = "some/long/folder/of/the/host/" * 5 + "2.net is cut: make it again with qlub train qwixx"
    answer = json.dumps({"error": "bad-request", "message": why})
    program = shlex.join([sys.executable, "-c", f"input(); print({answer!r})"])

    async def ask(bots: Thinkers) -> Choice:
        return await bots.choose(find_game("qwixx"), "cut", view_of("qwixx"))

    with structlog.testing.capture_logs() as logs:
        assert using({"cut": program}, ask).failure == "nonsense"
    assert [line["why"] for line in logs] == [why]


def test_a_program_that_does_not_answer_is_ended_with_its_children(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(thinkers, "STARTING", 0.2)

    async def ask(bots: Thinkers) -> None:
        while not pids(tmp_path, "hangs"):  # it may have been ended before it came so far
            choice = await bots.choose(find_game("qwixx"), "hangs", view_of("qwixx"))
            assert choice.failure == "late"
        await vanish(pids(tmp_path, "hangs"))

    using(programs.commands(tmp_path), ask, seconds=0)


def test_nothing_is_left_when_the_club_closes(tmp_path: Path) -> None:
    async def leave(bots: Thinkers) -> None:
        await bots.choose(find_game("qwixx"), "counts", view_of("qwixx"))
        asking = asyncio.create_task(bots.choose(find_game("qwixx"), "hangs", view_of("qwixx")))
        async with asyncio.timeout(PATIENCE):
            while not pids(tmp_path, "hangs"):
                await asyncio.sleep(0.01)
        asking.cancel()
        await asyncio.gather(asking, return_exceptions=True)

    using(programs.commands(tmp_path), leave)
    asyncio.run(vanish(pids(tmp_path, "hangs") + pids(tmp_path, "counts")))


async def vanish(processes: list[int]) -> None:
    """Wait until processes have ended, which takes a moment after they were killed."""
    assert processes
    async with asyncio.timeout(PATIENCE):
        while any(map(is_running, processes)):
            await asyncio.sleep(0.01)


def test_a_good_program_is_started_once(tmp_path: Path) -> None:
    async def ask(bots: Thinkers) -> list[Choice]:
        return [await bots.choose(find_game("qwixx"), "counts", view_of("qwixx")) for _ in range(5)]

    assert using(programs.commands(tmp_path), ask) == [Choice("-")] * 5
    assert len(pids(tmp_path, "counts")) == 1


def test_at_most_so_many_think_at_once(tmp_path: Path) -> None:
    async def ask(bots: Thinkers) -> None:
        game, view = find_game("qwixx"), view_of("qwixx")
        asking = [asyncio.create_task(bots.choose(game, "waits", view)) for _ in range(5)]
        async with asyncio.timeout(PATIENCE):
            while len(pids(tmp_path, "waits")) < 2:
                await asyncio.sleep(0.01)
        (tmp_path / "waits.go").touch()
        assert await asyncio.gather(*asking) == [Choice("-")] * 5

    using(programs.commands(tmp_path), ask)
    assert len(set(pids(tmp_path, "waits"))) == 2


def test_where_there_is_no_choice_nobody_is_asked(tmp_path: Path) -> None:
    class Forced:
        seat = 0

        def legal(self) -> tuple[str, ...]:
            return ("-",)

    async def ask(bots: Thinkers) -> Choice:
        return await bots.choose(find_game("qwixx"), "missing", Forced())  # type: ignore[arg-type]

    assert using(programs.commands(tmp_path), ask) == Choice("-")


def test_two_games_may_have_different_programs_of_one_name(tmp_path: Path) -> None:
    for name in ("one", "other", "any"):
        (tmp_path / name).write_text(f'echo $$ >> "$0.pids"\nexec cat\n# {name}\n')
    named = {
        "qwixx/max": f"sh {tmp_path / 'one'}",
        "qwirkle/max": f"sh {tmp_path / 'other'}",
        "max": f"sh {tmp_path / 'any'}",
    }

    async def ask(bots: Thinkers) -> None:
        for game in ("qwixx", "qwirkle", "qwantum"):
            await bots.choose(find_game(game), "max", view_of(game))

    using(named, ask)
    assert [len(pids(tmp_path, name)) for name in ("one", "other", "any")] == [1, 1, 1]


def test_which_bots_may_sit_at_a_table() -> None:
    named = {"iris": "a", "qwixx/max": "b", "max": "c", "qwirkle/bob": "d", "greedy": "evil"}
    bots = Thinkers(named, 1, 1)
    ours = tuple(bots_of(find_game("qwixx")))
    assert bots.names(find_game("qwixx")) == (*ours, "iris", "max")
    assert bots.names(find_game("qwirkle")) == (*ours, "iris", "max", "bob")
    assert bots.names(find_game("qwantum")) == (*ours, "iris", "max")
    assert "evil" not in bots._command(find_game("qwixx"), "greedy")


@pytest.mark.parametrize(
    ("game", "bot"), [("qwixx", "master"), ("qwantum", "master"), ("qwirkle", "club")]
)
def test_who_is_late_is_helped_by_the_strongest_that_need_not_be_compiled(
    game: str, bot: str
) -> None:
    assert Thinkers({"qwixx/max": "a"}, 1, 1).stand_in(find_game(game)) == bot


def test_the_first_answer_of_our_own_bots_may_wait_for_a_compiler(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(thinkers, "GRACE", 0.0)
    monkeypatch.setattr(thinkers, "OWN_TIME", 0.0)

    async def ask(bots: Thinkers) -> list[str | None]:
        game, view = find_game("qwixx"), view_of("qwixx")
        return [(await bots.choose(game, "greedy", view)).failure for _ in range(2)]

    assert using({}, ask, seconds=0) == [None, "late"]  # no time at all, but for the first one


def test_the_first_answer_waits_for_each_bot_of_each_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thinkers, "GRACE", 0.0)
    monkeypatch.setattr(thinkers, "OWN_TIME", 0.0)

    async def ask(bots: Thinkers) -> list[Choice]:
        return [
            await bots.choose(find_game(game), bot, view_of(game))
            for game, bot in (("qwixx", "greedy"), ("qwixx", "random"), ("qwirkle", "random"))
        ]

    assert not any(choice.failure for choice in using({}, ask, seconds=0))


def test_who_waits_for_a_compiler_holds_nobody_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    named = programs.commands(tmp_path)
    monkeypatch.setattr(thinkers, "OURS", named["waits"].split())

    async def ask(bots: Thinkers) -> None:
        game, view = find_game("qwixx"), view_of("qwixx")
        asking = [asyncio.create_task(bots.choose(game, "grandmaster", view)) for _ in range(5)]
        try:
            async with asyncio.timeout(PATIENCE):
                while not pids(tmp_path, "waits"):
                    await asyncio.sleep(0.01)
                assert not (await bots.choose(game, "passes", view)).failure
            assert len(pids(tmp_path, "waits")) == 1
        finally:
            (tmp_path / "waits.go").touch()
            answers = await asyncio.gather(*asking)
        assert answers == [Choice("-")] * 5

    using(named, ask, most=1)


def test_one_process_answers_for_all_our_bots() -> None:
    async def ask(bots: Thinkers) -> int:
        for game in ("qwixx", "qwirkle"):
            for bot in ("random", "greedy"):
                assert not (await bots.choose(find_game(game), bot, view_of(game))).failure
        return len(bots._idle)

    assert using({}, ask) == 1


def test_what_compiles_ends_with_the_club(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    named = programs.commands(tmp_path)
    monkeypatch.setattr(thinkers, "PREPARE", named["counts"].split())

    async def open_and_close(bots: Thinkers) -> None:
        bots.prepare()
        async with asyncio.timeout(PATIENCE):
            while not pids(tmp_path, "counts"):
                await asyncio.sleep(0.01)

    using(named, open_and_close)
    asyncio.run(vanish(pids(tmp_path, "counts")))


@pytest.mark.parametrize("program", ["missing", "crashes"])
def test_a_club_opens_even_if_nothing_can_be_compiled(
    program: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    named = programs.commands(tmp_path)
    monkeypatch.setattr(thinkers, "PREPARE", named[program].split())

    async def ask(bots: Thinkers) -> Choice:
        bots.prepare()
        return await bots.choose(find_game("qwixx"), "passes", view_of("qwixx"))

    assert using(named, ask) == Choice("-")


def test_a_program_never_sees_the_settings_of_the_club(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QLUB_DATABASE", "postgresql://qlub:password@host/qlub")

    async def ask(bots: Thinkers) -> Choice:
        return await bots.choose(find_game("qwixx"), "tells", view_of("qwixx"))

    assert using(programs.commands(tmp_path), ask).failure is None
    seen = (tmp_path / "tells.env").read_text()
    assert f"PATH={os.environ['PATH']}" in seen
    assert "QLUB_" not in seen
    assert "password" not in seen
