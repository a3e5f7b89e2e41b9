"""Every page of every game fits a small terminal, in every language and with long names."""

import contextlib
import re
from collections.abc import Callable, Iterator, Sequence
from io import StringIO
from itertools import cycle
from typing import Any

import pytest
from rich.cells import cell_len
from rich.console import RenderableType
from rich.theme import Theme

from qlub.cli.console import Console
from qlub.cli.terminal.console import STYLES, Terminal
from qlub.cli.terminal.host import Host
from qlub.cli.terminal.seats import LONGEST_NAME, Player
from qlub.core.game import View
from qlub.core.record import Match
from qlub.core.registry import all_games
from qlub.words import LANGUAGES, Words

WIDTH, HEIGHT = 80, 24
GAMES = {game.name: game for game in all_games()}
NAME = "Wilhelmine Antonia"
WRONG = "zzzzzzzzzzzz"


class Recorder(Terminal):
    """A terminal that keeps its pages, and on which every third entry is wrong."""

    def __init__(self, has_colour: bool, width: int = WIDTH, height: int = HEIGHT) -> None:
        super().__init__()
        self.console = Console(
            theme=Theme(STYLES),
            highlight=False,
            width=width,
            height=height,
            file=StringIO(),
            force_terminal=True,
            color_system="truecolor" if has_colour else None,
            legacy_windows=False,
        )
        self.is_live = True
        self.pages: list[list[str]] = []
        self.entries = cycle((WRONG, "1", "2"))

    @contextlib.contextmanager
    def full_screen(self) -> Iterator[None]:
        yield

    @contextlib.contextmanager
    def thinking(self, text: str, patience: float = 0.0) -> Iterator[None]:
        yield

    def show(self, page: RenderableType) -> None:
        lines = self.console.render_lines(page, pad=False)
        self.pages.append(["".join(segment.text for segment in line) for line in lines])

    def ask(self, redraw: Callable[[], None] | None = None) -> str:
        return next(self.entries)

    def pause(self, seconds: float) -> None:
        pass


def play(name: str, language: str, people: int, has_colour: bool) -> tuple[Host, Recorder]:
    """Play a whole game with the longest names."""
    game = GAMES[name]
    players = [
        Player(f"{NAME[: LONGEST_NAME - 1]}{seat}", "greedy" if seat >= people else None)
        for seat in range(game.seats[1])
    ]
    match = Match.new(game, len(players), {}, [player.label for player in players])
    terminal = Recorder(has_colour)
    host = Host(match, players, Words.of("qlub.cli", language), terminal, 5, 1.0)
    host.play()
    return host, terminal


def check(host: Host, terminal: Recorder) -> None:
    """Find every page complete, and the points of everybody in its first line."""
    name = host.match.game.name.capitalize()
    assert host.match.state.is_over
    assert len(terminal.pages) > 20
    for page in terminal.pages:
        shown = "\n".join(page)
        assert len(page) < HEIGHT, shown
        assert max(map(cell_len, page)) <= WIDTH, shown
        if page[0].startswith(f" {name} "):
            assert page[0].count(NAME[:3]) == len(host.players), shown
            assert page[0].rstrip()[-1].isdecimal(), shown


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", GAMES)
def test_every_page_fits(name: str, language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[int, tuple[str, str, str]]] = []
    show = Host.show

    def showing(host: Host, view: View[Any], *more: Any) -> None:
        assert isinstance(host.terminal, Recorder)
        asked.append((len(host.terminal.pages), host.screen.prompt(view)))
        show(host, view, *more)

    monkeypatch.setattr(Host, "show", showing)
    host, terminal = play(name, language, 2, has_colour=True)
    check(host, terminal)
    assert len(asked) > 20
    for number, (step, sentence, _) in asked:
        head = terminal.pages[number][1:3]
        assert any(step in line for line in head), head
        assert any(sentence in line for line in head), head


@pytest.mark.parametrize(("name", "people"), [("qwixx", 1), ("qwantum", 0), ("qwirkle", 1)])
def test_every_page_fits_without_colour(name: str, people: int) -> None:
    check(*play(name, "de", people, has_colour=False))


def test_long_sums_move_nothing() -> None:
    _, terminal = play("qwantum", "en", 1, has_colour=True)
    rows = [line for page in terminal.pages for line in page if re.match("  [VBRY] .*┃", line)]
    assert any(re.match(r"  [VBRY] +\d\+\d\d = \d\d ", row) for row in rows), "one is too long"
    assert len({row.index("┃") for row in rows}) == 1


def first_page(names: Sequence[str], terminal: Recorder) -> list[str]:
    """Return the first page of a game of Qwixx, on which a person is asked."""
    players = [Player(name, "random" if seat else None) for seat, name in enumerate(names)]
    match = Match.new(GAMES["qwixx"], len(players), {}, names)
    match.apply("*", "first 0")
    match.apply("*", "w3 w4 r1 y2 g5 b6")
    host = Host(match, players, Words.of("qlub.cli", "en"), terminal, 5, 1.0)
    host.show(match.state.view(0), {}, "", "")
    return terminal.pages[-1]


def test_wide_letters_move_nothing() -> None:
    page = first_page(["Max", "王小明", "🎲🎲🎲🎲🎲🎲🎲", "Zoë", "Anna"], Recorder(has_colour=True))
    others = [line[: line.index("R···")] for line in page if "R···" in line]
    assert len(others) == 4
    assert len(set(map(cell_len, others))) == 1, others


def test_a_small_window_is_told() -> None:
    told = "Qlub likes 80 × 24; this window has 60 × 20."
    assert told in first_page(["Max", "Ida"], Recorder(has_colour=True, width=60, height=20))[1]
    assert not any(
        "Qlub likes" in line for line in first_page(["Max", "Ida"], Recorder(has_colour=True))
    )
