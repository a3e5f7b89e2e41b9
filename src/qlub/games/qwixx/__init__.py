"""Qwixx: cross numbers from left to right, lock rows, and mind the penalties."""

from qlub.core.game import Game, Pass
from qlub.games.qwixx import notation
from qlub.games.qwixx.bots import Greedy
from qlub.games.qwixx.guide import guide
from qlub.games.qwixx.levels import CLUB, GRANDMASTER, MASTER
from qlub.games.qwixx.rules import REASONS
from qlub.games.qwixx.state import Cross, State, View

GAME = Game(
    name="qwixx",
    seats=(2, 5),
    practice=True,
    turn="roll",
    reasons=tuple(filter(None, REASONS)),
    options=notation.OPTIONS,
    bots={"greedy": Greedy(), "club": CLUB, "master": MASTER, "grandmaster": GRANDMASTER},
    new=lambda seats, options: State.new(seats, options["end"]),
    read_move=notation.read_move,
    write_position=notation.write,
    read_position=notation.read_position,
    write_view=notation.write,
    read_view=notation.read_view,
    guide=guide,
)

__all__ = ["GAME", "Cross", "Pass", "State", "View"]
