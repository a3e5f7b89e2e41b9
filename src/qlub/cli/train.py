"""`qlub train`: the strong players, learnt again from nothing."""

import argparse
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from qlub.cli.arguments import MOST_SEED, read_count, read_folder, read_games
from qlub.core.errors import BadRequest
from qlub.core.fields import whole
from qlub.core.registry import find_game, game_names

if TYPE_CHECKING:
    from qlub.sim.training import Training

FOLDER = Path("nets")
ROOM_NEEDED = 1 << 20
"""Bytes that a network and its picture may take."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Describe what it understands."""
    parser.description = (
        "Learn to play from nothing, as our strong players did: the same seed learns the same. "
        "Ended half-way, it goes on where it was. It takes from seconds to an hour."
    )
    parser.add_argument("game", metavar="GAME", help=f"one of {', '.join(game_names())}")
    parser.add_argument(
        "--seats",
        type=read_count,
        metavar="N",
        help="for so many at the table (default: all, one by one)",
    )
    parser.add_argument(
        "--games",
        type=read_games,
        metavar="N",
        help="games to learn from, at least 100 (default: as our players did)",
    )
    parser.add_argument("--seed", type=int, default=1, help="chance of these games (default 1)")
    parser.add_argument(
        "--out",
        type=read_folder,
        metavar="FOLDER",
        help=f"where the networks and pictures of the learning go (default {FOLDER}/GAME)",
    )


def run(options: argparse.Namespace) -> int:
    """Train, showing how it goes, and write what was learnt."""
    game = find_game(options.game.lower()).name
    whole(options.seed, "--seed", 0, MOST_SEED, BadRequest)
    try:
        from qlub.sim.plot import draw_curves
        from qlub.sim.training import check
    except ImportError as error:
        raise BadRequest(f"training needs {error.name}: pip install 'qlub[sim]'") from None
    everything = check(game, options.seats, options.games)
    folder = options.out or FOLDER / game
    if folder.exists() and not folder.is_dir():
        raise BadRequest(f"--out is a folder, and {folder} is none")
    folder.mkdir(parents=True, exist_ok=True)
    _check_room(folder)
    for seats in everything:
        training = _train(game, seats, options)
        net, picture = folder / f"{seats}.net", folder / f"{seats}.svg"
        training.write(net)
        title = f"{game}, {seats} {'seat' if seats == 1 else 'seats'}, seed {training.seed}"
        with picture.open("wb") as file:
            draw_curves(training.curve, title, file, "svg")
        told = ", ".join(f"{name} {value:.4g}" for name, value in training.curve[-1][1].items())
        sys.stdout.write(f"{net}: {told} after {training.games:,} games; see {picture}\n")
    return 0


def _check_room(folder: Path) -> None:
    """Refuse a folder that cannot take a network before one is learnt."""
    try:
        with tempfile.TemporaryFile(dir=folder) as room:
            room.write(bytes(ROOM_NEEDED))
    except OSError as error:
        raise BadRequest(f"nothing can be written to --out {folder}: {error.strerror}") from None


def _train(game: str, seats: int, options: argparse.Namespace) -> "Training":
    from qlub.cli.results import long_work, progress_bar
    from qlub.sim.training import train

    with progress_bar() as bar, long_work() as long:
        work = bar.add_task("getting ready ...", total=None)
        for training in train(game, seats, options.games, options.seed):
            long.note(training.is_kept)
            bar.update(
                work,
                description=f"{game} for {seats}{_told(training)}",
                total=training.games,
                completed=training.done,
            )
    return training


def _told(training: "Training") -> str:
    """Return the first of what was measured last, in a few letters."""
    if not training.curve:
        return ""
    name, value = next(iter(training.curve[-1][1].items()))
    return f", {name} {value:.3g}" if len(name) < len("share of wins") else f", {value:.1%} wins"
