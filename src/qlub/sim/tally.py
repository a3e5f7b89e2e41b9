"""Counts how games of a table went, so that millions take no room: scores, wins, lengths, ends."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from qlub.core.game import Json
from qlub.sim.play import play_games, seat_bots, tell_deals
from qlub.sim.statistics import Estimate, estimate_mean, estimate_share
from qlub.sim.table import Results, Table, tell_apart


@dataclass
class Count:
    """What one bot, or one seat, has done so far."""

    name: str
    games: int = 0
    points: float = 0.0
    squares: float = 0.0
    won: float = 0.0
    tied: int = 0
    scores: Counter[int] = field(default_factory=Counter)
    """How often each score was reached."""

    @property
    def mean(self) -> Estimate:
        """The mean score of a game; that of a bot with several seats is their mean."""
        return estimate_mean(self.games, self.points, self.squares)

    @property
    def wins(self) -> Estimate:
        """The share of games won, a tie split among those who tie."""
        return estimate_share(self.games, self.won)

    @property
    def ties(self) -> Estimate:
        """The share of games in which it shared the first place with others."""
        return estimate_share(self.games, self.tied)

    def add(self, results: Results, seated: Any) -> None:
        """Count games, given for each who of the seats this is about."""
        here = seated.any(axis=1)
        seats = seated.sum(axis=1)[here]
        scores = np.where(seated, results.scores, 0).sum(axis=1)[here] / seats
        shares = np.where(seated, results.shares, 0.0)
        self.games += int(here.sum())
        self.points += float(scores.sum())
        self.squares += float((scores**2).sum())
        self.won += float(shares.sum())
        others = np.where(seated, 0.0, results.shares)
        self.tied += int(((shares > 0).any(axis=1) & (others > 0).any(axis=1)).sum())
        reached = results.scores[seated]
        lowest = int(reached.min(initial=0))
        counts = np.bincount(reached - lowest)
        self.scores.update({lowest + n: int(counts[n]) for n in np.flatnonzero(counts).tolist()})

    def merge(self, other: "Count") -> None:
        """Add what was counted elsewhere."""
        self.games += other.games
        self.points += other.points
        self.squares += other.squares
        self.won += other.won
        self.tied += other.tied
        self.scores.update(other.scores)


class Tally:
    """How all games of a table went so far."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.games = 0
        self.seconds = 0.0
        self.turns = 0.0
        self.turns_squared = 0.0
        self.ends: Counter[str] = Counter(dict.fromkeys(table.rules.reasons, 0))
        self.failures: Counter[tuple[str, str]] = Counter()
        self.bots = [Count(name) for name in tell_apart(table.names)]
        self.records: list[Json] = []
        """The records of the games, if they were asked for; they are not merged."""
        self.seats = [Count(f"seat {seat}") for seat in range(table.seats)]

    def add(self, results: Results) -> None:
        """Count some games."""
        self.games += len(results)
        self.seconds += results.seconds
        turns = results.turns.astype(float)
        self.turns += float(turns.sum())
        self.turns_squared += float((turns**2).sum())
        for number, reason in enumerate(self.table.rules.reasons):
            self.ends[reason] += int((results.reasons == number).sum())
        self.failures += results.failures
        for number, bot in enumerate(self.bots):
            bot.add(results, results.seatings == number)
        for number, seat in enumerate(self.seats):
            seat.add(results, np.tile(np.arange(self.table.seats) == number, (len(results), 1)))

    def merge(self, other: "Tally") -> None:
        """Add what was counted elsewhere."""
        self.games += other.games
        self.seconds += other.seconds
        self.turns += other.turns
        self.turns_squared += other.turns_squared
        self.ends.update(other.ends)
        self.failures.update(other.failures)
        for mine, theirs in zip(self.bots + self.seats, other.bots + other.seats, strict=True):
            mine.merge(theirs)

    @property
    def length(self) -> Estimate:
        """How many turns a game takes."""
        return estimate_mean(self.games, self.turns, self.turns_squared)

    def as_json(self) -> Json:
        """Return everything for programs; lists are in the order of the bots or of the seats."""
        return {
            "game": self.table.game,
            "options": dict(self.table.options),
            "bots": list(self.table.names),
            "seats": self.table.seats,
            "games": self.games,
            "seed": self.table.seed,
            "scores": [bot.mean.value for bot in self.bots],
            "wins": [bot.wins.value for bot in self.bots],
            "ties": [bot.ties.value for bot in self.bots],
            "turns": self.length.value,
            "ends": dict(self.ends),
            "failures": {bot: kinds.total() for bot, kinds in self.failures_by_bot.items()},
            "by_bot": [_detail(count) for count in self.bots],
            "by_seat": [_detail(count) for count in self.seats],
        }

    @property
    def failures_by_bot(self) -> dict[str, Counter[str]]:
        """How often each bot that failed did what."""
        bots: dict[str, Counter[str]] = {}
        for (bot, failure), count in self.failures.items():
            bots.setdefault(bot, Counter())[failure] += count
        return bots


def tally_games(table: Table, first: int, count: int, rotate: bool) -> Tally:
    """Play some games of a table in a row and count them."""
    tally = Tally(table)
    tally.add(play_games(table, first, count, rotate))
    return tally


def record_games(table: Table, first: int, count: int, rotate: bool) -> Tally:
    """Play some games of a table in a row, count them, and keep their records."""
    deals = np.arange(first, first + count)
    tally = Tally(table)
    results, matches = tell_deals(table, deals, seat_bots(deals, table, rotate))
    tally.add(results)
    tally.records = [match.record() for match in matches]
    return tally


def _detail(count: Count) -> Json:
    mean, wins = count.mean, count.wins
    return {
        "name": count.name,
        "games": count.games,
        "mean": mean.value,
        "mean_interval": None if count.games < 2 else [mean.low, mean.high],
        "deviation": None if count.games < 2 else mean.deviation,
        "wins": wins.value,
        "wins_interval": [wins.low, wins.high],
        "ties": count.ties.value,
    }
