"""`qlub play` as a person meets it: through pipes, and through a terminal."""

import codecs
import fcntl
import json
import os
import pty
import re
import resource
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable
from dataclasses import replace
from io import StringIO
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from qlub.cli import main
from qlub.cli.terminal import screen
from qlub.core.errors import IllegalMove
from qlub.core.record import Match, replay
from qlub.core.registry import find_game
from qlub.words import Words

GAMES = ("qwantum", "qwirkle", "qwixx")
QLUB = [sys.executable, "-m", "qlub"]
ALWAYS_FIRST = "1\n" * 1500
PATIENCE = 30.0
"""Seconds after which something that should have come is given up."""
QUIET = 2.0
"""Seconds without a sign after which a signal was not heard."""

UNWANTED = {"NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES", "QLUB_LANGUAGE", "LC_ALL", "LC_MESSAGES"}
ENVIRONMENT = {
    **{name: value for name, value in os.environ.items() if name not in UNWANTED},
    "LANG": "C.UTF-8",
    "TERM": "xterm-256color",
    "COLORTERM": "truecolor",
}


def play(
    *arguments: str, entries: str = "", folder: Path | None = None, **more: str
) -> subprocess.CompletedProcess[str]:
    """Play with entries from a pipe until they end."""
    return subprocess.run(
        [*QLUB, "play", *arguments],
        input=entries,
        capture_output=True,
        encoding="utf-8",
        cwd=folder,
        env={**ENVIRONMENT, **more},
        timeout=PATIENCE,
        check=False,
    )


def typed(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Type a command that was printed, as it was printed."""
    return subprocess.run(
        ["sh", "-c", command],
        input="",
        capture_output=True,
        encoding="utf-8",
        cwd=folder,
        env=ENVIRONMENT,
        timeout=PATIENCE,
        check=False,
    )


def saved(folder: Path) -> Path:
    """Return the one record in a folder."""
    (file,) = folder.glob("*.qlub.json")
    return file


def replayed(file: Path) -> Match:
    return replay(json.loads(file.read_text("utf-8")))


class Terminal:
    """A terminal of so many columns and lines with a game on it."""

    def __init__(self, folder: Path, *arguments: str, **more: str) -> None:
        self.master, slave = pty.openpty()
        self.width = 80
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.process = subprocess.Popen(
            [*QLUB, "play", *arguments],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            cwd=folder,
            env={**ENVIRONMENT, **more},
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )
        os.close(slave)
        self.decode = codecs.getincrementaldecoder("utf-8")(errors="replace").decode
        self.shown = ""

    def expect(self, text: str) -> str:
        """Read until a text has come, and return what came up to its end."""
        deadline = time.monotonic() + PATIENCE
        while text not in self.shown:
            assert time.monotonic() < deadline, f"{text!r} never came, only {self.shown!r}"
            assert self._read(), f"{text!r} never came, only {self.shown!r}"
        before, _, self.shown = self.shown.partition(text)
        return before + text

    def send(self, text: str) -> None:
        os.write(self.master, text.encode())

    def shrink(self) -> None:
        """Make the window a column narrower."""
        self.width -= 1
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", 24, self.width, 0, 0))

    def insist(self, text: str, act: Callable[[], None]) -> None:
        """Do something until a text has come.

        A signal that comes just while the prompt is printed is heard only with the next one.
        """
        deadline = time.monotonic() + PATIENCE
        while text not in self.shown:
            assert time.monotonic() < deadline, f"{text!r} never came: {self.shown!r}"
            act()
            while self._read(QUIET) and text not in self.shown:
                pass

    def end(self) -> tuple[int, str]:
        """Wait for the end of the game, and return its status and what it printed last."""
        while self._read():
            pass
        status = self.process.wait(PATIENCE)
        os.close(self.master)
        return status, self.shown

    def _read(self, patience: float = PATIENCE) -> bool:
        if not select.select([self.master], [], [], patience)[0]:
            return False
        try:
            data = os.read(self.master, 65536)
        except OSError:  # Linux says so when the other side has closed
            return False
        self.shown += self.decode(data)
        return bool(data)


# Whole games


@pytest.mark.parametrize("language", ["en", "fr", "de", "it"])
@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_in_every_language(game: str, language: str, tmp_path: Path) -> None:
    entries = "?\nlog\nmore\nnonsense\n" + ALWAYS_FIRST
    arguments = (game, "--seed", "3", "--players", "3", "--language", language, "--save", "it.json")
    done = play(*arguments, entries=entries, folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    match = replayed(tmp_path / "it.json")
    assert match.state.is_over
    assert match.names[1:] == ("Greedy 1 (bot greedy)", "Greedy 2 (bot greedy)")
    for score in match.state.scores():
        assert re.search(rf"\b{score} p(oints|unti)\b|\b{score} Punkte\b", done.stdout)


def test_a_finished_game_is_kept_only_on_demand(tmp_path: Path) -> None:
    done = play("qwixx", "--seed", "1", entries=ALWAYS_FIRST, folder=tmp_path)
    assert "The end" in done.stdout
    assert list(tmp_path.iterdir()) == []


def test_the_same_seed_gives_the_same_game(tmp_path: Path) -> None:
    first = play("qwantum", "--seed", "7", entries=ALWAYS_FIRST, folder=tmp_path)
    second = play("qwantum", "--seed", "7", entries=ALWAYS_FIRST, folder=tmp_path)
    other = play("qwantum", "--seed", "8", entries=ALWAYS_FIRST, folder=tmp_path)
    assert first.stdout == second.stdout != other.stdout


@pytest.mark.parametrize("game", GAMES)
def test_bots_play_each_other(game: str, tmp_path: Path) -> None:
    bots = ("--people", "0", "--bots", "greedy,random")
    done = play(game, "--seed", "2", *bots, "--save", "it.json", folder=tmp_path)
    assert done.returncode == 0
    assert "Greedy" in done.stdout
    assert "Random" in done.stdout
    assert replayed(tmp_path / "it.json").state.is_over


@pytest.mark.parametrize("game", GAMES)
def test_two_people_share_a_keyboard(game: str, tmp_path: Path) -> None:
    people = ("--people", "2", "--names", "Emma,Max")
    done = play(
        game, "--seed", "2", *people, "--save", "it.json", entries=ALWAYS_FIRST, folder=tmp_path
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "Pass the keyboard to Max" in done.stdout
    hands = game == "qwirkle"  # elsewhere only the second to decide has something not to see
    assert ("Pass the keyboard to Emma" in done.stdout) == hands
    match = replayed(tmp_path / "it.json")
    assert match.state.is_over
    assert match.names == ("Emma", "Max")


def test_a_game_is_chosen_by_number_or_name(tmp_path: Path) -> None:
    done = play(entries="9\n2\nquit\n", folder=tmp_path)
    assert "Type a number from 1 to 3" in done.stdout
    assert saved(tmp_path).name.startswith("qwirkle-")
    assert "throw" in play(entries="QWAN\nquit\n", folder=tmp_path).stdout
    alone = subprocess.run(
        QLUB, input="quit\n", capture_output=True, encoding="utf-8", env=ENVIRONMENT, check=False
    )
    assert (alone.returncode, alone.stderr) == (0, "")
    assert "Which game" in alone.stdout


def test_a_game_without_a_screen_is_played_in_notation(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(screen, "find_spec", lambda name: None)
    monkeypatch.setattr(sys, "stdin", StringIO("?\nr99\nzzz\n" + ALWAYS_FIRST))
    monkeypatch.chdir(tmp_path)
    assert main(["play", "qwixx", "--seed", "1", "--language", "en"]) == 0
    shown = capsys.readouterr().out
    assert "sheets" in shown
    assert "The end" in shown


def test_a_game_without_bots_of_its_own_is_played(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    game = replace(find_game("qwixx"), bots={})
    monkeypatch.setattr("qlub.cli.play.find_game", lambda name: game)
    monkeypatch.chdir(tmp_path)
    for people, bot in (("1", "Random"), ("2", "Player 2")):
        monkeypatch.setattr(sys, "stdin", StringIO(ALWAYS_FIRST))
        assert main(["play", "qwixx", "--seed", "1", "--people", people, "--language", "en"]) == 0
        assert bot in capsys.readouterr().out


@pytest.mark.parametrize(
    ("place", "on_path", "typed"),
    [
        ("venv/bin/qlub", "", "venv/bin/qlub"),
        ("qlub", "", "./qlub"),
        ("venv/bin/qlub", "venv/bin", "qlub"),
        ("../qlub", "", "{above}/qlub"),
    ],
)
def test_how_to_go_on_is_told_as_it_was_started(
    place: str,
    on_path: str,
    typed: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    here = tmp_path / "here"
    here.mkdir()
    program = (here / place).resolve()
    program.parent.mkdir(parents=True, exist_ok=True)
    program.write_text("")
    program.chmod(0o755)
    monkeypatch.chdir(here)
    monkeypatch.setenv("PATH", str(here / on_path) if on_path else "")
    monkeypatch.setattr(sys, "argv", [str(program)])
    monkeypatch.setattr(sys, "stdin", StringIO("quit\n"))
    assert main(["play", "qwixx", "--language", "en"]) == 0
    hint = capsys.readouterr().out.splitlines()[-1]
    assert f"with: {typed.format(above=tmp_path)} play --resume qwixx-" in hint


# What is hidden stays hidden


def test_nobody_sees_another_hand(tmp_path: Path) -> None:
    people = ("--people", "2", "--names", "Emma,Max")
    done = play(
        "qwirkle",
        "--seed",
        "5",
        *people,
        "--save",
        "it.json",
        entries=ALWAYS_FIRST,
        folder=tmp_path,
    )
    record = json.loads((tmp_path / "it.json").read_text())
    hands = re.findall(r"Your hand .*\n +(.*)\n", done.stdout)
    match = Match.new(replayed(tmp_path / "it.json").game, 2)
    turns = 0
    for actor, text in record["events"]:
        if actor != "*":
            hand: Any = match.state.view(actor)
            shown = re.findall(r"\d (\w\w)", hands[turns])
            assert shown == list(hand.hand(actor)), "each page shows the hand of its own seat"
            turns += 1
        match.apply(actor, text)
    assert turns == len(hands)
    assert "drawn" not in done.stdout


def test_a_draw_is_told_only_to_the_one_who_drew(tmp_path: Path) -> None:
    done = play("qwirkle", "--seed", "5", "--players", "3", entries=ALWAYS_FIRST, folder=tmp_path)
    drawn = re.findall(r"(\S+): +drawn ", done.stdout)
    assert set(drawn) == {"You"}


def test_a_sealed_decision_is_not_shown_to_the_next(tmp_path: Path) -> None:
    people = ("--people", "2", "--names", "Emma,Max")
    done = play("qwixx", "--seed", "2", *people, entries="1\n\n", folder=tmp_path)
    before, _, after = done.stdout.partition("Pass the keyboard to Max")
    assert "✕" not in before
    assert "Max · " in after
    assert "✕" not in after, "nothing is crossed before both have decided"
    assert not re.search("^Emma: +(red|yellow|green|blue|pass)", after, re.MULTILINE)
    assert replayed(saved(tmp_path)).events[-1][0] == 0


# Saving and going on


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


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs a folder that takes no files")
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


# Entries


@pytest.mark.parametrize(
    ("entry", "move"),
    [
        ("Rx@0,1", "Rx@0,1"),
        ("rx 0,1", "Rx@0,1"),
        ("RX 0 , 1 v", "Rx@0,1"),
        ("Gx@1,1 Rx@0,1", "Rx@0,1 Gx@1,1"),
        ("Rx Gx 0,1 v", "Rx@0,1 Gx@0,3"),
        ("Rx Gx -1,1", "Rx@-1,1 Gx@0,1"),
        ("swap 2 1", "swap Rx Gx"),
        ("SWAP gx,rx", "swap Rx Gx"),
        ("swap all", "swap Rx Gx Pc"),
        ("pass", "-"),
        ("1 2 -1,1", "Rx@-1,1 Gx@0,1"),
        ("2 1 0,1 v", "Gx@0,1 Rx@0,3"),
    ],
)
def test_lays_are_read_in_easy_forms(entry: str, move: str) -> None:
    position = {
        "game": "qwirkle",
        "options": {"seniority": [0, 1]},
        "phase": "turn",
        "active": 0,
        "board": {"0,0": "Ro", "1,0": "Yo", "1,1": "Yx", "0,2": "Rd", "1,2": "Yd"},
        "hands": [["Rx", "Gx", "Pc"], ["Bs"]],
        "points": [0, 0],
        "drawing": None,
    }
    match = Match.from_position(position)
    shown = screen.find_screen(match.game, Words.of("qlub.cli", "en"), ("A", "B"))
    assert shown.read(match.state.view(0), entry) == move


@pytest.mark.parametrize(
    ("game", "seed", "entries", "answers"),
    [
        (
            "qwixx",
            "1",
            ["", "zz", "r99", "R 3", "y12", "b 12"],
            [
                "Type a number",
                "“zz” is not a move",
                "“r99” is",
                "Action 1 takes the white sum",
                "Yellow 12 needs five",
            ],
        ),
        (
            "qwantum",
            "8",
            ["v33", "w77", "9" * 5000, "keep", "w1", "v33", "r 2"],
            [
                "First keep the dice",
                "“w77” is not",
                "The list goes from 1 to 9",
                "The dice stay",
                "Violet is worth",
                "Red is worth",
            ],
        ),
        (
            "qwirkle",
            "3",
            ["swap 1", "-", "1", "swap Zz", "Ro@90,90", "swap 9", "-", "swap 2 1"],
            [
                "does not exchange",
                "does not exchange",
                "swap Zz",
                "hand does not hold",
                "swap 9",
                "lay or exchange",
                "exchange of 2",
            ],
        ),
    ],
)
def test_a_wrong_entry_costs_one_line(
    game: str, seed: str, entries: list[str], answers: list[str], tmp_path: Path
) -> None:
    done = play(
        game, "--seed", seed, entries="\n".join((*entries, "1", "quit", "")), folder=tmp_path
    )
    assert (done.returncode, done.stderr) == (0, "")
    at = 0
    for answer in answers:
        at = done.stdout.find(answer, at)
        assert at >= 0, f"{answer!r} is missing in {done.stdout}"
    assert any(actor == 0 for actor, _ in replayed(saved(tmp_path)).events)


@pytest.mark.parametrize(
    "arguments",
    [
        ("chess",),
        ("qwixx", "--players", "9"),
        ("qwixx", "--players", "x"),
        ("qwixx", "--players", "0"),
        ("qwixx", "--seed", "x"),
        ("qwirkle", "--players", "1"),
        ("qwixx", "--people", "3", "--players", "2"),
        ("qwixx", "--people", "-1"),
        ("qwixx", "--bots", "nobody"),
        ("qwixx", "--bots", "greedy,random", "--players", "2"),
        ("qwixx", "--bots", "cmd:"),
        ("qwixx", "--names", "A,B,C"),
        ("qwixx", "--names", "A,A"),
        ("qwixx", "--names", "A (bot greedy)"),
        ("qwixx", "--seconds", "nan"),
        ("qwixx", "--language", "tlh"),
        ("qwixx", "--save", "no/such/folder.json"),
    ],
)
def test_wrong_use_is_told_in_one_line(arguments: tuple[str, ...], tmp_path: Path) -> None:
    done = play(*arguments, folder=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("language", ["en", "fr", "de", "it"])
@pytest.mark.parametrize("game", GAMES[::2])
def test_what_the_list_shows_can_be_typed(game: str, language: str) -> None:
    match = Match.new(find_game(game), 2)
    shown = screen.find_screen(match.game, Words.of("qlub.cli", language), ("A", "B"))
    chance = Random(6)
    checked = 0
    while not match.state.is_over:
        if match.state.chance:
            match.apply("*", str(match.state.chance.sample(chance.randrange)))
            continue
        seat = match.state.to_act[0]
        view: Any = match.state.view(seat)
        moves = shown.moves(view)
        for move in moves:
            text = re.sub("^ [A-Z]  ", "", shown.label(view, move)[0].plain)
            assert shown.read(view, text) == str(move), text
            checked += 1
        match.decide(seat, chance.choice(moves))
    assert checked > 100


@pytest.mark.parametrize(
    ("entry", "seat", "answer"),
    [
        ("r4", 0, "Action 1 takes the white sum, 7; red 4 can come in action 2."),
        ("r4", 1, "colour sums are only for the one who rolls."),
        ("r9", 0, "Action 1 takes the white sum, 7, in a row of your choice."),
        ("r9", 1, "Action 1 takes the white sum, 7, in a row of your choice."),
    ],
)
def test_a_sum_that_is_not_the_white_one_is_explained(entry: str, seat: int, answer: str) -> None:
    match = Match.new(find_game("qwixx"), 2)
    match.apply("*", "first 0")
    match.apply("*", "w3 w4 r1 y2 g5 b6")
    shown = screen.find_screen(match.game, Words.of("qlub.cli", "en"), ("A", "B"))
    view = match.state.view(seat)
    move = match.game.read_move(shown.read(view, entry))
    with pytest.raises(IllegalMove) as refused:
        match.state.apply(seat, move)
    assert shown.refusal(view, move, refused.value).endswith(answer)


@pytest.mark.parametrize("game", GAMES[::2])
def test_nobody_else_is_named_to_one_who_practises(game: str, tmp_path: Path) -> None:
    done = play(game, "--players", "1", "--seed", "1", entries=ALWAYS_FIRST, folder=tmp_path)
    assert "The end" in done.stdout
    assert "Everyone chooses" not in done.stdout
    assert "The others" not in done.stdout


@pytest.mark.parametrize(
    ("end", "rows", "reason"),
    [
        ("table", ({"r": 12}, {"y": 12}), "Two rows are closed."),
        ("player", ({"r": 12, "y": 12}, {}), "Somebody has locked two rows."),
        ("player", ({"r": 12, "g": 2}, {"y": 12, "b": 2}), "Somebody has locked two rows."),
        ("player", ({"r": 12}, {"y": 12}), "All four rows are closed."),
    ],
)
def test_why_rows_ended_a_game(end: str, rows: tuple[dict[str, int], ...], reason: str) -> None:
    sheets = [
        SimpleNamespace(
            rows={c: (crossed[c],) if c in crossed else () for c in "rygb"}, penalties=0
        )
        for crossed in rows
    ]
    view = SimpleNamespace(
        seats=2,
        reason="rows",
        end=end,
        sheet=lambda seat: sheets[seat],
        row_points=lambda seat, colour: 0,
        scores=lambda: (0, 0),
    )
    shown = screen.find_screen(find_game("qwixx"), Words.of("qlub.cli", "en"), ("A", "B"))
    assert shown.ending(view)[0] == reason


def test_the_first_page_explains_itself(tmp_path: Path) -> None:
    assert "the beginning of a name" in play(entries="?\nquit\n", folder=tmp_path).stdout


def test_watchers_are_told_whose_sheet_is_large(tmp_path: Path) -> None:
    names = ("--people", "0", "--names", "Ida,Max")
    terminal = Terminal(tmp_path, "qwixx", "--seed", "1", *names)
    terminal.expect("penalties")
    assert re.search(r"(Ida|Max)\s", re.sub(r"\x1b\[[0-9;]*m", "", terminal.expect("points")))
    terminal.send("quit\n")
    terminal.end()


def test_a_move_typed_on_the_help_page_counts(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, "qwixx", "--seed", "1")
    terminal.expect("› ")
    terminal.send("?\n")
    terminal.expect("Enter goes back")
    terminal.expect("› ")
    terminal.send("1\n")
    terminal.expect("› ")
    terminal.send("quit\n")
    assert terminal.end()[0] == 0
    assert any(actor == 0 for actor, _ in replayed(saved(tmp_path)).events)


def test_bytes_that_are_no_text_are_only_a_wrong_entry(tmp_path: Path) -> None:
    done = subprocess.run(
        [*QLUB, "play", "qwixx", "--seed", "1"],
        input=b"\xff\xfe\x00\n1\n",
        capture_output=True,
        cwd=tmp_path,
        env=ENVIRONMENT,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"is not a move" in done.stdout


# Terminals and pipes


def test_a_pipe_gets_no_escape_codes(tmp_path: Path) -> None:
    assert "\x1b" not in play("qwixx", entries="1\n", folder=tmp_path).stdout
    assert "\x1b" not in play("qwirkle", entries="1\n", folder=tmp_path, NO_COLOR="1").stdout


@pytest.mark.parametrize("game", GAMES)
def test_no_color_is_respected_on_a_terminal(game: str, tmp_path: Path) -> None:
    colourful = Terminal(tmp_path, game, "--seed", "1")
    assert "48;2;" in colourful.expect("› ")
    plain = Terminal(tmp_path, game, "--seed", "1", NO_COLOR="1")
    simple = Terminal(tmp_path, game, "--seed", "1", COLORTERM="", TERM="vt220")
    for terminal in (plain, simple):
        assert not re.search(r"\x1b\[[0-9;]*\b[34][0-9]\b", terminal.expect("› "))
    for terminal in (colourful, plain, simple):
        terminal.send("quit\n")
        assert terminal.end()[0] == 0


@pytest.mark.parametrize("game", GAMES)
def test_pages_fit_a_small_terminal(game: str, tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, game, "--seed", "1", "--players", "4", "--language", "fr")
    terminal.expect("› ")
    terminal.send("zzz\n" + "1\n" * 20 + "quitter\n")  # typed ahead, so that no bot makes us wait
    status, shown = terminal.end()
    assert status == 0
    pages = shown.split("\x1b[?1049l")[0].split("\x1b[2J")[1:]
    assert len(pages) > 20
    for page in pages:
        assert page.split("› ")[0].count("\n") <= 23, page


def test_a_page_is_drawn_again_for_another_window(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, "qwixx", "--seed", "1")
    terminal.expect("› ")
    terminal.insist("Qlub likes 80 × 24; this window has", terminal.shrink)
    terminal.expect("› ")
    terminal.send("quit\n")
    assert terminal.end()[0] == 0


def test_a_reader_who_leaves_ends_the_game_quietly(tmp_path: Path) -> None:
    with subprocess.Popen(
        [*QLUB, "play", "qwixx", "--people", "0", "--bots", "random"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=tmp_path,
        env=ENVIRONMENT,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(PATIENCE) == 0


# Other people's programs


@pytest.fixture(params=["missing", "crashing", "silent", "nonsense", "illegal"])
def bad_bot(request: pytest.FixtureRequest) -> str:
    programs = {
        "missing": "/no/such/program",
        "crashing": "false",
        "silent": "sleep 1000",
        "nonsense": "yes nonsense",
        "illegal": """yes '{"move": "-,-"}'""",
    }
    return f"cmd:{programs[request.param]}"


def test_a_bad_program_never_stops_a_game(bad_bot: str, tmp_path: Path) -> None:
    done = play(
        *("qwixx", "--seed", "1", "--bots", bad_bot, "--seconds", "0.05", "--save", "it.json"),
        entries=ALWAYS_FIRST,
        folder=tmp_path,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "no usable answer" in done.stdout
    assert re.search(r"failed \d+ times and made random moves instead", done.stdout)
    assert replayed(tmp_path / "it.json").state.is_over


def test_a_good_program_plays(tmp_path: Path) -> None:
    bot = f"cmd:{sys.executable} -m qlub bot greedy"
    done = play(
        *("qwirkle", "--seed", "1", "--people", "0", "--bots", f"greedy,{bot}", "--seconds", "30"),
        folder=tmp_path,
    )
    assert "The end" in done.stdout
    assert "no usable answer" not in done.stdout


# How it is built


def test_the_command_line_names_no_game() -> None:
    folder = Path(screen.__file__).parent
    for file in (*folder.glob("*.py"), folder.parent / "play.py"):
        assert not re.search("qwixx|qwantum|qwirkle", file.read_text("utf-8").lower()), file.name


def test_help_does_not_load_what_only_playing_needs() -> None:
    code = (
        "import sys, qlub.cli\n"
        "try: qlub.cli.main(['--help'])\n"
        "except SystemExit: print('rich' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        encoding="utf-8",
        env=ENVIRONMENT,
        check=True,
    )
    assert done.stdout.endswith("False\n")


def test_options_of_a_game_can_be_chosen(tmp_path: Path) -> None:
    kept = tmp_path / "game.qlub.json"
    played = play("qwixx", "--option", "end=player", "--save", str(kept), entries="1\n")
    assert played.returncode == 0
    assert json.loads(kept.read_text())["options"] == {"end": "player"}
    other = tmp_path / "other.qlub.json"
    play("qwirkle", "--option", "seniority=1,0", "--save", str(other), entries="1\n")
    assert json.loads(other.read_text())["options"] == {"seniority": [1, 0]}


@pytest.mark.parametrize("option", ["end", "=player", "end=never", "fast=1", "seniority=0,0"])
def test_a_wrong_option_is_refused(option: str) -> None:
    played = play("qwixx", "--option", option)
    assert played.returncode == 2
    assert len(played.stderr.splitlines()) == 1
