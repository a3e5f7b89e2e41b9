"""The house: keeps the tables that are in use, and sees that a move is stored before it is told.

Every change goes the same way: ruled on, appended, committed, and only then taken over, told and
acknowledged. If another worker was faster, the log is read on and the ruling made again.
"""

import asyncio
import contextlib
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Coroutine
from typing import TYPE_CHECKING, Protocol

import structlog

from qlub.club.commands import AddBot, Enter, NewTable, Rematch, Request, Sit, Start
from qlub.club.entries import AnyWhat, Closed, Created, Entered, Entry, Moved, Rematched
from qlub.club.errors import NoGuest, NotAllowed, NotFound, NotNow, NotSaved, TooMany
from qlub.club.metrics import BOT_FAILURES, ENTRIES, GAMES, NOT_SAVED, ROOMS
from qlub.club.ruling import Desk, decide, may_see, rule, start
from qlub.club.settings import Settings
from qlub.club.store.store import Store
from qlub.club.store.writer import Append
from qlub.club.table import GATHERING, OVER, PATIENCE, PLAYING, Table
from qlub.club.telling import Teller, results_of
from qlub.club.thinkers import Choice, Thinkers
from qlub.club.tokens import Tokens, new_invite, new_request
from qlub.core.errors import BadRequest, QlubError
from qlub.core.fair import Fair, commit
from qlub.core.game import check_seats
from qlub.core.options import read_options
from qlub.core.registry import find_game

if TYPE_CHECKING:  # only a club on PostgreSQL has one, and the driver for it
    from qlub.club.bell import Bell

MOST_IDLE = 1000
"""How many tables that nobody watches are kept at hand."""
TRIES = 20
"""How often a command is ruled on again because other workers were faster."""
SWEEP = 1.0
"""Seconds between two looks for bots and people who are late."""
POLL = 5.0
"""Seconds between two looks for entries of other workers that no bell has announced."""

log = structlog.get_logger("qlub.house")


class Watcher(Protocol):
    """Somebody who wants to know when something has happened at a table."""

    def wake(self, table: str) -> None: ...


class Room:
    """A table that is in use in this worker."""

    def __init__(self, table: Table, secret: bytes, invite: str) -> None:
        self.secret = secret
        self.invite = invite
        self.lock = asyncio.Lock()
        self.watchers: set[Watcher] = set()
        self.thinking: set[int] = set()
        """The seats for which a bot of this worker is thinking."""
        self.is_stale = False
        """Whether the log may hold more than the table has taken."""
        self.show(table)

    def show(self, table: Table) -> None:
        """Go on with a table whose entries are all stored, and wake everybody who watches."""
        self.table = table
        self.teller = Teller(table, self.secret)
        for watcher in self.watchers:
            watcher.wake(table.id)


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
        self._tasks: set[asyncio.Task[None]] = set()

    @contextlib.asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        """Serve: look after what is due, listen to other workers; in the end, finish in order."""
        loops = [asyncio.create_task(self._sweep())]
        if self.bell:
            self.bell.listen(self._hear)
            loops.append(asyncio.create_task(self._poll()))
        try:
            yield
        finally:
            for task in (*loops, *self._tasks):
                task.cancel()
            await asyncio.gather(*loops, *self._tasks, return_exceptions=True)
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
            table = Table.read(name, await self.store.log(name))
            room = self._keep(Room(table, row["secret"], row["invite"]))
        self.rooms.move_to_end(name)
        return room

    async def visit(self, name: str, guest: str | None) -> Room:
        """Return the room of a table that a guest may see, up to date."""
        room = await self.room(name)
        if self.store.is_shared or room.is_stale:
            async with room.lock:
                await self._read_on(room)
        if not may_see(room.table, guest):
            raise NotFound("there is no such table")
        return room

    def _keep(self, room: Room) -> Room:
        room = self.rooms.setdefault(room.table.id, room)
        for name in list(self.rooms)[: max(0, len(self.rooms) - MOST_IDLE)]:
            one = self.rooms[name]
            if one is not room and not (one.watchers or one.thinking or one.lock.locked()):
                del self.rooms[name]
        ROOMS.set(len(self.rooms))
        return room

    async def create(self, guest: str, wish: NewTable) -> Room:
        """Open a table; asked again under the same id, return the one that is there."""
        table_name = self.tokens.table_name(guest, wish.id or new_request())
        if wish.id and await self.store.row(table_name):
            return await self.room(table_name)
        game = find_game(wish.game)
        check_seats(game, wish.seats)
        options = read_options(game.options, wish.options, wish.seats)
        if len(wish.people) + len(wish.bots) > wish.seats:
            raise BadRequest(f"{wish.seats} seats are too few for so many people and bots")
        if await self.store.count_hosted(guest) >= self.settings.tables:
            raise TooMany("you host enough tables; finish or close one first")
        secret, invite = Fair.new(()).secret, new_invite()
        room = Room(Table(table_name), secret, invite)
        created = Created(
            wish.game, dict(options), wish.seats, wish.visibility, wish.clock, commit(secret)
        )
        draft = _Draft(room.table, guest, self._desk(room, game.name, ""))
        draft.write(created, wish.id and f"{guest}/{wish.id}")
        for seat, person in enumerate(wish.people):
            draft.do(Sit(do="sit", seat=seat, name=person))
        for seat, bot in enumerate(wish.bots, len(wish.people)):
            draft.do(AddBot(do="bot", seat=seat, bot=bot))
        if wish.start:
            draft.do(Start(do="start"))
        if not await self.store.append(_creation(draft.table, room)):
            return await self.room(table_name)
        room = self._keep(room)
        room.show(draft.table)
        self._follow(room)
        return room

    async def do(self, name: str, guest: str, command: Request) -> int:
        """Carry out a guest's command and return the number of its entry, once it is stored."""
        room = await self.room(name)
        is_nameless = isinstance(command, Sit) and command.name is None
        guest_name = await self.name_of(guest) if is_nameless else ""
        desk = self._desk(room, room.table.created.game, guest_name)
        if isinstance(command, Rematch):
            return await self._rematch(room, guest, command, desk)
        if isinstance(command, Enter) and guest in room.table.members:
            return room.table.seq
        return await self._write(
            room, guest, command.id, lambda: rule(room.table, guest, command, desk)
        )

    async def name_of(self, guest: str) -> str:
        """Return the name that a guest has given."""
        name = await self.store.guest_name(guest)
        if name is None:
            raise NoGuest("tell us your name first")
        return name

    def seat_key(self, room: Room, guest: str, seat: int) -> str:
        """Return the key of a guest's own seat, for another device."""
        if seat not in room.table.seats_of(guest):
            raise NotAllowed(f"seat {seat} is not yours")
        return self.tokens.seat_key(room.table.id, seat, guest)

    def _desk(self, room: Room, game: str, guest_name: str) -> Desk:
        rules = find_game(game)
        return Desk(
            secret=room.secret,
            invite=room.invite,
            bots=self.thinkers.names(rules),
            stand_in=self.thinkers.stand_in(rules),
            name=guest_name,
            read_key=self.tokens.read_seat_key,
        )

    async def _write(
        self,
        room: Room,
        guest: str | None,
        request: str | None,
        make: Callable[[], AnyWhat | None],
        also: Append | None = None,
    ) -> int:
        """Write what `make` returns at the end of the log, and return its number.

        `make` may refuse, or return None when there is nothing to do any more. It is asked again
        when the log has grown meanwhile.
        """
        command = f"{guest}/{request}" if request else None
        async with room.lock:
            if room.is_stale:
                await self._read_on(room)
            for _ in range(TRIES):
                if command in room.table.answers:
                    return room.table.answers[command]
                try:
                    what = make()
                except QlubError:
                    if self.store.is_shared and await self._read_on(room):
                        continue  # it was refused because of what we did not know yet
                    raise
                if what is None:
                    return room.table.seq
                entry = Entry(room.table.seq + 1, _now(), guest, command, what)
                after = room.table.after(entry)
                if await self._store(room, _append(room.table, after, also)):
                    room.show(after)
                    self._follow(room)
                    return entry.seq
                await self._read_on(room)
        raise NotSaved

    async def _store(self, room: Room, append: Append) -> bool:
        try:
            return await self.store.append(append)
        except BaseException:  # perhaps stored, perhaps not: the log will tell
            room.is_stale = True
            NOT_SAVED.inc()
            raise

    async def _read_on(self, room: Room) -> bool:
        """Take what others have written; True if there was something."""
        entries = await self.store.log(room.table.id, after=room.table.seq)
        table = room.table
        for entry in entries:
            table = table.after(entry)
        room.is_stale = False
        if entries:
            room.show(table)
        return bool(entries)

    def _follow(self, room: Room) -> None:
        """See to what a new entry brings about: other workers, bots, ratings."""
        what = room.table.entries[-1].what
        ENTRIES.labels(type(what).__name__.lower()).inc()
        if self.bell:
            self.bell.ring(room.table.id, room.table.seq)
        if room.table.status == OVER and not isinstance(what, Rematched):
            GAMES.labels(room.table.created.game).inc()
            self._spawn(self._rate())
        self._wake_bots(room)

    async def _rematch(self, room: Room, guest: str, command: Rematch, desk: Desk) -> int:
        """Open the table of the rematch if nobody has, and sit down at it."""
        old = room.table
        seats = old.seats_of(guest)
        if not seats:
            raise NotAllowed("only who played may ask for a rematch")
        if old.status != OVER:
            raise NotNow("the game is not over yet")
        if old.again is None:
            name = self.tokens.table_name("rematch", old.id)
            new = Room(Table(name), Fair.new(()).secret, new_invite())
            created = old.created
            draft = _Draft(new.table, guest, self._desk(new, created.game, desk.name))
            draft.write(
                Created(
                    created.game,
                    created.options,
                    len(old.chairs),
                    created.visibility,
                    created.clock,
                    commit(new.secret),
                    old.id,
                )
            )
            for seat, chair in enumerate(old.chairs):
                if chair and chair.guest == guest:
                    draft.do(Sit(do="sit", seat=seat, name=chair.name))
                elif chair and chair.guest is None and chair.bot:
                    draft.do(AddBot(do="bot", seat=seat, bot=chair.bot))
            await self._write(
                room,
                guest,
                command.id,
                lambda: None if room.table.again else Rematched(name),
                _creation(draft.table, new),
            )
        again = await self.room(room.table.again or "")
        await self._join(again, room.table, guest)
        return room.table.seq

    async def _join(self, room: Room, old: Table, guest: str) -> None:
        """Sit down at the table of a rematch where one sat before; who comes last begins it."""
        await self._write(
            room, guest, None, lambda: None if guest in room.table.members else Entered()
        )
        for seat in old.seats_of(guest):
            sit = Sit(do="sit", seat=seat, name=old.chair(seat).name)
            desk = self._desk(room, old.created.game, sit.name or "")
            await self._write(
                room,
                guest,
                None,
                lambda sit=sit, desk=desk: (
                    None  # type: ignore[misc]
                    if room.table.status != GATHERING or room.table.chairs[sit.seat]
                    else rule(room.table, guest, sit, desk)
                ),
            )
        await self._write(
            room,
            None,
            None,
            lambda: (
                start(room.table, room.secret)
                if room.table.status == GATHERING and all(room.table.chairs)
                else None
            ),
        )

    # Bots and clocks

    def _wake_bots(self, room: Room) -> None:
        for seat, bot in room.table.bots_to_act():
            self._wake_bot(room, seat, bot, "bot")

    def _wake_bot(self, room: Room, seat: int, bot: str, by: str) -> None:
        if seat not in room.thinking:
            room.thinking.add(seat)
            self._spawn(self._think(room, seat, bot, by))

    async def _think(self, room: Room, seat: int, bot: str, by: str) -> None:
        """Let a bot decide for a seat, at a pace that people can follow."""
        try:
            match, since = room.table.playing(), room.table.waiting[seat]
            began = time.monotonic()
            choice = await self.thinkers.choose(match.game, bot, match.state.view(seat))
            if choice.failure:
                BOT_FAILURES.labels(choice.failure).inc()
            if by == "bot":
                await asyncio.sleep(self.settings.bot_pace - (time.monotonic() - began))
            room.thinking.discard(seat)
            await self._write(
                room, None, None, lambda: self._bot_move(room, seat, since, by, choice)
            )
        except QlubError as error:
            log.warning("a bot's move waits", table=room.table.id, seat=seat, why=str(error))
        finally:
            room.thinking.discard(seat)

    def _bot_move(self, room: Room, seat: int, since: int, by: str, choice: Choice) -> Moved | None:
        """Return a bot's move if it is still wanted: nobody decided meanwhile or came back."""
        table = room.table
        if table.status != PLAYING or table.waiting.get(seat) != since:
            return None
        if table.chair(seat).is_played_by_person == (by == "bot"):
            return None
        return Moved(seat, by, decide(table, room.secret, seat, choice.move), choice.failure)

    async def _sweep(self) -> None:
        """Look after every table where a bot or a person is late, also those of dead workers."""
        while True:
            try:
                await self._rate()
                now = _now()
                for name in await self.store.claim_due(now, now + PATIENCE):
                    await self._look_after(name, now)
            except NotSaved:
                log.warning("the database does not answer")
            except Exception:  # one bad table must not stop the care for all others
                log.exception("looking after tables failed")
            await asyncio.sleep(SWEEP)

    async def _look_after(self, name: str, now: int) -> None:
        room = await self.room(name)
        async with room.lock:
            await self._read_on(room)
        table = room.table
        if table.status == GATHERING and now >= (table.due() or 0):
            await self._write(
                room, None, None, lambda: Closed() if room.table.status == GATHERING else None
            )
            return
        self._wake_bots(room)
        for seat, deadline in table.deadlines().items():
            if deadline <= now:
                self._wake_bot(room, seat, self.thinkers.stand_in(table.game), "clock")
        await self.store.set_due(name, now + PATIENCE, _due_again(table, now))

    async def _rate(self) -> None:
        with contextlib.suppress(NotSaved):  # the next sweep does it
            while await self.store.rate():
                pass

    # Other workers

    def _hear(self, name: str, seq: int) -> None:
        """Take note that another worker has written to a log."""
        room = self.rooms.get(name)
        if room and seq > room.table.seq:
            room.is_stale = True
            if room.watchers:
                self._spawn(self._catch_up(room))

    async def _catch_up(self, room: Room) -> None:
        with contextlib.suppress(NotSaved):
            async with room.lock:
                if room.is_stale:
                    await self._read_on(room)

    async def _poll(self) -> None:
        """Find what no bell has announced."""
        while True:
            await asyncio.sleep(POLL)
            with contextlib.suppress(NotSaved):
                watched = [name for name, room in self.rooms.items() if room.watchers]
                for start_at in range(0, len(watched), 500):
                    last = await self.store.last(watched[start_at : start_at + 500])
                    for name, seq in last.items():
                        self._hear(name, seq)

    def _spawn(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


class _Draft:
    """The first entries of a table that is not stored yet."""

    def __init__(self, table: Table, guest: str, desk: Desk) -> None:
        self.table = table
        self.guest = guest
        self.desk = desk

    def write(self, what: AnyWhat, command: str | None = None) -> None:
        self.table = self.table.after(Entry(self.table.seq + 1, _now(), self.guest, command, what))

    def do(self, request: Request) -> None:
        self.write(rule(self.table, self.guest, request, self.desk))


def _creation(table: Table, room: Room) -> Append:
    """Return what stores a new table with all its first entries."""
    created, host = table.created, table.host or ""
    row = {
        "id": table.id,
        "game": created.game,
        "host": host,
        "visibility": created.visibility,
        "status": table.status,
        "created": table.entries[0].at,
        "secret": room.secret,
        "invite": room.invite,
        "due": table.due(),
    }
    ended = results_of(table) if table.status == OVER else ()
    return Append(table.id, table.entries, row=row, member=host, results=ended)


def _append(before: Table, after: Table, also: Append | None) -> Append:
    """Return what stores the last entry of a table, and what is different since then."""
    change = {"status": after.status, "due": after.due()}
    is_same = change == {"status": before.status, "due": before.due()}
    came = after.members - before.members
    return Append(
        after.id,
        after.entries[-1:],
        change=None if is_same else change,
        member=next(iter(came), None),
        results=results_of(after) if OVER == after.status != before.status else (),
        also=also,
    )


def _due_again(table: Table, now: int) -> int | None:
    """Return when to look after a table again that has just been looked after."""
    due = table.due()
    return due if due is None or due > now else now + PATIENCE


def _now() -> int:
    return time.time_ns() // 1_000_000
