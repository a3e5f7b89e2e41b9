"""The command line: help, replaying records, wrong use, and what is not imported."""

import json
import os
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

from qlub.core.record import Match
from qlub.core.registry import find_game


def qlub(*arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "qlub", *arguments],
        capture_output=True,
        text=True,
        check=False,
        **options,
    )


@pytest.fixture
def record() -> dict[str, Any]:
    """A whole game of Qwixx between random players."""
    rng = Random(1)
    match = Match.new(find_game("qwixx"), 2, names=["Max", "Emma"])
    while not match.state.is_over:
        if match.state.chance:
            match.apply("*", str(match.state.chance.sample(rng.randrange)))
        for seat in match.state.to_act:
            match.decide(seat, rng.choice(match.state.legal(seat)))
    return match.record()


def test_replay_tells_how_a_game_went(record: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "game.qlub.json"
    path.write_text(json.dumps(record, indent=1))
    done = qlub("replay", str(path))
    assert done.returncode == 0
    assert "Max" in done.stdout
    assert record["result"]["reason"] in done.stdout
    told = json.loads(qlub("replay", "--json", str(path)).stdout)
    assert told["ok"] is True
    assert told["games"][0]["result"] == record["result"]


def test_replay_reads_one_record_a_line(record: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for _ in range(3)))
    assert len(qlub("replay", str(path)).stdout.splitlines()) == 3
    done = qlub("replay", "-", input=path.read_text())
    assert len(done.stdout.splitlines()) == 3


def test_replay_names_the_bad_event(record: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "game.qlub.json"
    index = next(at for at, event in enumerate(record["events"]) if event[0] == 0)
    record["events"][index] = [0, "r99"]
    path.write_text(json.dumps(record))
    done = qlub("replay", str(path))
    assert done.returncode == 1
    assert f"event {index}:" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert done.stdout == ""
    told = qlub("replay", "--json", str(path))
    assert told.returncode == 1
    assert json.loads(told.stdout)["error"] == "bad-event"
    assert told.stderr == ""


def test_replay_refuses_a_wrong_result(record: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    wrong = {**record, "result": {**record["result"], "winners": [0, 1]}}
    path.write_text(json.dumps(record) + "\n" + json.dumps(wrong) + "\n")
    done = qlub("replay", str(path))
    assert done.returncode == 1
    assert "record 2" in done.stderr
    assert "'result'" in done.stderr


def test_a_file_without_a_record_is_no_game(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text("\n\n")
    assert qlub("replay", str(path)).returncode == 1


@pytest.mark.parametrize("content", ["", "{", "[]", '{"format": 1}', "\x00\x01"])
def test_replay_refuses_what_is_not_a_record(content: str, tmp_path: Path) -> None:
    path = tmp_path / "game.qlub.json"
    path.write_text(content)
    done = qlub("replay", str(path))
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1


def test_a_missing_or_unreadable_file_is_wrong_use(tmp_path: Path) -> None:
    for path in (tmp_path / "none.qlub.json", tmp_path):
        done = qlub("replay", str(path))
        assert done.returncode == 2
        assert len(done.stderr.splitlines()) == 1
        assert str(path) in done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["fly"],
        ["replay"],
        ["engine", "--loud"],
        ["bot"],
        ["bot", "deep-thought"],
        ["replay", "a", "b"],
    ],
)
def test_wrong_use_is_one_line_and_status_2(arguments: list[str]) -> None:
    done = qlub(*arguments)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert done.stdout == ""


@pytest.mark.parametrize("command", ["", "play", "engine", "replay", "bot"])
def test_every_command_has_help(command: str) -> None:
    done = qlub(*command.split(), "--help")
    assert done.returncode == 0
    assert "usage: qlub" in done.stdout


@pytest.mark.parametrize(
    "arguments", [["--help"], ["engine"], ["bot", "greedy"], ["play", "--help"]]
)
def test_start_imports_nothing_heavy(arguments: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "qlub", *arguments],
        input=b'{"do": "games"}\n',
        capture_output=True,
        check=True,
    )
    imported = {line.split("|")[-1].strip() for line in done.stderr.decode().splitlines()}
    assert "qlub.cli" in imported
    assert not imported & {"numba", "numpy", "rich", "asyncio", "dask"}


def test_a_reader_that_leaves_is_no_trouble() -> None:
    games = b'{"do": "games"}\n' * 20_000
    with subprocess.Popen(
        [sys.executable, "-m", "qlub", "engine"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        process.stdout.close()
        try:
            process.stdin.write(games)
            process.stdin.close()
        except BrokenPipeError:
            pass
        assert process.stderr.read() == b""
        assert process.wait() == 0


@pytest.mark.parametrize(
    "arguments",
    [
        ["simulate", "qwixx", "--bots", "random,random", "--games", "20"],
        ["tournament", "qwixx", "random", "greedy", "--games", "20"],
        ["solve", "--help"],
    ],
)
def test_a_reader_that_leaves_before_the_first_line_is_no_trouble(arguments: list[str]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "wb") as gone:
        done = subprocess.run(
            [sys.executable, "-m", "qlub", *arguments],
            stdout=gone,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert done.returncode == 0
    assert b"Error" not in done.stderr


@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-"])
def test_who_is_started_with_nothing_to_write_to_writes_to_nobody(closed: str) -> None:
    command = f'"{sys.executable}" -m qlub simulate qwixx --bots random,random --games 20 {closed}'
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_interrupt_key_ends_the_engine_quietly() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "qlub", "engine"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        process.stdin.write(b'{"do": "games"}\n')
        process.stdin.flush()
        assert process.stdout.readline()
        process.send_signal(2)
        assert process.stderr.read() == b""
        assert process.wait() == 130


def test_a_full_disk_is_one_line(record: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "game.qlub.json"
    path.write_text(json.dumps(record))
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "qlub", "replay", str(path)],
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
            env={**os.environ, "PYTHONUNBUFFERED": ""},
        )
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1


def test_replay_prints_names_that_cannot_harm_the_terminal(
    record: dict[str, Any], tmp_path: Path
) -> None:
    path = tmp_path / "game.qlub.json"
    path.write_text(json.dumps({**record, "seats": ["\x1b[2J", "\ud800é\n"]}))
    for encoding in ("utf-8", "ascii"):
        done = qlub("replay", str(path), env={**os.environ, "PYTHONIOENCODING": encoding})
        assert done.returncode == 0
        assert len(done.stdout.splitlines()) == 1
        assert "\x1b" not in done.stdout
