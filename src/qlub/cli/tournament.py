"""`qlub tournament`: a round robin of bots, on one core, on several, or on a cluster."""

import argparse
import json
import shlex
import sys
from contextlib import closing, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from qlub.cli import DONE, INTERRUPTED
from qlub.cli.arguments import (
    LEVELS,
    read_count,
    read_games,
    read_option,
    read_processes,
    read_seconds,
    read_seed,
)
from qlub.cli.results import progress_bar, warn_of_failures
from qlub.core.errors import BadRequest
from qlub.core.registry import game_names

if TYPE_CHECKING:
    from qlub.sim.ledger import Ledger
    from qlub.sim.plan import Plan
    from qlub.sim.standing import Standing

FILES = (".json", ".jsonl")
MARGIN = 0.01
EXAMPLES = """\
examples:
  qlub tournament qwixx master greedy
  qlub tournament qwixx greedy "cmd:./mybot --strong" --games 500 --seconds 0.2
  qlub tournament qwantum greedy random --until-sure --processes 2 --file run.jsonl
  qlub tournament run.jsonl          # goes on after Ctrl-C, a crash, a power cut
  qlub tournament plan.json --dask tcp://127.0.0.1:8786
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the players, the plan, and who plays it."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.description = (
        "Let every two bots meet. Each deal is played in every seating of the two with\n"
        "the same dice or tiles, so luck favours nobody. Prints ratings and a cross table,\n"
        "with intervals that hold the true value in 95 of 100 cases. The same plan always\n"
        "has the same result. Ctrl-C prints what is there by then, and ends with status\n"
        "130. docs/tournaments.md tells more."
    )
    parser.epilog = EXAMPLES
    parser.add_argument(
        "what", metavar="GAME|FILE", help="a game; a plan (.json); or a run to go on with (.jsonl)"
    )
    parser.add_argument("bots", metavar="BOT", nargs="*", help=f"at least two: {LEVELS}")
    plan = parser.add_argument_group("the plan")
    plan.add_argument("--seats", type=read_count, metavar="N", help="seats at a table (default 2)")
    plan.add_argument(
        "--games",
        type=read_games,
        metavar="N",
        help="of each pairing (default 10000, less luck 1000, with programs 200; 100 times as many "
        "until sure)",
    )
    plan.add_argument("--seed", type=read_seed, metavar="S", help="which games (default 1)")
    plan.add_argument(
        "--option",
        type=read_option,
        action="append",
        metavar="NAME=VALUE",
        help="an option of the game, such as end=player",
    )
    plan.add_argument(
        "--seconds", type=read_seconds, metavar="S", help="time for a program's move (default 2)"
    )
    plan.add_argument(
        "--until-sure",
        type=_margin,
        nargs="?",
        const=MARGIN,
        metavar="DELTA",
        help="end a pairing when it is sure who is better, or that both win one half to within "
        f"DELTA (default {MARGIN})",
    )
    plan.add_argument(
        "--less-luck",
        action="store_true",
        default=None,
        help="count what is won less the luck of the dice, as master judges it (qwixx, qwantum): "
        "slower, but between good bots as sure as after many times as many games",
    )
    play = parser.add_argument_group("playing it")
    play.add_argument(
        "--processes", type=read_processes, metavar="P", help="cores of this machine (default 1)"
    )
    play.add_argument(
        "--dask", metavar="ADDRESS", help="play on a cluster, such as tcp://127.0.0.1:8786"
    )
    play.add_argument(
        "--file", type=Path, metavar="FILE", help="keep every finished chunk there (.jsonl)"
    )
    play.add_argument("--json", action="store_true", help="print one JSON object for programs")


def run(options: argparse.Namespace) -> int:
    """Play, and print how it went."""
    if options.dask and options.processes:
        raise BadRequest("a cluster has processes of its own; leave --processes or --dask out")
    try:
        from qlub.sim.ledger import Ledger
        from qlub.sim.standing import Standing
    except ImportError as error:
        raise BadRequest(
            f"a tournament needs {error.name}; install it with: pip install 'qlub[sim]'"
        ) from None
    plan, file = _read_plan(options)
    ledger = Ledger(file, plan) if file else None
    with ledger or nullcontext():
        standing = ledger.standing if ledger else Standing(plan)
        is_whole = _play(standing, ledger, options)
    _print(standing, options.json)
    warn_of_failures(standing.all_counts().failures)
    if is_whole:
        return DONE
    if file:
        print(f"qlub: go on with: qlub tournament {shlex.quote(str(file))}", file=sys.stderr)
    return INTERRUPTED


def _read_plan(options: argparse.Namespace) -> tuple["Plan", Path | None]:
    """Return the plan, and the file that results are kept in."""
    from qlub.sim.ledger import read_file
    from qlub.sim.plan import make_plan

    given = {
        "seats": options.seats,
        "games": options.games,
        "seed": options.seed,
        "options": dict(options.option) if options.option else None,
        "seconds": options.seconds,
        "until_sure": options.until_sure,
        "less_luck": options.less_luck,
    }
    given = {name: value for name, value in given.items() if value is not None}
    path = Path(options.what)
    is_file = path.suffix in FILES or path.is_file()
    if options.what.lower() in game_names() or not is_file:
        return make_plan(options.what.lower(), options.bots, **given), options.file
    if options.bots or given:
        names = ", ".join(["BOT"] * bool(options.bots) + [f"--{_flag(name)}" for name in given])
        raise BadRequest(f"{path} has a plan already; leave {names} out")
    plan, has_results = read_file(path)
    if has_results and options.file:
        raise BadRequest(f"{path} is where results are kept; leave --file out")
    return plan, path if has_results else options.file


def _play(standing: "Standing", ledger: "Ledger | None", options: argparse.Namespace) -> bool:
    """Play what is wanted; False if somebody interrupted it after some of it was done."""
    from qlub.cli.console import Console
    from qlub.sim.crew import compile_players
    from qlub.sim.tournament import play_tournament

    plan = standing.plan
    missing = sum(map(plan.games_of, standing.wanted()))
    if not missing:
        return True
    try:
        if not options.dask:
            console = Console(stderr=True)
            with console.status("compiling …") if console.is_terminal else nullcontext():
                compile_players(plan)
        done = len(plan.pairings) * plan.deals * len(plan.seatings) - missing
        keep = ledger.add if ledger else standing.add
        played = play_tournament(standing, options.processes or 1, options.dask, keep)
        with progress_bar() as progress, closing(played):
            task = progress.add_task(plan.game, total=done + missing, completed=done)
            for chunk in played:
                progress.advance(task, plan.games_of(chunk))
    except KeyboardInterrupt:
        if not standing.games:
            raise
        return False
    return True


def _print(standing: "Standing", as_json: bool) -> None:
    if as_json:
        from qlub.sim.tournament import report

        print(json.dumps(report(standing)))
    else:
        from qlub.cli.standings import show

        show(standing)


def _flag(name: str) -> str:
    return {"options": "option"}.get(name, name.replace("_", "-"))


def _margin(text: str) -> float:
    try:
        margin = float(text)
    except ValueError:
        margin = 0.0
    if not 0 < margin < 0.5:
        raise argparse.ArgumentTypeError(f"expected a share such as 0.01, not {text!r}")
    return margin
