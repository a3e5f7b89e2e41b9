"""Moves made in Python are as canonical as those that are read: nonsense is refused at once."""

from collections.abc import Callable

import pytest

from qlub.core.errors import BadEvent, IllegalMove
from qlub.core.registry import find_game
from qlub.games.qwantum import Reroll, Write
from qlub.games.qwirkle import Lay, Placed, Swap
from qlub.games.qwixx import Cross


@pytest.mark.parametrize(
    "nonsense",
    [
        lambda: Cross("r", 13),
        lambda: Cross("r", 1),
        lambda: Cross("v", 5),
        lambda: Cross("ry", 5),
        lambda: Write("v", 0),
        lambda: Write("v", 34),
        lambda: Write("g", 5),
        lambda: Reroll(()),
        lambda: Reroll(("1", "1")),
        lambda: Reroll(("1", "w")),
        lambda: Reroll(("7",)),
        lambda: Swap(("Gx", "Ro")),
    ],
)
def test_a_move_that_never_is_cannot_be_made(nonsense: Callable[[], object]) -> None:
    with pytest.raises(BadEvent):
        nonsense()


@pytest.mark.parametrize(
    "lay",
    [
        Lay(()),
        Lay((Placed(0, 3, "Rs"), Placed(0, 2, "Rd"))),
        Lay((Placed(0, 2, "Rd"), Placed(0, 2, "Rs"))),
        Lay((Placed(0, 2, "Zz"),)),
        Lay((Placed(10**9, 10**9, "Rd"),)),
        Lay((Placed(0, 2, "Rd"), Placed(0, 10**6, "Rs"))),
    ],
)
def test_a_lay_out_of_order_or_out_of_sight_is_refused(lay: Lay) -> None:
    state = find_game("qwirkle").read_position(
        {
            "game": "qwirkle",
            "options": {},
            "phase": "turn",
            "active": 0,
            "board": {"0,0": "Ro", "1,0": "Rx"},
            "hands": [["Rd", "Rs"], ["Bs"]],
            "points": [0, 2],
            "drawing": None,
        }
    )
    with pytest.raises(IllegalMove):
        state.apply(0, lay)
    assert state.apply(0, Lay.of(("Rs", 3, 0), ("Rd", 2, 0))).scores() == (4, 2)
