"""Shows how a tournament went: ratings, and a cross table of what each bot wins against each."""

from typing import TYPE_CHECKING

from rich.markup import escape
from rich.table import Table
from rich.text import Text

from qlub.cli.console import Console

if TYPE_CHECKING:
    from qlub.sim.ratings import Rating
    from qlub.sim.standing import Standing
    from qlub.sim.statistics import Estimate

FIGURES = 54
"""How wide the table of ratings is without the names."""
CELL = 13
NARROW_CELL = 7
"""How wide a column of the cross table is, with and without its interval."""
SHORTEST_NAME = 15


def show(standing: "Standing") -> None:
    """Print a tournament, the best bot first."""
    console = Console(highlight=False)
    plan = standing.plan
    ratings = standing.ratings()
    order = sorted(range(len(plan.bots)), key=lambda bot: -round(ratings[bot].mu, 6))
    less = ", less luck" if plan.less_luck else ""
    stopped = "" if standing.is_finished else ", not finished"
    console.print(
        f"[bold]{plan.game}[/bold], {plan.seats} seats, seed {plan.seed}: "
        f"{standing.games:,} games, {len(plan.pairings)} {_pairings(len(plan.pairings))}{less}{stopped}"
    )
    console.print()
    console.print(_ratings(standing, order, ratings, console.width))
    console.print()
    console.print(_cross_table(standing, order, console.width))
    console.print()
    if plan.until_sure is not None:
        for number in range(len(plan.pairings)):
            console.print(_verdict(standing, number))
        console.print()
    counts = standing.all_counts()
    ends = ", ".join(
        f"{reason} {count / counts.games:.1%}" for reason, count in counts.ends.items()
    )
    console.print(f"{counts.turns / counts.games:.1f} turns a game; ended by {ends}", style="dim")


def _ratings(standing: "Standing", order: list[int], ratings: list["Rating"], width: int) -> Table:
    table = _new_table()
    table.add_column("", justify="right")
    table.add_column("bot", no_wrap=True, max_width=max(SHORTEST_NAME, width - FIGURES))
    for head in ("rating", "± 2σ", "wins", "95 %", "points"):
        table.add_column(head, justify="right", no_wrap=True)
    for place, bot in enumerate(order, 1):
        share, points = standing.mean_share(bot), standing.mean_points(bot)
        table.add_row(
            str(place),
            _name(standing, bot),
            f"[bold]{ratings[bot].mu:.1f}[/bold]",
            f"{2 * ratings[bot].sigma:.1f}",
            f"[bold]{share.value:.2%}[/bold]" if share else "",
            f"{share.low:.2%} to {share.high:.2%}" if share else "",
            "" if points is None else f"{points:.1f}",
        )
    return table


def _cross_table(standing: "Standing", order: list[int], width: int) -> Table:
    """Return what the bot of each row wins against that of each column, in percent."""
    table = _new_table()
    table.add_column("", justify="right")
    has_room = SHORTEST_NAME + 5 + CELL * len(order) <= width
    room = width - 5 - (CELL if has_room else NARROW_CELL) * len(order)
    table.add_column("wins %, against", no_wrap=True, max_width=max(SHORTEST_NAME, room))
    for place in range(1, len(order) + 1):
        table.add_column(str(place), justify="right", no_wrap=True)
    for place, bot in enumerate(order, 1):
        cells = [
            Text("–", style="dim") if bot == other else _cell(standing, bot, other, has_room)
            for other in order
        ]
        table.add_row(str(place), _name(standing, bot), *cells)
    return table


def _cell(standing: "Standing", bot: int, other: int, has_room: bool) -> Text:
    share = standing.share_of(bot, other)
    if share is None:
        return Text("")
    widest = max(share.high - share.value, share.value - share.low)
    reach = f" ±{100 * widest:.1f}" if has_room else ""
    return Text.assemble((f"{100 * share.value:.1f}", _colour(share)), (reach, "dim"))


def _colour(share: "Estimate") -> str:
    """Green is better for sure, red is worse for sure."""
    if share.low > 0.5:
        return "bold green"
    return "red" if share.high < 0.5 else ""


def _verdict(standing: "Standing", number: int) -> str:
    one, other = (escape(standing.plan.labels[bot]) for bot in standing.plan.pairings[number])
    games = f"[dim]({standing.counts(number).games:,} games)[/dim]"
    match standing.verdicts[number]:
        case "first":
            return f"{one} is better than {other} {games}"
        case "second":
            return f"{other} is better than {one} {games}"
        case "even":
            margin = f"{100 * (standing.plan.until_sure or 0):g} %"
            return f"{one} and {other} are even within {margin} {games}"
    return f"{one} against {other}: not sure {games}"


def _name(standing: "Standing", bot: int) -> Text:
    return Text(standing.plan.labels[bot])


def _pairings(count: int) -> str:
    return "pairing" if count == 1 else "pairings"


def _new_table() -> Table:
    return Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
