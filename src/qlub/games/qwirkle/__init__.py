"""Qwirkle: lay tiles in lines of one colour or one shape."""

from collections.abc import Mapping
from typing import cast

from qlub.core.game import Bot, Json, Pass
from qlub.games.qwirkle import notation, setup
from qlub.games.qwirkle.bots import Greedy
from qlub.games.qwirkle.state import Lay, Move, Placed, State, Swap, View


class Qwirkle:
    """Qwirkle for two to four."""

    name = "qwirkle"
    seats = (2, 4)
    practice = False
    options = setup.OPTIONS
    bots: Mapping[str, Bot] = {"greedy": Greedy()}

    def new(self, seats: int, options: Mapping[str, object]) -> State:
        return State.new(seats, cast(tuple[int, ...], options["seniority"]))

    def read_move(self, text: str) -> Move:
        return notation.read_move(text)

    def write_position(self, state: State) -> Json:
        return notation.write_position(state)

    def read_position(self, data: object) -> State:
        return setup.read_position(data)

    def write_view(self, view: View) -> Json:
        return notation.write_view(view)

    def read_view(self, data: object, seat: int | None) -> View:
        return setup.read_view(data, seat)


GAME = Qwirkle()

__all__ = ["GAME", "Lay", "Pass", "Placed", "State", "Swap", "View"]
