"""What is simulated: a game, its options, and the players who take turns at its seats."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from qlub import kernel
from qlub.bots import find_bot
from qlub.bots.random_bot import RandomBot
from qlub.core.errors import BadOption
from qlub.core.game import Bot, Game
from qlub.core.record import Match
from qlub.core.registry import find_game
from qlub.thinker import Array

Numbers = NDArray[np.int64]


def tell_apart(names: Sequence[str]) -> tuple[str, ...]:
    """Number names that are there again.

    >>> tell_apart(["greedy", "random", "greedy"])
    ('greedy', 'random', 'greedy #2')
    """
    again = [names[:place].count(name) for place, name in enumerate(names)]
    return tuple(
        f"{name} #{count + 1}" if count else name for name, count in zip(names, again, strict=True)
    )


@dataclass(frozen=True)
class Table:
    """A game with its options and some bots; game k of a seed is always the same game."""

    game: str
    seats: int
    bots: tuple[str | Bot, ...]
    """Names of bots, or bots."""
    options: Mapping[str, object] = field(default_factory=dict)
    seed: int = 0
    seconds: float = 1.0
    """How long a bot may think that is not one of ours."""

    def __post_init__(self) -> None:
        if not 0 <= self.seed < 1 << 63:
            raise BadOption(f"a seed is a number from 0 to 2^63 - 1, not {self.seed}")
        self.sit_down()
        _ = self.players

    @property
    def rules(self) -> Game:
        return find_game(self.game)

    @property
    def players(self) -> list[Bot]:
        """The bots themselves; programs are new ones."""
        return [find_bot(self.rules, bot) if isinstance(bot, str) else bot for bot in self.bots]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the bots."""
        return tuple(bot if isinstance(bot, str) else type(bot).__name__ for bot in self.bots)

    def sit_down(self, seating: Sequence[int] | None = None) -> Match:
        """Return a game before its first event, its seats named after their bots."""
        names = None if seating is None else [self.names[bot] for bot in seating]
        return Match.new(self.rules, self.seats, self.options, names)

    @property
    def playout(self) -> Any | None:
        """The game's own compiled course, if it has one."""
        name = f"qlub.games.{self.game}.playout"
        return import_module(name) if find_spec(name) else None

    @cached_property
    def policies(self) -> tuple["Policy", ...] | None:
        """What the players do in compiled play, or None if one of them cannot be compiled."""
        found = [policy for policy in map(self._policy, self.players) if policy]
        return tuple(found) if self.playout and len(found) == len(self.bots) else None

    def _policy(self, bot: Bot) -> "Policy | None":
        if isinstance(bot, RandomBot):
            return Policy(self.playout.choose_any) if self.playout else None
        choose = getattr(bot, "policy", None)
        if choose is not None and not kernel.is_jitable(choose):
            raise BadOption(f"the policy of {type(bot).__name__} is not marked @jitable")
        return Policy(choose, getattr(bot, "mind", None)) if choose else None


class Policy(NamedTuple):
    """How a player decides in compiled play."""

    choose: Callable[..., int]
    mind: Callable[[Array, int], Any] | None = None
    """Makes what it thinks with at so many seats; None if it needs nothing."""

    @property
    def name(self) -> str:
        """Where it comes after others, in any process."""
        player = getattr(self.mind, "__self__", "")
        return f"{self.choose.__module__}.{self.choose.__qualname__} {player!r}"


@dataclass(frozen=True)
class Results:
    """How some games of a table went, a row each."""

    deals: Numbers
    """The number of each game: games of the same deal have the same chance."""
    seatings: NDArray[np.int8]
    """Which bot sat at each seat."""
    scores: NDArray[np.int32]
    reasons: NDArray[np.int8]
    """Why each game ended, as its place among the `reasons` of the game."""
    turns: NDArray[np.int32]
    seconds: float
    """How long playing took, added up over all processes."""
    failures: Counter[tuple[str, str]] = field(default_factory=Counter)
    """How often a bot failed in a decision, which then was a random one, by bot and by how."""

    def __len__(self) -> int:
        return len(self.deals)

    @cached_property
    def shares(self) -> NDArray[np.float64]:
        """What each seat won of each game: 1 for a win, split in a tie."""
        best = self.scores == self.scores.max(axis=1, keepdims=True)
        return np.asarray(best / best.sum(axis=1, keepdims=True))

    @classmethod
    def joined(cls, parts: Sequence["Results"]) -> "Results":
        """Put results one after the other."""
        return cls(
            np.concatenate([part.deals for part in parts]),
            np.concatenate([part.seatings for part in parts]),
            np.concatenate([part.scores for part in parts]),
            np.concatenate([part.reasons for part in parts]),
            np.concatenate([part.turns for part in parts]),
            sum(part.seconds for part in parts),
            sum((part.failures for part in parts), Counter()),
        )
