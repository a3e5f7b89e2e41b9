"""The sheet on the screen shows what is lost as lost."""

import pytest

from qlub.games.qwixx.screen import _is_lost
from qlub.games.qwixx.sheet import LAST, cell_of


@pytest.mark.clause("QX-2")
@pytest.mark.clause("QX-9")
def test_what_can_never_be_crossed_is_lost() -> None:
    assert _is_lost((5, 7), 0, cell_of(0, 6))
    assert not _is_lost((5, 7), 0, cell_of(0, 8))
    assert not _is_lost((5, 8), 0, LAST)  # 9, 10 and 11 would make five
    assert _is_lost((5, 9), 0, LAST)  # 10 and 11 make only four
    assert not _is_lost((), 2, LAST)
