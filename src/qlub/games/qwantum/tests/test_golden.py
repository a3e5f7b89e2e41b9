"""What the names of the golden records of Qwantum promise beyond the reason of the end."""

import pytest
from golden import before_the_end, golden
from table import position

from qlub.core.record import replay


@pytest.mark.clause("QN-13")
@pytest.mark.parametrize(("name", "phase"), [("sheet-in-b", "pick"), ("sheet-in-c", "share")])
def test_a_sheet_is_filled_in_b_or_c(name: str, phase: str) -> None:
    """All four rows of somebody have six numbers, and the last was written in that step."""
    record = golden("qwantum", name)
    assert before_the_end(record).state.phase == phase
    sheets = position(replay(record))["sheets"]
    assert any(all(len(sheet[row]) == 6 for row in "vbry") for sheet in sheets)


@pytest.mark.clause("QN-14")
def test_fails_end_with_five_after_c() -> None:
    """The active player has five failed throws, and C was played."""
    record = golden("qwantum", "fails")
    assert before_the_end(record).state.phase == "share"
    end = position(replay(record))
    assert end["sheets"][end["active"]]["fails"] == 5
