"""Hostile lines never end the engine, and mangled positions never slip through."""

import json
from collections.abc import Iterator
from random import Random
from typing import Any

from driving import ROLL, run_engine, sample_record

from qlub.core.protocol import Engine
from qlub.core.registry import all_games, find_game

HOSTILE_LINES = 20_000

BROKEN_LINES = [
    b"{",
    b'{"do": "games"',
    b"\xff\xfe\x00",
    b"\x00",
    b'\xef\xbb\xbf{"do": "games"}',
    b"nul",
    b"NaN",
    b'{"do": "new", "game": "qwixx", "seats": NaN}',
    b'{"do": "new", "game": "qwixx", "seats": 1e999}',
    b'{"do": "new", "game": "qwixx", "seats": -Infinity}',
    b'{"do": "legal", "seat": ' + b"9" * 5000 + b"}",
    b'{"do": "apply", "actor": 0, "event": "\\ud800"}',
    b"[" * 100_000,
    b'{"a":' * 50_000 + b"1" + b"}" * 50_000,
    b'"' + b"x" * 100_000,
    json.dumps({"do": "x" * 100_000}).encode(),
    json.dumps({"do": "setup", "position": {"game": "qwirkle", "board": {"0,0": "Ro"}}}).encode(),
]


def hostile_lines(rng: Random) -> Iterator[bytes]:
    """Yield broken, wrong and wrong-phase lines, some grown from requests that were right."""
    values: list[Any] = [None, True, -1, 0, 1, 2, 1.5, 10**30, "", "*", "-", "r5", [], {}, [[]]]
    values += ["qwixx", "qwantum", "qwirkle", "first 0", ROLL, "keep", "reroll w", "swap Ro"]
    values += ["w3 r1 r2 b4 v3 b6 y5", "0: Ro Ro Ro Ox Ox Ox", "Ro@0,0 Rx@1,0", "Ro@99999999,0"]
    verbs = ["games", "new", "setup", "apply", "legal", "position", "view", "record", "replay"]
    fields = [
        "do",
        "game",
        "seats",
        "options",
        "names",
        "position",
        "actor",
        "event",
        "seat",
        "record",
    ]
    positions = list(sample_positions(rng))
    while True:
        request: Any = {
            field: rng.choice(values) for field in rng.sample(fields, rng.randint(1, 6))
        }
        request["do"] = rng.choice(verbs)
        match rng.randrange(8):
            case 0:
                yield rng.choice(BROKEN_LINES)
                continue
            case 1:
                request = {"do": "new", "game": rng.choice(["qwixx", "qwantum", "qwirkle"])}
                request["seats"] = rng.randint(0, 6)
            case 2:
                request = {"do": "setup", "position": mangled(rng.choice(positions), values, rng)}
            case 3:
                request = mangled({"do": "replay", "record": sample_record()}, values, rng)
            case 4:
                request = {"do": "setup", "position": rng.choice(positions)}
            case 5:
                actor, event = rng.choice(["*", 0, 1]), rng.choice(values)
                request = {"do": "apply", "actor": actor, "event": event}
        line = json.dumps(request).encode()
        if rng.random() < 0.1:
            cut = rng.randrange(len(line))
            line = line[:cut] + bytes([rng.randrange(256)]) + line[cut + 1 :]
        yield line.replace(b"\n", b" ")


def sample_positions(rng: Random) -> Iterator[Any]:
    """Yield positions of all games in all phases."""
    for game in all_games():
        options = {name: option.default_for(2) for name, option in game.options.items()}
        state = game.new(2, options)
        while not state.is_over:
            yield game.write_position(state)
            if state.chance:
                state = state.resolve(state.chance.sample(rng.randrange))
            else:
                seat = state.to_act[0]
                state = state.apply(seat, rng.choice(state.legal(seat)))
        yield game.write_position(state)


def mangled(data: Any, values: list[Any], rng: Random) -> Any:
    """Return a copy of some JSON with one thing in it replaced, removed or added."""
    copy = json.loads(json.dumps(data))
    inner: Any = copy
    while isinstance(inner, dict | list) and inner:
        key = rng.choice(list(inner)) if isinstance(inner, dict) else rng.randrange(len(inner))
        if rng.random() < 0.4 or not isinstance(inner[key], dict | list):
            kind = rng.randrange(3)
            if kind == 0:
                inner[key] = rng.choice(values)
            elif kind == 1:
                del inner[key]
            elif isinstance(inner, list):
                inner.append(rng.choice(values))
            else:
                inner[str(rng.choice(values))] = rng.choice(values)
            break
        inner = inner[key]
    return copy


def test_hostile_lines_never_end_the_engine() -> None:
    source = hostile_lines(Random(20_000))
    lines = [*BROKEN_LINES, *(next(source) for _ in range(HOSTILE_LINES))]
    lines = [line for line in lines if line.strip()]
    answers = run_engine([*lines, b'{"do": "games"}'])
    assert len(answers) == len(lines) + 1
    words = {answer.get("error", "ok") for answer in answers}
    assert words >= {
        "ok",
        "bad-request",
        "unknown-game",
        "bad-option",
        "bad-position",
        "no-game",
        "game-over",
        "not-your-turn",
        "bad-event",
        "illegal-move",
    }
    for answer in answers:
        message = answer.get("message", "")
        assert "Traceback" not in message
        assert len(message.splitlines()) <= 1
        assert len(message) < 1000


def test_a_mangled_position_is_refused_or_reads_back() -> None:
    """What `setup` accepts is a position; whatever it accepts, it writes in its one form."""
    rng = Random(7)
    positions = list(sample_positions(rng))
    for _ in range(4000):
        position = mangled(
            rng.choice(positions), [None, 0, 1, 7, -1, True, "r5", "Ro", [], {}], rng
        )
        answer = json.loads(Engine().answer(json.dumps({"do": "setup", "position": position})))
        if answer["ok"]:
            game = find_game(position["game"])
            state = game.read_position(position)
            assert game.read_position(game.write_position(state)) == state
        else:
            assert answer["error"] == "bad-position", (position, answer)
