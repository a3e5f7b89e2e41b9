"""Qwantum: write rising sums up to the thick line and falling ones behind it."""

from collections.abc import Mapping

from qlub.core.game import Bot, Json, Pass
from qlub.games.qwantum import notation
from qlub.games.qwantum.bots import Greedy
from qlub.games.qwantum.state import Keep, Move, Reroll, State, View, Write


class Qwantum:
    """Qwantum for two to four, or one for practice."""

    name = "qwantum"
    seats = (2, 4)
    practice = True
    options = notation.OPTIONS
    bots: Mapping[str, Bot] = {"greedy": Greedy()}

    def new(self, seats: int, options: Mapping[str, object]) -> State:
        return State.new(seats)

    def read_move(self, text: str) -> Move:
        return notation.read_move(text)

    def write_position(self, state: State) -> Json:
        return notation.write(state)

    def read_position(self, data: object) -> State:
        return notation.read_position(data)

    def write_view(self, view: View) -> Json:
        return notation.write(view)

    def read_view(self, data: object, seat: int | None) -> View:
        return notation.read_view(data, seat)


GAME = Qwantum()

__all__ = ["GAME", "Keep", "Pass", "Reroll", "State", "View", "Write"]
