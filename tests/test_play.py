"""Whole games of `qlub play`: people, bots, programs, and what stays hidden."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playing import ALWAYS_FIRST, ENVIRONMENT, GAMES, play, replayed, saved

from qlub.bots.random_bot import RandomBot
from qlub.cli import main
from qlub.cli.terminal import screen
from qlub.core.game import Move, View
from qlub.core.record import Match
from qlub.core.registry import find_game
from qlub.words import Words

# Whole games


GREEDY = {"en": "Greedy", "fr": "Gourmand", "de": "Gierig", "it": "Goloso"}


@pytest.mark.parametrize("language", GREEDY)
@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_in_every_language(game: str, language: str, tmp_path: Path) -> None:
    entries = "?\nlog\nmore\nnonsense\n" + ALWAYS_FIRST
    arguments = (game, "--seed", "3", "--players", "3", "--language", language, "--save", "it.json")
    done = play(*arguments, entries=entries, folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    match = replayed(tmp_path / "it.json")
    assert match.state.is_over
    name = GREEDY[language]
    assert match.names[1:] == (f"{name} 1 (bot greedy)", f"{name} 2 (bot greedy)")
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
    done = play(entries="9\n2\n\nquit\n", folder=tmp_path)
    assert "Type a number from 1 to 3" in done.stdout
    assert saved(tmp_path).name.startswith("qwirkle-")
    assert "throw" in play(entries="QWAN\n\nquit\n", folder=tmp_path).stdout


@pytest.mark.parametrize(
    ("language", "entry", "fearsome"),
    [
        ("en", "RAND", "Grandmaster  Tries more moves"),
        ("fr", "hasard", "Grand maître  Essaie plus de coups"),
        ("de", "zufall", "Großmeister  Probiert mehr Züge"),
        ("it", "1", "Gran maestro  Prova più mosse"),
    ],
)
def test_a_bot_is_chosen_by_number_or_name(
    language: str, entry: str, fearsome: str, tmp_path: Path
) -> None:
    entries = f"2\n?\n9\n{entry}\nquit\n"
    done = play("--language", language, entries=entries, folder=tmp_path)
    words = Words.of("qlub.cli", language)
    assert fearsome in done.stdout
    assert words("opponent.help") in done.stdout
    assert words("opponent.unknown", count=5) in done.stdout
    assert replayed(saved(tmp_path)).names[1] == f"{words('level.random')} (bot random)"


@pytest.mark.parametrize("who", [("--people", "2"), ("--bots", "random"), ("--players", "1")])
def test_nobody_is_asked_for_a_bot_where_none_is_wanted(who: tuple[str, str]) -> None:
    asked = "Whom do you want to play against?"
    assert asked in play(entries="3\n").stdout
    assert asked not in play(*who, entries="3\n").stdout


def test_a_bot_is_prepared_once_before_the_first_decision(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    happened = []

    class Slow(RandomBot):
        def prepare(self, view: View[Any]) -> None:
            happened.append("prepared" if view.legal() else "nothing to decide")

        def choose(self, view: View[Any], rng: Random, seconds: float) -> Move:
            happened.append("decided")
            return super().choose(view, rng, seconds)

    @contextmanager
    def thinking(terminal: object, text: str, patience: float = 0) -> Iterator[None]:
        happened.append(text)
        yield

    game = replace(find_game("qwixx"), bots={"slow": Slow()})
    monkeypatch.setattr("qlub.cli.play.find_game", lambda name: game)
    monkeypatch.setattr("qlub.cli.terminal.console.Terminal.thinking", thinking)
    monkeypatch.setattr(sys, "stdin", StringIO(ALWAYS_FIRST))
    monkeypatch.chdir(tmp_path)
    assert main(["play", "qwixx", "--bots", "slow", "--seed", "1", "--language", "en"]) == 0
    assert happened[:2] == ["Getting the bot ready, once on this computer …", "prepared"]
    assert happened.count("prepared") == 1
    assert "decided" in happened


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
