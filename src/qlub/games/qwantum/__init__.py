"""Qwantum: write rising sums up to the thick line and falling ones behind it."""

from qlub.core.game import Game, Pass
from qlub.games.qwantum import notation
from qlub.games.qwantum.bots import Greedy
from qlub.games.qwantum.guide import guide
from qlub.games.qwantum.levels import CLUB, GRANDMASTER, MASTER
from qlub.games.qwantum.rules import REASONS
from qlub.games.qwantum.state import Keep, Reroll, State, View, Write

GAME = Game(
    name="qwantum",
    seats=(2, 4),
    practice=True,
    turn="roll",
    reasons=tuple(filter(None, REASONS)),
    options=notation.OPTIONS,
    bots={"greedy": Greedy(), "club": CLUB, "master": MASTER, "grandmaster": GRANDMASTER},
    new=lambda seats, options: State.new(seats),
    read_move=notation.read_move,
    write_position=notation.write,
    read_position=notation.read_position,
    write_view=notation.write,
    read_view=notation.read_view,
    guide=guide,
)

__all__ = ["GAME", "Keep", "Pass", "Reroll", "State", "View", "Write"]
