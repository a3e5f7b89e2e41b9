"""How sure one can be: means and shares with the intervals that hold the truth in 95 of 100 cases."""

from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist

SURE = 0.95
_Z = NormalDist().inv_cdf(0.5 + SURE / 2)


@dataclass(frozen=True)
class Estimate:
    """A value, and the interval in which the true one lies with 95 % certainty."""

    value: float
    low: float
    high: float
    deviation: float = 0.0
    """How much single cases deviate from the mean."""


def estimate_mean(count: int, total: float, squares: float) -> Estimate:
    """Estimate a mean from how many cases there are, their sum, and the sum of their squares.

    Few cases say little of their own deviation: the interval is wider for it (Student's t).

    >>> estimate = estimate_mean(4, 20, 120)  # 2, 4, 6, 8
    >>> round(estimate.low, 2), estimate.value, round(estimate.high, 2)
    (0.9, 5.0, 9.1)
    """
    mean = total / count
    if count < 2:
        return Estimate(mean, float("-inf"), float("inf"))
    deviation = sqrt(max(0.0, squares - total * mean) / (count - 1))
    reach = student(count - 1) * deviation / sqrt(count)
    return Estimate(mean, mean - reach, mean + reach, deviation)


def estimate_share(count: int, won: float) -> Estimate:
    """Estimate a share of games won (Wilson's interval, which also holds near 0 and 1).

    >>> estimate = estimate_share(10, 10)
    >>> round(estimate.low, 2), estimate.value, round(estimate.high, 2)
    (0.72, 1.0, 1.0)
    """
    share = won / count
    middle = (share + _Z**2 / (2 * count)) / (1 + _Z**2 / count)
    reach = _Z / (1 + _Z**2 / count) * sqrt(share * (1 - share) / count + (_Z / count) ** 2 / 4)
    return Estimate(share, max(0.0, middle - reach), min(1.0, middle + reach))


def student(free: int) -> float:
    """Return how many deviations hold 95 % of Student's distribution.

    By Hill's expansion (CACM algorithm 396) in the normal quantile; exact to the third digit from
    three degrees of freedom on, and taken from the tables below that.

    >>> [round(student(free), 2) for free in (1, 2, 3, 10, 100)]
    [12.71, 4.3, 3.18, 2.23, 1.98]
    """
    if free < 3:
        return (12.706, 4.303)[free - 1]
    z = _Z
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + sum(term / float(free**power) for power, term in enumerate(terms, 1))
