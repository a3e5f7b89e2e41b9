"""`qlub solve`: the exact optimum of Qwixx for one player, or for several who never disturb each other."""

import argparse
import json
import os
import sys
from math import isfinite
from typing import TYPE_CHECKING

from qlub.cli.arguments import MOST_GAMES, MOST_SEED, read_processes
from qlub.core.errors import BadRequest
from qlub.core.fields import whole

if TYPE_CHECKING:
    from rich.progress import Progress

    from qlub.sim.solver import Solution
    from qlub.sim.statistics import Estimate

GAMES = 200_000
ORDER = ("first", "second", "third", "fourth", "fifth")


def configure(parser: argparse.ArgumentParser) -> None:
    """Describe what it understands."""
    parser.add_argument("game", metavar="GAME", help="qwixx")
    parser.add_argument(
        "--n",
        type=int,
        default=1,
        choices=range(1, 6),
        help="players of the friendly game, in which the others never close a row (default 1)",
    )
    parser.add_argument(
        "--threads",
        type=read_processes,
        default=os.cpu_count() or 1,
        metavar="N",
        help="cores to use (default all)",
    )
    parser.add_argument(
        "--games",
        type=int,
        default=GAMES,
        metavar="N",
        help=f"play so many games alone to check the result (default {GAMES:,}; 0 to trust it)",
    )
    parser.add_argument("--seed", type=int, default=1, help="chance of these games (default 1)")
    parser.add_argument("--json", action="store_true", help="print one JSON object for programs")


def run(options: argparse.Namespace) -> int:
    """Work it out, check it, and print."""
    if options.game.lower() != "qwixx":
        raise BadRequest(f"only qwixx can be solved, not {options.game}")
    whole(options.games, "--games", 0, MOST_GAMES, BadRequest)
    whole(options.seed, "--seed", 0, MOST_SEED, BadRequest)
    try:
        import qlub.sim.solver  # noqa: F401 - is everything there that it needs?
    except ImportError as error:
        raise BadRequest(f"solving needs {error.name}: pip install 'qlub[sim]'") from None
    with _progress() as bar:
        solution = _solve(options, bar)
        played = _play(solution, options, bar) if options.n == 1 and options.games else None
    _print(solution, played, options)
    return 0


def _progress() -> "Progress":
    """Return a bar on standard error that tells the time left; nothing where nobody looks."""
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    from qlub.cli.console import Console

    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:3.0f} %"),
        TimeRemainingColumn(),
    )
    return Progress(*columns, console=console, transient=True, disable=not console.is_terminal)


def _solve(options: argparse.Namespace, bar: "Progress") -> "Solution":
    from qlub.cli.results import long_work
    from qlub.games.qwixx.exact import SHEETS
    from qlub.sim.solver import solve

    work = bar.add_task("working out 1.9 million sheets", total=SHEETS)
    with long_work() as long:
        for solution in solve(options.n, options.threads):
            long.note(solution.is_kept)
            bar.update(work, completed=solution.done)
    return solution


def _play(solution: "Solution", options: argparse.Namespace, bar: "Progress") -> "Estimate":
    from qlub.sim.solver import play_solution

    work = bar.add_task(f"playing {_counted(options.games)}", total=options.games)
    for done, estimate in play_solution(solution, options.games, options.seed):
        bar.update(work, completed=done)
        played = estimate
    return played


def _print(solution: "Solution", played: "Estimate | None", options: argparse.Namespace) -> None:
    from qlub.games.qwixx.exact import SHEETS
    from qlub.games.qwixx.rules import MOST_PENALTIES

    states = SHEETS * MOST_PENALTIES * solution.seats
    if options.json:
        told = {
            "game": "qwixx",
            "seats": solution.seats,
            "value": solution.values[0],
            "values": solution.values,
            "states": states,
        }
        if played:
            is_known = isfinite(played.low)  # a single game tells nothing of how much they differ
            interval = [played.low, played.high] if is_known else None
            told["played"] = {"games": options.games, "mean": played.value, "interval": interval}
        sys.stdout.write(json.dumps(told) + "\n")
        return
    lines = [f"qwixx alone, {states:,} states: {solution.values[0]:.4f} points with perfect play"]
    if solution.seats > 1:
        lines = [f"qwixx among {solution.seats} friends, {states:,} states, with perfect play:"]
        for order, value in zip(ORDER, solution.values, strict=False):
            lines.append(f"  {value:.4f} points for who rolls {order}")
    if played:
        between = f" ({played.low:.2f} to {played.high:.2f})" if isfinite(played.low) else ""
        lines.append(
            f"{_counted(options.games)} played by it: {played.value:.2f} points on average{between}"
        )
    sys.stdout.write("\n".join(lines) + "\n")


def _counted(games: int) -> str:
    return f"{games:,} {'game' if games == 1 else 'games'}"
