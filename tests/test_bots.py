"""Bots see only views and play legal moves; a program that fails never stops a game."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from qlub.bots import bots_of, find_bot
from qlub.bots.program import Program
from qlub.bots.random_bot import RandomBot
from qlub.cli import main
from qlub.core.errors import BadRequest
from qlub.core.game import Bot, Game, View
from qlub.core.record import Match
from qlub.core.registry import all_games, find_game


def play(game: Game, bots: list[Bot], rng: Random, seconds: float = 1.0) -> Match:
    """Play a whole game between bots."""
    match = Match.new(game, len(bots))
    while not match.state.is_over:
        state = match.state
        if state.chance:
            match.apply("*", str(state.chance.sample(rng.randrange)))
        for seat in state.to_act:
            match.decide(seat, bots[seat].choose(state.view(seat), rng, seconds))
    return match


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_beginners_play_whole_games_of_every_size(game: Game) -> None:
    for name in ("random", "greedy"):
        for seats in range(game.seats[0], game.seats[1] + 1):
            match = play(game, [find_bot(game, name)] * seats, Random(seats))
            assert match.state.is_over, name


@pytest.mark.parametrize(
    ("name", "games", "least"), [("qwixx", 60, 0.9), ("qwantum", 60, 0.9), ("qwirkle", 12, 1.0)]
)
def test_greedy_is_a_decent_beginner(name: str, games: int, least: float) -> None:
    game, rng = find_game(name), Random(2026)
    wins = 0.0
    for number in range(games):
        seat = number % 2
        bots = [find_bot(game, "random"), find_bot(game, "random")]
        bots[seat] = find_bot(game, "greedy")
        winners = play(game, bots, rng).state.winners or ()
        wins += (seat in winners) / len(winners)
    assert wins / games >= least


def test_a_bot_is_repeatable_by_its_seed() -> None:
    game = find_game("qwantum")
    events = [play(game, [find_bot(game, "random")] * 2, Random(5)).events for _ in range(2)]
    assert events[0] == events[1]


def test_an_unknown_bot_is_refused_with_the_names_there_are() -> None:
    with pytest.raises(BadRequest, match="random, greedy"):
        find_bot(find_game("qwixx"), "deep-thought")
    with pytest.raises(BadRequest, match="names no program"):
        find_bot(find_game("qwixx"), "cmd:")
    with pytest.raises(BadRequest, match="cannot be read"):
        find_bot(find_game("qwixx"), "cmd:'")


LOOP = "import sys\nfor line in sys.stdin: print({!r}, flush=True)"
FAULTY = {
    "crashing": ("raise SystemExit(3)", "ended without an answer"),
    "gone after one": ('print(\'{"move": "-"}\', flush=True)', "ended without an answer"),
    "garbage": (LOOP.format("{]"), "answered b'{]"),
    "wrong type": (LOOP.format("[7]"), "answered b'[7]"),
    "not a text": (LOOP.format('{"move": 5}'), "answered b'{"),
    "never a move": (LOOP.format('{"move": "r99"}'), "answered b'{"),
    "illegal": (LOOP.format('{"move": "r12"}'), "'r12', which is not legal"),
    "deep": (LOOP.format("[" * 50_000), "answered b'[["),
    "endless line": ("import sys\nwhile True: sys.stdout.write('x' * 9999)", "answered b'xx"),
}


@pytest.mark.parametrize("fault", FAULTY)
def test_a_faulty_program_never_stops_a_game(fault: str) -> None:
    source, failure = FAULTY[fault]
    program = Program(find_game("qwixx"), [sys.executable, "-c", source])
    match = play_some(program, decisions=4, seconds=60)
    program.close()
    assert len(match.events) > 4
    assert failure in program.failures[-1]


@pytest.mark.parametrize("source", ["", "import sys; sys.stdin.close()"])
def test_a_silent_program_never_stops_a_game(source: str) -> None:
    program = Program(
        find_game("qwixx"), [sys.executable, "-c", f"{source}\nimport time; time.sleep(600)"]
    )
    play_some(program, decisions=3, seconds=0.1)
    program.close()
    assert program.failures == ["no answer within 0.1 s"] * 3


def test_what_a_program_started_does_not_hold_up_a_game(tmp_path: Path) -> None:
    """A shell that waits for a sleeper is ended with its sleeper, though that holds the pipe open."""
    script = tmp_path / "slow.sh"
    script.write_text("#!/bin/sh\nsleep 600\n")
    script.chmod(0o755)
    program = Program(find_game("qwixx"), [str(script)])
    play_some(program, decisions=2, seconds=0.1)
    program.close()
    assert program.failures == ["no answer within 0.1 s"] * 2
    assert program._answers.get(timeout=60) == b""  # nobody holds the pipe open any more


@pytest.mark.parametrize("command", ["./no-such-bot", "/", "\0"])
def test_a_missing_program_never_stops_a_game(command: str) -> None:
    program = Program(find_game("qwixx"), [command])
    play_some(program, decisions=3, seconds=60)
    assert len(program.failures) == 3
    assert "could not be started" in program.failures[0]


def play_some(program: Program, decisions: int, seconds: float) -> Match:
    """Let a program decide so often in a game against greedy."""
    game, rng = program.game, Random(1)
    match = Match.new(game, 2)
    greedy = find_bot(game, "greedy")
    while decisions and not match.state.is_over:
        state = match.state
        if state.chance:
            match.apply("*", str(state.chance.sample(rng.randrange)))
        for seat in state.to_act:
            if seat == 0:
                match.decide(seat, program.choose(state.view(seat), rng, seconds))
                decisions -= 1
            else:
                match.decide(seat, greedy.choose(state.view(seat), rng, 1))
    return match


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_our_bot_as_a_program_plays_like_our_bot(game: Game) -> None:
    command = f"cmd:{sys.executable} -m qlub bot greedy"
    program = find_bot(game, command)
    assert isinstance(program, Program)
    outside = play(game, [program, program], Random(9), seconds=60)
    program.close()
    assert program.failures == []
    greedy = find_bot(game, "greedy")
    assert outside.events == play(game, [greedy, greedy], Random(9)).events


def test_one_bot_program_answers_for_every_game_and_survives_nonsense() -> None:
    lines: list[str] = ["nonsense", "[]", '{"game": "chess", "seat": 0, "view": {}, "legal": []}']
    for game in all_games():
        state = game.new(2, {name: option.default_for(2) for name, option in game.options.items()})
        rng = Random(4)
        while state.chance:
            state = state.resolve(state.chance.sample(rng.randrange))
        seat = state.to_act[0]
        question: dict[str, Any] = {"game": game.name, "seat": seat, "seconds": 2.0}
        question["view"] = game.write_view(state.view(seat))
        question["legal"] = [str(move) for move in state.legal(seat)]
        lines += [json.dumps(question), json.dumps({**question, "seat": 7})]
        lines.append(json.dumps({**question, "view": {**question["view"], "phase": "odd"}}))
    done = subprocess.run(
        [sys.executable, "-m", "qlub", "bot", "random", "--seed", "1"],
        input="\n".join(lines).encode(),
        capture_output=True,
        check=True,
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(answers) == len(lines)
    assert done.stderr == b""
    for line, answer in zip(lines[3::3], answers[3::3], strict=True):
        assert answer["move"] in json.loads(line)["legal"]
    assert all("error" in answer for at, answer in enumerate(answers) if at < 3 or at % 3)


def test_a_line_may_name_the_bot_but_never_a_program(tmp_path: Path) -> None:
    match = Match.new(find_game("qwirkle"), 2)
    while match.state.chance:
        match.resolve(match.state.chance.sample(Random(4).randrange))
    seat = match.state.to_act[0]
    view = match.game.write_view(match.state.view(seat))
    question = {"game": "qwirkle", "seat": seat, "view": view, "legal": []}
    trace = tmp_path / "trace"
    names = ["greedy", "random", f"cmd:touch {trace}", "nobody", 5]
    lines = [json.dumps({**question, "bot": name}) for name in names] + [json.dumps(question)]
    done = subprocess.run(
        [sys.executable, "-m", "qlub", "bot", "--named"],
        input="\n".join(lines).encode(),
        capture_output=True,
        check=True,
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert ["move" in answer for answer in answers] == [True, True, False, False, False, False]
    assert not trace.exists()


def test_all_bots_are_prepared_as_far_as_it_goes(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    prepared = []

    class Slow(RandomBot):
        def prepare(self, view: View[Any]) -> None:
            assert view.legal()
            prepared.append(view.seats)

    class Broken(RandomBot):
        def prepare(self, view: View[Any]) -> None:
            raise ModuleNotFoundError("no compiler")

    bots: dict[str, Bot] = {"broken": Broken(), "slow": Slow(), "other": RandomBot()}
    games = [replace(game, bots=bots) for game in all_games()]
    monkeypatch.setattr("qlub.cli.bot.all_games", lambda: games)
    monkeypatch.setattr(os, "nice", lambda step: step, raising=False)  # this process goes on
    assert main(["bot", "--prepare"]) == 1
    tables = [seats for game in games for seats in range(game.seats[0], game.seats[1] + 1)]
    assert prepared == tables, "there is a network for every number of seats"
    assert capsys.readouterr().err.count("broken: no compiler") == len(games)


@pytest.mark.parametrize("arguments", [[], ["greedy", "--named"], ["greedy", "--prepare"]])
def test_somebody_must_be_named_once(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["bot", *arguments]) == 2
    assert capsys.readouterr().err.startswith("qlub: ")


def test_every_bot_tells_how_it_thinks() -> None:
    for game in all_games():
        assert all(bot.about.endswith(".") for bot in bots_of(game).values())


def test_the_example_bot_of_the_protocol_page_plays(tmp_path: Path) -> None:
    """The bot that the page shows is run as it stands."""
    page = (Path(__file__).parent.parent / "docs" / "protocol.md").read_text()
    source = page.split("```python\n")[1].split("```")[0]
    path = tmp_path / "bot.py"
    path.write_text(source)
    program = Program(find_game("qwixx"), [sys.executable, str(path)])
    play(find_game("qwixx"), [program, program], Random(3), seconds=60)
    program.close()
    assert program.failures == []
