"""Reads what is said on a command line: numbers, seconds, options of a game, lists of bots."""

import argparse
import re
from pathlib import Path

LONGEST = 3600.0
"""How many seconds a bot may be given at most."""

MOST_GAMES = 999_999_999
MOST_SEED = 2**63 - 1

LEVELS = "random, greedy, club, master, grandmaster (the strongest), or 'cmd:./mybot --strong'"
"""Who may be named where bots are."""

_LISTED = re.compile(r"""(?:[^,'"]|'[^']*'|"[^"]*"|['"])+""")


def read_option(text: str) -> tuple[str, object]:
    """Read `end=player` or `seniority=1,0`: a word, or numbers with commas between them."""
    name, equals, value = text.partition("=")
    if not name or not equals:
        raise argparse.ArgumentTypeError(f"expected NAME=VALUE, not {text!r}")
    numbers = value.split(",")
    if all(part.isdecimal() and part.isascii() and len(part) < 4 for part in numbers):
        return name, [int(part) for part in numbers]
    return name, value


def read_seconds(text: str) -> float:
    """Read a number of seconds."""
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < LONGEST:
        raise argparse.ArgumentTypeError(f"expected seconds such as 0.5, not {text!r}")
    return seconds


def read_count(text: str) -> int:
    """Read a number of people or players."""
    if not text.isdecimal() or not text.isascii() or len(text) > 3:
        raise argparse.ArgumentTypeError(f"expected a number such as 2, not {text!r}")
    return int(text)


def read_players(text: str) -> int:
    """Read how many play."""
    count = read_count(text)
    if not count:
        raise argparse.ArgumentTypeError("expected at least 1 player")
    return count


def read_seed(text: str) -> int:
    """Read a number that makes chance repeatable."""
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"expected a number such as 7, not {text!r}") from None


def read_games(text: str) -> int:
    """Read how many games are played."""
    if not text.isdecimal() or not text.isascii() or not 0 < len(text) < 10 or not int(text):
        raise argparse.ArgumentTypeError(f"expected a number of games such as 1000, not {text!r}")
    return int(text)


def read_folder(text: str) -> Path:
    """Read the name of a folder."""
    if not text.strip():
        raise argparse.ArgumentTypeError("expected a folder such as nets")
    return Path(text)


def read_processes(text: str) -> int:
    """Read how many processes are used."""
    if not (count := read_count(text)):
        raise argparse.ArgumentTypeError("expected at least 1")
    return count


def split_bots(text: str) -> list[str]:
    """Split a list of bots at its commas, those inside quotes left alone.

    >>> split_bots("greedy,cmd:./mybot --of 'a,b',random")
    ['greedy', "cmd:./mybot --of 'a,b'", 'random']
    """
    return [bot.strip() for bot in _LISTED.findall(text) if bot.strip()]
