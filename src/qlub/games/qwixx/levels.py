"""The strong players of Qwixx, from friendly to fearsome."""

from typing import Any

from qlub.core.game import Move
from qlub.core.net import net_size
from qlub.games.qwixx.features import FEATURES
from qlub.games.qwixx.master import Mind, choose_by_level, find_best, new_mind
from qlub.games.qwixx.rules import legal_cells
from qlub.games.qwixx.state import View, decode
from qlub.thinker import Array, Thinker, learnt_weights


class Learnt(Thinker):
    """Judges what a turn can lead to by a network that learnt from games against itself."""

    policy = staticmethod(choose_by_level)
    find = staticmethod(find_best)

    def mind(self, array: Array, seats: int) -> Mind:
        weights = learnt_weights("qwixx", seats, net_size(FEATURES))
        return new_mind(weights, self.plan, array)

    def ask(self, view: View, room: Any, array: Array) -> tuple[Any, ...]:
        seat = view.seat or 0
        return array(list(view.table)), seat, legal_cells(view.table, seat)

    def answer(self, view: View, found: int, asked: tuple[Any, ...]) -> Move:
        return decode(found)


CLUB = Learnt(
    "Looks through its turn and knows what sheets are worth, but judges them by eye.",
    (40, 0, 0, 0),
    is_quick=True,
)
MASTER = Learnt(
    "Looks through its whole turn and what the others will do, and judges its chance to win"
    " by a network that learnt from games against itself.",
    (0, 0, 0, 0),
    is_quick=True,
)
GRANDMASTER = Learnt(
    "Tries every good move of the master in many imagined futures, and takes the one that wins most.",
    (0, 128, 1, 20),
)
