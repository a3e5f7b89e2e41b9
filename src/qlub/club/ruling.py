"""May this guest do this now? Turns a command into what will be written in the log, or refuses."""

from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass
from hmac import compare_digest
from typing import Any
from zlib import crc32

from qlub.club.commands import (
    AddBot,
    Claim,
    Close,
    Enter,
    Hand,
    Leave,
    Play,
    React,
    Request,
    Resign,
    Resume,
    Sit,
    Start,
    Stir,
)
from qlub.club.entries import (
    AnyWhat,
    Botted,
    Claimed,
    Closed,
    Entered,
    Events,
    Handed,
    Left,
    Moved,
    Reacted,
    Resigned,
    Resumed,
    Sat,
    Started,
    Stirred,
)
from qlub.club.errors import NotAllowed, NotFound, NotNow, TooMany
from qlub.club.table import GATHERING, OVER, PLAYING, Chair, Table
from qlub.core.errors import BadOption, BadRequest, GameOver, NoGame
from qlub.core.fair import Fair
from qlub.core.game import Game, State
from qlub.core.record import CHANCE, Match, after

BOT_NAMES = (
    "Robin", "Mistral", "Noa", "Sacha", "Kim", "Alix", "Jona", "Luan", "Mika", "Toni", "Sol", "Bo",
)  # fmt: skip
"""More than a table has seats, so that one is always free."""
MOST_MEMBERS = 500
MOST_ENTRIES = 5000
"""Beyond any game; whoever sits down and gets up again for ever is stopped here."""
MOST_REACTIONS = 12
"""How many of the last entries may be reactions, so that nobody fills a log with them."""


@dataclass(frozen=True)
class Desk:
    """What the house lends a table for a ruling."""

    secret: bytes
    invite: str
    bots: Collection[str]
    """The bots that may sit at this table."""
    stand_in: str
    """The bot that decides for people who are late, have left or have resigned."""
    name: str
    """The guest's own name."""
    read_key: Callable[[str], tuple[str, int]]
    """Returns the table of a seat key and the entry with which its seat was taken, or refuses it."""


def rule(table: Table, guest: str, command: Request, desk: Desk) -> AnyWhat:
    """Return what a command makes happen at a table, or refuse it."""
    if not may_see(table, guest):
        return _let_in(table, guest, command, desk)
    if table.seq >= MOST_ENTRIES and not isinstance(command, Play | Resign):
        raise TooMany("enough has happened at this table; only moves are left")
    match command:
        case Enter():
            return _enter(table, guest, command, desk)
        case Sit():
            return _sit(table, guest, command, desk)
        case Leave():
            return _leave(table, guest, command)
        case Stir():
            _gathering(table)
            _own(table, guest, command.seat)
            return Stirred(command.seat, command.entropy)
        case AddBot():
            return _add_bot(table, guest, command, desk)
        case Start():
            _hosted_by(table, guest)
            return start(table, desk.secret)
        case Play():
            return _play(table, guest, command, desk)
        case Hand():
            return _hand(table, guest, command, desk)
        case Resume():
            return _resume(table, guest, command)
        case Resign():
            _own_running(table, guest, command.seat)
            return Resigned(command.seat, desk.stand_in)
        case Claim():
            return _claim(table, guest, command, desk)
        case React():
            return _react(table, guest, command)
        case Close():
            _gathering(table)
            _hosted_by(table, guest)
            return Closed()
    raise BadRequest(f"a table cannot {type(command).__name__.lower()}")


def _let_in(table: Table, guest: str, command: Request, desk: Desk) -> Entered | Claimed:
    """Let a guest in who has the invitation or the key of a seat; for others there is no table."""
    with suppress(NotAllowed):
        match command:
            case Enter():
                return _enter(table, guest, command, desk)
            case Claim():
                return _claim(table, guest, command, desk)
    raise NotFound("there is no such table")


def may_see(table: Table, guest: str | None) -> bool:
    """Say whether a guest may look at a table: everybody at an open one, else who was let in."""
    return table.created.visibility == "open" or guest in table.members


def decide(table: Table, secret: bytes, seat: int, text: str) -> Events:
    """Return a seat's decision and the chance that follows, or refuse it."""
    match = table.playing()
    state, text = after(match.game, match.state, seat, text)
    return ((seat, text), *_chance(match.game, state, _fair(table, secret), table.rolls))


def start(table: Table, secret: bytes) -> Started:
    """Begin the game with the seats that are taken."""
    _gathering(table)
    seating = tuple(seat for seat, chair in enumerate(table.chairs) if chair)
    chairs = [table.chair(seat) for seat in seating]
    try:
        match = Match.new(table.game, len(seating), table.created.options)
    except BadOption as error:
        raise NotNow(f"{len(seating)} of {len(table.chairs)} seats are taken: {error}") from None
    fair = Fair(secret, tuple(chair.entropy for chair in chairs))
    return Started(seating, _chance(match.game, match.state, fair, 0))


def _chance(game: Game, state: State[Any], fair: Fair, rolls: int) -> Events:
    """Return the chance that a state needs, and what that leads to, until somebody must decide."""
    events: list[tuple[int | str, str]] = []
    while (chance := state.chance) is not None:
        outcome = fair.outcome(chance, rolls + len(events))
        state = state.resolve(outcome)
        events.append((CHANCE, str(outcome)))
    return tuple(events)


def _fair(table: Table, secret: bytes) -> Fair:
    return Fair(secret, tuple(chair.entropy if chair else "" for chair in table.chairs))


def _enter(table: Table, guest: str, command: Enter, desk: Desk) -> Entered:
    if not compare_digest(command.invite.encode(), desk.invite.encode()):
        raise NotFound("there is no such table")
    _room_for_one_more(table, guest)
    return Entered()


def _sit(table: Table, guest: str, command: Sit, desk: Desk) -> Sat:
    _gathering(table)
    _free(table, command.seat)
    _room_for_one_more(table, guest)
    name = command.name or desk.name
    if table.has_name(name):
        raise NotNow(f"there is already somebody called {name} at this table", "name-taken")
    return Sat(command.seat, name, command.entropy)


def _leave(table: Table, guest: str, command: Leave) -> Left:
    _gathering(table)
    chair = _at(table, command.seat)
    if guest not in (chair.guest, table.host):
        raise NotAllowed("only the host may free somebody else's seat")
    return Left(command.seat)


def _add_bot(table: Table, guest: str, command: AddBot, desk: Desk) -> Botted:
    _gathering(table)
    _hosted_by(table, guest)
    _free(table, command.seat)
    bot = _known(command.bot, desk)
    free = [name for name in BOT_NAMES if not table.has_name(name)]
    return Botted(command.seat, bot, free[crc32(table.id.encode()) % len(free)])


def _play(table: Table, guest: str, command: Play, desk: Desk) -> Moved:
    chair = _own_running(table, guest, command.seat)
    if not chair.is_played_by_person:
        raise NotNow("a bot plays for this seat; take the seat back first", "bot-plays")
    return Moved(command.seat, "person", decide(table, desk.secret, command.seat, command.move))


def _hand(table: Table, guest: str, command: Hand, desk: Desk) -> Handed:
    chair = _own_running(table, guest, command.seat)
    if not chair.is_played_by_person:
        raise NotNow("a bot plays for this seat already")
    return Handed(command.seat, _known(command.bot or desk.stand_in, desk))


def _resume(table: Table, guest: str, command: Resume) -> Resumed:
    chair = _own_running(table, guest, command.seat)
    if chair.is_played_by_person:
        raise NotNow("no bot plays for this seat")
    return Resumed(command.seat)


def _claim(table: Table, guest: str, command: Claim, desk: Desk) -> Claimed:
    place, came = desk.read_key(command.key)
    seats = [
        seat
        for seat, chair in enumerate(table.chairs)
        if chair and chair.guest and chair.came == came and not chair.resigned
    ]
    if place != table.id or not seats:
        raise NotAllowed("this key is not good any more", "old-key")
    if table.chair(seats[0]).guest == guest:
        raise NotNow("this seat is yours already")
    _room_for_one_more(table, guest)
    return Claimed(seats[0])


def _react(table: Table, guest: str, command: React) -> Reacted:
    _own(table, guest, command.seat)
    recent = table.entries[-MOST_REACTIONS:]
    if len(recent) == MOST_REACTIONS and all(isinstance(one.what, Reacted) for one in recent):
        raise TooMany("enough reactions for now")
    return Reacted(command.seat, command.reaction)


def _gathering(table: Table) -> None:
    if table.status != GATHERING:
        if table.match:
            raise NotNow("the game has begun", "begun")
        raise NotNow("the table is closed", "closed")


def _own(table: Table, guest: str, seat: int) -> Chair:
    chair = _at(table, seat)
    if chair.guest != guest:
        raise NotAllowed(f"seat {seat} is not yours")
    return chair


def _own_running(table: Table, guest: str, seat: int) -> Chair:
    """Return the chair of a guest who is in a game that runs and has not resigned."""
    chair = _own(table, guest, seat)
    if table.status == OVER:
        raise GameOver("the game is over")
    if table.status != PLAYING:
        raise NoGame("the game has not begun")
    if chair.resigned:
        raise GameOver("you resigned this game")
    return chair


def _at(table: Table, seat: int) -> Chair:
    chair = table.chairs[seat] if seat < len(table.chairs) else None
    if chair is None:
        raise NotNow(f"nobody sits in seat {seat}")
    return chair


def _free(table: Table, seat: int) -> None:
    if seat >= len(table.chairs):
        raise BadRequest(f"the table has seats 0 to {len(table.chairs) - 1}, not {seat}")
    if table.chairs[seat]:
        raise NotNow(f"seat {seat} is taken", "seat-taken")


def _hosted_by(table: Table, guest: str) -> None:
    if table.host != guest:
        raise NotAllowed("only the host of the table may do this")


def _known(bot: str, desk: Desk) -> str:
    if bot not in desk.bots:
        raise BadRequest(f"unknown bot '{bot}'; this table may have {', '.join(desk.bots)}")
    return bot


def _room_for_one_more(table: Table, guest: str) -> None:
    if guest not in table.members and len(table.members) >= MOST_MEMBERS:
        raise TooMany("this table is full of people")
