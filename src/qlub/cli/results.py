"""Shows what simulated games came to: progress, tables, and scores as bars."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from math import isfinite
from typing import TYPE_CHECKING

from platformdirs import user_cache_path
from rich.markup import escape
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    SpinnerColumn,
    Task,
    TextColumn,
    TimeRemainingColumn,
)
from rich.table import Table
from rich.text import Text

from qlub.cli.console import Console

if TYPE_CHECKING:
    from qlub.sim.statistics import Estimate
    from qlub.sim.tally import Count, Tally

NAME_WIDTH = 18
FEW = 3
"""How many kinds of failure are told."""
BINS = 16
"""In about how many steps scores are shown."""
STEPS = (1, 2, 5, 10, 20, 25, 50, 100)
COLOURS = ("cyan", "yellow", "magenta", "green", "blue")
EIGHTHS = " ▏▎▍▌▋▊▉█"


class Rate(ProgressColumn):
    """How many games a second."""

    def render(self, task: Task) -> Text:
        return Text(f"{task.speed:,.0f} games/s" if task.speed else "", style="dim")


class LongWork:
    """Work that goes on where it was when it is ended, if what was done of it can be kept."""

    def __init__(self) -> None:
        self.is_kept: bool | None = None

    def note(self, is_kept: bool | None) -> None:
        """Note whether it is kept, and warn once if it cannot be."""
        if is_kept is False and self.is_kept is not False:
            folder = user_cache_path("qlub")
            line = f"qlub: warning: nothing can be kept in {folder}: ended, this begins anew\n"
            sys.stderr.write(line)
        self.is_kept = is_kept


@contextmanager
def long_work() -> Iterator[LongWork]:
    """Say to whoever ends long work what will become of it."""
    work = LongWork()
    try:
        yield work
    except KeyboardInterrupt:
        what_next = {
            None: "goes on from what was kept, if anything was",
            False: "begins anew: nothing could be kept",
            True: "goes on from what was kept",
        }
        sys.stderr.write(f"Ended. The same command {what_next[work.is_kept]}.\n")
        raise


def progress_bar() -> Progress:
    """Return a bar on standard error with rate and time left; nothing where nobody looks."""
    console = Console(stderr=True)
    return Progress(
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(bar_width=None),
        MofNCompleteColumn(),
        Rate(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )


def show(tally: "Tally", seconds: float, wanted: int) -> None:
    """Print what some games came to."""
    console = Console(highlight=False)
    table = tally.table
    stopped = "" if tally.games == wanted else f" of {wanted:,}, stopped early"
    console.print(
        f"[bold]{table.game}[/bold], {_counted(table.seats, 'seat')}, seed {table.seed}: "
        f"{_counted(tally.games, 'game')}{stopped}"
    )
    console.print()
    console.print(_table("bot", tally.bots))
    console.print()
    if [bot.scores for bot in tally.bots] != [seat.scores for seat in tally.seats]:
        console.print(_table("seat", tally.seats))
        console.print()
    console.print(_scores(tally.bots, console.width))
    console.print()
    ends = ", ".join(
        f"{reason} {count / tally.games:.1%}" for reason, count in tally.ends.items() if count
    )
    length = tally.length
    console.print(f"{length.value:.1f} turns a game ({_span(length, '.1f')}); ended by {ends}")
    console.print(f"{seconds:.2f} s, {tally.games / seconds:,.0f} games a second", style="dim")


def warn_of_failures(failures: Mapping[str, Mapping[str, int]]) -> None:
    """Say on standard error which programs failed, in a line each, given how often they did what."""
    for bot, kinds in failures.items():
        ways = sorted(kinds.items(), key=lambda kind: -kind[1])
        told = ", ".join(f"{count:,} × {kind}" for kind, count in ways[:FEW])
        more = ", …" if len(ways) > FEW else ""
        print(
            f"qlub: warning: {bot} failed in {sum(kinds.values()):,} decisions, which were made at "
            f"random: {told}{more}",
            file=sys.stderr,
        )


def _table(what: str, counts: Sequence["Count"]) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column(what, no_wrap=True, max_width=NAME_WIDTH)
    for head in ("points", "95 %", "deviation", "wins", "95 %", "ties"):
        table.add_column(head, justify="right", no_wrap=True)
    for count in counts:
        mean, wins = count.mean, count.wins
        table.add_row(
            escape(count.name),
            f"[bold]{mean.value:.2f}[/bold]",
            _span(mean, ".2f"),
            f"{mean.deviation:.1f}",
            f"[bold]{wins.value:.2%}[/bold]",
            _span(wins, ".2%"),
            f"{count.ties.value:.2%}",
        )
    return table


def _counted(count: int, what: str) -> str:
    return f"{count:,} {what}" if count == 1 else f"{count:,} {what}s"


def _span(estimate: "Estimate", form: str) -> str:
    return f"{estimate.low:{form}} to {estimate.high:{form}}" if isfinite(estimate.low) else "–"


def _scores(bots: Sequence["Count"], width: int) -> Table:
    """Return bars of how often each range of points was reached, a column for each bot."""
    reached = sorted(score for bot in bots for score in bot.scores)
    step = next((step for step in STEPS if reached[-1] - reached[0] < BINS * step), STEPS[-1])
    ranges = range(reached[0] // step, reached[-1] // step + 1)
    shares = [
        [sum(bot.scores[score] for score in range(n * step, n * step + step)) for n in ranges]
        for bot in bots
    ]
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("points", justify="right")
    for bot in bots:
        table.add_column(escape(bot.name), no_wrap=True)
    room = max(6, (width - 12) // len(bots) - 10)
    for row, n in enumerate(ranges):
        label = str(n * step) if step == 1 else f"{n * step} to {n * step + step - 1}"
        cells = [
            _bar(counts[row] / sum(counts), counts[row] / max(map(max, shares)), room, colour)
            for counts, colour in zip(shares, _colours(len(bots)), strict=True)
        ]
        table.add_row(label, *cells)
    return table


def _colours(count: int) -> list[str]:
    return [COLOURS[number % len(COLOURS)] for number in range(count)]


def _bar(share: float, part: float, room: int, colour: str) -> Text:
    """Return a bar as long as its part of the longest, and the share behind it."""
    eighths = round(part * room * 8)
    bar = EIGHTHS[8] * (eighths // 8) + EIGHTHS[eighths % 8].strip()
    return Text.assemble((bar, colour), (f" {share:.1%}" if share else "", "dim"))
