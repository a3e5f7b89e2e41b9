"""Draws what simulated games came to."""

from typing import IO, TYPE_CHECKING, Any

import matplotlib as mpl
from matplotlib.figure import Figure

if TYPE_CHECKING:
    from qlub.sim.tally import Tally
    from qlub.sim.training import Curve

COLOURS = ("#1f7a8c", "#c8553d", "#6a4c93", "#588157", "#b8860b")
INK = "#3a3a3a"


def draw_curves(curve: "Curve", title: str, file: IO[Any], form: str) -> None:
    """Draw what was measured while a player learnt, as svg or png."""
    figure = Figure(figsize=(8, 4.5), layout="constrained", dpi=160)
    axes = figure.subplots()
    games = [games for games, _ in curve]
    names = list(curve[-1][1])
    for name, colour in zip(names, COLOURS, strict=False):
        values = [values[name] for _, values in curve]
        label = f"{name}: {values[-1]:.4g}"
        axes.plot(games, values, color=colour, linewidth=1.6, marker="o", markersize=3, label=label)
    _finish(axes, title, "games learnt from", "")
    axes.set_xscale("log")
    axes.set_xticks(games, labels=[f"{count:,}" for count in games], rotation=30, ha="right")
    axes.minorticks_off()
    _save(figure, file, form)


def _finish(axes: Any, title: str, across: str, up: str) -> None:
    """Give a picture its words, and take away what nobody needs."""
    axes.set_title(title, loc="left", color=INK)
    axes.set_xlabel(across, color=INK)
    axes.set_ylabel(up, color=INK)
    axes.tick_params(colors=INK)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False)


def _save(figure: Figure, file: IO[Any], form: str) -> None:
    with mpl.rc_context({"svg.hashsalt": "qlub"}):  # so that the same games make the same file
        figure.savefig(file, format=form, metadata={"Date": None} if form == "svg" else None)


def draw_scores(tally: "Tally", file: IO[Any], form: str) -> None:
    """Draw how often each bot reached which score, and its mean, as svg or png."""
    figure = Figure(figsize=(8, 4.5), layout="constrained", dpi=160)
    axes = figure.subplots()
    for count, colour in zip(tally.bots, COLOURS * len(tally.bots), strict=False):
        scores = sorted(count.scores)
        games = sum(count.scores.values())
        heights = [100 * count.scores[score] / games for score in scores]
        label = f"{count.name}: {count.mean.value:.1f} points, {count.wins.value:.1%} wins"
        axes.fill_between(scores, heights, step="mid", alpha=0.3, color=colour, linewidth=0)
        axes.step(scores, heights, where="mid", color=colour, linewidth=1.2, label=label)
        axes.axvline(count.mean.value, color=colour, linestyle=(0, (4, 3)), linewidth=1)
    title = f"{tally.table.game}, {tally.games:,} games, {tally.table.seats} seats"
    _finish(axes, title, "points", "share of games in %")
    axes.set_ylim(bottom=0)
    axes.margins(x=0.01)
    _save(figure, file, form)
