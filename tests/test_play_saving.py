"""Leaving `qlub play` in every way keeps the game, and it goes on where it was."""

import json
import os
import re
import resource
import signal
import subprocess
from pathlib import Path

import pytest
from playing import (
    ALWAYS_FIRST,
    ENVIRONMENT,
    GAMES,
    PATIENCE,
    QLUB,
    Terminal,
    play,
    replayed,
    saved,
    typed,
)


@pytest.mark.parametrize("game", GAMES)
def test_end_of_input_keeps_the_game(game: str, tmp_path: Path) -> None:
    seats = ("--players", "3", "--bots", "greedy,random", "--names", "Emma")
    left = play(game, "--seed", "4", *seats, entries="1\n1\n1\n1\n", folder=tmp_path)
    file = saved(tmp_path)
    assert left.returncode == 0
    hint = left.stdout.splitlines()[-1]
    assert hint.startswith("Kept. Go on with: ")
    assert hint.endswith(f"-m qlub play --resume {file.name}")
    before = replayed(file)
    again = typed(hint.removeprefix("Kept. Go on with: "), tmp_path)
    assert again.returncode == 0
    assert replayed(file).state == before.state
    assert replayed(file).events == before.events
    assert replayed(file).names == ("Emma", "Greedy (bot greedy)", "Random (bot random)")
    assert last_page(again.stdout) == last_page(left.stdout)
    done = play("--resume", file.name, "--save", "end.json", entries=ALWAYS_FIRST, folder=tmp_path)
    assert "The end" in done.stdout
    end = replayed(tmp_path / "end.json")
    assert end.state.is_over
    assert end.events[: len(before.events)] == before.events


def last_page(shown: str) -> list[str]:
    """Return one's own sheet or hand on the last page; of the news less is told after a break."""
    page = shown[shown.rindex("▸ Emma") :]
    lines = [
        line for line in page.splitlines() if re.match(r"  [RYGBV] |Your hand| +1 \w\w ", line)
    ]
    assert lines
    return lines


def test_control_c_keeps_the_game(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, "qwixx", "--seed", "1")
    terminal.expect("› ")
    terminal.send("1\n")
    terminal.expect("› ")
    terminal.insist("Kept.", lambda: terminal.send("\x03"))
    status, shown = terminal.end()
    assert status == 0
    assert f"qlub play --resume {saved(tmp_path).name}" in shown
    assert "Traceback" not in shown
    assert any(actor == 0 for actor, _ in replayed(saved(tmp_path)).events)
    again = play(
        "--resume", saved(tmp_path).name, "--save", "it.json", entries=ALWAYS_FIRST, folder=tmp_path
    )
    assert "The end" in again.stdout


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_the_system_may_end_the_game(number: signal.Signals, tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, "qwirkle", "--seed", "1")
    terminal.expect("› ")
    terminal.insist("Kept.", lambda: os.kill(terminal.process.pid, number))
    status, shown = terminal.end()
    assert status == 0
    assert "Traceback" not in shown
    assert replayed(saved(tmp_path)).state.to_act == (0,)


def test_a_terminal_that_goes_takes_no_game_with_it(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, "qwantum", "--seed", "1")
    terminal.expect("› ")
    os.close(terminal.master)
    assert terminal.process.wait(PATIENCE) == 0
    assert not replayed(saved(tmp_path)).state.is_over


def test_leaving_a_bot_that_thinks(tmp_path: Path) -> None:
    terminal = Terminal(
        tmp_path, "qwixx", "--seed", "1", "--bots", "cmd:sleep 1000", "--seconds", "900"
    )
    terminal.expect("› ")
    terminal.send("1\n")
    terminal.expect("sleep is thinking")
    terminal.insist("Kept.", lambda: terminal.send("\x03"))
    status, shown = terminal.end()
    assert status == 0
    assert "--bots 'cmd:sleep 1000'" in shown
    assert replayed(saved(tmp_path)).events[-1][0] == 0


def test_no_file_is_overwritten(tmp_path: Path) -> None:
    for _ in range(3):
        play("qwixx", folder=tmp_path)
    assert len(list(tmp_path.glob("qwixx-*.qlub.json"))) == 3
    (tmp_path / "mine.json").write_text("mine")
    done = play("qwixx", "--save", "mine.json", folder=tmp_path)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert (tmp_path / "mine.json").read_text() == "mine"


def test_where_nothing_can_be_written_the_data_folder_is_used(tmp_path: Path) -> None:
    done = play("qwixx", folder=Path("/proc"), XDG_DATA_HOME=str(tmp_path))
    assert done.returncode == 0
    assert str(saved(tmp_path / "qlub")) in done.stdout


def test_a_full_disk_is_told_in_one_line(tmp_path: Path) -> None:
    done = subprocess.run(
        [*QLUB, "play", "qwixx"],
        input="",
        capture_output=True,
        encoding="utf-8",
        cwd=tmp_path,
        env={**ENVIRONMENT, "XDG_DATA_HOME": str(tmp_path), "TMPDIR": str(tmp_path)},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (10, 10)),
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr.startswith("qlub: the game could not be kept: ")
    assert done.stderr.count("\n") == 1
    assert [file for file in tmp_path.rglob("*") if file.is_file()] == []


RECORD = {
    "format": "qlub-record/1",
    "game": "qwixx",
    "options": {"end": "table"},
    "seats": ["Max", "Emma"],
    "start": None,
    "events": [["*", "first 0"], ["*", "w4 w1 r2 y3 g5 b6"], [0, "r5"]],
    "result": None,
    "fair": None,
}


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"\xff\xfe",
        b"[1, 2]",
        b'{"format": "something else"}',
        json.dumps({**RECORD, "game": "chess"}).encode(),
        json.dumps({**RECORD, "events": [[0, "r5"]]}).encode(),
        json.dumps({**RECORD, "more": 1}).encode(),
        json.dumps({**RECORD, "seats": ["Max", "x (bot nobody)"]}).encode(),
        json.dumps({**RECORD, "seats": ["Max", "x (bot cmd:touch here)"]}).encode(),
        (json.dumps(RECORD) + "\n" + json.dumps(RECORD)).encode(),
    ],
)
def test_a_file_that_is_no_game_is_refused(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "it.json").write_bytes(content)
    done = play("--resume", "it.json", entries=ALWAYS_FIRST, folder=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("qlub: ")
    assert done.stderr.count("\n") == 1
    assert [file.name for file in tmp_path.iterdir()] == ["it.json"]


@pytest.mark.parametrize("name", ["nowhere.json", "."])
def test_a_file_that_cannot_be_read_is_refused(name: str, tmp_path: Path) -> None:
    done = play("--resume", name, folder=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1


def test_a_record_of_strangers_goes_on_with_people_and_bots(tmp_path: Path) -> None:
    (tmp_path / "it.json").write_text(json.dumps({**RECORD, "seats": ["Max", "Em\x1b[31mma"]}))
    done = play(
        "--resume",
        "it.json",
        "--people",
        "1",
        "--save",
        "end.json",
        entries=ALWAYS_FIRST,
        folder=tmp_path,
    )
    assert "The end" in done.stdout
    assert "\x1b" not in done.stdout
    assert replayed(tmp_path / "end.json").names == ("Max", "Em[31mma (bot greedy)")
    assert json.loads((tmp_path / "it.json").read_text())["events"] == RECORD["events"]


def test_watchers_may_leave(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, "qwirkle", "--seed", "1", "--people", "0")
    terminal.expect("Greedy 1")
    terminal.send("quit\n")
    status, shown = terminal.end()
    assert status == 0
    assert "Kept." in shown
