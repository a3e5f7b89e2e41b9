"""Prints how long the levels think, by the processor's own time: on average, and when it takes longest.

Each plays whole games against itself, one decision at a time as at the club.
"""

import argparse
import time
from random import Random

from rich.console import Console
from rich.progress import track
from rich.table import Table as Sheet

from qlub.bots import find_bot
from qlub.core.record import Match
from qlub.core.registry import find_game

console = Console()
LIMITS = {"greedy": 0.05, "club": 0.2, "master": 0.05, "grandmaster": 2.0}
"""Seconds that a level may take for a decision; twice as long in one of a thousand."""
RARE = 0.999


def think(game: str, level: str, seats: int, decisions: int) -> list[float]:
    """Return how many seconds each of some decisions took, the shortest first."""
    rules = find_game(game)
    bot = find_bot(rules, level)
    rng = Random(1)
    taken: list[float] = []
    match = Match.new(rules, seats)
    while len(taken) < decisions:
        if match.state.is_over:
            match = Match.new(rules, seats)
        if match.state.chance:
            match.resolve(match.state.chance.sample(rng.randrange))
        for seat in match.state.to_act:
            view = match.state.view(seat)
            if not taken and hasattr(bot, "prepare"):
                bot.prepare(view)  # what it takes once on a machine does not count
            began = time.thread_time()
            move = bot.choose(view, rng, LIMITS[level])
            taken.append(time.thread_time() - began)
            match.decide(seat, move)
    return sorted(taken)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=["qwixx", "qwantum", "qwirkle"])
    parser.add_argument("--decisions", type=int, default=400, help="of each level (400)")
    parser.add_argument("--levels", nargs="+", default=list(LIMITS), choices=list(LIMITS))
    options = parser.parse_args()
    are_late = False
    sheet = Sheet(title="Milliseconds for a decision")
    for heading in ("what", "decisions", "mean", "median", "1 in 1,000", "longest", "allowed"):
        sheet.add_column(heading, justify="right" if sheet.columns else "left")
    races = [
        (game, seats, level)
        for game in options.games
        for seats in range(max(2, find_game(game).seats[0]), find_game(game).seats[1] + 1)
        for level in options.levels
    ]
    for game, seats, level in track(races, "deciding", console=console, transient=True):
        taken = [1000 * seconds for seconds in think(game, level, seats, options.decisions)]
        rare, allowed = taken[int(len(taken) * RARE)], 2000 * LIMITS[level]
        are_late |= rare > allowed
        sheet.add_row(
            f"{game}, {seats} seats, {level}",
            f"{len(taken):,}",
            *(
                f"{shown:,.1f}"
                for shown in (
                    sum(taken) / len(taken),
                    taken[len(taken) // 2],
                    rare,
                    taken[-1],
                    allowed,
                )
            ),
        )
    console.print(sheet)
    if are_late:
        raise SystemExit("some took longer than allowed")


if __name__ == "__main__":
    main()
