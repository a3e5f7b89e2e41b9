"""What a guest is told of a table: views of their seats, events that they may see, nothing else.

Everything that leaves the club about a game is made here, and depends only on the table's public
side and on the views of the seats that the guest has.
"""

from collections.abc import Iterator
from typing import Any

import msgspec

from qlub.club.entries import Entry, Events, Moved, Started
from qlub.club.table import OVER, Table
from qlub.core.game import Json, status
from qlub.core.options import read_options
from qlub.core.record import Match

MOST_KEPT = 64
"""Updates that are kept for whoever asks for the same again."""

encode = msgspec.json.Encoder().encode


class Teller:
    """Tells of a table as it stands, and remembers what it has worked out.

    All spectators are told the same, and so are all devices of one guest; each is worked out once.
    """

    def __init__(self, table: Table, secret: bytes) -> None:
        self.table = table
        self.secret = secret
        self.histories: dict[tuple[int, ...], bytes] = {}
        """The course of the game by the seats of who asked for it, compressed."""
        self._public: bytes = b""
        self._views: dict[tuple[int | None, bool], bytes] = {}
        self._updates: dict[tuple[tuple[int, ...], bool, int | None, bool], bytes] = {}

    def update(self, guest: str | None, since: int | None, guided: bool = False) -> bytes:
        """Return the frame that brings a guest up to date who has the entries up to `since`.

        For pages, which know no rules, a guide takes the place of the list of legal moves.
        """
        since = since if since is None else min(since, self.table.seq)
        is_host = guest is not None and guest == self.table.host
        key = (self.table.seats_of(guest), is_host, since, guided)
        if key not in self._updates:
            if len(self._updates) >= MOST_KEPT:
                self._updates.clear()
            self._updates[key] = self._update(*key)
        return self._updates[key]

    def _update(
        self, seats: tuple[int, ...], is_host: bool, since: int | None, guided: bool
    ) -> bytes:
        table = self.table
        first = table.seq if since is None else min(since, table.seq)
        frame = {
            "type": "update",
            "table": table.id,
            "seq": table.seq,
            "since": since,
            "entries": [told_entry(table, entry, seats) for entry in table.entries[first:]],
            "revealed": list(_revealed(table, seats, first)),
            "state": msgspec.Raw(self.public()),
            "you": {"seats": seats, "host": is_host},
            "views": [msgspec.Raw(self.view(seat, guided)) for seat in seats or (None,)]
            if table.match
            else [],
        }
        return encode(frame)

    def public(self) -> bytes:
        """Return what everybody who may see the table may know about it."""
        if not self._public:
            self._public = encode(public_state(self.table, self.secret))
        return self._public

    def view(self, seat: int | None, guided: bool) -> bytes:
        """Return the view of a seat, or of a spectator, with its legal moves or its guide."""
        if (seat, guided) not in self._views:
            match = self.table.playing()
            view = match.state.view(seat)
            told: Json = {"seat": seat, "view": match.game.write_view(view)}
            is_over = self.table.status == OVER
            if guided:  # where all gave up, nobody has anything to do, though the rules would go on
                gave_up = is_over and not view.is_over
                told["guide"] = match.game.guide(match.state.view(None) if gave_up else view, "")
            else:
                told["legal"] = [] if is_over else [str(move) for move in view.legal()]
            self._views[seat, guided] = encode(told)
        return self._views[seat, guided]

    def advise(self, seat: int, draft: str) -> Json:
        """Return the guide of a seat for a move that is not finished yet."""
        match = self.table.playing()
        return match.game.guide(match.state.view(seat), draft)


def public_state(table: Table, secret: bytes) -> Json:
    """Describe a table as everybody may know it who may see it."""
    created, match = table.created, table.match
    return {
        "game": created.game,
        "options": plain_options(match) if match else _options_so_far(table),
        "status": table.status,
        "visibility": created.visibility,
        "clock": created.clock,
        "created": table.entries[0].at,
        "changed": table.entries[-1].at,
        "seats": [
            chair
            and {
                "name": chair.name,
                "kind": "person" if chair.guest else "bot",
                "bot": chair.bot,
                "resigned": chair.resigned,
            }
            for chair in table.chairs
        ],
        "turn": status(match.state) if match else None,
        "deadlines": {str(seat): at for seat, at in table.deadlines().items()},
        "places": table.places() if match and table.status == OVER else None,
        "fair": table.proof(secret),
        "again": table.again,
        "before": created.again,
    }


def _options_so_far(table: Table) -> Json:
    """Return the options that the game would have if all seats were taken."""
    created = table.created
    return read_options(table.game.options, created.options, created.seats)


def plain_options(match: Match) -> Json:
    """Return the options of a match as JSON has them."""
    options: Json = match.record()["options"]
    return options


def told_entry(table: Table, entry: Entry, seats: tuple[int, ...]) -> Json:
    """Return an entry as the guest with these seats may know it now."""
    told: Json = {"seq": entry.seq, "at": entry.at, **msgspec.to_builtins(entry.what)}
    if isinstance(entry.what, Started | Moved):
        is_hidden = any(
            number == entry.seq for seat, number in table.sealed().items() if seat not in seats
        )
        told["events"] = told_events(table, entry.what.events, seats, is_hidden)
        told["scores"] = table.scores[entry.seq - 1]
    return told


def told_events(table: Table, events: Events, seats: tuple[int, ...], is_hidden: bool) -> list[Any]:
    """Return events as the guest with these seats may know them; a sealed one has no text yet."""
    if is_hidden:
        return [(actor, None) for actor, _ in events]
    if table.status == OVER:
        return list(events)
    tell = table.game.tell
    told = []
    for actor, text in events:
        texts = [tell(actor, text, seat) for seat in seats]
        told.append((actor, text if text in texts else tell(actor, text, None)))
    return told


def _revealed(table: Table, seats: tuple[int, ...], since: int) -> Iterator[Json]:
    """Yield the decisions that were sealed when a guest last heard, and are not any more."""
    for opening in sorted(table.openings, reverse=True):
        if opening <= since:
            return
        for number in table.openings[opening]:
            what = table.entries[number - 1].what
            if number <= since and isinstance(what, Moved) and what.seat not in seats:
                events = told_events(table, what.events, seats, is_hidden=False)
                yield {"seq": number, "seat": what.seat, "events": events}


def told_record(table: Table, seats: tuple[int, ...], secret: bytes) -> Json:
    """Return the record of a game as the guest with these seats may know it.

    Of a running game, other seats' sealed decisions are left out, and what they drew is a count.
    """
    match = table.playing()
    record = match.record()
    if table.status != OVER:
        hidden = {number for seat, number in table.sealed().items() if seat not in seats}
        events: list[Any] = []
        for entry in table.entries:
            if isinstance(entry.what, Started | Moved) and entry.seq not in hidden:
                events += told_events(table, entry.what.events, seats, is_hidden=False)
        record["events"] = [list(event) for event in events]
        record["result"] = None
    return {**record, "fair": table.proof(secret)}


def sitters(table: Table) -> list[Json | None]:
    """Say who sits at a table, to anybody who may know of it."""
    return [
        {"name": chair.name, "kind": "person" if chair.guest else "bot"} if chair else None
        for chair in table.chairs
    ]


def welcome(table: Table) -> Json:
    """Describe a table to a stranger with an invitation."""
    own = table.seats_of(table.host)
    host = table.chairs[own[0]] if own else None
    return {
        "game": table.created.game,
        "status": table.status,
        "host": host and host.name,
        "seats": sitters(table),
    }


def summary(table: Table, guest: str | None) -> Json:
    """Describe a table in a list, with whether the guest has something to decide there."""
    seats = table.seats_of(guest)
    match = table.match
    return {
        "table": table.id,
        "game": table.created.game,
        "status": table.status,
        "visibility": table.created.visibility,
        "clock": table.created.clock,
        "seats": sitters(table),
        "yours": seats,
        "your_turn": any(seat in table.waiting for seat in seats) and table.status == "playing",
        "scores": list(match.state.scores()) if match else None,
        "created": table.entries[0].at,
        "changed": table.entries[-1].at,
        "seq": table.seq,
    }


def results_of(table: Table) -> list[Json]:
    """Return one row for each seat of a game that is over, for the store."""
    match = table.playing()
    scores, places = match.state.scores(), table.places()
    people = [chair.guest for chair in table.chairs if chair and chair.guest]
    return [
        {
            "table_id": table.id,
            "seat": seat,
            "at": table.entries[-1].at,
            "game": match.game.name,
            "seats": len(table.chairs),
            "player": chair.guest or f"bot:{chair.bot}",
            "name": chair.name if chair.guest else chair.bot,
            "score": scores[seat],
            "place": places[seat],
            "gave_up": chair.gave_up,
            "counts": len(people) == len(set(people)),
        }
        for seat, chair in enumerate(table.chairs)
        if chair
    ]
