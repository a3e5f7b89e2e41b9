"""Nonsense of every kind, by request and by frame: the club refuses it in order, and plays on."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import pairwise
from pathlib import Path
from typing import Any, get_args

import pytest
from clubhouse import Club, Json
from hypothesis import given, settings
from hypothesis import strategies as st
from mallory import REPEATABLE, Company, assert_plays_on, assert_refused_in_order
from wire import BINARY, CLOSE, CONTINUED, PING, PONG, TEXT, Wire, come_in, cookie_of, frame

from qlub.club.commands import REACTIONS, Command

CASES = 8
"""How many requests schemathesis makes up for each operation, besides those at the limits."""


@pytest.fixture(autouse=True)
def plays_on(house: Club) -> Iterator[None]:
    """Whatever a test sent, the club is as well as before."""
    yield
    assert_plays_on(house)


# What OpenAPI describes


def test_every_request_that_openapi_describes(
    house: Club, company: Company, tmp_path: Path
) -> None:
    """Schemathesis makes up requests, right and wrong, and compares the answers with the promise.

    Only that a request of the right shape is accepted is not promised: rules forbid many.
    """
    tables = [company.table("gathering"), company.table("playing"), company.private]
    cookie = cookie_of(company.mallory)["Cookie"]
    configuration = tmp_path / "schemathesis.toml"
    configuration.write_text(
        f"""
        headers = {{ Cookie = "{cookie}" }}
        [dictionaries.tables]
        values = {json.dumps(tables)}
        [dictionaries.games]
        values = ["qwixx", "qwantum", "qwirkle"]
        [parameters]
        "path.table" = {{ dictionary = "tables", probability = 0.8 }}
        "query.game" = {{ dictionary = "games", probability = 0.8 }}
        "body.game" = {{ dictionary = "games", probability = 0.8 }}
        """
    )
    done = subprocess.run(
        [
            Path(sys.executable).with_name("schemathesis"),
            *("--config-file", configuration),
            *("run", f"{house.url}/api/openapi.json"),
            *("--phases", "coverage,fuzzing"),
            *("--max-examples", str(CASES)),
            *("--exclude-checks", "positive_data_acceptance"),
            "--generation-deterministic",
            "--continue-on-failure",
            "--no-color",
        ],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    log = house.log.read_text(encoding="utf-8")
    for status in (200, 201, 400, 403, 404, 405, 409):
        assert f"status={status}" in log, f"no request was answered with {status}"


# Commands that are nearly right

ODD: list[Any] = [
    None,
    True,
    -1,
    9,
    10,
    1.5,
    2**31,
    2**63,
    10**400,
    float("nan"),
    float("inf"),
    "",
    "\0",
    "\ud800",
    "‮",
    "ﷺ" * 30,
    "é" * 5000,
    "'; DROP TABLE entries; --",
    "../../etc/passwd",
    [],
    [[[[[]]]]],
    {},
    {"do": "start"},
]
values = st.recursive(
    st.sampled_from(ODD) | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=5,
)
seats = st.integers(0, 3)
bots = st.sampled_from(["greedy", "random", "nobody"])
entropies = st.text(max_size=70)

FIELDS: dict[str, dict[str, st.SearchStrategy[Any]]] = {
    "enter": {"invite": st.text()},
    "sit": {"seat": seats, "name": st.text(max_size=30), "entropy": entropies},
    "leave": {"seat": seats},
    "stir": {"seat": seats, "entropy": entropies},
    "bot": {"seat": seats, "bot": bots},
    "start": {},
    "move": {"seat": seats, "move": st.sampled_from(["-", "r2", "b12", "R2", "keep"]) | st.text()},
    "hand": {"seat": seats, "bot": bots},
    "resume": {"seat": seats},
    "resign": {"seat": seats},
    "claim": {"key": st.text()},
    "react": {"seat": seats, "reaction": st.sampled_from(REACTIONS)},
    "rematch": {},
    "close": {},
}


SELDOM = [False, False, False, True]


@st.composite
def commands(draw: st.DrawFn) -> Json:
    """A command with the fields that it should have, or nearly so."""
    do = draw(st.sampled_from(sorted(FIELDS)))
    command = {"do": do, **{name: draw(value) for name, value in FIELDS[do].items()}}
    if draw(st.booleans()):
        command["id"] = draw(st.sampled_from(["one", "two"]) | st.text())
    for _ in range(draw(st.integers(0, 2))):
        field = draw(st.sampled_from([*command, "seat", "nonsense"]))
        if draw(st.booleans()):
            command[field] = draw(values)
        else:
            command.pop(field, None)
    return command


def test_no_command_is_forgotten() -> None:
    kinds = get_args(get_args(Command)[0])
    assert sorted(FIELDS) == sorted(
        get_args(kind.model_fields["do"].annotation)[0] for kind in kinds
    )


@pytest.mark.parametrize("status", ["gathering", "playing"])
def test_commands_that_are_nearly_right(house: Club, company: Company, status: str) -> None:
    """Each is carried out or refused once, over HTTP and over the socket."""
    tables = [company.table(status)]
    wires: list[Wire] = []
    words: set[str] = set()

    def status_of(table: str) -> str:
        return str(company.mallory.look(table)["state"]["status"])

    @given(command=commands(), by_socket=st.booleans(), at_veras=st.sampled_from(SELDOM))
    @settings(REPEATABLE, max_examples=150)
    def send(command: Json, by_socket: bool, at_veras: bool) -> None:
        table = company.private if at_veras else tables[-1]
        if by_socket:
            order = {"do": "command", "table": table, "command": command}
            wires[-1].send(frame(TEXT, json.dumps(order).encode()))
            *others, answer, _ = wires[-1].answers()
            assert [other["type"] for other in others] == ["update"] * len(others)
            assert answer["type"] == ("error" if "error" in answer else "ack")
        else:
            body = json.dumps(command).encode()
            response = company.mallory.http.post(
                f"/api/tables/{table}", content=body, headers={"Content-Type": "application/json"}
            )
            company.assert_sees_nothing(response.content)
            answer = response.json()
            assert response.status_code < 500
        word = answer.get("error", "done")
        words.add(word)
        if word != "done":
            assert_refused_in_order(answer)
        assert word != "done" or not at_veras, "Mallory is not let in there"
        if word in ("done", "game-over") and status_of(table) != status:
            tables.append(company.table(status))

    with come_in(house, company.mallory) as wire:
        wires.append(wire)
        send()
        company.assert_sees_nothing(wire.heard)
    assert words >= {"done", "bad-request", "not-now", "not-allowed", "not-found"}


@pytest.mark.parametrize("status", ["gathering", "playing"])
def test_drafts_of_any_kind(house: Club, company: Company, status: str) -> None:
    """Each is answered once, with a guide or a refusal."""
    table = company.table(status)
    words: set[str] = set()

    @given(
        seat=seats,
        draft=st.sampled_from(["", "r2", "Ro@0,0", "Ro@0,0 Ro@0,0", "Ro@99999999,0"]) | st.text(),
        at_veras=st.sampled_from(SELDOM),
    )
    @settings(REPEATABLE, max_examples=100)
    def ask(seat: int, draft: str, at_veras: bool) -> None:
        name = company.private if at_veras else table
        question = {"do": "ask", "id": "q", "table": name, "seat": seat, "draft": draft}
        wire.send(frame(TEXT, json.dumps(question).encode()))
        answer, _ = wire.answers()
        words.add(answer.get("error", "done"))
        if answer["type"] == "error":
            assert_refused_in_order(answer)
        else:
            assert (answer["type"], answer["id"], at_veras) == ("guide", "q", False)

    with come_in(house, company.mallory) as wire:
        ask()
        company.assert_sees_nothing(wire.heard)
    assert words >= {"not-found", "not-allowed", "done" if status == "playing" else "not-now"}


# Frames

NESTS = [b"[" * 15_000, b'{"do":' * 5_000, b"[" * 300 + b"]" * 300]
NUMBERS = [b"9" * 20_000, b"-1e999999", b"NaN", b"1" + b"0" * 400]
STRINGS = [b'"\\ud800"', b'"\\u0000"', b'"\xff"', b'"' + b"x" * 30_000, b'"' + b"\\" * 9_000]
FRAME_FIELDS = ["table", "since", "guide", "command", "id", "seat", "draft", "x"]
payloads = st.one_of(
    st.binary(),
    st.text().map(lambda text: text.encode("utf-8", "surrogatepass")),
    values.map(lambda value: json.dumps(value).encode()),
    st.sampled_from([b"", b"\0", *NESTS, *NUMBERS, *STRINGS]),
    st.sampled_from(["watch", "ask", "command", "Ping"]).flatmap(
        lambda do: st.dictionaries(st.sampled_from(FRAME_FIELDS), values).map(
            lambda fields: json.dumps({"do": do, **fields}).encode()
        )
    ),
    st.integers(32_760, 40_000).map(lambda size: b"x" * size),
)


def test_frames_with_anything_in_them(house: Club, company: Company) -> None:
    """Each is answered once, or the socket is closed because it is no text or too long."""
    wires: list[Wire] = []
    ends: set[int] = set()

    @given(payload=payloads, kind=st.sampled_from([TEXT, BINARY]), parts=st.integers(1, 4))
    @settings(REPEATABLE, max_examples=250)
    def send(payload: bytes, kind: int, parts: int) -> None:
        cuts = [len(payload) * part // parts for part in range(parts + 1)]
        pieces = [payload[start:end] for start, end in pairwise(cuts)]
        kinds = [kind, *[CONTINUED] * (parts - 1)]
        wires[-1].send(b"".join(map(frame, kinds, pieces, [False] * (parts - 1) + [True])))
        *answers, last = wires[-1].answers()
        if last["type"] == "pong":
            assert [answer["type"] for answer in answers] == ["error"]
            assert_refused_in_order(answers[0])
        else:
            company.assert_sees_nothing(wires[-1].heard)
            wires.append(cleanup.enter_context(come_in(house, company.mallory)))
            ends.add(last["code"])
            assert last["code"] == (1009 if len(payload) > 1 << 15 else 1007)

    with ExitStack() as cleanup:
        wires.append(cleanup.enter_context(come_in(house, company.mallory)))
        send()
        company.assert_sees_nothing(wires[-1].heard)
    assert ends == {1007, 1009}


BROKEN = {
    "a kind of frame that does not exist": frame(0x3, b""),
    "a kind of control frame that does not exist": frame(0xB, b""),
    "bits for an extension that was not agreed on": b"\xf1" + frame(TEXT, b"{}")[1:],
    "no mask": b"\x81\x02{}",
    "a long ping": frame(PING, b"x" * 126),
    "a ping in parts": frame(PING, b"", is_last=False),
    "the rest of nothing": frame(CONTINUED, b"{}"),
    "a text within a text": frame(TEXT, b"{", is_last=False) + frame(TEXT, b"{}"),
    "a close with half a code": frame(CLOSE, b"\x03"),
    "a close with a code that is not to be sent": frame(CLOSE, (1005).to_bytes(2, "big")),
    "a close with a reason that is no text": frame(CLOSE, (1000).to_bytes(2, "big") + b"\xff"),
    "a length of 2 to the 63rd": b"\x81\xff" + (1 << 63).to_bytes(8, "big"),
    "a frame of a gigabyte": b"\x81\xff" + (1 << 30).to_bytes(8, "big") + bytes(4),
    "parts that are too long together": frame(TEXT, b"x" * 30_000, is_last=False)
    + frame(CONTINUED, b"x" * 30_000),
}


def test_broken_frames_end_the_socket_with_a_code(house: Club, company: Company) -> None:
    for name, data in BROKEN.items():
        with come_in(house, company.mallory) as wire:
            wire.send(data)
            assert [kind for kind, _ in wire.frames()] == [CLOSE], name
            assert int.from_bytes(wire.heard[:2], "big") in (1002, 1007, 1009), name
            company.assert_sees_nothing(wire.heard)


def test_bytes_that_are_no_frames(house: Club, company: Company) -> None:
    @given(data=st.binary(max_size=500))
    @settings(REPEATABLE, max_examples=100)
    def send(data: bytes) -> None:
        with come_in(house, company.mallory) as wire:
            wire.send(data)
            company.assert_sees_nothing(wire.finish())

    send()


def test_pings_and_pongs_that_nobody_asked_for(house: Club, company: Company) -> None:
    with come_in(house, company.mallory) as wire:
        wire.send(frame(TEXT, b'{"do"', is_last=False))
        wire.send(b"".join(frame(PING, b"%d" % number) for number in range(1000)))
        wire.send(b"".join(frame(PONG, b"%d" % number) for number in range(1000)))
        wire.send(frame(CONTINUED, b': "ping"}'))
        pongs = []
        for kind, payload in wire.frames():
            if kind == TEXT:
                assert json.loads(payload) == {"type": "pong"}
                break
            pongs.append((kind, payload))
        assert pongs == [(PONG, b"%d" % number) for number in range(1000)]
