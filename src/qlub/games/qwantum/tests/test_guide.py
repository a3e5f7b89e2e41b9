"""What the guide of Qwantum tells a page, and what it does not."""

from itertools import combinations
from random import Random

import pytest
from golden import before_the_end, golden
from table import moves, new, numbers, play, qwantum

from qlub.core.game import Json
from qlub.core.record import Match, replay

EMPTY = numbers()
OWN = numbers(v=[5, 9, 12], b=[8, 13, 19, 24], r=[4, 7], y=[6, 9, 15], fails=1)
THROW = "* w4 v6 v4 b4 y6 b6 r6"  # violet 14, blue 14, red 10, yellow 10


def guide(match: Match, seat: int | None = 0) -> Json:
    return match.game.guide(match.state.view(seat), "")


def row(match: Match, colour: str, seat: int = 0) -> Json:
    rows: list[Json] = guide(match)["sheets"][seat]["rows"]
    return rows["vbry".index(colour)]


def choices(match: Match, seat: int = 0) -> dict[str, int]:
    """Return what each choice of a seat is worth."""
    return {choice["move"]: choice["gain"] for choice in guide(match, seat)["choices"]}


def test_a_sheet_is_told_with_its_points() -> None:
    """Full columns have points, one with a number to come says what it would be worth."""
    told = guide(play(qwantum(OWN, EMPTY), THROW))["sheets"][0]
    assert [column["points"] for column in told["columns"]] == [5, 9, None, None, None, None]
    assert [column["lacks"] for column in told["columns"]] == [0, 0, 1, 3, 4, 4]
    assert told["columns"][2]["soon"] == {"colour": "r", "now": 12, "least": 12, "most": 15}
    assert told["fails"] == {"count": 1, "boxes": [1, 2, 3, 4, 5], "points": -1}
    assert told["total"] == 13


def test_sums_are_spelled_out_and_go_to_the_next_cell() -> None:
    """Each sum names its dice; each row names its next cell, the bound, and whether the sum fits."""
    match = play(qwantum(OWN, EMPTY), THROW)
    told = guide(match)
    assert [(one["colour"], one["total"], one["parts"]) for one in told["sums"]] == [
        ("v", 14, [4, 6, 4]),
        ("b", 14, [4, 4, 6]),
        ("r", 10, [4, 6]),
        ("y", 10, [4, 6]),
    ]
    assert row(match, "v")["next"] == {
        "cell": 3, "relation": ">", "limit": 12, "fits": True, "gain": 0
    }  # fmt: skip
    assert row(match, "b")["next"] == {
        "cell": 4, "relation": "<", "limit": 24, "fits": True, "gain": 0
    }  # fmt: skip
    assert row(match, "r")["next"]["gain"] == 12
    assert row(match, "y")["next"]["fits"] is False
    assert row(match, "v", 1)["next"]["relation"] is None


@pytest.mark.clause("QN-8")
def test_any_dice_can_be_rolled_again_by_its_text() -> None:
    """The text for every set of dice is legal, and together with `keep` these are all moves."""
    match = play(qwantum(EMPTY, EMPTY), THROW)
    told = guide(match)
    assert told["choices"] == []
    texts = {told["throw"]["keep"]}
    names = [die["name"] for die in told["dice"]]
    for count in range(1, len(names) + 1):
        for some in combinations(names, count):
            text = told["throw"]["comma"].join(some)
            texts.add(told["throw"]["reroll"].replace("{dice}", text))
    assert texts == set(moves(match, 0))
    assert guide(match, 1)["throw"] is None


def test_choices_are_worth_the_column_they_complete() -> None:
    """In B and C every legal number is listed with what it adds at once."""
    match = play(qwantum(OWN, EMPTY), THROW, "0 keep")
    assert choices(match) == {"v14": 0, "b14": 0, "r10": 12, "-": 0}
    assert guide(match)["choices"][0]["lacks"] == 2
    assert guide(match, 1)["choices"] == []
    play(match, "0 r10")
    assert choices(match) == {"v14": 0, "b14": 0, "-": 0}
    assert choices(match, 1) == {"v14": 0, "b14": 0, "y10": 0, "-": 0}
    assert [one["taken"] for one in guide(match)["sums"]] == [False, False, True, False]


@pytest.mark.clause("QN-12")
def test_a_failed_throw_is_foretold() -> None:
    """It threatens who threw and wrote nothing in B, and is certain where nothing fits."""
    match = play(qwantum(OWN, EMPTY), THROW, "0 keep")
    assert guide(match)["fail"] == {"cost": 2, "certain": False}
    play(match, "0 -")
    assert choices(match)["-"] == -2
    assert choices(match, 1)["-"] == 0
    assert guide(match, 1)["fail"] is None
    play(match, "0 -")
    assert guide(match)["fail"] == {"cost": 2, "certain": True}
    high = [20, 21, 22]
    stuck = numbers(v=high, b=high, r=high, y=high)
    assert guide(play(qwantum(stuck, EMPTY), THROW, "0 keep"))["fail"] == {
        "cost": 1,
        "certain": True,
    }
    assert guide(play(qwantum(OWN, EMPTY), THROW, "0 keep", "0 r10"))["fail"] is None


def test_cells_that_nothing_can_reach_are_lost() -> None:
    """No number is above 33 or below 1; a column that needs one is never completed."""
    match = qwantum(numbers(v=[5, 9, 33], b=[5, 9, 12, 20, 1], r=[31], y=[5, 9, 12, 20, 2]), EMPTY)
    assert [row(match, colour)["reach"] for colour in "vbry"] == [3, 5, 3, 6]
    assert row(match, "v")["next"] is None
    assert row(match, "r")["next"]["fits"] is None
    almost = numbers(v=[5, 9, 33], b=[5, 9, 12, 20], r=[5, 9, 12, 20], y=[5, 9, 12, 20])
    assert guide(qwantum(almost, EMPTY))["sheets"][0]["columns"][3]["soon"] is None


@pytest.mark.clause("QN-11")
def test_what_another_decided_in_c_stays_sealed() -> None:
    """One's own decision is told; the guide of anybody else is the same whatever it was."""
    pending = [play(qwantum(OWN, EMPTY), THROW, "0 keep", "0 r10") for _ in range(2)]
    for match, text in zip(pending, ("v14", "-"), strict=True):
        play(match, f"1 {text}")
        assert guide(match, 1)["made"]["move"] == text
    for seat in (0, None):
        assert guide(pending[0], seat) == guide(pending[1], seat)
        assert guide(pending[0], seat)["made"] is None


@pytest.mark.parametrize(("name", "why"), [("sheet-in-c", "sheet"), ("fails", "fails")])
def test_the_end_names_whose_sheets_brought_it_about(name: str, why: str) -> None:
    """A full sheet or five failed throws; while the game runs, nothing is said."""
    record = golden("qwantum", name)
    assert guide(before_the_end(record))["ended"] is None
    match = replay(record)
    told = guide(match)
    assert told["ended"]["why"] == why
    for seat in told["ended"]["by"]:
        sheet = told["sheets"][seat]
        full = all(len(row["numbers"]) == 6 for row in sheet["rows"])
        assert full if why == "sheet" else sheet["fails"]["count"] == 5


@pytest.mark.parametrize("seats", [1, 3])
def test_there_is_a_guide_at_every_moment(seats: int) -> None:
    """It lists all legal moves of B and C, and its points are those of the game, to the very end."""
    rng = Random(seats)
    match = new("qwantum", seats)
    while True:
        for seat in (*range(seats), None):
            told = guide(match, seat)
            assert [sheet["total"] for sheet in told["sheets"]] == list(match.state.scores())
            for sheet in told["sheets"]:
                points = sum(column["points"] or 0 for column in sheet["columns"])
                assert points + sheet["fails"]["points"] == sheet["total"]
            legal = [] if seat is None or match.state.phase == "keep" else moves(match, seat)
            assert [choice["move"] for choice in told["choices"]] == legal
        if match.state.is_over:
            break
        chance = match.state.chance
        if chance:
            match.apply("*", str(chance.sample(rng.randrange)))
        else:
            seat = match.state.to_act[0]
            match.apply(seat, rng.choice(moves(match, seat)))
