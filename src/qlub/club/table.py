"""A table: what its log adds up to, entry by entry."""

from collections.abc import Iterable, Iterator
from copy import copy
from dataclasses import dataclass, field

from qlub.club.entries import (
    Botted,
    Claimed,
    Closed,
    Created,
    Entered,
    Entry,
    Events,
    Handed,
    Left,
    Moved,
    Reacted,
    Rematched,
    Resigned,
    Resumed,
    Sat,
    Started,
    Stirred,
)
from qlub.core.fair import Fair, sealed_proof
from qlub.core.game import Game, Json, State
from qlub.core.record import CHANCE, Match
from qlub.core.registry import find_game

GATHERING, PLAYING, OVER, CLOSED = "gathering", "playing", "over", "closed"

PATIENCE = 10_000
"""Milliseconds after which somebody else looks after a bot that still owes a decision."""
ABANDONED = 2 * 24 * 3600 * 1000
"""Milliseconds after which a table that never began is closed."""


@dataclass(slots=True)
class Chair:
    """Who sits in a seat: a person (a guest), a bot, or a person for whom a bot plays."""

    name: str
    guest: str | None
    bot: str | None = None
    entropy: str = ""
    resigned: bool = False
    came: int = 0
    """The number of the entry with which the guest took the seat."""

    @property
    def is_played_by_person(self) -> bool:
        return self.bot is None

    @property
    def gave_up(self) -> bool:
        """Whether the person who sat here leaves the end to a bot: that counts as a last place."""
        return self.guest is not None and self.bot is not None


@dataclass(slots=True)
class Table:
    """Everything about a table, as far as its log has been read.

    Nothing but `take` changes it, so every worker that reads the same log has the same table.
    """

    id: str
    entries: list[Entry] = field(default_factory=list)
    chairs: list[Chair | None] = field(default_factory=list)
    host: str | None = None
    members: set[str] = field(default_factory=set)
    status: str = GATHERING
    match: Match | None = None
    rolls: int = 0
    """How many chance events the game has had."""
    scores: list[tuple[int, ...]] = field(default_factory=list)
    """The points of all seats after each entry, as everybody may know them."""
    waiting: dict[int, int] = field(default_factory=dict)
    """Since when, in milliseconds, each seat that may decide has been able to."""
    again: str | None = None
    """The table of the rematch."""
    answers: dict[str, int] = field(default_factory=dict)
    """Which command became which entry."""
    openings: dict[int, tuple[int, ...]] = field(default_factory=dict)
    """Which entry opened which sealed decisions, by their numbers."""
    _last: dict[int, int] = field(default_factory=dict)

    @classmethod
    def read(cls, name: str, entries: Iterable[Entry]) -> "Table":
        """Read a log from its beginning."""
        table = cls(name)
        for entry in entries:
            table.take(entry)
        return table

    @property
    def seq(self) -> int:
        """The number of the last entry."""
        return len(self.entries)

    @property
    def created(self) -> Created:
        """The first entry: what the host chose."""
        what = self.entries[0].what
        if not isinstance(what, Created):
            raise ValueError(f"the log of table {self.id} does not begin with its creation")
        return what

    @property
    def game(self) -> Game:
        return find_game(self.created.game)

    @property
    def state(self) -> State[object] | None:
        return self.match.state if self.match else None

    def after(self, entry: Entry) -> "Table":
        """Return the table as it will be with one more entry; this one stays as it is."""
        table = copy(self)
        table.entries = self.entries.copy()
        table.scores = self.scores.copy()
        table.chairs = [copy(chair) for chair in self.chairs]
        table.members = self.members.copy()
        table.waiting = self.waiting.copy()
        table.answers = self.answers.copy()
        table.openings = self.openings.copy()
        table._last = self._last.copy()
        if self.match:
            table.match = copy(self.match)
            table.match.events = self.match.events.copy()
        table.take(entry)
        return table

    def take(self, entry: Entry) -> None:
        """Take the next entry of the log."""
        if entry.seq != self.seq + 1:
            raise ValueError(f"table {self.id} has {self.seq} entries and was given {entry.seq}")
        self.entries.append(entry)
        if entry.command is not None:
            self.answers[entry.command] = entry.seq
        sealed = self.sealed()
        self._follow(entry)
        self.scores.append(self.match.state.scores() if self.match else ())
        if sealed and not self.sealed():
            self.openings[entry.seq] = tuple(sorted(sealed.values()))

    def _follow(self, entry: Entry) -> None:
        match entry.what:
            case Created(seats=seats):
                self.chairs = [None] * seats
                self.host = entry.guest
                self._admit(entry.guest)
            case Entered():
                self._admit(entry.guest)
            case Sat(seat, name, entropy):
                self.chairs[seat] = Chair(name, entry.guest, entropy=entropy, came=entry.seq)
                self._admit(entry.guest)
            case Left(seat):
                self.chairs[seat] = None
            case Stirred(seat, entropy):
                self.chair(seat).entropy = entropy
            case Botted(seat, bot, name):
                self.chairs[seat] = Chair(name, None, bot)
            case Started():
                self._start(entry.what, entry.at)
            case Moved():
                self._move(entry.what, entry)
            case Handed(seat, bot):
                self.chair(seat).bot = bot
            case Resumed(seat):  # the clock has gone on, or nobody would need to hurry
                self.chair(seat).bot = None
            case Resigned(seat, bot):
                self._resign(seat, bot)
            case Claimed(seat):
                self._claim(seat, entry)
            case Rematched(table):
                self.again = table
            case Closed():
                self.status = CLOSED
            case Reacted():
                pass

    def _admit(self, guest: str | None) -> None:
        if guest is not None:
            self.members.add(guest)

    def has_name(self, name: str) -> bool:
        """Say whether somebody at the table is called so, in large or small letters."""
        return any(chair and chair.name.casefold() == name.casefold() for chair in self.chairs)

    def _start(self, started: Started, at: int) -> None:
        self.chairs = [self.chairs[seat] for seat in started.seating]
        names = [self.chair(seat).name for seat in range(len(self.chairs))]
        self.match = Match.new(self.game, len(names), self.created.options, names)
        self.status = PLAYING
        self._play(started.events, at)

    def _move(self, moved: Moved, entry: Entry) -> None:
        self._last[moved.seat] = entry.seq
        self.waiting.pop(moved.seat, None)
        self._play(moved.events, entry.at)

    def _play(self, events: Events, at: int) -> None:
        match = self.playing()
        for actor, text in events:
            match.apply(actor, text)
            self.rolls += actor == CHANCE
        before = self.waiting
        self.waiting = {seat: before.get(seat, at) for seat in match.state.to_act}
        if match.state.is_over:
            self.status = OVER

    def _claim(self, seat: int, entry: Entry) -> None:
        """Let a guest take a seat over; with the only seat of the host, the table is theirs too."""
        if self.seats_of(self.host) == (seat,):
            self.host = entry.guest
        self.chair(seat).guest, self.chair(seat).came = entry.guest, entry.seq
        self._admit(entry.guest)

    def _resign(self, seat: int, bot: str) -> None:
        chair = self.chair(seat)
        chair.bot, chair.resigned = bot, True
        left = [chair for chair in self.chairs if chair and not chair.resigned]
        if len(left) <= 1 or not any(chair.guest for chair in left):
            self.status = OVER

    def playing(self) -> Match:
        """Return the match of a game that has begun."""
        if self.match is None:
            raise ValueError(f"the game at table {self.id} has not begun")
        return self.match

    def chair(self, seat: int) -> Chair:
        """Return a chair in which somebody sits."""
        chair = self.chairs[seat]
        if chair is None:
            raise ValueError(f"seat {seat} of table {self.id} is free")
        return chair

    def seats_of(self, guest: str | None) -> tuple[int, ...]:
        """Return the seats of a guest: several when several people share a device."""
        if guest is None:
            return ()
        return tuple(
            seat for seat, chair in enumerate(self.chairs) if chair and chair.guest == guest
        )

    def sealed(self) -> dict[int, int]:
        """Return the seats whose decisions lie sealed now, with the entries that hold them."""
        if self.match is None or self.status != PLAYING:
            return {}
        return {seat: self._last[seat] for seat in self.match.state.sealed}

    def bots_to_act(self) -> Iterator[tuple[int, str]]:
        """Yield the seats for which a bot must decide now."""
        if self.status == PLAYING:
            for seat in self.waiting:
                if bot := self.chair(seat).bot:
                    yield seat, bot

    def deadlines(self) -> dict[int, int]:
        """Return when the clock of each person who may decide runs out, in milliseconds."""
        clock = self.created.clock
        if clock is None or self.status != PLAYING:
            return {}
        return {
            seat: since + clock * 1000
            for seat, since in self.waiting.items()
            if self.chair(seat).is_played_by_person
        }

    def due(self) -> int | None:
        """Return when somebody must look after this table, in milliseconds, if ever."""
        if self.status == GATHERING:
            return self.entries[-1].at + ABANDONED
        times = list(self.deadlines().values())
        times += [self.waiting[seat] + PATIENCE for seat, _ in self.bots_to_act()]
        return min(times, default=None)

    def places(self) -> list[int]:
        """Return the place of each seat at the end; equals share one, who gave up comes last.

        Seats that gave up share the place behind all others, whatever the bots made of them.
        """
        scores = self.playing().state.scores()
        merits = [
            (0, 0) if self.chair(seat).gave_up else (1, score) for seat, score in enumerate(scores)
        ]
        return [1 + sum(other > merit for other in merits) for merit in merits]

    def proof(self, secret: bytes | None) -> Json:
        """Return what shows that the chance of this table is honest; the secret only at the end."""
        entropy = tuple(chair.entropy if chair else "" for chair in self.chairs)
        if secret is None or self.status != OVER:
            return sealed_proof(self.created.commitment, entropy)
        return Fair(secret, entropy).proof()
