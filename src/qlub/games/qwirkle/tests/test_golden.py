"""What the names of the golden records of Qwirkle promise beyond the reason of the end."""

from typing import Any

import pytest
from golden import before_the_end, golden
from table import new, position

from qlub.core.game import Json
from qlub.core.record import replay


def gained(record: Json) -> int:
    """Return the points of the last event."""
    seat = record["events"][-1][0]
    before, end = before_the_end(record).state.scores(), replay(record).state.scores()
    return int(end[seat] - before[seat])


@pytest.mark.clause("QK-14")
@pytest.mark.parametrize(
    "name", ["finished", "finished-with-qwirkle", "finished-shared-win", "finished-seniority"]
)
def test_somebody_lays_the_last_tile(name: str) -> None:
    """The bag and one hand are empty, and the last lay brought more than the bonus of six."""
    record = golden("qwirkle", name)
    end = position(replay(record))
    assert end["bag"] == end["hands"][end["active"]] == []
    assert gained(record) > 6


@pytest.mark.clause("QK-12")
@pytest.mark.clause("QK-14")
def test_the_last_tile_makes_a_qwirkle() -> None:
    """A single tile completes a line of six: twelve for it, and six for the end."""
    record = golden("qwirkle", "finished-with-qwirkle")
    assert len(record["events"][-1][1].split()) == 1
    assert gained(record) == 12 + 6


@pytest.mark.clause("QK-16")
def test_two_players_share_a_win() -> None:
    """Both have the most points."""
    assert len(golden("qwirkle", "finished-shared-win")["result"]["winners"]) == 2


@pytest.mark.clause("QK-3")
def test_seniority_decides_who_begins() -> None:
    """With the same tiles another player would begin if seats were their ages."""
    record = golden("qwirkle", "finished-seniority")
    seats = len(record["seats"])
    by_seat = new("qwirkle", seats)
    for actor, text in record["events"][:seats]:
        by_seat.apply(actor, text)
    starter = record["events"][seats][0]
    assert starter != by_seat.state.active


@pytest.mark.clause("QK-15")
@pytest.mark.parametrize(
    ("name", "in_bag"), [("blocked-empty-bag", 0), ("blocked-tiles-in-bag", 66)]
)
def test_nobody_can_lay_any_more(name: str, in_bag: int) -> None:
    """Everybody has tiles left, and the bag may hold some too."""
    end = position(replay(golden("qwirkle", name)))
    assert len(end["bag"]) == in_bag
    assert all(end["hands"])


@pytest.mark.clause("QK-15")
def test_a_blocked_game_brings_no_bonus() -> None:
    """The last lay scores what its lines are worth and no more."""
    record = golden("qwirkle", "blocked-empty-bag")
    before = before_the_end(record)
    state: Any = before.state
    assert gained(record) == state.points_of(before.game.read_move(record["events"][-1][1]))
