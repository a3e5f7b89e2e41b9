"""The house: opens tables, lets guests act at them, and hears what other workers do."""

import asyncio
import contextlib
import gzip
from collections import OrderedDict
from collections.abc import AsyncIterator, Sequence
from hmac import compare_digest
from typing import TYPE_CHECKING

import structlog

from qlub.club.caretaker import Caretaker
from qlub.club.commands import AddBot, Enter, NewTable, Rematch, Request, Sit, Start
from qlub.club.entries import AnyWhat, Botted, Created, Entered, Entry, Rematched, Started
from qlub.club.errors import NoGuest, NotAllowed, NotFound, NotNow, NotSaved, TooMany
from qlub.club.looking_back import history
from qlub.club.metrics import ROOMS
from qlub.club.room import Make, Room, now
from qlub.club.ruling import Desk, may_see, rule, start
from qlub.club.settings import Settings
from qlub.club.store.store import Store
from qlub.club.store.writer import Append
from qlub.club.table import CLOSED, GATHERING, OVER, Table
from qlub.club.telling import results_of
from qlub.club.thinkers import Thinkers
from qlub.club.tokens import Tokens, new_invite, new_request
from qlub.core.errors import BadRequest, GameOver
from qlub.core.fair import Fair, commit
from qlub.core.game import Json, check_seats
from qlub.core.options import read_options
from qlub.core.registry import find_game

if TYPE_CHECKING:  # only a club on PostgreSQL has one, and the driver for it
    from qlub.club.bell import Bell

MOST_IDLE = 1000
"""How many tables that nobody watches are kept at hand."""
POLL = 5.0
"""Seconds between two looks for entries of other workers that no bell has announced."""

log = structlog.get_logger("qlub.house")


class House:
    """All tables of the club, as one worker serves them."""

    def __init__(
        self, settings: Settings, store: Store, tokens: Tokens, bell: "Bell | None"
    ) -> None:
        self.settings = settings
        self.store = store
        self.tokens = tokens
        self.bell = bell
        self.thinkers = Thinkers(settings.programs, settings.bot_seconds, settings.bot_processes)
        self.rooms: OrderedDict[str, Room] = OrderedDict()
        self._caretaker = Caretaker(store, self.thinkers, settings.bot_pace, self.room)
        self._looking_back = asyncio.Lock()

    @contextlib.asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        """Serve: look after what is due, listen to other workers; in the end, finish in order."""
        if self.settings.bot_prepare == "yes":
            self.thinkers.prepare()
        self._caretaker.start()
        polling = asyncio.create_task(self._poll()) if self.bell else None
        if self.bell:
            self.bell.listen(self._hear)
        try:
            yield
        finally:
            if polling:
                polling.cancel()
            await self._caretaker.close()
            for room in list(self.rooms.values()):
                await room.finish()
            await self.thinkers.close()
            if self.bell:
                await self.bell.close()

    async def room(self, name: str) -> Room:
        """Return the room of a table, reading its log if it is not at hand."""
        room = self.rooms.get(name)
        if room is None:
            row = await self.store.row(name)
            if row is None:
                raise NotFound("there is no such table")
            # In a thread: a long game takes a while, and others must not wait for it.
            table = await asyncio.to_thread(Table.read, name, await self.store.log(name))
            room = self._keep(self._room(table, row["secret"], row["invite"]))
        self.rooms.move_to_end(name)
        return room

    async def visit(self, name: str, guest: str | None) -> Room:
        """Return the room of a table that a guest may see, up to date."""
        room = await self.room(name)
        if self.store.is_shared or room.is_stale:
            await room.read_on()
        if not may_see(room.table, guest):
            raise NotFound("there is no such table")
        return room

    async def invited(self, name: str, invite: str) -> Table:
        """Return a table, up to date, for somebody with the invitation to it."""
        room = await self.room(name)
        if not compare_digest(invite.encode(), room.invite.encode()):
            raise NotFound("there is no such table")
        if self.store.is_shared or room.is_stale:
            await room.read_on()
        return room.table

    async def tables(self, names: Sequence[str]) -> list[Table]:
        """Return tables for a list, up to date; one question to the database does for all."""
        rooms = []
        for name in names:
            try:
                rooms.append(await self.room(name))
            except NotSaved:
                raise
            except Exception:  # one bad log must not hide all others
                log.exception("a table cannot be read", table=name)
        last = await self.store.last(names) if self.store.is_shared else {}
        for room in rooms:
            if room.is_stale or last.get(room.table.id, 0) > room.table.seq:
                await room.read_on()
        return [room.table for room in rooms]

    def _room(self, table: Table, secret: bytes, invite: str) -> Room:
        return Room(table, secret, invite, self.store, self._follow)

    def _keep(self, room: Room) -> Room:
        """Keep a room at hand, and put away those that nobody has used for long."""
        room = self.rooms.setdefault(room.table.id, room)
        for name in list(self.rooms)[: max(0, len(self.rooms) - MOST_IDLE)]:
            if self.rooms[name] is not room and self.rooms[name].is_idle:
                del self.rooms[name]
        ROOMS.set(len(self.rooms))
        return room

    def _follow(self, room: Room) -> None:
        """See to what new entries bring about: other workers, bots, ratings."""
        if self.bell:
            self.bell.ring(room.table.id, room.table.seq)
        self._caretaker.follow(room)

    async def create(self, guest: str, wish: NewTable) -> Room:
        """Open a table; asked again under the same id, return the one that is there."""
        name = self.tokens.table_name(guest, wish.id or new_request())
        if wish.id and await self.store.row(name):
            return await self.room(name)
        game = find_game(wish.game)
        check_seats(game, wish.seats)
        read_options(game.options, wish.options, wish.seats)
        if len(wish.people) + len(wish.bots) > wish.seats:
            raise BadRequest(f"{wish.seats} seats are too few for so many people and bots")
        if await self.store.count_hosted(guest) >= self.settings.tables:
            raise TooMany("you host enough tables; finish or close one first")
        secret = Fair.new(()).secret
        created = Created(
            wish.game, wish.options, wish.seats, wish.visibility, wish.clock, commit(secret)
        )
        draft = _Draft(name, guest, created, self._desk(game.name, secret))
        for seat, person in enumerate(wish.people):
            draft.do(Sit(do="sit", seat=seat, name=person))
        for seat, bot in enumerate(wish.bots, len(wish.people)):
            draft.do(AddBot(do="bot", seat=seat, bot=bot))
        if wish.start:
            draft.do(Start(do="start"))
        if await self.store.append(draft.creation()):
            self._follow(self._keep(self._room(draft.table, secret, draft.desk.invite)))
        return await self.room(name)

    async def do(self, name: str, guest: str, command: Request) -> int:
        """Carry out a guest's command and return the number of its entry, once it is stored."""
        if isinstance(command, Rematch):
            return await self._rematch(await self.visit(name, guest), guest, command)
        room = await self.room(name)
        is_nameless = isinstance(command, Sit) and command.name is None
        own_name = await self.name_of(guest) if is_nameless else ""
        desk = self._desk(room.table.created.game, room.secret, room.invite, own_name)

        def make(table: Table) -> AnyWhat | None:
            if isinstance(command, Enter) and guest in table.members:
                return None
            return rule(table, guest, command, desk)

        return await room.write(make, guest, command.id)

    async def name_of(self, guest: str) -> str:
        """Return the name that a guest has given."""
        name = await self.store.guest_name(guest)
        if name is None:
            raise NoGuest("tell us your name first")
        return name

    async def look_back(self, room: Room, guest: str | None) -> bytes:
        """Return the course of a game as a guest may see it, compressed.

        To play a game again takes a while: it is done in a thread, one game at a time, and kept for
        whoever asks for the same.
        """
        teller, seats = room.teller, room.table.seats_of(guest)
        async with self._looking_back:
            if seats not in teller.histories:
                told = await asyncio.to_thread(history, teller.table, seats)
                teller.histories[seats] = await asyncio.to_thread(gzip.compress, told, 5, mtime=0)
        return teller.histories[seats]

    def advise(self, room: Room, guest: str | None, seat: int, draft: str) -> Json:
        """Say what the rules say about a move of a guest's own seat that is not finished yet."""
        if seat not in room.table.seats_of(guest):
            raise NotAllowed(f"seat {seat} is not yours")
        if room.table.match is None:
            raise NotNow("the game has not begun")
        if room.table.status == OVER:
            raise GameOver("the game is over")
        return room.teller.advise(seat, draft)

    def seat_key(self, room: Room, guest: str, seat: int) -> str:
        """Return the key of a guest's own seat, for another device."""
        if seat not in room.table.seats_of(guest):
            raise NotAllowed(f"seat {seat} is not yours")
        return self.tokens.seat_key(room.table.id, room.table.chair(seat).came)

    def _desk(self, game: str, secret: bytes, invite: str = "", own_name: str = "") -> Desk:
        rules = find_game(game)
        return Desk(
            secret=secret,
            invite=invite or new_invite(),
            bots=self.thinkers.names(rules),
            stand_in=self.thinkers.stand_in(rules),
            name=own_name,
            read_key=self.tokens.read_seat_key,
        )

    async def _rematch(self, room: Room, guest: str, command: Rematch) -> int:
        """Open the table of the rematch if nobody has, and sit down at it."""
        old = room.table
        if not old.seats_of(guest):
            raise NotAllowed("only who played may ask for a rematch")
        if old.status != OVER:
            raise NotNow("the game is not over yet")
        known = old.again
        if known is None or (await self.room(known)).table.status == CLOSED:
            name = self.tokens.table_name("rematch", new_request())
            await room.write(
                lambda table: Rematched(name) if table.again == known else None,
                guest,
                command.id,
                self._draft_rematch(name, old, guest).creation(),
            )
        await self._join(await self.room(room.table.again or ""), old, guest)
        entries = reversed(room.table.entries)
        return next(entry.seq for entry in entries if isinstance(entry.what, Rematched))

    def _draft_rematch(self, name: str, old: Table, guest: str) -> "_Draft":
        """Draft a table like an old one, with its bots and the guest who asks."""
        was, secret = old.created, Fair.new(()).secret
        created = Created(
            was.game,
            was.options,
            len(old.chairs),
            was.visibility,
            was.clock,
            commit(secret),
            old.id,
        )
        draft = _Draft(name, guest, created, self._desk(was.game, secret))
        for seat, chair in enumerate(old.chairs):
            if chair and chair.guest == guest:
                draft.do(Sit(do="sit", seat=seat, name=chair.name))
            elif chair and not chair.guest and chair.bot and chair.bot in draft.desk.bots:
                draft.write(Botted(seat, chair.bot, chair.name))
        return draft

    async def _join(self, room: Room, old: Table, guest: str) -> None:
        """Sit down at the table of a rematch where one sat before; who comes last begins it."""
        await room.write(lambda table: None if guest in table.members else Entered(), guest)
        for seat in old.seats_of(guest):
            await room.write(self._seat_again(room, old, guest, seat), guest)

        def begin(table: Table) -> Started | None:
            is_full = table.status == GATHERING and all(table.chairs)
            return start(table, room.secret) if is_full else None

        await room.write(begin)

    def _seat_again(self, room: Room, old: Table, guest: str, seat: int) -> Make:
        sit = Sit(do="sit", seat=seat, name=old.chair(seat).name)
        desk = self._desk(old.created.game, room.secret, room.invite)

        def make(table: Table) -> AnyWhat | None:
            if table.status != GATHERING or table.chairs[seat]:
                return None
            return rule(table, guest, sit, desk)

        return make

    def _hear(self, name: str, seq: int) -> None:
        """Take note that another worker has written to a log."""
        room = self.rooms.get(name)
        if room and seq > room.table.seq:
            room.is_stale = True
            if room.watchers:
                self._caretaker.spawn(self._catch_up(room))

    async def _catch_up(self, room: Room) -> None:
        if room.is_stale:
            with contextlib.suppress(NotSaved):
                await room.read_on()

    async def _poll(self) -> None:
        """Find what no bell has announced."""
        while True:
            await asyncio.sleep(POLL)
            watched = [name for name, room in self.rooms.items() if room.watchers]
            with contextlib.suppress(NotSaved):
                for first in range(0, len(watched), 500):
                    last = await self.store.last(watched[first : first + 500])
                    for name, seq in last.items():
                        self._hear(name, seq)


class _Draft:
    """The first entries of a table that is not stored yet."""

    def __init__(self, name: str, guest: str, created: Created, desk: Desk) -> None:
        self.guest = guest
        self.desk = desk
        self.table = Table(name)
        self.write(created)

    def do(self, request: Request) -> None:
        """Carry out one of the host's commands."""
        self.write(rule(self.table, self.guest, request, self.desk))

    def write(self, what: AnyWhat) -> None:
        """Write what happens as the house has it."""
        entry = Entry(self.table.seq + 1, now(), self.guest, None, what)
        self.table = self.table.after(entry)

    def creation(self) -> Append:
        """Return what stores the table with all its first entries."""
        table, created = self.table, self.table.created
        row = {
            "id": table.id,
            "game": created.game,
            "host": self.guest,
            "visibility": created.visibility,
            "status": table.status,
            "created": table.entries[0].at,
            "secret": self.desk.secret,
            "invite": self.desk.invite,
            "due": table.due(),
        }
        ended = results_of(table) if table.status == OVER else ()
        return Append(table.id, table.entries, row=row, members=(self.guest,), results=ended)
