"""How sure one can be of a share won, when the deals are what chance gives independently.

The games of one deal have the same dice, so they are one case, not several: the share of a deal is the
mean over its seatings.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

from qlub.sim.statistics import Estimate, estimate_mean, student


@dataclass(frozen=True)
class Sample:
    """The shares of some deals that a bot won: how many, their sum, and the sum of their squares."""

    deals: int
    total: float
    squares: float

    @property
    def mean(self) -> float:
        return self.total / self.deals

    @property
    def variance(self) -> float:
        """How much the deals vary; at least nothing, and nothing for a single one."""
        spread = self.squares - self.total * self.mean
        return max(0.0, spread / max(1, self.deals - 1))


def estimate(sample: Sample) -> Estimate:
    """Estimate the share that a bot wins, with an interval of 95 % that stays between 0 and 1.

    Wilson's interval, which is right near 0 and 1 too, for as many tosses of a coin as would vary like
    these deals. Deals that do not vary at all, such as those of two equal bots without chance of their
    own, or all of them won, count as one toss each.

    >>> low, high = estimate(Sample(100, 50.0, 25.0)).low, estimate(Sample(100, 50.0, 25.0)).high
    >>> round(low, 2), round(high, 2)
    (0.4, 0.6)
    >>> round(estimate(Sample(100, 100.0, 100.0)).low, 3)
    0.962
    """
    share = min(1.0, max(0.0, sample.mean))
    coin = share * (1 - share)
    tosses = sample.deals * coin / sample.variance if sample.variance > 1e-12 else sample.deals
    reach = student(max(1, sample.deals - 1)) ** 2 / max(tosses, 1e-12)
    middle = (share + reach / 2) / (1 + reach)
    half = sqrt(reach * (coin + reach / 4)) / (1 + reach)
    return Estimate(share, max(0.0, middle - half), min(1.0, middle + half), sqrt(sample.variance))


def estimate_earned(sample: Sample) -> Estimate:
    """Estimate the same where luck was taken off: a deal may come to less than nothing, or more than all.

    Student's interval, cut at 0 and 1. Deals that do not vary at all are estimated as above.

    >>> estimate_earned(Sample(50, 50.0, 50.5)).high, estimate_earned(Sample(1, 1.2, 1.44)).value
    (1.0, 1.0)
    """
    if sample.deals > 1 and sample.variance <= 1e-12:
        return estimate(sample)
    found = estimate_mean(sample.deals, sample.total, sample.squares)
    value, low, high = (min(1.0, max(0.0, one)) for one in (found.value, found.low, found.high))
    return Estimate(value, low, high, found.deviation)


def mean_of(estimates: Sequence[Estimate]) -> Estimate:
    """Estimate the mean of several shares that do not depend on each other.

    >>> mean_of([Estimate(0.5, 0.2, 0.9), Estimate(0.7, 0.3, 1.0)]).low
    0.35
    """
    count = len(estimates)
    value = sum(one.value for one in estimates) / count
    below = sqrt(sum((one.value - one.low) ** 2 for one in estimates)) / count
    above = sqrt(sum((one.high - one.value) ** 2 for one in estimates)) / count
    return Estimate(value, max(0.0, value - below), min(1.0, value + above))


def turned(one: Estimate) -> Estimate:
    """Return a share as the other bot of the pairing sees it."""
    return Estimate(1 - one.value, 1 - one.high, 1 - one.low, one.deviation)
