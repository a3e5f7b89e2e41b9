"""`qlub play`: a game in the terminal, with people at one keyboard and with bots."""

import argparse
import contextlib
import os
import shlex
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from qlub.bots import COMMAND
from qlub.cli.arguments import (
    LEVELS,
    read_count,
    read_option,
    read_players,
    read_seconds,
    read_seed,
)
from qlub.cli.terminal import saving
from qlub.cli.terminal.seats import USUAL_BOT, Player, read_label, reseat, seat_players
from qlub.core.errors import BadRequest
from qlub.core.record import Match
from qlub.core.registry import find_game
from qlub.words import LANGUAGES, Words, choose_language

if TYPE_CHECKING:
    from qlub.cli.terminal.console import Terminal


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the game, who plays, and where the game is kept."""
    parser.description = (
        "Play in the terminal. Moves are typed in the notation or picked by number; ? helps. "
        "quit or Ctrl-C keeps the game in a file, and --resume goes on with it."
    )
    parser.add_argument("game", metavar="GAME", nargs="?", help="its name; left out, you are asked")
    parser.add_argument(
        "--players", type=read_players, metavar="N", help="how many play (default 2)"
    )
    parser.add_argument(
        "--people",
        type=read_count,
        metavar="K",
        help="how many at this keyboard (default 1; 0: watch)",
    )
    parser.add_argument(
        "--bots",
        metavar="BOTS",
        help=f"one for all other seats, or a list: {LEVELS} (default {USUAL_BOT})",
    )
    parser.add_argument("--names", metavar="A,B", help="names, people first")
    parser.add_argument(
        "--option",
        type=read_option,
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="an option of the game, such as end=player or seniority=1,0",
    )
    parser.add_argument("--language", choices=LANGUAGES, help="default: as your system speaks")
    parser.add_argument("--seed", type=read_seed, metavar="NUMBER", help="make chance repeatable")
    parser.add_argument(
        "--seconds",
        type=read_seconds,
        default=2.0,
        help="time for a program's decision (default 2)",
    )
    parser.add_argument("--resume", type=Path, metavar="FILE", help="go on with a saved game")
    parser.add_argument("--save", type=Path, metavar="FILE", help="where to keep the game")


def run(options: argparse.Namespace) -> int:
    """Play one game; whoever leaves early is told how to go on."""
    from qlub.cli.terminal.console import Leave, Terminal, ignore_signals, leaving_on_signals
    from qlub.cli.terminal.host import Host

    words = Words.of("qlub.cli", choose_language(options.language, os.environ))
    if options.save and options.save != options.resume:
        saving.check_free(options.save)
    left = False
    with leaving_on_signals():
        terminal = Terminal()
        try:
            match, players = (
                _resume(options) if options.resume else _begin(options, words, terminal)
            )
        except Leave:
            return 0
        host = Host(match, players, words, terminal, options.seed, options.seconds)
        try:
            host.play()
        except Leave:
            left = True
        except OSError:
            if not terminal.is_live:
                raise
            left = True  # the terminal has gone, and somebody with it
        ignore_signals()
        if left or options.save:
            _keep(match, players, options, words, left)
    return 0


def _begin(
    options: argparse.Namespace, words: Words, terminal: "Terminal"
) -> tuple[Match, list[Player]]:
    """Seat everybody at a new game."""
    from qlub.cli.terminal.welcome import choose_bot, choose_game

    game = find_game(options.game.lower()) if options.game else choose_game(words, terminal)
    bots = options.bots
    if not options.game and not bots and _has_room_for_bots(options):
        bots = choose_bot(game, words, terminal)
    players = seat_players(game, words, options.players, options.people, bots, options.names)
    labels = [player.label for player in players]
    return Match.new(game, len(players), dict(options.option), labels), players


def _has_room_for_bots(options: argparse.Namespace) -> bool:
    """Say whether people leave a seat free."""
    people = 1 if options.people is None else options.people
    return bool((options.players or 2) > people)


def _resume(options: argparse.Namespace) -> tuple[Match, list[Player]]:
    """Seat everybody again at a saved game."""
    if options.players is not None or options.names is not None or options.option:
        raise BadRequest(
            "a saved game has its players, names and options; leave --players, --names and --option out"
        )
    match = saving.load(options.resume)
    if options.game and options.game.lower() != match.game.name:
        raise BadRequest(f"{options.resume} is a game of {match.game.name}, not {options.game}")
    seated = [read_label(name) for name in match.names]
    players = reseat(match.game, seated, options.people, options.bots)
    match.names = tuple(player.label for player in players)
    return match, players


def _keep(
    match: Match, players: list[Player], options: argparse.Namespace, words: Words, left: bool
) -> None:
    """Save the game and say in one line where it is, and how to go on with it."""
    try:
        file = saving.save(match.record(), options.save, options.resume)
    except saving.CannotSave as error:
        raise BadRequest(words("save.failed", why=error)) from None
    if not left:
        print(words("save.kept", file=file))
        return
    command = [*_program(), "play", "--resume", str(file)]
    programs = [player.bot for player in players if player.bot]
    if any(bot.startswith(COMMAND) for bot in programs):
        command += ["--bots", ",".join(programs)]
    with contextlib.suppress(OSError):  # nobody may be there to read it
        print(words("save.left", command=shlex.join(command)), flush=True)


def _program() -> list[str]:
    """Return how Qlub was started, in words that start it again from here."""
    started = Path(sys.argv[0])
    if started.name == "__main__.py":
        return [_typed(Path(sys.executable)), "-m", started.parent.name]
    return [_typed(started)]


def _typed(program: Path) -> str:
    """Return what to type for a program: its name if the shell finds it, else its path."""
    name, path = program.name, program.absolute()
    found = shutil.which(name)
    if found is None or Path(found).absolute() != path:
        here = Path.cwd()
        inside = path.relative_to(here) if path.is_relative_to(here) else path
        return str(inside) if len(inside.parts) > 1 else f"{os.curdir}{os.sep}{name}"
    return name
