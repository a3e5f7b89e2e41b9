"""Ratings of the bots of a tournament, in the numbers in which the club rates guests."""

from collections.abc import Sequence
from dataclasses import dataclass

ROUNDS = 50
"""How many results of each pairing are rated at most: a rating hardly moves after these."""
OUTCOMES = ((1, 2), (1, 1), (2, 1))
"""The places of two bots after a win of the first, a tie, and a loss."""


@dataclass(frozen=True)
class Rating:
    """How strong a bot is thought to be; the interval is two sigma to both sides."""

    mu: float
    sigma: float

    @property
    def low(self) -> float:
        return self.mu - 2 * self.sigma

    @property
    def high(self) -> float:
        return self.mu + 2 * self.sigma


@dataclass(frozen=True)
class Meeting:
    """How two bots, by their places, did against each other."""

    first: int
    second: int
    wins: int
    ties: int
    losses: int

    @property
    def games(self) -> int:
        return self.wins + self.ties + self.losses


def rate(bots: int, meetings: Sequence[Meeting]) -> list[Rating]:
    """Rate bots by openskill's Plackett-Luce model, from all their meetings at once.

    Each round rates one game of every pairing, by the mean of what a win, a tie and a loss would change,
    weighted by how often they happened. All of a round start from the same ratings. So neither the order
    of games nor that of pairings matters, and a million games are rated as quickly as fifty.
    """
    from openskill.models import PlackettLuce

    model = PlackettLuce()
    ratings = [Rating(model.mu, model.sigma)] * bots
    played = [meeting for meeting in meetings if meeting.games]
    for number in range(min(ROUNDS, max((meeting.games for meeting in played), default=0))):
        moved, narrowed = [0.0] * bots, [1.0] * bots
        for meeting in played:
            if number >= meeting.games:
                continue
            pair = (meeting.first, meeting.second)
            before = [[model.rating(ratings[bot].mu, ratings[bot].sigma)] for bot in pair]
            weights = [one / meeting.games for one in (meeting.wins, meeting.ties, meeting.losses)]
            after = [model.rate(before, ranks=list(map(float, places))) for places in OUTCOMES]
            for side, bot in enumerate(pair):
                mu, sigma = (
                    sum(
                        weight * getattr(new[side][0], name)
                        for weight, new in zip(weights, after, strict=True)
                    )
                    for name in ("mu", "sigma")
                )
                moved[bot] += mu - ratings[bot].mu
                narrowed[bot] *= sigma / ratings[bot].sigma
        ratings = [
            Rating(rating.mu + move, rating.sigma * narrow)
            for rating, move, narrow in zip(ratings, moved, narrowed, strict=True)
        ]
    return ratings
