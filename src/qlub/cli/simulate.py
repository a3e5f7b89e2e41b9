"""`qlub simulate GAME`: lets bots play by the thousand and tells how strong they are."""

import argparse
import contextlib
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from qlub.cli import DONE, INTERRUPTED
from qlub.cli.arguments import (
    LEVELS,
    read_count,
    read_games,
    read_option,
    read_processes,
    read_seconds,
    read_seed,
    split_bots,
)
from qlub.cli.results import progress_bar, show, warn_of_failures
from qlub.core.errors import BadRequest
from qlub.core.game import Json

if TYPE_CHECKING:
    from qlub.sim.tally import Tally

PICTURES = (".svg", ".png")


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the game, the players, and where results go."""
    parser.description = (
        "Let bots play against each other and tell what they score and how often they win, each with "
        "the interval that holds the true value in 95 of 100 cases. Game k of a seed is always the "
        "same game. Ctrl-C prints what is there by then, and ends with status 130."
    )
    parser.epilog = (
        "Example: qlub simulate qwixx --bots greedy,random --games 1000000 --processes 2"
    )
    parser.add_argument("game", metavar="GAME", help="its name")
    parser.add_argument(
        "--bots",
        default="greedy,random",
        metavar="BOTS",
        help=f"one for each seat, such as master,greedy: {LEVELS} (default %(default)s)",
    )
    parser.add_argument(
        "--seats", type=read_count, metavar="N", help="seats; the bots sit down again in turn"
    )
    parser.add_argument(
        "--games", type=read_games, default=10_000, metavar="N", help="how many (default 10000)"
    )
    parser.add_argument(
        "--seed", type=read_seed, default=1, metavar="NUMBER", help="which games (default 1)"
    )
    parser.add_argument(
        "--seats-rotate", action="store_true", help="everybody moves one seat on after each game"
    )
    parser.add_argument(
        "--processes", type=read_processes, default=1, metavar="P", help="cores to use (default 1)"
    )
    parser.add_argument(
        "--option",
        type=read_option,
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="an option of the game, such as end=player",
    )
    parser.add_argument(
        "--seconds",
        type=read_seconds,
        default=2.0,
        help="time for a decision of a program (default 2)",
    )
    parser.add_argument("--records", type=Path, metavar="FILE", help="write every game there")
    parser.add_argument(
        "--plot", type=_picture, metavar="FILE", help="draw the scores, as .svg or .png"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object for programs")


def run(options: argparse.Namespace) -> int:
    """Play, count, and print."""
    try:
        from qlub.sim import Table
        from qlub.sim.tally import Tally

        if options.plot:
            from qlub.sim.plot import draw_scores
    except ImportError as error:
        raise BadRequest(f"simulating needs {error.name}: pip install 'qlub[sim]'") from None
    bots = split_bots(options.bots)
    if not bots:
        raise BadRequest("--bots names nobody; write --bots greedy,random")
    if options.seats is not None and options.seats < len(bots):
        raise BadRequest(f"{len(bots)} bots do not fit on {options.seats} seats")
    table = Table(
        options.game.lower(),
        options.seats or len(bots),
        tuple(bots),
        dict(options.option),
        options.seed,
        options.seconds,
    )
    tally = Tally(table)
    with _opened(options.records) as records, _opened(options.plot, binary=True) as picture:
        seconds = _play(options, tally, records)
        if not tally.games:
            return INTERRUPTED
        if options.json:
            print(json.dumps(tally.as_json() | _speed(tally, seconds)))
        else:
            show(tally, seconds, options.games)
        if picture is not None:
            draw_scores(tally, picture, options.plot.suffix[1:].lower())
    warn_of_failures(tally.failures_by_bot)
    return DONE if tally.games == options.games else INTERRUPTED


def _play(options: argparse.Namespace, tally: "Tally", records: IO[Any] | None) -> float:
    """Play until all games are counted, or until Ctrl-C; return the seconds without compiling."""
    from qlub.sim.play import play_in_pieces, prepare
    from qlub.sim.tally import record_games, tally_games

    began = time.perf_counter()
    with contextlib.suppress(KeyboardInterrupt), progress_bar() as bar:
        work = bar.add_task("compiling ..." if tally.table.policies else "", total=None)
        prepare(tally.table)
        began = time.perf_counter()
        bar.update(work, description="playing", total=options.games)
        for piece in play_in_pieces(
            tally_games if records is None else record_games,
            tally.table,
            options.games,
            options.seats_rotate,
            options.processes,
        ):
            tally.merge(piece)
            if records is not None:
                records.writelines(json.dumps(record) + "\n" for record in piece.records)
            bar.update(work, completed=tally.games)
    return time.perf_counter() - began


@contextlib.contextmanager
def _opened(file: Path | None, binary: bool = False) -> Iterator[IO[Any] | None]:
    """Open a file for what is to come, before any time is spent on that."""
    if file is None:
        yield None
        return
    with file.open("wb" if binary else "w", encoding=None if binary else "utf-8") as opened:
        yield opened


def _speed(tally: "Tally", seconds: float) -> Json:
    return {"seconds": seconds, "games_per_second": tally.games / seconds}


def _picture(text: str) -> Path:
    if Path(text).suffix.lower() not in PICTURES:
        raise argparse.ArgumentTypeError(f"expected a file that ends in .svg or .png, not {text!r}")
    return Path(text)
