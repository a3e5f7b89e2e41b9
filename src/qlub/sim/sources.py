"""What games are played by: a hash of the rules, the bots and the simulator, to tell versions apart."""

import hashlib
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import qlub


@cache
def sources_of(game: str, *, learnt: bool = True) -> str:
    """Return a short hash of all that the games of a game depend on: source, and what players have learnt.

    It does not depend on the machine: the same source plays the same games everywhere.
    """
    package = Path(qlub.__file__).parent
    folders = (package / "core", package / "bots", package / "sim", package / "games" / game)
    files = [package / name for name in ("kernel.py", "compiler.py", "parts.py", "thinker.py")]
    files += (file for folder in folders for file in folder.glob("*.py"))
    if learnt:
        files += (package / "games" / game / "nets").glob("*.net")
    return hash_of(file.relative_to(package).as_posix() for file in files)


def hash_of(files: Iterable[str]) -> str:
    """Return a short hash of some source files of the package."""
    digest = hashlib.sha256()
    for name in sorted(files):
        digest.update(f"{name}\n".encode())
        digest.update((Path(qlub.__file__).parent / name).read_bytes().replace(b"\r\n", b"\n"))
    return digest.hexdigest()[:12]
