"""The guide of Qwirkle: what it offers tile by tile is exactly what the rules allow."""

from collections.abc import Iterator
from random import Random

import pytest
from table import new, play, qwirkle, rows

from qlub.core.errors import BadEvent
from qlub.core.game import Json
from qlub.core.record import Match
from qlub.games.qwirkle import GAME, Lay, View
from qlub.games.qwirkle.guide import guide

RED_LINE = rows("Ro Rx Rd")
MOST_LAYS = 60  # positions with more only take longer


def ask(match: Match, draft: str = "", seat: int | None = 0) -> Json:
    return match.game.guide(match.state.view(seat), draft)


def dealt(*hands: str) -> Match:
    return play(
        new("qwirkle", len(hands)), *(f"* {seat}: {hand}" for seat, hand in enumerate(hands))
    )


def test_a_tile_alone_has_its_spots_and_points() -> None:
    """Each different tile has the cells where it fits, with what it makes there."""
    told = ask(qwirkle(RED_LINE, "Rs Rs Gx", "Bt"))
    assert set(told["spots"]) == {"Rs", "Gx"}
    assert told["spots"]["Gx"] == {"1,-1": 2, "1,1": 2}
    assert told["spots"]["Rs"]["3,0"] == 4
    assert told["spots"]["Rs"]["0,1"] == 2
    assert (told["legal"], told["points"], told["missing"]) == (False, 0, 0)


def test_a_draft_says_how_its_points_are_made() -> None:
    """The line in which the tiles stand comes first, then those that cross it."""
    told = ask(qwirkle(RED_LINE, "Rs Rt Bt", "Yo"), "Rs@3,0 Rt@3,1")
    assert told["lines"] == [{"length": 2, "points": 2}, {"length": 4, "points": 4}]
    assert (told["legal"], told["points"], told["bonus"]) == (True, 6, 0)
    assert told["spots"] == {}


def test_a_draft_goes_on_at_both_ends_of_its_line() -> None:
    """With one tile laid both lines through it are open; with two, only the one they stand in."""
    match = qwirkle(RED_LINE, "Rs Rt Rc Gs", "Yo")
    told = ask(match, "Rs@3,0")
    assert told["spots"]["Rt"] == {"-1,0": 5, "4,0": 5, "3,-1": 6, "3,1": 6}
    assert told["spots"]["Gs"] == {"3,-1": 6, "3,1": 6}
    assert ask(match, "Rs@3,0 Rt@4,0")["spots"] == {"Rc": {"-1,0": 12, "5,0": 12}}


def test_a_qwirkle_is_a_line_of_six_and_twelve_points() -> None:
    told = ask(qwirkle(RED_LINE, "Rs Rt Rc", "Yo"), "Rs@3,0 Rt@4,0 Rc@5,0")
    assert (told["lines"], told["points"]) == ([{"length": 6, "points": 12}], 12)


def test_the_last_tile_of_the_game_brings_six_more() -> None:
    """Only with an empty bag; the spots of the last tile count them already."""
    match = qwirkle(RED_LINE, "Rs Gx", "Yo", bag="")
    assert ask(match)["spots"]["Rs"]["3,0"] == 4
    match = qwirkle(RED_LINE, "Rs", "Yo", bag="")
    assert ask(match)["spots"]["Rs"]["3,0"] == 10
    told = ask(match, "Rs@3,0")
    assert (told["points"], told["bonus"]) == (10, 6)
    assert ask(qwirkle(RED_LINE, "Rs", "Yo", bag="Bo"), "Rs@3,0")["bonus"] == 0


@pytest.mark.clause("QK-4")
def test_the_first_move_is_offered_before_it_is_legal() -> None:
    """Tiles of a largest set go to its cells in any order, and the guide counts what is missing."""
    match = dealt("Ro Rx Rd Gs Gt Gc", "Ro Ox Yd Gs Bt Pc")
    told = ask(match)
    assert (told["first"], told["missing"], told["exchange"]) == (3, 3, 0)
    assert told["spots"]["Gt"] == {"0,0": 1, "1,0": 1, "2,0": 1}
    told = ask(match, "Gt@1,0")
    assert (told["legal"], told["missing"]) == (False, 2)
    assert told["spots"] == {tile: {"0,0": 2, "2,0": 2} for tile in ("Gs", "Gc")}
    told = ask(match, "Gc@0,0 Gt@1,0 Gs@2,0")
    assert (told["legal"], told["missing"], told["points"], told["spots"]) == (True, 0, 3, {})
    for wrong in ("Gt@3,0", "Gt@0,1", "Ro@0,0 Gt@1,0", "Rs@0,0", "Gt@0,0 Gt@1,0"):
        with pytest.raises(BadEvent):
            ask(match, wrong)


def test_a_first_move_of_one_tile_makes_one_point() -> None:
    match = dealt("Ro Ox Yd Gs Bt Pc", "Rx Od Ys Gt Bc Po")
    told = ask(match, "Yd@0,0")
    assert (told["legal"], told["points"], told["lines"]) == (True, 1, [])


def test_exchange_and_pass_are_offered_as_the_bag_allows() -> None:
    assert ask(qwirkle(RED_LINE, "Bt Gs Yc", "Yo"))["exchange"] == 3
    assert ask(qwirkle(RED_LINE, "Bt Gs Yc", "Yo", bag="Bo Bo"))["exchange"] == 2
    told = ask(qwirkle(RED_LINE, "Bt", "Ro", bag=""))
    assert (told["exchange"], told["pass"], told["spots"]) == (0, True, {})
    assert not ask(qwirkle(RED_LINE, "Bt Rs", "Ro", bag=""))["pass"]


def test_unseen_tiles_are_counted_by_colour_and_shape() -> None:
    """Three of each, less those on the board and in one's own hand."""
    match = qwirkle(RED_LINE, "Ro Ro Gx", "Rt")
    assert ask(match)["unseen"][0] == [0, 2, 2, 3, 3, 3]
    assert ask(match)["unseen"][3] == [3, 2, 3, 3, 3, 3]
    assert ask(match, seat=None)["unseen"][0] == [2, 2, 2, 3, 3, 3]


def test_who_may_not_decide_is_offered_nothing() -> None:
    match = qwirkle(RED_LINE, "Rs Rt", "Rc")
    for seat in (1, None):
        told = ask(match, seat=seat)
        assert (told["spots"], told["exchange"], told["pass"]) == ({}, 0, False)
        with pytest.raises(BadEvent):
            ask(match, "Rc@3,0", seat=seat)


@pytest.mark.parametrize(
    ("draft", "reason"),
    [
        ("nonsense", None),
        ("-", None),
        ("swap Rs", None),
        ("Rt@4,0 Rs@3,0", None),
        ("Rc@3,0", "not-held"),
        ("Rs@0,0", "taken"),
        ("Rs@5,0", "no-touch"),
        (f"Rs@{10**80},0", "no-touch"),
        ("Rs@3,0 Rt@5,0", "gap"),
        ("Gs@3,0", "no-fit"),
        ("Rs@3,0 Rt@4,1", "not-a-line"),
    ],
)
def test_a_draft_that_cannot_become_a_move_is_refused(draft: str, reason: str | None) -> None:
    """With the rules' own reason, where there is one."""
    with pytest.raises(BadEvent) as refusal:
        ask(qwirkle(RED_LINE, "Rs Rt Gs", "Yo"), draft)
    assert refusal.value.reason == reason


def games(seed: int) -> Iterator[View]:
    """Yield the views of who acts in a game of random lays."""
    rng = Random(seed)
    state = GAME.new(2, {"seniority": (0, 1)})
    while not state.is_over:
        if state.chance:
            state = state.resolve(state.chance.sample(rng.randrange))
            continue
        seat = state.to_act[0]
        view = state.view(seat)
        assert isinstance(view, View)
        yield view
        lays = [move for move in view.legal() if isinstance(move, Lay)]
        state = state.apply(seat, rng.choice(lays or list(view.legal())))


@pytest.mark.parametrize("seed", range(2))
def test_tile_by_tile_one_gets_to_all_lays_and_no_others(seed: int) -> None:
    """Following the spots from nothing finds exactly the legal lays, with their points."""
    for view in games(seed):
        legal = {str(move) for move in view.legal() if isinstance(move, Lay)}
        if len(legal) > MOST_LAYS:
            continue
        drafts, found = [""], set()
        seen = {""}
        while drafts:
            told = guide(view, drafts.pop())
            if told["legal"]:
                found.add(told["draft"])
                lay = GAME.read_move(told["draft"])
                assert isinstance(lay, Lay)
                assert told["points"] - told["bonus"] == view.points_of(lay)
                parts = sum(line["points"] for line in told["lines"])
                assert told["points"] == max(parts, 1) + told["bonus"]
            laid = told["draft"].split()
            for tile, cells in told["spots"].items():
                for cell in cells:
                    x, y = map(int, cell.split(","))
                    placed = [place.split("@") for place in laid]
                    places = [(name, *map(int, at.split(","))) for name, at in placed]
                    draft = str(Lay.of(*places, (tile, x, y)))
                    if draft not in seen:
                        seen.add(draft)
                        drafts.append(draft)
        assert found == legal
