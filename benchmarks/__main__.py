"""Prints how fast the rules are against the naive second opinion, and how quickly qlub starts."""

import subprocess
import sys
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

from rich.console import Console
from rich.progress import track
from rich.table import Table

from qlub.core.game import Game, State
from qlub.core.record import Match
from qlub.core.registry import all_games, find_game

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))  # where the second opinion lives

MID_GAME = range(30, 55)  # tiles on the board
console = Console()


def seconds(work: Callable[..., object], *arguments: object) -> float:
    """Return how long some work takes."""
    begin = time.perf_counter()
    work(*arguments)
    return time.perf_counter() - begin


def naive_of(game: Game) -> Any:
    return import_module(f"naive.{game.name}")


def play_randomly(game: Game, count: int) -> list[Match]:
    """Play two-player games between random players."""
    rng = Random(1)
    matches = [Match.new(game, 2) for _ in range(count)]
    for match in matches:
        while not match.state.is_over:
            if match.state.chance:
                match.apply("*", str(match.state.chance.sample(rng.randrange)))
            for seat in match.state.to_act:
                match.decide(seat, rng.choice(match.state.legal(seat)))
    return matches


def apply_again(matches: list[Match]) -> None:
    """Take every event of some games again, from its text."""
    for match in matches:
        again = Match.new(match.game, 2)
        for actor, text in match.events:
            again.apply(actor, text)


def apply_naively(matches: list[Match]) -> None:
    """Take every event of some games again with the naive rules, which check nothing."""
    for match in matches:
        position = match.game.write_position(Match.new(match.game, 2).state)
        for actor, text in match.events:
            position = naive_of(match.game).apply(position, actor, text)


def bench_events(table: Table) -> None:
    """Measure the plain rules: playing whole random games, and applying recorded events."""
    for game in track(all_games(), "events", console=console, transient=True):
        count = 4 if game.name == "qwirkle" else 40
        matches = play_randomly(game, count)
        events = sum(len(match.events) for match in matches)
        naive = events / seconds(apply_naively, matches)
        for what, rate in (
            ("applied from texts", events / seconds(apply_again, matches)),
            ("in whole random games", events / seconds(play_randomly, game, count)),
        ):
            table.add_row(
                f"{game.name}: events a second {what}, against naive application",
                f"{rate:,.0f}",
                f"{naive:,.0f}",
                f"{rate / naive:.1f} ×",
                "",
            )


def bench_lays(table: Table) -> None:
    """List all legal moves on mid-game boards of Qwirkle: our walk against the naive checker."""
    game = find_game("qwirkle")
    naive = naive_of(game)
    rng = Random(3)
    boards: list[State[Any]] = []
    while len(boards) < 12:
        match, size = Match.new(game, 2), rng.choice(MID_GAME)
        greedy = game.bots["greedy"]
        while len(game.write_position(match.state)["board"]) < size or match.state.chance:
            if match.state.chance:
                match.apply("*", str(match.state.chance.sample(rng.randrange)))
            for seat in match.state.to_act:
                match.decide(seat, greedy.choose(match.state.view(seat), rng, 1))
        boards.append(match.state)
    ours, theirs, moves = 0.0, 0.0, 0
    for state in track(boards, "Qwirkle moves", console=console, transient=True):
        (seat,) = state.to_act
        position = game.write_position(state)
        ours += seconds(state.legal, seat)
        theirs += seconds(naive.legal, position, seat)
        moves += len(state.legal(seat))
    table.add_row(
        f"qwirkle: legal moves on {len(boards)} mid-game boards, against naive",
        f"{moves / ours:,.0f}",
        f"{moves / theirs:,.0f}",
        f"{theirs / ours:.0f} ×",
        "50 × or more",
    )


def start(command: list[str]) -> None:
    subprocess.run(command, input=b"", capture_output=True, check=True)  # noqa: S603 - our own


def bench_start(table: Table) -> None:
    """Start `qlub --help` and `qlub engine`, against a Python that does nothing."""
    commands = {
        "python -c pass": ["-c", "pass"],
        "qlub --help": ["-m", "qlub", "--help"],
        "qlub engine": ["-m", "qlub", "engine"],
    }
    times: dict[str, list[float]] = {name: [] for name in commands}
    for _ in track(range(15), "start", console=console, transient=True):
        for name, arguments in commands.items():
            times[name].append(seconds(start, [sys.executable, *arguments]))
    bare = median(times.pop("python -c pass"))
    for name, taken in times.items():
        table.add_row(
            f"{name}: milliseconds, against python -c pass",
            f"{1000 * median(taken):.0f}",
            f"{1000 * bare:.0f}",
            f"{median(taken) / bare:.1f} ×",
            "under 10 ×" if name == "qlub --help" else "",
        )


def main() -> None:
    table = Table(title="Qlub, measured in one run on one core")
    table.add_column("what")
    for heading in ("this", "that", "ratio", "goal"):
        table.add_column(heading, justify="right")
    for bench in (bench_events, bench_lays, bench_start):
        bench(table)
    console.print(table)


if __name__ == "__main__":
    main()
