"""Qwixx: cross numbers from left to right, lock rows, and mind the penalties."""

from collections.abc import Mapping

from qlub.core.game import Bot, Json, Pass
from qlub.games.qwixx import notation
from qlub.games.qwixx.bots import Greedy
from qlub.games.qwixx.state import Cross, Move, State, View


class Qwixx:
    """Qwixx for two to five, or one for practice."""

    name = "qwixx"
    seats = (2, 5)
    practice = True
    options = notation.OPTIONS
    bots: Mapping[str, Bot] = {"greedy": Greedy()}

    def new(self, seats: int, options: Mapping[str, object]) -> State:
        return State.new(seats, str(options["end"]))

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


GAME = Qwixx()

__all__ = ["GAME", "Cross", "Pass", "State", "View"]
