"""How a tournament stands: which chunks are counted, which are wanted, and what it all comes to."""

from collections.abc import Iterator

from qlub.sim.counts import WHOLE, Counts
from qlub.sim.plan import Chunk, Plan
from qlub.sim.ratings import Meeting, Rating, rate
from qlub.sim.sequential import Verdict, estimate_always, judge
from qlub.sim.shares import Sample, estimate, estimate_earned, mean_of, turned
from qlub.sim.statistics import Estimate


class Standing:
    """The finished chunks of a plan. A chunk counts once, whoever reports it and however often."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.verdicts: list[Verdict | None] = [None for _ in plan.pairings]
        """What is sure about each pairing, if it was to be played until then."""
        self._done: set[Chunk] = set()
        self._early: dict[Chunk, Counts] = {}
        self._totals = [Counts() for _ in plan.pairings]
        self._parts = [0 for _ in plan.pairings]

    def add(self, chunk: Chunk, counts: Counts) -> None:
        """Take a finished chunk in.

        A pairing that is played until sure is judged after each of its chunks in their order, however
        they come in. It ends with a verdict: chunks behind that do not count.
        """
        if chunk in self._done:
            return
        self._done.add(chunk)
        if self.plan.until_sure is None:
            self._totals[chunk.pairing] += counts
            return
        self._early[chunk] = counts
        self._go_on(chunk.pairing, self.plan.until_sure)

    def _go_on(self, pairing: int, margin: float) -> None:
        """Count what follows without a gap, up to a verdict."""
        while not self.verdicts[pairing]:
            following = self._early.pop(Chunk(pairing, self._parts[pairing]), None)
            if following is None:
                return
            self._totals[pairing] += following
            self._parts[pairing] += 1
            self.verdicts[pairing] = judge(self.sample(pairing), margin)

    def wanted(self) -> Iterator[Chunk]:
        """Yield the chunks that are still to be played; a pairing may end on the way."""
        for chunk in self.plan.chunks():
            if chunk not in self._done and not self.verdicts[chunk.pairing]:
                yield chunk

    @property
    def is_finished(self) -> bool:
        return next(self.wanted(), None) is None

    def counts(self, pairing: int) -> Counts:
        """Return all that counts of a pairing so far."""
        return self._totals[pairing]

    @property
    def games(self) -> int:
        return sum(counts.games for counts in self._totals)

    def sample(self, pairing: int) -> Sample:
        """Return the shares of its deals that the first bot of a pairing won."""
        counts = self._totals[pairing]
        whole = WHOLE * len(self.plan.seatings)
        return Sample(counts.deals, counts.won / whole, counts.won_squared / whole**2)

    def share(self, pairing: int) -> Estimate | None:
        """Estimate what the first bot of a pairing wins of a game, if they have played."""
        sample = self.sample(pairing)
        if not sample.deals:
            return None
        if self.plan.until_sure is not None:
            return estimate_always(sample)
        return estimate_earned(sample) if self.plan.less_luck else estimate(sample)

    def share_of(self, bot: int, other: int) -> Estimate | None:
        """Estimate what one bot wins of a game against another."""
        share = self.share(self.plan.pairings.index((min(bot, other), max(bot, other))))
        return turned(share) if share and bot > other else share

    def mean_share(self, bot: int) -> Estimate | None:
        """Estimate what a bot wins of a game, all its opponents counting alike."""
        others = (other for other in range(len(self.plan.bots)) if other != bot)
        shares = [share for other in others if (share := self.share_of(bot, other))]
        return mean_of(shares) if shares else None

    def mean_points(self, bot: int) -> float | None:
        """Return the mean score of a bot's seats, over all its games."""
        points = seats = 0
        for pair, counts in zip(self.plan.pairings, self._totals, strict=True):
            if bot in pair:
                points += counts.points[pair.index(bot)]
                seats += counts.games * self.plan.seats // 2
        return points / seats if seats else None

    def ratings(self) -> list[Rating]:
        """Rate all bots."""
        pairings = range(len(self.plan.pairings))
        return rate(len(self.plan.bots), [self._meeting(pairing) for pairing in pairings])

    def _meeting(self, pairing: int) -> Meeting:
        """Return how often who won; less luck, what they earned is shared out between wins and losses."""
        counts = self._totals[pairing]
        wins, ties, losses = counts.wins, counts.ties, counts.losses
        if self.plan.less_luck and (share := self.share(pairing)):
            wins = round(counts.games * share.value)
            ties, losses = 0, counts.games - wins
        return Meeting(*self.plan.pairings[pairing], wins, ties, losses)

    def all_counts(self) -> Counts:
        """Return the sum over all pairings; what is about its first and second bot means nothing."""
        return sum(self._totals, Counts())
