"""The engine protocol through the real program: every request and every refusal."""

import json
from typing import Any

import pytest
from driving import OPENING, ROLL, applied, ask, run_engine, sample_record

from qlub.core.protocol import Engine

NEW: dict[str, Any] = {"do": "new", "game": "qwixx", "seats": 2}


def test_games_lists_seats_and_options() -> None:
    (answer,) = ask({"do": "games"})
    assert answer["ok"] is True
    listed = {game["name"]: game for game in answer["games"]}
    end = {"default": "table", "choices": ["table", "player"]}
    assert listed["qwixx"] == {"name": "qwixx", "seats": [2, 5], "options": {"end": end}}
    assert listed["qwantum"] == {"name": "qwantum", "seats": [2, 4], "options": {}}
    assert listed["qwirkle"]["seats"] == [2, 4]
    assert listed["qwirkle"]["options"]["seniority"]["default"] is None


def test_the_opening_of_the_record_example() -> None:
    answers = ask(
        {**NEW, "names": ["Max", "Emma"], "options": {}},
        *applied(OPENING[:2]),
        {"do": "legal", "seat": 0},
        *applied(OPENING[2:3]),
        {"do": "legal", "seat": 0},
        {"do": "view", "seat": 1},
        {"do": "view", "seat": None},
        *applied(OPENING[3:]),
        {"do": "position"},
        {"do": "record"},
    )
    assert all(answer["ok"] for answer in answers)
    assert answers[2]["status"] == {
        "phase": "white",
        "active": 0,
        "to_act": [0, 1],
        "chance": None,
        "scores": [0, 0],
        "over": False,
        "winners": None,
        "reason": None,
    }
    assert answers[3]["moves"] == ["r5", "y5", "g5", "b5", "-"]
    assert answers[5]["moves"] == []
    assert answers[6]["view"]["decided"] == {"0": True}
    assert answers[6] == answers[7]
    assert answers[9]["status"]["chance"] == "roll"
    assert answers[10]["position"] == {
        "game": "qwixx",
        "options": {"end": "table"},
        "phase": "roll",
        "active": 1,
        "dice": None,
        "sheets": [
            {"r": [5], "y": [], "g": [], "b": [10], "penalties": 0},
            {"r": [], "y": [5], "g": [], "b": [], "penalties": 0},
        ],
        "decided": {},
        "crossed": False,
    }
    assert answers[11]["record"] == {
        "format": "qlub-record/1",
        "game": "qwixx",
        "options": {"end": "table"},
        "seats": ["Max", "Emma"],
        "start": None,
        "events": [list(event) for event in OPENING],
        "result": None,
        "fair": None,
    }


def test_a_record_can_be_replayed_and_played_on() -> None:
    record = ask(NEW, *applied(OPENING), {"do": "record"})[-1]["record"]
    replayed, roll = ask({"do": "replay", "record": record}, *applied([("*", ROLL)]))
    assert replayed["status"]["phase"] == "roll"
    assert roll["status"]["phase"] == "white"


def test_a_setup_begins_a_record_of_its_own() -> None:
    position = ask(NEW, *applied(OPENING), {"do": "position"})[-1]["position"]
    setup, roll, record = ask(
        {"do": "setup", "position": position}, *applied([("*", ROLL)]), {"do": "record"}
    )
    assert setup["ok"]
    assert roll["ok"]
    assert record["record"]["start"] == position
    assert record["record"]["events"] == [["*", ROLL]]
    assert ask({"do": "replay", "record": record["record"]})[0]["ok"]


def test_spaces_around_a_text_are_trimmed_and_blank_lines_ignored() -> None:
    answers = run_engine(
        [
            b"",
            b"  ",
            json.dumps(NEW).encode(),
            b"\r",
            b'{"do":"apply","actor":"*","event":" first 1 "}',
        ]
    )
    assert [answer["ok"] for answer in answers] == [True, True]


@pytest.mark.parametrize("name", ["qwixx", "qwantum"])
def test_one_seat_is_for_practice(name: str) -> None:
    answer, _ = ask({"do": "new", "game": name, "seats": 1}, *applied([("*", "first 0")]))
    assert answer["ok"]


ILLEGAL_REQUESTS: list[tuple[str, object]] = [
    ("bad-request", "text"),
    ("bad-request", []),
    ("bad-request", {}),
    ("bad-request", {"do": "fly"}),
    ("bad-request", {"do": ["games"]}),
    ("bad-request", {"do": "new", "game": "qwixx"}),
    ("bad-request", {"do": "new", "game": 3, "seats": 2}),
    ("bad-request", {"do": "new", "game": "chess", "seats": "2"}),
    ("bad-request", {"do": "new", "game": "qwixx", "seats": True}),
    ("bad-request", {"do": "new", "game": "qwixx", "seats": 2.0}),
    ("bad-request", {**NEW, "options": None}),
    ("bad-request", {**NEW, "names": ["Max"]}),
    ("bad-request", {**NEW, "names": ["Max", 7]}),
    ("bad-request", {"do": "apply", "actor": None, "event": "r5"}),
    ("bad-request", {"do": "apply", "actor": "0", "event": "r5"}),
    ("bad-request", {"do": "apply", "actor": True, "event": "r5"}),
    ("bad-request", {"do": "apply", "actor": -1, "event": "r5"}),
    ("bad-request", {"do": "apply", "actor": 0}),
    ("bad-request", {"do": "apply", "actor": 0, "event": 5}),
    ("bad-request", {"do": "legal"}),
    ("bad-request", {"do": "legal", "seat": None}),
    ("bad-request", {"do": "view"}),
    ("bad-request", {"do": "view", "seat": "0"}),
    ("bad-request", {"do": "setup"}),
    ("bad-request", {"do": "replay"}),
    ("bad-request", {"do": "replay", "record": {"format": "qlub-record/2"}}),
    ("unknown-game", {"do": "new", "game": "chess", "seats": 2}),
    ("unknown-game", {"do": "new", "game": "", "seats": 99}),
    ("bad-option", {"do": "new", "game": "qwixx", "seats": 6}),
    ("bad-option", {"do": "new", "game": "qwixx", "seats": 0}),
    ("bad-option", {"do": "new", "game": "qwirkle", "seats": 1}),
    ("bad-option", {**NEW, "options": {"end": "never"}}),
    ("bad-option", {**NEW, "options": {"fast": True}}),
    ("bad-option", {"do": "new", "game": "qwirkle", "seats": 2, "options": {"seniority": [0, 0]}}),
    (
        "bad-option",
        {"do": "new", "game": "qwirkle", "seats": 2, "options": {"seniority": [True, 0]}},
    ),
    ("bad-request", {"do": "setup", "position": 7}),
    ("bad-request", {"do": "setup", "position": None}),
    ("bad-position", {"do": "setup", "position": {"game": "chess"}}),
    ("bad-position", {"do": "setup", "position": {"game": "qwixx"}}),
    ("no-game", {"do": "position"}),
    ("no-game", {"do": "record"}),
    ("no-game", {"do": "legal", "seat": 3}),
    ("no-game", {"do": "view", "seat": None}),
    ("no-game", {"do": "apply", "actor": 9, "event": "nonsense"}),
]


@pytest.mark.parametrize(("word", "request_"), ILLEGAL_REQUESTS)
def test_a_request_is_refused_with_the_first_word_that_applies(word: str, request_: object) -> None:
    answer = json.loads(Engine().answer(json.dumps(request_)))
    assert answer["ok"] is False
    assert answer["error"] == word
    assert answer["message"]
    assert set(answer) == {"ok", "error", "message"}


REFUSED_EVENTS: list[tuple[str, int, object, str]] = [
    ("bad-request", 2, 2, "r5"),
    ("not-your-turn", 0, 0, "r5"),
    ("not-your-turn", 0, 0, "nonsense"),
    ("not-your-turn", 2, "*", ROLL),
    ("not-your-turn", 3, 0, "r5"),
    ("not-your-turn", 4, 1, "-"),
    ("bad-event", 0, "*", "first 2"),
    ("bad-event", 0, "*", "First 0"),
    ("bad-event", 1, "*", "w4 w1 r2 y3 g5"),
    ("bad-event", 1, "*", "w4 w1 r2 y3 g5 b7"),
    ("bad-event", 1, "*", "w4 w1 y3 r2 g5 b6"),
    ("bad-event", 1, "*", "w4  w1 r2 y3 g5 b6"),
    ("bad-event", 2, 0, "r13"),
    ("bad-event", 2, 0, "r05"),
    ("bad-event", 2, 0, "R5"),
    ("bad-event", 2, 0, "r٥"),
    ("bad-event", 2, 0, "pass"),
    ("bad-event", 2, 0, "first 0"),
    ("bad-event", 2, 0, ""),
    ("illegal-move", 2, 0, "r6"),
    ("illegal-move", 2, 1, "b2"),
    ("illegal-move", 4, 0, "r5"),
]


@pytest.mark.parametrize(("word", "played", "actor", "text"), REFUSED_EVENTS)
def test_an_event_is_refused_and_changes_nothing(
    word: str, played: int, actor: object, text: str
) -> None:
    engine = Engine()
    for request in [NEW, *applied(OPENING[:played])]:
        assert json.loads(engine.answer(json.dumps(request)))["ok"]
    before = engine.answer('{"do": "record"}')
    answer = json.loads(engine.answer(json.dumps(applied([(actor, text)])[0])))
    assert (answer["ok"], answer["error"]) == (False, word)
    assert engine.answer('{"do": "record"}') == before


def test_after_the_end_there_is_only_game_over() -> None:
    sheets = [
        {"r": [2, 3, 4, 5, 6], "y": [], "g": [12, 11, 10, 9, 8, 2], "b": [], "penalties": 3},
        {"r": [], "y": [], "g": [], "b": [], "penalties": 0},
    ]
    position = {
        "game": "qwixx",
        "options": {"end": "table"},
        "phase": "color",
        "active": 0,
        "dice": {"w": [1, 6], "r": 6, "y": 1, "b": 1},
        "sheets": sheets,
        "decided": {},
        "crossed": False,
    }
    answers = ask(
        {"do": "setup", "position": position}, *applied([(0, "r12"), (0, "r12"), ("*", "x")])
    )
    assert answers[1]["status"]["reason"] == "rows"
    assert answers[1]["status"]["winners"] == [0]
    assert [answer.get("error") for answer in answers[2:]] == ["game-over", "game-over"]


def test_a_record_with_a_bad_event_names_it() -> None:
    record = ask(NEW, *applied(OPENING), {"do": "record"})[-1]["record"]
    record["events"][3] = [1, "y6"]
    (answer,) = ask({"do": "replay", "record": record})
    assert answer["error"] == "illegal-move"
    assert answer["message"].startswith("event 3:")


@pytest.mark.parametrize(
    ("word", "changes"),
    [
        ("bad-request", {"game": "nope", "events": 5}),
        ("bad-request", {"game": "nope", "seats": 5}),
        ("bad-request", {"game": "nope", "options": 5}),
        ("bad-request", {"game": "nope", "fair": 5}),
        ("bad-request", {"seats": ["a"] * 7, "events": 5}),
        ("bad-request", {"start": 5}),
        ("bad-request", {"start": {"game": "nope"}, "events": 5}),
        ("bad-request", {"events": [["*"]]}),
        ("bad-request", {"events": [[0.0, "r5"]]}),
        ("unknown-game", {"game": "nope", "seats": ["a"] * 7}),
        ("bad-option", {"start": {"game": "nope"}, "options": {"x": 1}}),
        ("bad-option", {"seats": ["a"] * 7}),
        ("bad-position", {"start": {"game": "nope"}}),
        ("not-your-turn", {"events": [[0, "r5"]]}),
    ],
)
def test_a_record_is_refused_with_the_first_word_that_applies(
    word: str, changes: dict[str, object]
) -> None:
    request = {"do": "replay", "record": {**sample_record(), **changes}}
    assert json.loads(Engine().answer(json.dumps(request)))["error"] == word


def test_a_start_must_be_of_the_record() -> None:
    position = ask(NEW, {"do": "position"})[-1]["position"]
    three = ask({**NEW, "seats": 3}, {"do": "position"})[-1]["position"]
    qwantum = ask({**NEW, "game": "qwantum"}, {"do": "position"})[-1]["position"]
    player = {**position, "options": {"end": "player"}}
    fine = {**sample_record(), "start": position}
    assert ask({"do": "replay", "record": fine})[0]["ok"]
    for start in (three, qwantum, player):
        (answer,) = ask({"do": "replay", "record": {**fine, "start": start}})
        assert answer["error"] == "bad-position"


def test_a_record_with_a_wrong_result_is_refused() -> None:
    record = ask(NEW, *applied(OPENING), {"do": "record"})[-1]["record"]
    record["result"] = {"scores": [1, 1], "winners": [0, 1], "reason": "rows"}
    (answer,) = ask({"do": "replay", "record": record})
    assert answer["error"] == "bad-request"
