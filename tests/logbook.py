"""Tables without a server: played by the club's own rulings, with logs that tests can read."""

from collections.abc import Iterator
from random import Random

from pydantic import TypeAdapter

from qlub.bots import bots_of
from qlub.club.commands import Command, Request
from qlub.club.entries import AnyWhat, Created, Entry, Moved
from qlub.club.ruling import Desk, decide, rule
from qlub.club.table import PLAYING, Table
from qlub.club.tokens import Tokens
from qlub.core.fair import commit
from qlub.core.game import Game, Json

SECRET = Random("secret").randbytes(32)
INVITE = "come-in-by-this-1234"
KEY = Random("key").randbytes(32)
TOKENS = Tokens(KEY)
ANN, BEN, CLEO, DAN, EVE, FAY = (Random(name).randbytes(16).hex() for name in "ABCDEF")
"""Guests, by the ids that nobody else ever sees."""

BEGAN = 1_700_000_000_000
SECOND = 1000
COMMANDS: TypeAdapter[Request] = TypeAdapter(Command)


def desk_for(game: Game) -> Desk:
    """Return what the house would lend a table of a game."""
    bots = tuple(bots_of(game))
    return Desk(SECRET, INVITE, bots, "greedy", "Nobody", TOKENS.read_seat_key)


class Logbook:
    """A table whose log grows by an entry a second."""

    def __init__(
        self, game: str, seats: int, name: str = "2222222222", began: int = BEGAN, **wish: object
    ) -> None:
        given = {"options": {}, "visibility": "open", "clock": None, **wish}
        self.began = began
        self.table = Table(name)
        self.write(ANN, Created(game=game, seats=seats, commitment=commit(SECRET), **given))  # type: ignore[arg-type]

    def do(self, guest: str, do: str, **command: object) -> Entry:
        """Carry a command out, or raise the refusal."""
        return self.send(guest, {"do": do, **command})

    def send(self, guest: str, command: Json) -> Entry:
        """Carry a command out that is written as clients write it."""
        request = COMMANDS.validate_python(command)
        return self.write(guest, rule(self.table, guest, request, desk_for(self.table.game)))

    def write(self, guest: str | None, what: AnyWhat) -> Entry:
        """Write something at the end of the log."""
        seq = self.table.seq + 1
        command = guest and f"{guest}/{seq}"
        self.table.take(Entry(seq, self.began + seq * SECOND, guest, command, what))
        return self.table.entries[-1]

    def decide(self, seat: int, text: str) -> Entry:
        """Let whoever plays for a seat decide."""
        chair = self.table.chair(seat)
        if chair.guest and chair.is_played_by_person:
            return self.do(chair.guest, "move", seat=seat, move=text)
        return self.write(None, Moved(seat, "bot", decide(self.table, SECRET, seat, text)))

    def play_on(self, rng: Random, skill: float = 0.8) -> Iterator[Entry]:
        """Play the game to its end, mostly well, one decision at a time."""
        while self.table.status == PLAYING:
            state = self.table.playing().state
            seat = rng.choice(state.to_act)
            if rng.random() < skill:
                move = self.table.game.bots["greedy"].choose(state.view(seat), rng, 1)
            else:
                move = rng.choice(state.legal(seat))
            yield self.decide(seat, str(move))
