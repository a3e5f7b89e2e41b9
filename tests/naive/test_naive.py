"""Sanity tests of the naive rules themselves, with the examples of the rulebooks."""

from copy import deepcopy
from random import Random
from typing import Any

from naive import qwantum, qwirkle, qwixx

Position = dict[str, Any]
Event = tuple[int | str, str]

QWANTUM_FACES = [
    ["w1", "w2", "w3", "w4", "w5", "w6"],
    ["r1", "r4", "y5", "b1", "b5", "v6"],
    ["r2", "r6", "y1", "y3", "b5", "v4"],
    ["r1", "r3", "y2", "y4", "b4", "v3"],
    ["r5", "y6", "b2", "b4", "v1", "v3"],
    ["r3", "y4", "b2", "b6", "v2", "v5"],
    ["r6", "y1", "y5", "b3", "v2", "v6"],
]

EXAMPLES_A_TO_F = [
    ("Rd@0,0 Rc@1,0 Ro@2,0", 3),
    ("Rs@3,0 Bs@3,1 Ps@3,2", 7),
    ("Bo@2,1", 4),
    ("Gd@0,-1 Gc@1,-1", 6),
    ("Gx@-1,-1 Go@2,-1", 7),
    ("Os@3,3 Rs@4,3", 6),
]  # QK-17


def new_qwixx(seats: int, end: str = "table") -> Position:
    """Empty sheets, and nobody active yet."""
    sheet: Position = {"r": [], "y": [], "g": [], "b": [], "penalties": 0}
    start: Position = {"game": "qwixx", "options": {"end": end}, "phase": "first", "active": None}
    start |= {"dice": None, "sheets": [deepcopy(sheet) for _ in range(seats)]}
    return start | {"decided": {}, "crossed": False}


def new_qwantum(seats: int) -> Position:
    """Empty sheets, and nobody active yet."""
    sheet: Position = {"v": [], "b": [], "r": [], "y": [], "fails": 0}
    start: Position = {"game": "qwantum", "options": {}, "phase": "first", "active": None}
    start |= {"dice": None, "sheets": [deepcopy(sheet) for _ in range(seats)]}
    return start | {"picked": None, "rerolling": [], "decided": {}}


def new_qwirkle(seats: int) -> Position:
    """A full bag and empty hands."""
    start: Position = {"game": "qwirkle", "options": {"seniority": list(range(seats))}}
    start |= {"phase": "deal", "active": None, "board": {}, "hands": [[] for _ in range(seats)]}
    start |= {"bag": qwirkle.in_tile_order(qwirkle.TILES * 3), "points": [0] * seats}
    return start | {"drawing": {"seat": 0, "count": 6, "returning": []}}


def chance(position: Position, random: Random) -> str:
    """Roll or draw what the position waits for."""
    if position["phase"] == "first":
        return f"first {random.randrange(len(position['sheets']))}"
    if position["phase"] in ("deal", "draw"):
        drawing = position["drawing"]
        tiles = qwirkle.in_tile_order(random.sample(position["bag"], drawing["count"]))
        return f"{drawing['seat']}: {' '.join(tiles)}"
    if position["phase"] == "roll" and position["game"] == "qwixx":
        open_rows = [colour for colour in qwixx.ROWS if colour not in qwixx.closed_rows(position)]
        return " ".join(f"{colour}{random.randint(1, 6)}" for colour in ["w", "w", *open_rows])
    if position["phase"] == "roll":
        return " ".join(random.choice(faces) for faces in QWANTUM_FACES)
    rolled = list(position["dice"] or [])
    for die in position["rerolling"]:
        number = qwantum.DICE.index(die)
        rolled[number] = random.choice(QWANTUM_FACES[number])
    return " ".join(rolled)


def play(rules: Any, position: Position, random: Random, events: int) -> Position:
    """Play at random to the end, or so many events; no position is ever changed in place."""
    seats = len(position["hands"] if position["game"] == "qwirkle" else position["sheets"])
    for _ in range(events):
        if position["phase"] == "over":
            break
        choices = [(seat, text) for seat in range(seats) for text in rules.legal(position, seat)]
        actor: int | str = "*"
        if choices:
            actor, text = random.choice(sorted(choices))
        else:
            text = chance(position, random)
        before = deepcopy(position)
        after = rules.apply(position, actor, text)
        assert position == before
        assert set(after) - set(before) == ({"reason"} if after["phase"] == "over" else set())
        position = after
    return position


def test_qwixx_example_sheets() -> None:
    """QX-3, QX-16."""
    position = new_qwixx(1)
    sheet = {"r": [5, 7], "y": [10], "g": [6], "b": [10], "penalties": 0}
    left = {
        colour: [number for number in numbers if qwixx.may_cross(sheet, colour, number)]
        for colour, numbers in qwixx.ROWS.items()
    }
    assert left["r"] == [8, 9, 10, 11]
    assert left["y"] == [11]
    assert left["g"] == [5, 4, 3]
    assert left["b"] == [9, 8, 7, 6, 5, 4, 3]
    laura = {"r": [2, 3, 4, 5], "y": [2, 3, 4], "g": [12, 11, 10, 9, 8, 2], "penalties": 2}
    position["sheets"] = [laura | {"b": [12, 11, 10, 9, 8, 7, 6, 5]}]
    assert qwixx.scores(position) == [70]


def test_qwixx_example_turn() -> None:
    """QX-6, QX-7, QX-8: Max and Emma, and then Emma's empty turn."""
    position = new_qwixx(2)
    action_1: list[Event] = [("*", "first 0"), ("*", "w4 w1 r2 y3 g5 b6"), (0, "r5"), (1, "y5")]
    for actor, text in action_1:
        position = qwixx.apply(position, actor, text)
    assert qwixx.legal(position, 1) == set()
    assert qwixx.legal(position, 0) == {"r6", "y7", "y4", "g9", "g6", "b10", "b7", "-"}
    rest: list[Event] = [(0, "b10"), ("*", "w6 w6 r1 y1 g1 b1"), (0, "-"), (1, "-"), (1, "-")]
    for actor, text in rest:
        position = qwixx.apply(position, actor, text)
    assert [sheet["penalties"] for sheet in position["sheets"]] == [0, 1]
    assert (position["phase"], position["active"], position["dice"]) == ("roll", 0, None)


def test_qwixx_two_rows_close_in_action_1() -> None:
    """QX-11, QX-14, QX-18: no action 2 and no penalty; by the Italian text it goes on."""
    for end, phase in [("table", "over"), ("player", "color")]:
        position = new_qwixx(2, end) | {"phase": "white", "active": 0}
        position["dice"] = {"w": [6, 6], "r": 1, "y": 1, "b": 1}
        position["sheets"][0]["g"] = [12, 11, 10, 9, 8, 2]
        position["sheets"][1]["r"] = [2, 3, 4, 5, 6]
        position = qwixx.apply(qwixx.apply(position, 1, "r12"), 0, "-")
        assert position["phase"] == phase
        assert position["dice"] == {"w": [6, 6], "y": 1, "b": 1}
        assert position["sheets"][0]["penalties"] == 0


def test_qwantum_examples() -> None:
    """QN-6, QN-9, QN-16."""
    dice = ["w3", "y5", "b5", "b4", "b2", "b2", "b3"]
    assert [qwantum.colour_sum(dice, colour) for colour in "ryvb"] == [3, 8, 3, 19]
    emma = {"v": [1, 2, 3, 4, 3, 2], "b": [6, 8, 12, 16, 11, 4], "r": [7, 9, 13, 17, 12, 5]}
    assert qwantum.sheet_score(emma | {"y": [8, 10, 14, 18, 13, 6], "fails": 3}) == 51
    assert qwantum.column_score({"v": [6], "b": [6], "r": [6], "y": [6]}, 0) == 6
    assert qwantum.column_score({"v": [4], "b": [4], "r": [9], "y": [4]}, 0) == 9


def test_qwantum_full_sheet_in_b_ends_at_once() -> None:
    """QN-11, QN-13."""
    position = new_qwantum(2) | {"phase": "pick", "active": 0}
    position["dice"] = ["w3", "y5", "b5", "b4", "b2", "b2", "b3"]
    full = [1, 2, 3, 20, 10, 5]
    position["sheets"][0] |= {"v": full[:5], "b": full, "r": full, "y": full}
    assert qwantum.legal(position, 0) == {"v3", "-"}
    assert qwantum.apply(position, 0, "v3")["reason"] == "sheet"
    passed = qwantum.apply(position, 0, "-")
    assert qwantum.legal(passed, 1) == {"v3", "b19", "r3", "y8", "-"}


def test_qwirkle_examples() -> None:
    """QK-17, every move of it among the legal ones and scored as the rulebook does."""
    position = new_qwirkle(2) | {"phase": "turn", "active": 0, "bag": ["Px"], "drawing": None}
    for text, points in EXAMPLES_A_TO_F:
        laid = qwirkle.placements(text)
        position["hands"] = [list(laid.values()), ["Yt"]]
        assert text in qwirkle.legal(position, 0)
        assert qwirkle.points(position["board"], laid) == points
        position["board"] |= laid
        assert qwirkle.line_faults(position["board"]) == []
    assert qwirkle.line_faults({"0,0": "Ro", "1,0": "Rx", "2,0": "Ro"}) == ["Ro@0,0 Rx@1,0 Ro@2,0"]


def test_qwirkle_last_tile() -> None:
    """QK-10, QK-14: who can lay must, and the last tile scores six more."""
    position = new_qwirkle(2) | {"phase": "turn", "active": 1, "bag": [], "drawing": None}
    position |= {"board": {"0,0": "Ro"}, "hands": [["Rx", "Gd"], ["Rd"]]}
    assert qwirkle.legal(position, 1) == {"Rd@1,0", "Rd@-1,0", "Rd@0,1", "Rd@0,-1"}
    over = qwirkle.apply(position, 1, "Rd@1,0")
    assert (over["reason"], over["points"], over["active"]) == ("finished", [0, 8], 1)


def test_qwirkle_blocked() -> None:
    """QK-15: nothing fits any more, so the game ends at once and nobody scores six more."""
    position = new_qwirkle(2) | {"phase": "turn", "active": 0, "bag": [], "drawing": None}
    position |= {"board": {"0,0": "Ro"}, "hands": [["Rx", "Gd"], ["Bs"]]}
    over = qwirkle.apply(position, 0, "Rx@1,0")
    assert (over["reason"], over["points"], over["active"]) == ("blocked", [2, 0], 0)
    assert qwirkle.legal(position | {"active": 1}, 1) == {"-"}


def test_qwirkle_exchange() -> None:
    """QK-9: no more than the bag holds, and what was set aside cannot be drawn."""
    position = new_qwirkle(2) | {"phase": "turn", "active": 0, "bag": ["Pc"], "drawing": None}
    position |= {"board": {"0,0": "Ro"}, "hands": [["Gd", "Gd"], ["Rx"]]}
    assert qwirkle.legal(position, 0) == {"swap Gd"}
    waiting = qwirkle.apply(position, 0, "swap Gd")
    assert waiting["drawing"] == {"seat": 0, "count": 1, "returning": ["Gd"]}
    after = qwirkle.apply(waiting, "*", "0: Pc")
    assert (after["hands"][0], after["bag"], after["active"]) == (["Gd", "Pc"], ["Gd"], 1)


def test_random_games_end() -> None:
    """Games of dice come to an end, and the reason can be told from the sheets."""
    for rules, new in [(qwixx, new_qwixx), (qwantum, new_qwantum)]:
        for seed in range(10):
            over = play(rules, new(2 + seed % 3), Random(seed), 100_000)
            assert over["reason"] == rules.is_over(over)


def test_random_qwirkle_keeps_its_tiles() -> None:
    """A few turns of Qwirkle lose no tile and make no faulty line."""
    position = play(qwirkle, new_qwirkle(2), Random(1), 16)
    aside = position["drawing"]["returning"] if position["drawing"] else []
    in_hands = [tile for hand in position["hands"] for tile in hand]
    tiles = [*position["board"].values(), *position["bag"], *in_hands, *aside]
    assert qwirkle.in_tile_order(tiles) == qwirkle.in_tile_order(qwirkle.TILES * 3)
    assert qwirkle.line_faults(position["board"]) == []
