"""Measures the ladder of all levels and writes it into docs/strength.md, with pictures.

Every level meets the one below it, and `master` meets `greedy`, with every number of seats, by `qlub
tournament`. What was played stays in build/strength: ended half-way, it goes on where it was. A match that
was not played again stays on the page as it was, and one that another version played is kept aside.
"""

import argparse
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import matplotlib as mpl
from matplotlib.figure import Figure

from qlub.sim.counts import Counts
from qlub.sim.plan import Chunk, Plan
from qlub.sim.sources import sources_of
from qlub.sim.standing import Standing

HOME = Path(__file__).parent.parent
PLAYED = HOME / "build" / "strength"
PAGE = HOME / "docs" / "strength.md"
PICTURES = HOME / "docs" / "pictures"
BEGIN, END = "<!-- the ladder: made by tools/strength.py -->", "<!-- end of the ladder -->"
LEVELS = ("random", "greedy", "club", "master", "grandmaster")
STEPS = tuple(zip(LEVELS[1:], LEVELS, strict=False))
PAIRS = (*STEPS, ("master", "greedy"))
SEATS = {"qwixx": range(2, 6), "qwantum": range(2, 5), "qwirkle": range(2, 5)}
GAMES = {
    ("qwixx", "grandmaster"): 2400,
    ("qwantum", "grandmaster"): 2400,
    ("qwirkle", "club"): 3000,
    ("qwirkle", "master"): 2000,
    ("qwirkle", "grandmaster"): 2000,
}
"""Where thinking takes longer, fewer games than usual."""
USUAL = 10_000
LESS_LUCK = {("qwixx", "grandmaster"), ("qwantum", "grandmaster")}
"""Where dice are taken off what is won: a step so small would take a hundred thousand games."""
PLANNED: dict[tuple[str, int, str, str], int] = {
    **{(game, 2, "master", "greedy"): USUAL for game in SEATS},
    ("qwirkle", 3, "grandmaster", "master"): 8000,
}
"""Matches with a plan of their own: what is promised, and a step so small that it takes more games."""
NOT_SURE, WEAKER = " (not sure)", " (weaker)"
SEED = 2026
MOST_SCALE = 1000
MATCHES = [
    (game, seats, strong, weak) for game in SEATS for seats in SEATS[game] for strong, weak in PAIRS
]
CELL = re.compile(r"([\d.]+)% ± ([\d.]+)% of ([\d,]+)(?: of ([\d,]+) planned)?( \(.*\))?")
JUST = 1e-6
"""What is told as sure is above one half, though it may be rounded to it."""
COLOURS = ("#1f7a8c", "#c8553d", "#6a4c93", "#588157")


class Match(NamedTuple):
    """What two levels came to against each other."""

    game: str
    seats: int
    strong: str
    weak: str
    share: float
    low: float
    high: float
    games: int
    planned: int


def games_of(game: str, seats: int, strong: str, weak: str) -> int:
    """Return how many games of a match are to be played."""
    usual = GAMES.get((game, strong), USUAL)
    return PLANNED.get((game, seats, strong, weak), usual)


def file_of(game: str, seats: int, strong: str, weak: str) -> Path:
    """Return where a match is kept."""
    return PLAYED / f"{game}-{seats}-{strong}-{weak}.jsonl"


def play(game: str, seats: int, strong: str, weak: str, options: argparse.Namespace) -> None:
    """Let two levels meet, going on where they were."""
    games = games_of(game, seats, strong, weak)
    PLAYED.mkdir(parents=True, exist_ok=True)
    file = file_of(game, seats, strong, weak)
    head = file.read_text().partition("\n") if file.exists() else ("", "", "")
    sources = json.loads(head[0])["sources"] if head[1] else sources_of(game)
    if sources != sources_of(game):
        file.replace(file.with_suffix(f".{sources}"))  # games of two versions do not add up
    elif not head[1]:
        file.unlink(missing_ok=True)  # it was ended before it began
    plan = [str(file)]
    if not file.exists():
        count = str(max(int(games * options.scale), 2**seats - 2))
        plan = [game, strong, weak, "--seats", str(seats), "--games", count, "--seed", str(SEED)]
        plan += ["--file", str(file)]
        if (game, strong) in LESS_LUCK:
            plan.append("--less-luck")
    command = [sys.executable, "-m", "qlub", "tournament", *plan, "--json"]
    command += ["--processes", str(options.processes)]
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)


def look_up(file: Path) -> Match | None:
    """Return what was played of a match, by whichever version; None if nothing was."""
    head, *lines = file.read_text().split("\n")
    if not lines:
        return None  # it was ended before it began
    plan = Plan.read(json.loads(head)["plan"])
    standing = Standing(plan)
    for line in lines[:-1]:  # the last one is empty, or cut
        chunk = json.loads(line)
        standing.add(Chunk(chunk["pairing"], chunk["part"]), Counts.read(chunk["counts"]))
    share = standing.share(0)
    if share is None:
        return None
    ends, games = (share.value, share.low, share.high), (standing.games, plan.games)
    strong, weak = plan.bots
    return Match(plan.game, plan.seats, strong, weak, *ends, *games)


def read_page(page: str) -> Iterator[Match]:
    """Yield the matches that the page tells of."""
    game, numbers = "", [0]
    for line in page.partition(BEGIN)[2].partition(END)[0].splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("### "):
            game = line[4:].lower()
        elif cells[-1].endswith("seats"):
            numbers = [int(cell.split()[0]) for cell in cells[1:]]
        elif " against " in cells[0] and len(cells) > 1:
            strong, weak = cells[0].split(" against ")
            for seats, cell in zip(numbers, cells[1:], strict=True):
                if found := CELL.match(cell):
                    share, reach = float(found[1]) / 100, float(found[2]) / 100
                    games, planned = (
                        int(number.replace(",", "")) for number in (found[3], found[4] or found[3])
                    )
                    low, high = share - reach, share + reach
                    if not found[5]:
                        low = max(low, 0.5 + JUST)
                    elif found[5] == NOT_SURE:
                        low, high = min(low, 0.5), max(high, 0.5)
                    else:
                        high = min(high, 0.5 - JUST)
                    ends = low, high
                    yield Match(game, seats, strong, weak, share, *ends, games, planned)


def table(matches: list[Match]) -> Iterator[str]:
    """Yield the lines of the table of a game."""
    numbers = sorted({match.seats for match in matches})
    yield f"| | {' | '.join(f'{seats} seats' for seats in numbers)} |"
    yield "|---" * (len(numbers) + 1) + "|"
    for strong, weak in PAIRS:
        known = {one.seats: one for one in matches if (one.strong, one.weak) == (strong, weak)}
        cells = [tell(known[seats]) if seats in known else "not played" for seats in numbers]
        yield f"| {strong} against {weak} | {' | '.join(cells)} |"


def tell(match: Match) -> str:
    """Return what a match came to."""
    sure = "" if match.low > 0.5 else WEAKER if match.high < 0.5 else NOT_SURE
    reach = max(match.high - match.share, match.share - match.low)
    planned = max(match.planned, games_of(*match[:4]))
    more = f" of {planned:,} planned" if match.games < planned else ""
    return f"{match.share:.1%} ± {reach:.1%} of {match.games:,}{more}{sure}"


def draw(game: str, matches: list[Match]) -> None:
    """Draw by how much every level wins against the one below it."""
    figure = Figure(figsize=(8, 3.6), layout="constrained", dpi=160)
    axes = figure.subplots()
    numbers = sorted({match.seats for match in matches})
    for place, seats in enumerate(numbers):
        ladder = [one for one in matches if one.seats == seats and (one.strong, one.weak) in STEPS]
        shift = 0.14 * (place - (len(numbers) - 1) / 2)
        across = [STEPS.index((match.strong, match.weak)) + shift for match in ladder]
        middle = [100 * match.share for match in ladder]
        reach = [
            [100 * max(match.share - match.low, 0.0) for match in ladder],
            [100 * max(match.high - match.share, 0.0) for match in ladder],
        ]
        style: Any = {"fmt": "o", "capsize": 3, "markersize": 5, "color": COLOURS[place]}
        axes.errorbar(across, middle, reach, label=f"{seats} seats", **style)
    axes.axhline(50, color="#9a9a9a", linewidth=1, linestyle=(0, (4, 3)))
    labels = [f"{strong}\nagainst {weak}" for strong, weak in STEPS]
    axes.set_xticks(range(len(labels)), labels)
    axes.set_ylabel("share of wins in %")
    axes.set_title(f"{game.capitalize()}: every level against the one below", loc="left")
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False, ncols=len(numbers))
    with mpl.rc_context({"svg.hashsalt": "qlub"}):
        figure.savefig(PICTURES / f"strength-{game}.svg", metadata={"Date": None})


def main() -> None:
    """Measure what is wished for, and tell all of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scale", type=float, default=1.0, help="times as many games as usual")
    parser.add_argument(
        "--played", action="store_true", help="play nothing, tell what was played before"
    )
    parser.add_argument("--processes", type=int, default=2, help="that play side by side (2)")
    parser.add_argument("--level", choices=LEVELS[1:], help="only matches of this one")
    parser.add_argument("--seats", type=int, help="only with so many seats")
    parser.add_argument("--game", choices=list(SEATS), help="only matches of this game")
    options = parser.parse_args()
    wishes = options.game, options.seats, options.level
    chosen = [
        match
        for match in MATCHES
        if all(wish in (None, one) for wish, one in zip(wishes, match, strict=False))
    ]
    if not chosen:
        parser.error("there is no such match")
    if not 0 < options.scale <= MOST_SCALE or options.processes < 1:
        parser.error(f"--scale is more than 0 and at most {MOST_SCALE}, --processes at least 1")
    try:
        for match in [] if options.played else chosen:
            play(*match, options)
    except KeyboardInterrupt:
        print("Ended. What was played is told, and goes on the next time.", file=sys.stderr)
        raise SystemExit(130) from None
    except subprocess.CalledProcessError as error:
        raise SystemExit(error.returncode) from None  # it has said why
    finally:
        write_page()


def write_page() -> None:
    """Write the page anew between its marks: what was played, or else what it told before."""
    lines: list[str] = []
    page = PAGE.read_text()
    known = {one[:4]: one for one in read_page(page)}
    for file in (file_of(*names) for names in MATCHES):
        if file.exists() and (played := look_up(file)):
            told = known.get(played[:4], played)
            if played.games >= min(played.planned, told.games):
                known[played[:4]] = (
                    played  # one that has only begun does not take the place of another
                )
            print(*played, file=sys.stderr, flush=True)
    for game in SEATS:
        matches = [known[names] for names in MATCHES if names[0] == game and names in known]
        if not matches:
            continue
        picture = ""
        if any((match.strong, match.weak) in STEPS for match in matches):
            draw(game, matches)
            picture = (
                f"![Every level of {game} against the one below](pictures/strength-{game}.svg)"
            )
        lines += [f"### {game.capitalize()}", "", *table(matches), "", picture, ""]
    before, _, rest = page.partition(BEGIN)
    after = rest.partition(END)[2]
    PAGE.write_text("\n".join([before + BEGIN, "", *lines, END]) + after)


if __name__ == "__main__":
    main()
