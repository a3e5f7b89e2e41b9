"""The command line: one small module for each command, loaded only when it is asked for."""

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from io import TextIOWrapper
from pathlib import Path
from typing import NoReturn, TextIO

from qlub import __version__
from qlub.core.errors import QlubError

COMMANDS = {
    "serve": "open the club house for others too",
    "play": "play a game in the terminal",
    "replay": "check a recorded game and tell how it went",
    "verify": "check that the chance of a recorded game was honest",
    "backup": "copy a club into a file, also while it is open",
    "restore": "put such a copy into an empty database",
    "simulate": "let bots play by the thousand and see how strong they are",
    "tournament": "let every two of some bots meet, and rate them",
    "solve": "work out the best possible play of Qwixx alone",
    "train": "train a strong player from nothing",
    "engine": "answer the engine protocol on standard input and output",
    "bot": "run one of our bots for somebody else's arena",
}

DONE, NO, WRONG_USE = 0, 1, 2
INTERRUPTED = 130


class Parser(argparse.ArgumentParser):
    """A parser that refuses with one line and says where help is."""

    def error(self, message: str) -> NoReturn:
        raise WrongUse(f"{message} (see {self.prog} --help)")


class WrongUse(Exception):
    """A command line that cannot be followed."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command line and return its exit status."""
    sys.stdout, sys.stderr = sys.stdout or _open_nowhere(), sys.stderr or _open_nowhere()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # a name may have letters that this terminal lacks
            stream.reconfigure(errors="replace")
    try:
        return _run(list(sys.argv[1:] if arguments is None else arguments))
    except (WrongUse, QlubError) as error:
        return _refuse(str(error))
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:  # whoever read our output has gone
        _drop_output()
        return DONE
    except OSError as error:
        _drop_output()
        where = f"{error.filename}: " if error.filename else ""
        return _refuse(f"{where}{error.strerror or error}")


def _run(arguments: list[str]) -> int:
    parser = Parser(
        prog="qlub",
        description="A club house for Qwixx, Qwantum and Qwirkle.",
        epilog="qlub alone opens the club house on this machine, and the browser. "
        "qlub COMMAND --help tells more about a command.",
    )
    parser.add_argument("--version", action="version", version=f"qlub {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, summary in COMMANDS.items():
        command = commands.add_parser(name, help=summary, description=f"{summary.capitalize()}.")
        if arguments[:1] == [name]:
            module = import_module(f"qlub.cli.{name}")
            module.configure(command)
            command.set_defaults(run=module.run)
    if not arguments:
        return import_module("qlub.cli.serve").open_house()  # type: ignore[no-any-return]
    chosen = parser.parse_args(arguments)
    status: int = chosen.run(chosen)
    sys.stdout.flush()
    return status


def _open_nowhere() -> TextIO:
    """Return what to write to for a program that was started with nothing to write to."""
    return Path(os.devnull).open("w", encoding="utf-8")


def _drop_output() -> None:
    """Forget what is not printed yet, so that Python does not stumble over it when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _refuse(message: str) -> int:
    print(f"qlub: {' '.join(message.split())}", file=sys.stderr)
    return WRONG_USE
