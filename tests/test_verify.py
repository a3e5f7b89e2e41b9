"""`qlub verify` and the page on fair chance: what they say holds, whatever the file."""

import hashlib
import hmac
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from fairly import chance_events, passed, played, with_event, with_proof
from golden import golden_files

from qlub.core.errors import Unfair
from qlub.core.fair import sealed_proof, verify
from qlub.core.game import Json

PAGE = (Path(__file__).parent.parent / "docs" / "fairness.md").read_text("utf-8")


def qlub_verify(*arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "qlub", "verify", *arguments],
        capture_output=True,
        encoding="utf-8",
        check=False,
        **options,
    )


def file_of(folder: Path, *records: Json) -> str:
    """Write records to a file, and return its name."""
    path = folder / ("game.qlub.json" if len(records) == 1 else "games.jsonl")
    path.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
    return str(path)


@pytest.fixture(scope="module")
def record() -> Json:
    return played("qwixx", 3).record()


# --- the command


def test_an_honest_game_is_told_in_one_line(record: Json, tmp_path: Path) -> None:
    number, commitment = len(chance_events(record)), record["fair"]["commitment"]
    path = file_of(tmp_path, record)
    told = f"yes: {number} chance events of qwixx all follow from the secret that was committed to"
    done = qlub_verify(path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"{told} as {commitment}; is that what you noted before the game?\n"
    done = qlub_verify(path, "--commitment", f" {commitment.upper()} ")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"{told} before the game\n"


def test_a_game_that_was_given_up_is_told_as_such(record: Json, tmp_path: Path) -> None:
    begun = {**record, "events": record["events"][:1], "result": None}
    done = qlub_verify("-", input=json.dumps(begun))
    assert done.returncode == 0
    assert done.stdout.startswith("yes: 1 chance event of qwixx so far follows from the secret")


def test_json_is_one_object(record: Json, tmp_path: Path) -> None:
    unfair = with_event(record, 0, f"first {(int(record['events'][0][1][-1]) + 1) % 3}")
    done = qlub_verify(
        "--json",
        file_of(tmp_path, record, {**unfair, "events": unfair["events"][:1], "result": None}),
    )
    assert (done.returncode, done.stderr) == (1, "")
    told = json.loads(done.stdout)
    assert told["ok"] is False
    assert told["error"] == "unfair"
    assert told["message"].startswith("record 2: event 0: ")
    assert told["games"] == [
        {
            "game": "qwixx",
            "seats": record["seats"],
            "chances": len(chance_events(record)),
            "over": True,
            "commitment": record["fair"]["commitment"],
            "entropy": record["fair"]["entropy"],
        }
    ]
    done = qlub_verify("--json", file_of(tmp_path, record))
    assert (done.returncode, json.loads(done.stdout)["ok"]) == (0, True)


def test_an_unfair_game_is_refused_in_one_line(tmp_path: Path) -> None:
    record = passed(turns=2)
    unfair = with_event(record, 5, record["events"][1][1])
    done = qlub_verify(file_of(tmp_path, record, unfair))
    assert done.returncode == 1
    assert len(done.stdout.splitlines()) == 1
    old, new = record["events"][5][1], record["events"][1][1]
    assert (
        done.stderr == f"no: record 2: event 5: recorded is '{new}', but the secret gives '{old}'\n"
    )


def test_another_commitment_than_the_noted_one_is_refused(record: Json, tmp_path: Path) -> None:
    done = qlub_verify(file_of(tmp_path, record), "--commitment", "0" * 64)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("no: the commitment of the record is ")


def test_what_proves_nothing_is_refused(record: Json, tmp_path: Path) -> None:
    proof = record["fair"]
    sealed = sealed_proof(proof["commitment"], proof["entropy"])
    for fair, told in ((sealed, "not revealed"), (None, "no proof"), ({}, "lacks the field")):
        done = qlub_verify(file_of(tmp_path, {**record, "fair": fair}))
        assert (done.returncode, done.stdout) == (1, "")
        assert told in done.stderr
        assert len(done.stderr.splitlines()) == 1


HOSTILE = {
    "nothing": b"",
    "half": b"{",
    "a list": b"[]",
    "no text": b"\x00\xff",
    "a deep nest": b"[" * 100_000,
    "not a number": b'{"format": "qlub-record/1", "fair": NaN}',
    "no proof": golden_files()[0].read_bytes(),
} | {
    f"{field} {index}": json.dumps(with_proof(passed(1), **{field: value})).encode()
    for index, (field, value) in enumerate(
        [
            ("entropy", ["\ud800", "\x1b[2J\n"]),
            ("entropy", ["x" * 1_000_000, ""]),
            ("entropy", ["x"] * 100_000),
            ("secret", "\x1b[2J\n"),
            ("scheme", ["x"] * 1000),
            ("commitment", 10**1000),
            ("\x1b[2J\n", 1),
        ]
    )
}


@pytest.mark.parametrize("content", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_files_are_refused_in_one_line(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "game.qlub.json"
    path.write_bytes(content)
    done = qlub_verify(str(path))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("no: ")
    assert len(done.stderr.splitlines()) == 1
    assert len(done.stderr) < 1000
    assert "\x1b" not in done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["none.qlub.json"],
        ["."],
        ["a", "b"],
        ["-", "--commitment", "xyz"],
        ["-", "--commitment", "0" * 63],
        ["-", "--commitment"],
        ["-", "--loud"],
    ],
)
def test_wrong_use_is_one_line_and_status_2(arguments: list[str], tmp_path: Path) -> None:
    done = qlub_verify(*arguments, cwd=tmp_path, input="")
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1


def test_verify_has_help() -> None:
    done = qlub_verify("--help")
    assert done.returncode == 0
    assert "usage: qlub verify" in done.stdout


# --- the page


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


def example(game: str) -> Json:
    """Return the record of a game from the page; those of two games are only told as events."""
    qwixx, qwantum, qwirkle = map(json.loads, blocks("json"))
    events = {"qwixx": qwixx["events"], "qwantum": qwantum, "qwirkle": qwirkle}[game]
    return {**qwixx, "game": game, "options": {}, "events": events}


def rows(game: str) -> list[list[str]]:
    """Return the rows of the table of draws for a game from the page."""
    tables = re.findall(r"\| k \| d \|.*\n\|[-|]+\n((?:\|.*\n)+)", PAGE)
    table = dict(zip(("qwixx", "qwantum", "qwirkle"), tables, strict=True))[game]
    return [line.strip("| ").split(" | ") for line in table.splitlines()]


@pytest.mark.parametrize("game", ["qwixx", "qwantum", "qwirkle"])
def test_the_examples_of_the_page_verify(game: str) -> None:
    record = example(game)
    verify(record)
    with pytest.raises(Unfair):
        verify(with_proof(record, entropy=["blue sky", "Zoé", ""]))


@pytest.mark.parametrize("game", ["qwixx", "qwantum", "qwirkle"])
def test_the_numbers_of_the_page_are_right(game: str) -> None:
    record = example(game)
    texts = [record["events"][index][1] for index in chance_events(record)]
    told: dict[int, list[str]] = {}
    for k, d, n, x, remainder, what in rows(game):
        assert int(d) == len(told.setdefault(int(k), []))
        block = hmac.digest(secret(), prefix() + numbered(k) + numbered(d), "sha256")
        assert int(x) == int.from_bytes(block[:8], "big")
        assert int(remainder) == int(x) % int(n)
        told[int(k)].append(what)
    for event, results in told.items():
        if game == "qwirkle":
            assert sorted(results) == sorted(texts[event].removeprefix("0: ").split(" "))
        else:
            assert " ".join(results) == texts[event]


def secret() -> bytes:
    return bytes.fromhex(example("qwixx")["fair"]["secret"])


def prefix() -> bytes:
    """Return the first part of every message, as the page spells it out in hexadecimal."""
    return spelled()[0][:-16]


def numbered(text: str) -> bytes:
    return int(text).to_bytes(8, "big")


def spelled() -> tuple[bytes, bytes]:
    """Return the message and the block that the page spells out."""
    (text,) = blocks("text")
    message, _, block = text.removeprefix("message").partition("block")
    parts = [re.split(r"  +(?=\S+.*$)", line.strip())[0] for line in message.splitlines()]
    return bytes.fromhex("".join(parts)), bytes.fromhex(block)


def test_the_block_of_the_page_is_right() -> None:
    message, block = spelled()
    assert message.startswith(b"qlub-fair/1\x00\x00\x00\x08blue sky")
    assert message.endswith(bytes(16))
    assert hmac.digest(secret(), message, "sha256") == block
    commitment = example("qwixx")["fair"]["commitment"]
    assert hashlib.sha256(secret()).hexdigest() == commitment
    assert PAGE.count(commitment) == 2
    assert PAGE.count(secret().hex()) == 2
    assert f"`{block[:8].hex()}`" in PAGE


def test_the_verifier_of_the_page_agrees_with_ours(record: Json, tmp_path: Path) -> None:
    (source,) = blocks("python")
    assert len(source.splitlines()) <= 42
    program = tmp_path / "verifier.py"
    program.write_text(source, "utf-8")
    whole = passed(turns=7)
    for honest in (example("qwixx"), record, whole):
        done = run(program, file_of(tmp_path, honest))
        assert done.stdout.startswith(f"yes: {len(chance_events(honest))} chance events follow")
    other = with_event(whole, 5, whole["events"][1][1])
    for unfair in (other, with_proof(whole, secret="00" * 32)):
        done = run(program, file_of(tmp_path, unfair))
        assert done.returncode == 1
        assert done.stderr.startswith("no: ")
        with pytest.raises(Unfair):
            verify(unfair)


def run(program: Path, file: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(program), file], capture_output=True, encoding="utf-8", check=False
    )
