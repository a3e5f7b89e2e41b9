"""Positions that could not lie on a table are refused, and the message names what is wrong."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from qlub.core.errors import BadPosition
from qlub.core.registry import find_game

EMPTY = {"r": [], "y": [], "g": [], "b": [], "penalties": 0}
BASES: dict[str, dict[str, Any]] = {
    "qwixx": {
        "game": "qwixx",
        "options": {"end": "table"},
        "phase": "color",
        "active": 0,
        "dice": {"w": [4, 1], "r": 2, "y": 3, "g": 5, "b": 6},
        "sheets": [{**EMPTY, "r": [3, 5], "g": [12], "penalties": 1}, {**EMPTY, "y": [5]}],
        "decided": {},
        "crossed": True,
    },
    "qwantum": {
        "game": "qwantum",
        "options": {},
        "phase": "share",
        "active": 0,
        "dice": ["w3", "r1", "r2", "b4", "v3", "b6", "y5"],
        "sheets": [
            {"v": [6], "b": [], "r": [], "y": [], "fails": 0},
            {"v": [], "b": [4, 9], "r": [], "y": [], "fails": 2},
        ],
        "picked": "v",
        "rerolling": [],
        "decided": {"1": "r6"},
    },
    "qwirkle": {
        "game": "qwirkle",
        "options": {"seniority": [0, 1]},
        "phase": "turn",
        "active": 1,
        "board": {"0,0": "Ro", "1,0": "Rx"},
        "hands": [["Gx", "Gd"], ["Bs"]],
        "bag": ["Ro", "Pc"],
        "points": [2, 0],
        "drawing": None,
    },
}
DRAWING = {"phase": "draw", "active": 0, "drawing": {"seat": 0, "count": 1, "returning": ["Yd"]}}
FULL = {"v": [1, 2, 3, 9, 5, 4], "b": [1, 2, 3, 9, 5, 4], "r": [1, 2, 3, 9, 5, 4]}
BLUES = {f"{x},0": f"B{shape}" for x, shape in enumerate("oxdstc")}


def changed(name: str, **fields: Any) -> dict[str, Any]:
    """Return a copy of a position that is fine, with some fields changed or, if `...`, removed."""
    position = {**json.loads(json.dumps(BASES[name])), **fields}
    return {field: value for field, value in position.items() if value is not ...}


def with_sheet(name: str, **rows: Any) -> dict[str, Any]:
    """Return a copy of a position that is fine, with other rows on the sheet of seat 1."""
    first, second = BASES[name]["sheets"]
    return changed(name, sheets=[first, {**second, **rows}])


@pytest.mark.parametrize("name", BASES)
def test_the_positions_to_be_changed_are_fine(name: str) -> None:
    game = find_game(name)
    assert game.write_position(game.read_position(BASES[name])) == BASES[name]


@pytest.mark.parametrize("name", BASES)
def test_every_field_is_needed_and_no_other_is_known(name: str) -> None:
    read: Callable[[object], object] = find_game(name).read_position
    for field in BASES[name]:
        if field != "bag":
            with pytest.raises(BadPosition, match=field):
                read(changed(name, **{field: ...}))
    with pytest.raises(BadPosition, match="unknown field 'colour'"):
        read(changed(name, colour="red"))
    with pytest.raises(BadPosition, match="unknown field 'reason'"):
        read(changed(name, reason=None))


REFUSED: list[tuple[dict[str, Any], str]] = [
    (changed("qwixx", phase="deal"), "'phase'"),
    (changed("qwixx", active=2), "'active'"),
    (changed("qwixx", active=True), "'active'"),
    (changed("qwixx", active=None), "'active'"),
    (changed("qwixx", options={"end": "soon"}), "option end"),
    (changed("qwixx", options={"fast": True}), "unknown option"),
    (changed("qwixx", sheets=[]), "'sheets'"),
    (changed("qwixx", sheets=[EMPTY] * 6), "'sheets'"),
    (changed("qwixx", dice=None), "'dice'"),
    (changed("qwixx", dice={"w": [4, 1, 1], "r": 2, "y": 3, "g": 5, "b": 6}), "two white dice"),
    (changed("qwixx", dice={"w": [4], "r": 2, "y": 3, "g": 5, "b": 6}), "two white dice"),
    (changed("qwixx", dice={"w": [4, 7], "r": 2, "y": 3, "g": 5, "b": 6}), "white die"),
    (changed("qwixx", dice={"w": [4, 1], "r": 0, "y": 3, "g": 5, "b": 6}), "'r'"),
    (changed("qwixx", dice={"w": [4, 1], "y": 3, "g": 5, "b": 6}), "'r'"),
    (changed("qwixx", dice={"w": [4, 1], "r": 2, "y": 3, "g": 5, "b": 6, "v": 1}), "'v'"),
    (with_sheet("qwixx", g=[12, 11, 10, 9, 8, 2]), "die g of a closed row"),
    (with_sheet("qwixx", r=[5, 3]), "r3"),
    (with_sheet("qwixx", r=[5, 5]), "r5"),
    (with_sheet("qwixx", g=[3, 5]), "g5"),
    (with_sheet("qwixx", r=[1]), "2 to 12"),
    (with_sheet("qwixx", r=[2, 3, 4, 5, 12]), "r12"),
    (with_sheet("qwixx", r=[True]), "2 to 12"),
    (with_sheet("qwixx", penalties=5), "'penalties'"),
    (with_sheet("qwixx", penalties=4), "already be over"),
    (with_sheet("qwixx", v=[]), "unknown field 'v'"),
    (changed("qwixx", phase="roll"), "'dice' is null"),
    (changed("qwixx", phase="roll", dice=None), "'crossed'"),
    (changed("qwixx", phase="first", dice=None, crossed=False), "'active' is null"),
    (changed("qwixx", crossed=1), "'crossed'"),
    (changed("qwixx", decided={"0": "r5"}), "'decided'"),
    (changed("qwixx", phase="white", crossed=False, decided={"0": "r6"}), "cannot have decided"),
    (changed("qwixx", phase="white", crossed=False, decided={"0": True}), "cannot have decided"),
    (changed("qwixx", phase="white", crossed=False, decided={"2": "-"}), "not a seat"),
    (changed("qwixx", phase="white", crossed=False, decided={"00": "-"}), "not a seat"),
    (changed("qwixx", phase="white", crossed=False, decided={"0": "-", "1": "-"}), "every seat"),
    (changed("qwixx", phase="over", crossed=False, reason="rows"), "not over yet"),
    (
        {**with_sheet("qwixx", penalties=4), "phase": "over", "crossed": False, "reason": "rows"},
        "'reason'",
    ),
    ({**with_sheet("qwixx", penalties=4), "phase": "over", "crossed": False}, "'reason'"),
    (changed("qwantum", options={"end": "table"}), "unknown option"),
    (changed("qwantum", dice=["w3", "r1"]), "7 dice"),
    (changed("qwantum", dice=["w7", "r1", "r2", "b4", "v3", "b6", "y5"]), "die w"),
    (changed("qwantum", dice=["w3", "r2", "r2", "b4", "v3", "b6", "y5"]), "die 1"),
    (changed("qwantum", dice=["r1", "w3", "r2", "b4", "v3", "b6", "y5"]), "die w"),
    (with_sheet("qwantum", b=[9, 4]), "b4"),
    (with_sheet("qwantum", b=[4, 4]), "b4"),
    (with_sheet("qwantum", b=[1, 2, 3, 4, 4]), "b4"),
    (with_sheet("qwantum", b=[1, 2, 3, 4, 3, 3]), "b3"),
    (with_sheet("qwantum", b=[1, 2, 3, 9, 8, 7, 6]), "b6"),
    (with_sheet("qwantum", b=[34]), "1 to 33"),
    (with_sheet("qwantum", fails=6), "'fails'"),
    (with_sheet("qwantum", fails=5), "already be over"),
    (with_sheet("qwantum", **FULL, y=[1, 2, 3, 9, 5, 4]), "already be over"),
    (changed("qwantum", picked="g"), "'picked'"),
    (changed("qwantum", phase="pick", decided={}), "'picked'"),
    (changed("qwantum", rerolling=["w"]), "'rerolling'"),
    (changed("qwantum", phase="reroll", picked=None, decided={}), "'rerolling'"),
    (changed("qwantum", phase="reroll", picked=None, decided={}, rerolling=["1", "w"]), "order"),
    (changed("qwantum", phase="reroll", picked=None, decided={}, rerolling=["1", "1"]), "order"),
    (changed("qwantum", decided={"1": "v6"}), "cannot have decided"),
    (changed("qwantum", decided={"1": "b13", "0": "-"}), "every seat"),
    (changed("qwirkle", options={"seniority": [0]}), "seniority"),
    (changed("qwirkle", hands=[["Gx"]]), "'hands'"),
    (changed("qwirkle", hands=[["Gx"]] * 5), "'hands'"),
    (changed("qwirkle", points=[2]), "'points'"),
    (changed("qwirkle", points=[2, "0"]), "points"),
    (changed("qwirkle", board={"0,0": "Ro", "2,0": "Rx"}), "touch"),
    (changed("qwirkle", board={"0,0": "Ro", "1,1": "Rx"}), "touch"),
    (changed("qwirkle", board={"0,0": "Ro", "1,0": "Gx"}), "one line"),
    (changed("qwirkle", board={"0,0": "Ro", "1,0": "Rx", "2,0": "Ro"}), "one line"),
    (changed("qwirkle", board={"0,0": "Ro", "1,0": "Rx", "2,0": "Gx"}), "one line"),
    (changed("qwirkle", board={"00,0": "Ro"}), "a cell"),
    (changed("qwirkle", board={"-0,0": "Ro"}), "a cell"),
    (changed("qwirkle", board={"0, 0": "Ro"}), "a cell"),
    (changed("qwirkle", board={"0,0": "Rz"}), "tile"),
    (changed("qwirkle", hands=[["Gx"] * 4, ["Bs"]]), "4 tiles Gx"),
    (changed("qwirkle", bag=["Ro"] * 3), "4 tiles Ro"),
    (changed("qwirkle", hands=[["Gx", "Gd", "Gs", "Gt", "Gc", "Go", "Pt"], ["Bs"]]), "at most 6"),
    (changed("qwirkle", hands=[[], ["Bs"]]), "empty"),
    (changed("qwirkle", hands=[[], ["Bs"]], bag=[]), "already be over"),
    (changed("qwirkle", hands=[["Gd"], ["Bs"]], bag=[]), "already be over"),
    (changed("qwirkle", drawing=DRAWING["drawing"]), "'drawing' is null"),
    (changed("qwirkle", **{**DRAWING, "active": 1}), "active seat draws"),
    (changed("qwirkle", **DRAWING, board={}), "before the first move"),
    (changed("qwirkle", **{**DRAWING, "drawing": None}), "'drawing'"),
    (
        changed("qwirkle", **{**DRAWING, "drawing": {"seat": 0, "count": 2, "returning": ["Yd"]}}),
        "cannot draw",
    ),
    (
        changed("qwirkle", **{**DRAWING, "drawing": {"seat": 0, "count": 1, "returning": []}}),
        "cannot draw",
    ),
    (changed("qwirkle", **DRAWING, bag=[]), "cannot draw"),
    (
        changed("qwirkle", **DRAWING, hands=[["Gx", "Gd", "Gs", "Gt", "Gc", "Go"], ["Bs"]]),
        "cannot draw",
    ),
    (changed("qwirkle", phase="over", reason="blocked"), "not over"),
    (changed("qwirkle", phase="over", reason="blocked", hands=[["Gx"], []], bag=[]), "'reason'"),
    (changed("qwirkle", phase="deal", active=None), "'drawing'"),
    (
        changed(
            "qwirkle",
            phase="deal",
            active=None,
            board={},
            hands=[["Gx"], ["Bs"]],
            bag=...,
            drawing={"seat": 1, "count": 6, "returning": []},
        ),
        "phase deal",
    ),
]


@pytest.mark.parametrize(("position", "complaint"), REFUSED, ids=[text for _, text in REFUSED])
def test_what_could_not_lie_on_a_table_is_refused(position: dict[str, Any], complaint: str) -> None:
    with pytest.raises(BadPosition, match=complaint):
        find_game(position["game"]).read_position(position)


ACCEPTED: list[dict[str, Any]] = [
    changed("qwixx", options={}),
    changed("qwixx", sheets=[EMPTY]),
    changed("qwixx", phase="white", crossed=False, decided={"1": "-"}),
    changed("qwantum", phase="reroll", picked=None, decided={}, rerolling=["w", "4"]),
    changed("qwirkle", bag=...),
    changed("qwirkle", options={"seniority": None}),
    changed("qwirkle", board={}, bag=...),
    changed("qwirkle", board={"5000,-5000": "Ro"}, bag=...),
    changed("qwirkle", board={f"{10**30},0": "Ro", f"{10**30 + 1},0": "Rx"}),
    changed("qwirkle", hands=[["Pc", "Gd", "Gx"], ["Bs"]], bag=["Pc", "Ro"]),
    changed("qwirkle", **DRAWING),
    changed("qwirkle", points=[-5, 10**6]),
    changed("qwirkle", phase="over", active=1, reason="finished", hands=[["Gx"], []], bag=[]),
    changed("qwirkle", phase="over", reason="blocked", hands=[["Gd"], ["Bs"]], bag=[]),
    changed("qwirkle", board=BLUES, bag=["Go"]),
]


@pytest.mark.parametrize("position", ACCEPTED)
def test_what_could_lie_on_a_table_is_read_and_written_back(position: dict[str, Any]) -> None:
    game = find_game(position["game"])
    state = game.read_position(position)
    written = game.write_position(state)
    assert game.read_position(written) == state
    for seat in state.to_act:
        for move in state.legal(seat):
            assert game.read_move(str(move)) == move


def test_a_bag_that_is_left_out_holds_the_rest() -> None:
    game = find_game("qwirkle")
    position = game.write_position(game.read_position(changed("qwirkle", bag=...)))
    assert len(position["bag"]) == 108 - 2 - 3
    assert position["bag"].count("Ro") == 2
    assert position["bag"].count("Bs") == 2
    assert position["bag"].count("Pt") == 3
