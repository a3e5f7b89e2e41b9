"""Qwirkle: lay tiles in lines of one colour or one shape."""

from qlub.core.game import Game, Pass
from qlub.games.qwirkle import notation, setup
from qlub.games.qwirkle.bots import Greedy
from qlub.games.qwirkle.guide import guide
from qlub.games.qwirkle.levels import CLUB, GRANDMASTER, MASTER
from qlub.games.qwirkle.rules import REASONS
from qlub.games.qwirkle.state import Lay, Placed, State, Swap, View

GAME = Game(
    name="qwirkle",
    seats=(2, 4),
    practice=False,
    turn="turn",
    reasons=tuple(filter(None, REASONS)),
    options=setup.OPTIONS,
    bots={"greedy": Greedy(), "club": CLUB, "master": MASTER, "grandmaster": GRANDMASTER},
    new=lambda seats, options: State.new(seats, options["seniority"]),
    read_move=notation.read_move,
    write_position=notation.write_position,
    read_position=setup.read_position,
    write_view=notation.write_view,
    read_view=setup.read_view,
    guide=guide,
    tell=notation.tell,
)

__all__ = ["GAME", "Lay", "Pass", "Placed", "State", "Swap", "View"]
