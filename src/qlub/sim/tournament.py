"""Tournaments: a round robin of bots, played chunk by chunk here or on a cluster, and its report."""

from collections.abc import Callable, Generator
from contextlib import closing
from typing import Any

from qlub import __version__
from qlub.sim.cluster import play_on_cluster
from qlub.sim.counts import Counts
from qlub.sim.crew import play_here
from qlub.sim.plan import Chunk
from qlub.sim.standing import Standing
from qlub.sim.statistics import Estimate

REPORT = "qlub-tournament-report/1"

Keep = Callable[[Chunk, Counts], None]


def play_tournament(
    standing: Standing, processes: int = 1, cluster: str | None = None, keep: Keep | None = None
) -> Generator[Chunk, None, None]:
    """Play what a standing still wants and take it in; yield each chunk when it is counted.

    `keep` is what takes a chunk in, `standing.add` if nothing else: a ledger also writes it down.
    """
    keep = keep or standing.add
    wanted, plan = standing.wanted(), standing.plan
    played = (
        play_on_cluster(plan, wanted, cluster) if cluster else play_here(plan, wanted, processes)
    )
    with closing(played):
        for chunk, counts in played:
            keep(chunk, counts)
            yield chunk


def report(standing: Standing) -> dict[str, Any]:
    """Return everything about a tournament, for programs."""
    plan = standing.plan
    failures = standing.all_counts().failures
    return {
        "format": REPORT,
        "qlub": __version__,
        "plan": plan.as_json(),
        "finished": standing.is_finished,
        "games": standing.games,
        "bots": [
            {
                "bot": bot,
                "rating": {
                    "mu": rating.mu,
                    "sigma": rating.sigma,
                    "interval": [rating.low, rating.high],
                },
                **_share(standing.mean_share(place)),
                "points": standing.mean_points(place),
                "failures": dict(failures.get(bot, {})),
            }
            for place, (bot, rating) in enumerate(zip(plan.bots, standing.ratings(), strict=True))
        ],
        "pairings": [_pairing(standing, number) for number in range(len(plan.pairings))],
    }


def _pairing(standing: Standing, number: int) -> dict[str, Any]:
    counts = standing.counts(number)
    seats = counts.games * standing.plan.seats // 2
    return {
        "bots": [standing.plan.bots[place] for place in standing.plan.pairings[number]],
        **_share(standing.share(number)),
        "verdict": standing.verdicts[number],
        "deals": counts.deals,
        "games": counts.games,
        "wins": counts.wins,
        "ties": counts.ties,
        "losses": counts.losses,
        "points": [points / seats if seats else None for points in counts.points],
        "turns": counts.turns / counts.games if counts.games else None,
        "ends": dict(counts.ends),
        "failures": {bot: dict(kinds) for bot, kinds in counts.failures.items()},
    }


def _share(share: Estimate | None) -> dict[str, Any]:
    if share is None:
        return {"share": None, "share_interval": None}
    return {"share": share.value, "share_interval": [share.low, share.high]}
