"""Prints how fast games are simulated: compiled against plain Python, on one core and on two.

Every rate is the best of several short pieces, by the processor's own time, so that whatever else runs
on the machine disturbs little.
"""

import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from os import environ

import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table as Sheet

from qlub.sim import Table
from qlub.sim.compiled import compile_table, play_compiled
from qlub.sim.plain import play_plainly
from qlub.sim.play import play_in_pieces, seat_bots
from qlub.sim.tally import Tally, tally_games

console = Console()
PIECES = 20


@dataclass
class Race:
    """Games of one kind, and how many a second are hoped for."""

    game: str
    bot: str
    seats: int
    goal: str
    compiled: int
    plain: int

    @property
    def table(self) -> Table:
        return Table(self.game, self.seats, (self.bot,), seed=1)


RACES = (
    Race("qwixx", "random", 2, "1,500,000", 50_000, 60),
    Race("qwixx", "random", 5, "within 20 % a decision", 20_000, 20),
    Race("qwixx", "greedy", 2, "600,000", 30_000, 40),
    Race("qwantum", "random", 2, "300,000", 20_000, 40),
    Race("qwantum", "greedy", 2, "30,000", 6_000, 40),
    Race("qwirkle", "random", 2, "", 40, 1),
    Race("qwirkle", "greedy", 2, "1,500", 200, 3),
)


def rate(race: Race) -> float:
    """Return compiled games a second of processor time, the best of some pieces."""
    table = race.table
    compile_table(table)
    best = 0.0
    for piece in range(PIECES):
        deals = np.arange(piece * race.compiled, (piece + 1) * race.compiled)
        seatings = seat_bots(deals, table, rotate=False)
        began = time.process_time()
        play_compiled(table, deals, seatings)
        best = max(best, race.compiled / (time.process_time() - began))
    return best


def plain_rate(race: Race) -> float:
    """Return plain games a second, the better of two pieces."""
    table = race.table
    best = 0.0
    for piece in range(2):
        deals = np.arange(piece * race.plain, (piece + 1) * race.plain)
        seatings = seat_bots(deals, table, rotate=False)
        began = time.process_time()
        play_plainly(table, deals, seatings)
        best = max(best, race.plain / (time.process_time() - began))
    return best


def decisions(race: Race) -> float:
    """Return how many decisions a game has, turns counted: one each, and one more for the active."""
    deals = np.arange(2000)
    results = play_compiled(race.table, deals, seat_bots(deals, race.table, rotate=False))
    return float(results.turns.mean()) * (race.seats + 1)


def bench_rates() -> None:
    sheet = Sheet(title="Games a second of processor time, on one core")
    sheet.add_column("what")
    for heading in ("compiled", "plain", "ratio", "goal"):
        sheet.add_column(heading, justify="right")
    rates = {}
    for race in track(RACES, "games", console=console, transient=True):
        rates[race.game, race.bot, race.seats] = quick = rate(race)
        slow = plain_rate(race)
        sheet.add_row(
            f"{race.game}, {race.seats} {race.bot}",
            f"{quick:,.0f}",
            f"{slow:,.1f}",
            f"{quick / slow:,.0f} ×",
            race.goal,
        )
    console.print(sheet)
    two, five = (
        rates["qwixx", "random", seats] * decisions(RACES[n]) for n, seats in ((0, 2), (1, 5))
    )
    console.print(f"qwixx, decisions a second: {two:,.0f} with two, {five:,.0f} with five seats")


def bench_processes() -> None:
    """Play the same games on one core and on two."""
    table = Table("qwirkle", 2, ("greedy",), seed=1)
    compile_table(table)
    seconds = []
    for processes in (1, 2):
        tally, began = Tally(table), time.perf_counter()
        for piece in play_in_pieces(tally_games, table, 40_000, processes=processes):
            tally.merge(piece)
        seconds.append(time.perf_counter() - began)
    console.print(
        f"two processes against one, qwirkle, 40,000 games with starting them: "
        f"{seconds[0] / seconds[1]:.2f} ×  (goal: 1.8)"
    )


def bench_start() -> None:
    """Start `qlub simulate`, first with nothing compiled, then again."""
    command = [sys.executable, "-m", "qlub", "simulate", "--bots", "greedy", "--seats", "2"]
    for game in ("qwixx", "qwantum", "qwirkle"):
        folder = tempfile.mkdtemp()
        taken = []
        for _ in range(3):
            began = time.perf_counter()
            subprocess.run(  # noqa: S603 - our own
                [*command, "--games", "100", game],
                env={**environ, "XDG_CACHE_HOME": folder},
                capture_output=True,
                check=True,
            )
            taken.append(time.perf_counter() - began)
        shutil.rmtree(folder)
        console.print(
            f"{game}: first result after {taken[0]:.1f} s cold (goal: under 15), "
            f"{min(taken[1:]):.2f} s warm (goal: under 1.5)"
        )


if __name__ == "__main__":
    bench_rates()
    bench_processes()
    bench_start()
