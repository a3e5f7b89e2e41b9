"""Plays `qlub play` as a person does: through pipes, and through a terminal."""

import codecs
import fcntl
import json
import os
import pty
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable
from pathlib import Path

from qlub.core.record import Match, replay

GAMES = ("qwantum", "qwirkle", "qwixx")
QLUB = [sys.executable, "-m", "qlub"]
ALWAYS_FIRST = "1\n" * 1500
PATIENCE = 30.0
"""Seconds after which something that should have come is given up."""
QUIET = 2.0
"""Seconds without a sign after which a signal was not heard."""

UNWANTED = {"NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES", "QLUB_LANGUAGE", "LC_ALL", "LC_MESSAGES"}
ENVIRONMENT = {
    **{name: value for name, value in os.environ.items() if name not in UNWANTED},
    "LANG": "C.UTF-8",
    "TERM": "xterm-256color",
    "COLORTERM": "truecolor",
}


def play(
    *arguments: str, entries: str = "", folder: Path | None = None, **more: str
) -> subprocess.CompletedProcess[str]:
    """Play with entries from a pipe until they end."""
    return subprocess.run(
        [*QLUB, "play", *arguments],
        input=entries,
        capture_output=True,
        encoding="utf-8",
        cwd=folder,
        env={**ENVIRONMENT, **more},
        timeout=PATIENCE,
        check=False,
    )


def typed(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Type a command that was printed, as it was printed."""
    return subprocess.run(
        ["sh", "-c", command],
        input="",
        capture_output=True,
        encoding="utf-8",
        cwd=folder,
        env=ENVIRONMENT,
        timeout=PATIENCE,
        check=False,
    )


def saved(folder: Path) -> Path:
    """Return the one record in a folder."""
    (file,) = folder.glob("*.qlub.json")
    return file


def replayed(file: Path) -> Match:
    return replay(json.loads(file.read_text("utf-8")))


class Terminal:
    """A terminal of so many columns and lines with a game on it."""

    def __init__(self, folder: Path, *arguments: str, **more: str) -> None:
        self.master, slave = pty.openpty()
        self.width = 80
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.process = subprocess.Popen(
            [*QLUB, "play", *arguments],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            cwd=folder,
            env={**ENVIRONMENT, **more},
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )
        os.close(slave)
        self.decode = codecs.getincrementaldecoder("utf-8")(errors="replace").decode
        self.shown = ""

    def expect(self, text: str) -> str:
        """Read until a text has come, and return what came up to its end."""
        deadline = time.monotonic() + PATIENCE
        while text not in self.shown:
            assert time.monotonic() < deadline, f"{text!r} never came, only {self.shown!r}"
            assert self._read(), f"{text!r} never came, only {self.shown!r}"
        before, _, self.shown = self.shown.partition(text)
        return before + text

    def send(self, text: str) -> None:
        os.write(self.master, text.encode())

    def shrink(self) -> None:
        """Make the window a column narrower."""
        self.width -= 1
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", 24, self.width, 0, 0))

    def insist(self, text: str, act: Callable[[], None]) -> None:
        """Do something until a text has come.

        A signal that comes just while the prompt is printed is heard only with the next one.
        """
        deadline = time.monotonic() + PATIENCE
        while text not in self.shown:
            assert time.monotonic() < deadline, f"{text!r} never came: {self.shown!r}"
            act()
            while self._read(QUIET) and text not in self.shown:
                pass

    def end(self) -> tuple[int, str]:
        """Wait for the end of the game, and return its status and what it printed last."""
        while self._read():
            pass
        status = self.process.wait(PATIENCE)
        os.close(self.master)
        return status, self.shown

    def _read(self, patience: float = PATIENCE) -> bool:
        if not select.select([self.master], [], [], patience)[0]:
            return False
        try:
            data = os.read(self.master, 65536)
        except OSError:  # Linux says so when the other side has closed
            return False
        self.shown += self.decode(data)
        return bool(data)
