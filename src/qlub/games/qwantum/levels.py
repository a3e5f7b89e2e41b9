"""The strong players of Qwantum, from friendly to fearsome."""

from typing import Any

from qlub.core.game import Move
from qlub.core.net import net_size
from qlub.games.qwantum.features import FEATURES
from qlub.games.qwantum.master import choose_by_level, find_best
from qlub.games.qwantum.mind import Mind, new_mind
from qlub.games.qwantum.state import View, decode
from qlub.thinker import Array, Thinker, learnt_weights


class Learnt(Thinker):
    """Judges what dice and numbers lead to by a network that learnt from games against itself."""

    policy = staticmethod(choose_by_level)
    find = staticmethod(find_best)

    def mind(self, array: Array, seats: int) -> Mind:
        weights = learnt_weights("qwantum", seats, net_size(FEATURES))
        return new_mind(weights, self.plan, array)

    def ask(self, view: View, room: Any, array: Array) -> tuple[Any, ...]:
        return array(list(view.table)), view.seat or 0

    def answer(self, view: View, found: int, asked: tuple[Any, ...]) -> Move:
        return decode(found)


CLUB = Learnt(
    "Knows the odds of all dice and what sheets are worth, but judges them by eye.",
    (60, 0, 0, 0),
    is_quick=True,
)
MASTER = Learnt(
    "Works out the odds of all 128 ways to roll again and what the others will write, and judges its chance"
    " to win by a network that learnt from games against itself.",
    (0, 0, 0, 0),
    is_quick=True,
)
GRANDMASTER = Learnt(
    "Looks at hundreds of throws for each of the 128 ways to roll again, and tries the best with everything"
    " that would be written.",
    (0, 64, 0, 10),
)
