"""The strong players of Qwirkle, from friendly to fearsome."""

from typing import Any

from qlub.games.qwirkle.leaves import LEARNT
from qlub.games.qwirkle.master import (
    SURE,
    Mind,
    choose_by_trial,
    find_best,
    lay_out,
    new_mind,
    read_choice,
    table_of,
)
from qlub.games.qwirkle.playout import new_room
from qlub.games.qwirkle.state import Move, View
from qlub.thinker import Array, Thinker, learnt_weights


class Trier(Thinker):
    """Tries its best moves against tiles that the others may hold."""

    policy = staticmethod(choose_by_trial)
    find = staticmethod(find_best)

    def mind(self, array: Array, seats: int) -> Mind:
        weights = learnt_weights("qwirkle", 2, LEARNT)  # they serve any number of seats
        return new_mind(list(self.plan), [*weights, *SURE], array)

    def ask(self, view: View, array: Array) -> tuple[Any, ...]:
        room = new_room(array)
        lay_out(view.board.tiles, room)
        table = array(table_of(view))
        return table, room.grid, view.seat or 0, view.bag_size, room.walk, room.choice

    def answer(self, view: View, found: int, asked: tuple[Any, ...]) -> Move:
        _, grid, *_, choice = asked
        return read_choice(view.board.tiles, grid, choice, found)


CLUB = Trier(
    "Tries a few good moves against a few hands that the others may hold.",
    (8, 3, 1, 200, 0, 20, 0),
    is_quick=True,
)
MASTER = Trier(
    "Tries its best moves against tiles that the others may hold, and solves the end of a game of two.",
    (20, 16, 2, 6000, 12, 20, 2),
)
GRANDMASTER = Trier(
    "Tries more moves than master against four times as many hands, and looks longer at the end.",
    (32, 64, 2, 40000, 12, 20, 2),
)
