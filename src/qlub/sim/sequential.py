"""When a pairing is decided: an interval that may be looked at after every chunk.

An ordinary interval of 95 % misses the truth in one of twenty cases if it is looked at once; whoever looks
after every chunk and stops at a good moment is wrong far more often. This one is wider, so that in 19 of
20 pairings the truth never leaves it, however long they last (a mixture of normal likelihood ratios;
Waudby-Smith, Arbour, Sinha, Kennedy, Ramdas: Time-uniform central limit theory, 2024).
"""

from enum import StrEnum
from math import log, sqrt

from qlub.sim.shares import Sample
from qlub.sim.statistics import SURE, Estimate

FIRST_LOOK = 50
"""How many deals are played at least: the interval needs some to know how much they vary."""
NARROWEST = 1000
"""After how many deals the interval is best; it is valid after any."""

_ERROR = 1 - SURE
_MIXTURE = (-2 * log(_ERROR) + log(-2 * log(_ERROR)) + 1) / NARROWEST


class Verdict(StrEnum):
    """What is sure about a pairing."""

    FIRST = "first"
    """Its first bot is better."""
    SECOND = "second"
    EVEN = "even"
    """They are as good as each other, within what was asked."""


def estimate_always(sample: Sample) -> Estimate:
    """Estimate a share, with an interval that holds it at all times in 95 of 100 pairings.

    Two deals more are imagined, one for each bot: without them, some deals that all went the same way
    would seem to be sure for ever.
    """
    deals = sample.deals + 2
    seen = Sample(deals, sample.total + 1, sample.squares + 1)
    mixed = deals * _MIXTURE + 1
    reach = sqrt(seen.variance * 2 * mixed / (deals**2 * _MIXTURE) * log(sqrt(mixed) / _ERROR))
    low, high = max(0.0, seen.mean - reach), min(1.0, seen.mean + reach)
    value = min(1.0, max(0.0, sample.mean))  # less luck, it may lie beyond
    return Estimate(value, min(low, value), max(high, value), sqrt(sample.variance))


def judge(sample: Sample, margin: float) -> Verdict | None:
    """Say who is better, or that both are within `margin` of one half, or nothing yet."""
    if sample.deals < FIRST_LOOK:
        return None
    share = estimate_always(sample)
    if share.low > 0.5:
        return Verdict.FIRST
    if share.high < 0.5:
        return Verdict.SECOND
    if 0.5 - margin < share.low and share.high < 0.5 + margin:
        return Verdict.EVEN
    return None
