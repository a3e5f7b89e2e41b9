"""The terminal as the game sees it: pages are shown, lines are read, and somebody may leave."""

import contextlib
import os
import select
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from types import FrameType
from typing import NoReturn

from rich.console import RenderableType
from rich.segment import SegmentLines
from rich.text import Text
from rich.theme import Theme

from qlub.cli.console import Console

STYLES = {
    "step": "bold #1b2624 on #e8ae45",
    "brass": "bold #1b2624 on #e8ae45",
    "paper": "bold #1b2624 on #fffdf4",
    "muted": "dim",
    "strong": "bold",
}
"""The styles that screens name: brass means now and you, paper what may be touched."""

PROMPT = "› "
PATIENCE = 0.4
"""How many seconds a bot may think before it is said that it does."""
FEW_COLOURS = ("standard", "windows")
"""Terminals on which a wrong colour would be shown; there the letters must do."""
ROOM_FOR_ANSWER = 1
NO_LIMIT = 200
"""How many lines a page may have where nothing scrolls away."""


class Leave(Exception):
    """Somebody wants to stop: end of input, Ctrl-C, or the system asks."""


class _Resized(Exception):
    """The window has another size now."""


class Terminal:
    """A terminal that is cleared for every page, or a pipe on which pages follow each other."""

    def __init__(self) -> None:
        for stream in (sys.stdin, sys.stdout):
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="replace")
        self.console = Console(theme=Theme(STYLES), highlight=False, markup=False, emoji=False)
        if self.console.color_system in FEW_COLOURS:
            self.console.no_color = True
        self.is_live = (
            self.console.is_terminal
            and sys.stdin is not None
            and sys.stdin.isatty()
            and not self.console.is_dumb_terminal
        )
        self._entered: list[str] = []
        if self.is_live:
            with contextlib.suppress(ImportError):
                import readline  # lends its line editing to input()

                readline.set_auto_history(False)  # the next person must not look back

    @property
    def size(self) -> tuple[int, int]:
        """Columns and lines of a page."""
        width, height = self.console.size
        return (width, height) if self.is_live else (width, NO_LIMIT)

    @property
    def has_colour(self) -> bool:
        """Whether colours reach whoever reads."""
        return bool(self.console.color_system) and not self.console.no_color

    @contextlib.contextmanager
    def full_screen(self) -> Iterator[None]:
        """Turn to a page of its own, and back to what was there before at the end."""
        if not self.is_live:
            yield
            return
        self.console.set_alt_screen(True)
        try:
            yield
        finally:
            self.console.set_alt_screen(False)

    def show(self, page: RenderableType) -> None:
        """Show a page, on a terminal in place of the one before."""
        if self.is_live:
            self.console.clear()
        self.console.print(page)

    def fits(self, page: RenderableType) -> bool:
        """Say whether a page leaves room for an answer; on a pipe all do."""
        return not self.is_live or self.count_lines(page) <= self.size[1] - ROOM_FOR_ANSWER

    def count_lines(self, page: RenderableType) -> int:
        """Return how many lines a page or a part of one takes."""
        return len(self.console.render_lines(page, pad=False))

    def leaf_through(self, page: RenderableType, hint: str) -> str:
        """Show a long page, on a terminal in as many parts as it takes, each until Enter.

        What is entered instead ends it and is returned.
        """
        if not self.is_live:
            self.console.print(page)
            return ""
        lines = self.console.render_lines(page, pad=False)
        step = self.size[1] - ROOM_FOR_ANSWER - 1
        for start in range(0, len(lines), step):
            self.show(SegmentLines(lines[start : start + step], new_lines=True))
            self.say(hint, "muted")
            entry = self.ask()
            if entry:
                return entry
        return ""

    def say(self, line: str, style: str = "") -> None:
        """Print one line below what is there."""
        self.console.print(Text(line, style), soft_wrap=not self.is_live)

    def ask(self, redraw: Callable[[], None] | None = None) -> str:
        """Return what somebody enters, or raise `Leave` at the end of input.

        `redraw` shows the page again when the window gets another size meanwhile.
        """
        if self._entered:
            return self._entered.pop(0)
        try:
            if self.is_live:
                return _input_or_resize(redraw)
            self.console.print(PROMPT, end="")
            self.console.file.flush()
            line = sys.stdin.readline() if sys.stdin else ""
        except EOFError:
            raise Leave from None
        if not line:
            self.console.print()
            raise Leave
        self.console.print(Text(line.strip()))
        return line.strip()

    def pause(self, seconds: float) -> None:
        """Wait a little on a terminal; Enter goes on at once, and what is typed is not lost."""
        if not self.is_live or self._entered:
            return
        if sys.platform == "win32":
            time.sleep(seconds)
        elif select.select([sys.stdin], [], [], seconds)[0]:
            typed = os.read(sys.stdin.fileno(), 4096).decode(errors="replace")
            if not typed:
                raise Leave
            self._entered += [line.strip() for line in typed.splitlines() if line.strip()]

    def drain(self) -> list[str]:
        """Return what was typed in pauses, and forget it."""
        typed, self._entered = self._entered, []
        return typed

    @contextlib.contextmanager
    def thinking(self, text: str, patience: float = PATIENCE) -> Iterator[None]:
        """Say that somebody thinks, once it takes a while."""
        if not self.is_live:
            yield
            return
        status = self.console.status(Text(text, "muted"), spinner="dots", spinner_style="muted")
        timer = threading.Timer(patience, status.start)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            timer.join()
            status.stop()


def _input_or_resize(redraw: Callable[[], None] | None) -> str:
    """Return a line from the terminal, asked for again after each change of the window."""
    if redraw is None or not hasattr(signal, "SIGWINCH"):
        return input(PROMPT).strip()
    while True:
        signal.signal(signal.SIGWINCH, _resize)
        try:
            return input(PROMPT).strip()
        except _Resized:
            pass
        finally:
            signal.signal(signal.SIGWINCH, signal.SIG_DFL)
        redraw()


@contextlib.contextmanager
def leaving_on_signals() -> Iterator[None]:
    """Let Ctrl-C, a closing terminal and the system's wish to end mean that somebody leaves."""
    before = {number: signal.signal(number, _leave) for number in _signals()}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def ignore_signals() -> None:
    """Let nothing disturb what comes last."""
    for number in _signals():
        signal.signal(number, signal.SIG_IGN)


def _signals() -> list[signal.Signals]:
    names = ("SIGINT", "SIGTERM", "SIGHUP")
    return [signal.Signals[name] for name in names if name in signal.Signals.__members__]


def _leave(number: int, frame: FrameType | None) -> NoReturn:
    ignore_signals()
    raise Leave


def _resize(number: int, frame: FrameType | None) -> NoReturn:
    signal.signal(number, signal.SIG_IGN)
    raise _Resized
