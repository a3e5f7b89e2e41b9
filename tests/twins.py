"""Twins of a table: the same to a guest's eyes, and different in everything that is hidden from them."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from random import Random

import msgspec
from logbook import ANN, BEN, CLEO, COMMANDS, DAN, EVE, INVITE, SECRET, TOKENS, Logbook, desk_for

from qlub.club import looking_back, telling
from qlub.club.entries import Entry, Events, Moved, Started
from qlub.club.errors import told
from qlub.club.ruling import rule
from qlub.club.table import PLAYING, Table
from qlub.club.telling import Teller, encode
from qlub.core.errors import QlubError
from qlub.core.game import CHANCE, Json
from qlub.games.qwirkle.tiles import NAMES

CHANGES = 6
"""How many hidden tiles are exchanged for others, one after another."""

MOVES = (
    *("-", "?", "", "r5", "y6", "g12", "b2", "keep", "reroll w,1", "v9", "b10", "y33"),
    *(f"swap {tile}" for tile in NAMES),
    *(f"{tile}@{cell}" for tile in NAMES[::5] for cell in ("0,0", "1,0", "0,-1", "9,9")),
    *("swap Ro Ro Ro", "swap 2", "0: 2"),
)
"""What anybody might try, whatever the game."""

DRAFTS = ("", *MOVES[:12:3], *MOVES[-60::7])
"""What somebody might ask about: some of these, most of which are no beginning of a move."""


def company(game: str, seats: int, rng: Random) -> Logbook:
    """Fill a table with people, half of them at one device, and bots, and begin."""
    clock, visibility = rng.choice([None, 60]), rng.choice(["open", "link"])
    book = Logbook(game, seats, clock=clock, visibility=visibility)
    book.do(BEN, "enter", invite=INVITE)
    book.do(CLEO, "enter", invite=INVITE)
    for seat in range(seats):
        guest = rng.choice([ANN, BEN, CLEO, None]) if seat >= seats // 2 else BEN
        if guest:
            book.do(guest, "sit", seat=seat, name=f"Person {seat}", entropy=rng.choice(["", "?"]))
        else:
            book.do(ANN, "bot", seat=seat, bot=rng.choice(["random", "greedy"]))
    book.do(ANN, "start")
    return book


def stir_up(book: Logbook, rng: Random) -> None:
    """Let something happen between two decisions, if it may happen now."""
    seat = rng.randrange(len(book.table.chairs))
    guest = book.table.chair(seat).guest or ANN
    what = rng.choice(["react", "hand", "resume", "claim", "enter"])
    try:
        if what == "react":
            book.do(guest, what, seat=seat, reaction="wow")
        elif what == "enter":
            book.do(rng.choice([DAN, EVE]), what, invite=INVITE)
        elif what == "claim":
            book.do(DAN, what, key=TOKENS.seat_key(book.table.id, book.table.chair(seat).came))
        else:
            book.do(guest, what, seat=seat)
    except QlubError:
        pass  # not now, then


def moments(book: Logbook, rng: Random) -> Iterator[int]:
    """Play a game with all that happens at a table; yield after each entry while it runs."""
    for _ in book.play_on(rng):
        if book.table.status == PLAYING:
            yield book.table.seq
            if rng.random() < 0.1:
                stir_up(book, rng)


def twin(table: Table, seats: tuple[int, ...], rng: Random) -> Table | None:
    """Return a table that differs only in what these seats cannot know, if there is any."""
    if table.created.game == "qwirkle":
        entries = _with_other_tiles(table, seats, rng)
    else:
        entries = _with_other_decisions(table, seats, rng)
    return None if entries == table.entries else Table.read(table.id, entries)


def _with_other_decisions(table: Table, seats: tuple[int, ...], rng: Random) -> list[Entry]:
    """Let other seats have sealed something else."""
    entries = table.entries.copy()
    for seat, number in table.sealed().items():
        if seat not in seats:
            before = Table.read(table.id, table.entries[: number - 1])
            ((_, decision),) = _events(entries[number - 1])
            others = {str(move) for move in before.playing().state.legal(seat)} - {decision}
            if others:
                event = (seat, rng.choice(sorted(others)))
                entries[number - 1] = _with_events(entries[number - 1], (event,))
    return entries


def _with_other_tiles(table: Table, seats: tuple[int, ...], rng: Random) -> list[Entry]:
    """Let other hands, the bag, and what others exchanged be different tiles.

    A change that cannot have happened is taken back: it must lead to the same moment by the rules.
    """
    draws = _Draws(table.entries)
    hidden = [tile for tile in draws.tiles if tile.seat not in seats and not tile.is_laid]
    for _ in range(CHANGES if hidden else 0):
        one, other = rng.choice(hidden), rng.choice([*hidden, _Tile(-1, rng.choice(NAMES))])
        one.name, other.name = other.name, one.name
        if not _is_possible(table, draws.rewritten(table.entries)):
            one.name, other.name = other.name, one.name
    return draws.rewritten(table.entries)


def _is_possible(table: Table, entries: list[Entry]) -> bool:
    """Say whether a log follows the rules and leads to where everybody sees that the table is."""
    try:
        other = Table.read(table.id, entries)
    except QlubError:
        return False
    seen, now = table.playing().state, other.playing().state
    return (seen.phase, seen.active) == (now.phase, now.active)


@dataclass(eq=False)
class _Tile:
    """One tile on its way through a hand."""

    seat: int
    name: str
    is_laid: bool = False


class _Draws:
    """What each seat drew in a log, tile by tile, and which of these it laid or exchanged."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        self.tiles: list[_Tile] = []
        self._named: dict[tuple[int, int], list[_Tile]] = {}
        self._hands: dict[int, list[_Tile]] = defaultdict(list)
        for entry in entries:
            for place, (actor, text) in enumerate(_events(entry)):
                self._named[entry.seq, place] = self._follow(actor, text)

    def _follow(self, actor: int | str, text: str) -> list[_Tile]:
        """Return the tiles that an event names and others are not told."""
        if actor == CHANCE:
            seat, names = text.split(": ")
            drawn = [_Tile(int(seat), name) for name in names.split()]
            self.tiles += drawn
            self._hands[int(seat)] += drawn
            return drawn
        if text.startswith("swap "):
            return [self._take(int(actor), name) for name in text.split()[1:]]
        for placed in text.split() if text != "-" else ():
            self._take(int(actor), placed[:2]).is_laid = True
        return []

    def _take(self, seat: int, name: str) -> _Tile:
        tile = next(tile for tile in self._hands[seat] if tile.name == name)
        self._hands[seat].remove(tile)
        return tile

    def rewritten(self, entries: Iterable[Entry]) -> list[Entry]:
        """Return the log with the names that the tiles have now."""
        return [
            _with_events(
                entry,
                tuple(
                    (actor, self._text(text, self._named[entry.seq, place]))
                    for place, (actor, text) in enumerate(_events(entry))
                ),
            )
            for entry in entries
        ]

    def _text(self, text: str, tiles: list[_Tile]) -> str:
        if not tiles:
            return text
        names = sorted((tile.name for tile in tiles), key=NAMES.index)
        return " ".join([text.split()[0], *names])


def _events(entry: Entry) -> Events:
    return entry.what.events if isinstance(entry.what, Started | Moved) else ()


def _with_events(entry: Entry, events: Events) -> Entry:
    if not isinstance(entry.what, Started | Moved):
        return entry
    return msgspec.structs.replace(entry, what=msgspec.structs.replace(entry.what, events=events))


def attempts(table: Table) -> list[Json]:
    """Return commands of all kinds for all seats, most of which will be refused."""
    commands: list[Json] = [{"do": "start"}, {"do": "close"}, {"do": "enter", "invite": "?"}]
    commands += [{"do": "claim", "key": "?"}, {"do": "sit", "seat": 0, "name": "Zoë"}]
    for seat in range(len(table.chairs) + 1):
        commands += [{"do": do, "seat": seat} for do in ("leave", "hand", "resume", "resign")]
        commands.append({"do": "stir", "seat": seat, "entropy": "!"})
        commands.append({"do": "react", "seat": seat, "reaction": "wow"})
        commands += [{"do": do, "seat": seat, "bot": "unknown"} for do in ("bot", "hand")]
        commands += [{"do": "move", "seat": seat, "move": move} for move in MOVES]
    return commands


def answer(table: Table, guest: str, command: Json) -> bytes:
    """Return how a command is answered; it is not carried out even if it may be."""
    desk = desk_for(table.game)
    try:
        rule(table, guest, COMMANDS.validate_python(command), desk)
    except QlubError as refusal:
        return encode(told(refusal))
    return b"done"


def told_draft(teller: Teller, seat: int, draft: str) -> bytes:
    """Return how a question about a move that is not finished is answered."""
    try:
        return encode(teller.advise(seat, draft))
    except QlubError as refusal:
        return encode(told(refusal))


def told_everything(table: Table, guest: str | None) -> dict[str, bytes]:
    """Return whatever a guest may be sent about a table as it stands, by what they ask."""
    teller, now = Teller(table, SECRET), table.seq
    sinces = {*range(0, now, 10), *range(max(0, now - 15), now + 2), None}
    sent = {f"since {since}": teller.update(guest, since) for since in sinces}
    sent |= {f"guided {since}": teller.update(guest, since, True) for since in (None, now - 1)}
    sent |= {
        f"ask {seat} {draft}": told_draft(teller, seat, draft)
        for seat in table.seats_of(guest)
        for draft in DRAFTS
    }
    sent["record"] = encode(telling.told_record(table, table.seats_of(guest), SECRET))
    sent["history"] = looking_back.history(table, table.seats_of(guest))
    sent["summary"] = encode(telling.summary(table, guest))
    if guest:
        sent |= {str(command): answer(table, guest, command) for command in attempts(table)}
    return sent


def leaks(table: Table, other: Table, guest: str | None) -> list[str]:
    """Return what a guest may ask to tell two tables apart that should look the same to them."""
    here, there = told_everything(table, guest), told_everything(other, guest)
    return [question for question in here if here[question] != there[question]]
