"""What the names of the golden records of Qwixx promise beyond the reason of the end."""

import pytest
from golden import before_the_end, golden
from table import position

from qlub.core.game import Json
from qlub.core.record import replay

LAST = {"r": 12, "y": 12, "g": 2, "b": 2}


def locks(record: Json) -> list[set[str]]:
    """Return the rows that each seat has locked at the end of a record."""
    sheets = position(replay(record))["sheets"]
    return [{row for row in LAST if LAST[row] in sheet[row]} for sheet in sheets]


@pytest.mark.clause("QX-14")
def test_rows_end_in_action_2() -> None:
    """The active player closes the second row with a coloured die."""
    record = golden("qwixx", "rows")
    assert before_the_end(record).state.phase == "color"
    assert len(set.union(*locks(record))) == 2


@pytest.mark.clause("QX-14")
def test_three_rows_close_at_once() -> None:
    """The second and the third row are closed in the same action 1, by different players."""
    record = golden("qwixx", "rows-three-at-once")
    assert before_the_end(record).state.phase == "white"
    assert len(set.union(*locks(record))) == 3
    assert max(map(len, locks(record))) < 3


@pytest.mark.clause("QX-14it")
def test_one_player_closes_two_of_three_rows() -> None:
    """With the Italian end three rows may be closed before one player has two of them."""
    record = golden("qwixx", "rows-player-two")
    assert record["options"] == {"end": "player"}
    assert len(set.union(*locks(record))) == 3
    assert max(map(len, locks(record))) == 2


@pytest.mark.clause("QX-14it")
def test_all_four_rows_are_closed_by_four_players() -> None:
    """With the Italian end all four rows may be closed without anybody having two."""
    record = golden("qwixx", "rows-player-four")
    assert record["options"] == {"end": "player"}
    assert sorted(map(len, locks(record))) == [1, 1, 1, 1]


@pytest.mark.clause("QX-13")
@pytest.mark.parametrize("name", ["penalties", "penalties-player"])
def test_penalties_end_with_four(name: str) -> None:
    """One player has four penalties and nobody has closed two rows."""
    record = golden("qwixx", name)
    sheets = position(replay(record))["sheets"]
    assert max(sheet["penalties"] for sheet in sheets) == 4
    assert len(set.union(*locks(record))) < 2
