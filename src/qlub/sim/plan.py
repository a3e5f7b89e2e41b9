"""The plan of a tournament: who meets whom, and the chunks of work that this is cut into.

Every two bots are a pairing. A deal of a pairing is played once in every seating of the two that has
both at the table, always with the same chance, so luck favours nobody. A chunk is some deals of one
pairing. Chunks depend on the plan alone, never on who plays them or on how many do.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from itertools import combinations, product
from typing import NamedTuple

from qlub.bots import bots_of
from qlub.core.errors import BadRequest, shown
from qlub.core.fields import Fields, whole
from qlub.core.options import read_options
from qlub.core.registry import find_game
from qlub.sim.fortune import can_tell_luck
from qlub.sim.table import Table, tell_apart

GAMES = 10_000
GAMES_OF_PROGRAMS = 200
GAMES_LESS_LUCK = 1000
"""How many games a pairing has if nothing is said: without and with somebody's program among the bots, and
less the luck of their dice."""
PATIENCE = 100
"""How many times as many it may have until it is sure."""
MOST_GAMES = 10**9
MOST_BOTS = 32
LONGEST = 3600.0
CHUNKS = 50
"""About how many chunks a pairing has, unless they would be too large."""
MOST_IN_CHUNK = 10_000
MOST_PLAIN = 100
"""The most games of a chunk, compiled and else: seconds of work for ordinary bots, not minutes."""
MOST_UNTIL_SURE = 1000
"""The same where each chunk may be the last."""

REQUIRED = ("game", "bots")
OPTIONAL = ("seats", "games", "seed", "options", "seconds", "until_sure", "less_luck", "chunk")


class Chunk(NamedTuple):
    """Some deals of one pairing."""

    pairing: int
    part: int
    """Which chunk of its pairing this is, from 0."""


class Sides(NamedTuple):
    """The table of a pairing, and which of its bots are the two that meet."""

    table: Table
    first: int
    second: int


@dataclass(frozen=True)
class Plan:
    """A round robin of bots; build one with `Plan.read` or `make_plan`."""

    game: str
    bots: tuple[str, ...]
    seats: int
    games: int
    """How many games each pairing plays; a last deal is always finished."""
    seed: int
    options: Mapping[str, object]
    seconds: float
    """How long a program may think about a decision."""
    until_sure: float | None
    """If given, a pairing ends once it is sure who is better, or that the shares of the two differ
    from one half by less than this."""
    less_luck: bool
    """Whether what is won counts less the luck of the dice."""
    chunk: int
    """How many deals a chunk has."""

    @classmethod
    def read(cls, data: object) -> "Plan":
        """Read a plan from JSON; fields that are left out have their defaults."""
        fields = Fields(data, "a plan", BadRequest)
        fields.expect(REQUIRED, OPTIONAL)
        bots = fields.of("bots", list)
        if not all(isinstance(bot, str) for bot in bots):
            raise BadRequest(f"'bots' is a list of names, not {shown(bots)}")
        rest = {name: fields.data[name] for name in OPTIONAL if name in fields.data}
        if "options" in rest:
            rest["options"] = fields.of("options", dict)
        return make_plan(fields.of("game", str), bots, **rest)  # type: ignore[arg-type]

    def as_json(self) -> dict[str, object]:
        """Return the plan with nothing left out."""
        return {**asdict(self), "bots": list(self.bots), "options": dict(self.options)}

    @cached_property
    def fingerprint(self) -> str:
        """A short text that no other plan has."""
        text = json.dumps(self.as_json(), sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    @property
    def labels(self) -> tuple[str, ...]:
        """The names of the bots; one that plays against itself is numbered.

        >>> make_plan("qwixx", ["greedy", "random", "greedy"]).labels
        ('greedy', 'random', 'greedy #2')
        """
        return tell_apart(self.bots)

    @cached_property
    def pairings(self) -> tuple[tuple[int, int], ...]:
        """Every two bots, by their places in the plan."""
        return tuple(combinations(range(len(self.bots)), 2))

    @cached_property
    def seatings(self) -> tuple[tuple[bool, ...], ...]:
        """Where the first bot of a pairing sits in each game of a deal; the second has the other seats.

        >>> len(make_plan("qwixx", ["greedy", "random"]).seatings)
        2
        """
        return tuple(
            seating
            for seating in product((True, False), repeat=self.seats)
            if any(seating) and not all(seating)
        )

    @property
    def deals(self) -> int:
        """How many deals each pairing plays."""
        return -(-self.games // len(self.seatings))

    @property
    def parts(self) -> int:
        """How many chunks each pairing has."""
        return -(-self.deals // self.chunk)

    def chunks(self) -> Iterator[Chunk]:
        """Yield all chunks: the first of every pairing, then the second of every pairing, and so on."""
        for part in range(self.parts):
            for pairing in range(len(self.pairings)):
                yield Chunk(pairing, part)

    def deals_of(self, chunk: Chunk) -> range:
        """Return the deals of a chunk; no two pairings have one in common, so they are independent."""
        before = chunk.pairing * self.deals
        first = before + chunk.part * self.chunk
        return range(first, min(first + self.chunk, before + self.deals))

    def games_of(self, chunk: Chunk) -> int:
        """Return how many games a chunk has."""
        return len(self.deals_of(chunk)) * len(self.seatings)

    def sides(self, pairing: int) -> Sides:
        """Return the table of a pairing. Bots that can be compiled share one: it is compiled once."""
        one, other = (self.bots[place] for place in self.pairings[pairing])
        if one in self._compiled and other in self._compiled:
            first, second = self._compiled.index(one), self._compiled.index(other)
            return Sides(self._table(self._compiled), first, second)
        return Sides(self._table((one, other)), 0, 1)

    def tables(self) -> list[Table]:
        """Return the tables that are compiled before the first game."""
        meet = sum(bot in self._compiled for bot in self.bots) > 1
        return [self._table(self._compiled)] if meet else []

    @cached_property
    def _compiled(self) -> tuple[str, ...]:
        """The bots that can be compiled, in the order in which the game lists them."""
        known = bots_of(find_game(self.game))
        return tuple(
            bot for bot in known if bot in self.bots and self._table((bot,)).policies is not None
        )

    def _table(self, bots: tuple[str, ...]) -> Table:
        return Table(self.game, self.seats, bots, self.options, self.seed, self.seconds)


def make_plan(
    game: str,
    bots: Sequence[str],
    seats: int = 2,
    games: int | None = None,
    seed: int = 1,
    options: Mapping[str, object] | None = None,
    seconds: float = 2.0,
    until_sure: float | None = None,
    less_luck: bool = False,
    chunk: int | None = None,
) -> Plan:
    """Return a plan whose fields are checked, or refuse it."""
    rules = find_game(game)
    whole(seats, "'seats'", 1, 1000, BadRequest)
    whole(seed, "'seed'", 0, 2**63 - 1, BadRequest)
    for name, count in (("'games'", games), ("'chunk'", chunk)):
        if count is not None:
            whole(count, name, 1, MOST_GAMES, BadRequest)
    if not 2 <= len(bots) <= MOST_BOTS:
        raise BadRequest(f"a tournament has 2 to {MOST_BOTS} bots, not {len(bots)}")
    for bot in bots:
        if not bot.isprintable():
            raise BadRequest(f"a bot has a name that can be printed, not {shown(bot)}")
    if seats == 1:
        raise BadRequest("a tournament needs at least 2 seats")
    if type(seconds) not in (int, float) or not 0 < seconds < LONGEST:
        raise BadRequest(f"'seconds' is a number such as 0.5, not {shown(seconds)}")
    if until_sure is not None and not _is_share(until_sure):
        raise BadRequest(
            f"'until_sure' is between 0 and 0.5, such as 0.01, not {shown(until_sure)}"
        )
    if type(less_luck) is not bool:
        raise BadRequest(f"'less_luck' is true or false, not {shown(less_luck)}")
    if less_luck and not can_tell_luck(game):
        raise BadRequest(f"the luck of {game} cannot be told; leave 'less_luck' out")
    Table(game, seats, tuple(bots), options or {}, seed)
    is_compiled = Table(game, seats, tuple(bots)).policies is not None
    if games is None:
        games = GAMES if is_compiled else GAMES_OF_PROGRAMS
        games = min(games, GAMES_LESS_LUCK) if less_luck else games
        games *= 1 if until_sure is None else PATIENCE
    if chunk is None:
        most = MOST_IN_CHUNK if is_compiled and not less_luck else MOST_PLAIN
        most = most if until_sure is None else min(most, MOST_UNTIL_SURE)
        chunk = max(1, min(games // CHUNKS, most) // (2**seats - 2))
    known = read_options(rules.options, options or {}, seats)
    plain = json.loads(json.dumps(known))  # as a file has them: lists, not tuples
    time = float(seconds)
    return Plan(game, tuple(bots), seats, games, seed, plain, time, until_sure, less_luck, chunk)


def _is_share(value: object) -> bool:
    return type(value) in (int, float) and 0 < value < 0.5  # type: ignore[operator]
