"""What the games of a chunk come to, in whole numbers: so they add up to the same in any order."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from qlub.core.errors import BadRequest
from qlub.core.fields import Fields
from qlub.sim.fortune import Luck
from qlub.sim.plan import Chunk, Plan
from qlub.sim.play import play_deals, play_with_luck
from qlub.sim.table import Results

WHOLE = 60
"""A game in parts that can be split between up to six seats that tie."""
LARGEST = 2**100
KINDS = 8
"""How many different failures of a bot are told apart in a chunk."""
OTHERS = "failed in other ways"


@dataclass(frozen=True)
class Counts:
    """How some deals of a pairing went for its first bot (A) and its second (B)."""

    deals: int = 0
    games: int = 0
    won: int = 0
    """What A won of all games, in parts of `WHOLE`; less its luck if the plan says so."""
    won_squared: int = 0
    """The sum over all deals of the square of what A won in the games of the deal."""
    wins: int = 0
    losses: int = 0
    """Games that only A, and that only B won; the others were ties between them."""
    points: tuple[int, int] = (0, 0)
    """The sum of the scores of all seats of A, and of B; both have half of all seats."""
    turns: int = 0
    ends: Mapping[str, int] = field(default_factory=dict)
    failures: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """How often a bot failed in a decision, by its name and by what it did."""

    @property
    def ties(self) -> int:
        return self.games - self.wins - self.losses

    def __add__(self, other: "Counts") -> "Counts":
        mine, theirs = self.failures, other.failures
        return Counts(
            self.deals + other.deals,
            self.games + other.games,
            self.won + other.won,
            self.won_squared + other.won_squared,
            self.wins + other.wins,
            self.losses + other.losses,
            (self.points[0] + other.points[0], self.points[1] + other.points[1]),
            self.turns + other.turns,
            _added(self.ends, other.ends),
            {
                bot: _added(mine.get(bot, {}), theirs.get(bot, {}))
                for bot in sorted({*mine, *theirs})
            },
        )

    def as_json(self) -> dict[str, Any]:
        """Return the counts as a line of a file has them."""
        return {
            **vars(self),
            "points": list(self.points),
            "ends": dict(self.ends),
            "failures": {bot: dict(kinds) for bot, kinds in self.failures.items()},
        }

    @classmethod
    def read(cls, data: object) -> "Counts":
        """Read what `as_json` wrote, or raise `BadRequest`."""
        fields = Fields(data, "a chunk", BadRequest)
        fields.expect(_FIELDS)
        numbers = {
            name: fields.whole(name, -LARGEST if name == "won" else 0, LARGEST) for name in _NUMBERS
        }
        points = [_whole(number, -LARGEST) for number in fields.of("points", list)]
        if len(points) != 2:
            raise BadRequest("'points' are those of two bots")
        ends = {reason: _whole(count) for reason, count in fields.of("ends", dict).items()}
        failures = {
            bot: {
                kind: _whole(count) for kind, count in Fields(kinds, bot, BadRequest).data.items()
            }
            for bot, kinds in fields.of("failures", dict).items()
        }
        return cls(points=(points[0], points[1]), ends=ends, failures=failures, **numbers)


_FIELDS = tuple(vars(Counts()))
_NUMBERS = tuple(name for name in _FIELDS if name not in ("points", "ends", "failures"))


def play_chunk(plan: Plan, chunk: Chunk) -> Counts:
    """Play a chunk and count it; the same chunk of a plan always comes to the same counts."""
    table, first, second = plan.sides(chunk.pairing)
    deals = np.array(plan.deals_of(chunk), np.int64)
    is_first = np.tile(np.array(plan.seatings, bool), (len(deals), 1))
    seatings = np.where(is_first, first, second)
    games = table, np.repeat(deals, len(plan.seatings)), seatings
    results, luck = play_with_luck(*games) if plan.less_luck else (play_deals(*games), None)
    return count_results(results, is_first, table.rules.reasons, luck)


def count_results(
    results: Results, is_first: Any, reasons: tuple[str, ...], luck: Luck | None = None
) -> Counts:
    """Count games of a pairing, given which seats of each are A's; those of a deal are side by side.

    If the luck of all seats is given, it is taken off.
    """
    parts = np.rint(np.where(is_first, results.shares, 0.0) * WHOLE).sum(axis=1).astype(np.int64)
    starts = np.flatnonzero(np.diff(results.deals, prepend=-1))
    by_deal = np.add.reduceat(parts, starts) if len(parts) else parts
    if luck is not None:
        lucky = np.add.reduceat(np.where(is_first, luck, 0.0).sum(axis=1), starts)
        by_deal = by_deal - np.rint(lucky * WHOLE).astype(np.int64)
    scores = results.scores.astype(np.int64)
    ends = np.bincount(results.reasons, minlength=len(reasons)).tolist()
    return Counts(
        deals=len(starts),
        games=len(results),
        won=int(by_deal.sum()),
        won_squared=int((by_deal**2).sum()),
        wins=int((parts == WHOLE).sum()),
        losses=int((parts == 0).sum()),
        points=(int(scores[is_first].sum()), int(scores[~is_first].sum())),
        turns=int(results.turns.sum()),
        ends={reason: count for reason, count in zip(reasons, ends, strict=True) if count},
        failures=_failures(results.failures),
    )


def _failures(counted: Counter[tuple[str, str]]) -> dict[str, dict[str, int]]:
    """Sort failures by bot, and keep the frequent ones: a program may fail in a thousand words."""
    bots: dict[str, Counter[str]] = {}
    for (bot, kind), count in sorted(counted.items()):
        bots.setdefault(bot, Counter())[kind] += count
    kept = {}
    for bot, kinds in bots.items():
        kept[bot] = dict(kinds.most_common(KINDS))
        if others := kinds.total() - sum(kept[bot].values()):
            kept[bot][OTHERS] = others
    return kept


def _added(one: Mapping[str, int], other: Mapping[str, int]) -> dict[str, int]:
    """Add counts by their names; sorted, so that equal counts are written alike."""
    return {name: one.get(name, 0) + other.get(name, 0) for name in sorted({*one, *other})}


def _whole(value: object, low: int = 0) -> int:
    if type(value) is not int or not low <= value <= LARGEST:
        raise BadRequest("a count is a whole number")
    return value
