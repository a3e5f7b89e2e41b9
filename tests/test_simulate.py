"""`qlub simulate` and `qlub.sim.simulate`: the same games whoever plays them, counted right."""

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from programs import commands

from qlub.core.record import replay
from qlub.sim import Results, Table, simulate
from qlub.sim.play import play_games, play_in_pieces
from qlub.sim.statistics import estimate_mean, estimate_share
from qlub.sim.tally import Tally, tally_games

QLUB = [sys.executable, "-m", "qlub", "simulate"]


def run(*arguments: str, status: int = 0) -> subprocess.CompletedProcess[str]:
    done = subprocess.run([*QLUB, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == status, done.stderr
    assert "Traceback" not in done.stderr
    return done


def answer(*arguments: str) -> Any:
    return json.loads(run(*arguments, "--json").stdout)


def without_time(report: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in report.items() if "second" not in name}


def test_a_report_for_programs() -> None:
    report = answer("qwixx", "--bots", "greedy,random", "--games", "500", "--seed", "3")
    results = simulate("qwixx", ["greedy", "random"], 500, seed=3)
    assert report["game"] == "qwixx"
    assert report["bots"] == ["greedy", "random"]
    assert (report["seats"], report["games"], report["seed"]) == (2, 500, 3)
    assert report["scores"] == pytest.approx(results.scores.mean(axis=0))
    assert report["wins"] == pytest.approx(results.shares.mean(axis=0))
    assert report["turns"] == pytest.approx(results.turns.mean())
    assert sum(report["ends"].values()) == 500
    assert report["games_per_second"] == pytest.approx(500 / report["seconds"])


@pytest.mark.parametrize(
    ("game", "bots", "games"),
    [("qwantum", "greedy,greedy,random", "20000"), ("qwixx", "club,master", "5000")],
)
def test_one_and_two_processes_play_the_same_games(game: str, bots: str, games: str) -> None:
    command = (game, "--bots", bots, "--seats-rotate", "--games", games)
    one, two = (without_time(answer(*command, "--processes", count)) for count in "12")
    assert one == two


def test_a_game_of_a_seed_does_not_depend_on_the_others() -> None:
    table = Table("qwixx", 3, ("greedy", "random"), seed=5)
    whole = play_games(table, 0, 50, rotate=True)
    parts = [play_games(table, first, 10, rotate=True) for first in range(40, -10, -10)]
    joined = Results.joined(parts[::-1])
    assert (whole.scores == joined.scores).all()
    assert (whole.turns == joined.turns).all()
    other_seed = play_games(Table("qwixx", 3, ("greedy", "random"), seed=6), 0, 50, rotate=True)
    assert (whole.scores != other_seed.scores).any()


def test_rotation_brings_everybody_to_every_seat_equally_often() -> None:
    results = simulate("qwixx", ["greedy", "greedy", "random"], 300, rotate=True)
    for bot in range(3):
        assert (results.seatings == bot).sum(axis=0).tolist() == [100, 100, 100]
    assert all(sorted(row) == [0, 1, 2] for row in results.seatings.tolist())


@pytest.mark.parametrize("game", ["qwixx", "qwantum"])
def test_a_bot_against_itself_is_even(game: str) -> None:
    tally = Tally(Table(game, 2, ("greedy", "greedy"), seed=11))
    for piece in play_in_pieces(tally_games, tally.table, 20_000, rotate=True):
        tally.merge(piece)
    for bot in tally.bots:
        assert bot.wins.low < 0.5 < bot.wins.high
    one, other = (bot.mean for bot in tally.bots)
    assert one.low < other.high
    assert other.low < one.high


def test_intervals_hold_the_truth_in_95_of_100_trials() -> None:
    """With few cases and with many; 1,000 trials may be off by three deviations (0.7 % each)."""
    source = np.random.default_rng(1)
    for count in (5, 30, 400):
        scores = source.normal(60, 15, (1000, count))
        estimates = [estimate_mean(count, row.sum(), (row**2).sum()) for row in scores]
        held = sum(estimate.low < 60 < estimate.high for estimate in estimates)
        assert 929 <= held <= 971
    for share in (0.5, 0.8):
        wins = source.binomial(200, share, 1000).tolist()
        held = sum(e.low < share < e.high for e in (estimate_share(200, won) for won in wins))
        assert 929 <= held <= 971


def test_intervals_of_real_games_hold_the_truth() -> None:
    """The mean of 40,000 games lies in about 95 of 100 intervals of 400 games each."""
    results = simulate("qwixx", ["greedy", "random"], 40_000, seed=2)
    truth = results.scores[:, 0].mean()
    parts = results.scores[:, 0].astype(float).reshape(100, 400)
    estimates = [estimate_mean(400, part.sum(), (part**2).sum()) for part in parts]
    assert 88 <= sum(estimate.low < truth < estimate.high for estimate in estimates) <= 100


def test_records_are_games_that_replay_accepts(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    report = answer("qwirkle", "--games", "6", "--records", str(file), "--seats", "3")
    records = [json.loads(line) for line in file.read_text().splitlines()]
    assert len(records) == 6
    matches = [replay(record) for record in records]
    assert all(match.names == ("greedy", "random", "greedy") for match in matches)
    greedy = [np.mean([scores[0], scores[2]]) for scores in (m.state.scores() for m in matches)]
    assert report["scores"][0] == pytest.approx(np.mean(greedy))
    assert Counter(report["ends"]) == Counter(str(match.state.reason) for match in matches)


def test_pictures_are_drawn(tmp_path: Path) -> None:
    for name, head in (("a.svg", b"<?xml"), ("a.png", b"\x89PNG")):
        run("qwixx", "--games", "200", "--plot", str(tmp_path / name))
        assert (tmp_path / name).read_bytes().startswith(head)


def test_what_people_see() -> None:
    told = run("qwixx", "--bots", "greedy,random", "--games", "300").stdout
    for words in ("300 games", "greedy", "95 %", "turns a game", "games a second"):
        assert words in told


def test_options_are_played_by() -> None:
    table, player = (
        answer("qwixx", "--bots", "greedy", "--seats", "3", "--option", f"end={end}")
        for end in ("table", "player")
    )
    assert player["options"] == {"end": "player"}
    assert player["turns"] > table["turns"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("chess",), "unknown game 'chess'"),
        (("qwixx", "--bots", "gredy"), "unknown bot 'gredy'"),
        (("qwixx", "--games", "0"), "expected a number of games"),
        (("qwixx", "--seed", "-1"), "a seed is a number from 0"),
        (("qwixx", "--seats", "9"), "2 to 5 seats"),
        (("qwixx", "--seats", "1"), "do not fit"),
        (("qwixx", "--option", "end=never"), "end"),
        (("qwixx", "--plot", "a.gif"), ".svg or .png"),
        (("qwixx", "--records", "no/such/folder/a.jsonl"), "no/such/folder/a.jsonl"),
        (("qwixx", "--processes", "0"), "expected at least 1"),
    ],
)
def test_wrong_use_is_refused_with_one_line(arguments: tuple[str, ...], words: str) -> None:
    done = run(*arguments, status=2)
    assert words in done.stderr
    assert done.stderr.count("\n") == 1
    assert not done.stdout


def test_ctrl_c_prints_what_is_there(tmp_path: Path) -> None:
    records = tmp_path / "games.jsonl"
    process = subprocess.Popen(
        [*QLUB, "qwixx", "--games", "900000000", "--json", "--records", str(records)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    while not (records.exists() and records.stat().st_size):
        assert process.poll() is None, process.communicate()
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    told, complaints = process.communicate(timeout=60)
    assert process.returncode == 130
    assert 0 < json.loads(told)["games"] < 900_000_000
    assert "Traceback" not in complaints


def test_workers_end_when_the_one_who_started_them_is_killed() -> None:
    process = subprocess.Popen(
        [*QLUB, "qwirkle", "--games", "100000000", "--processes", "2"], start_new_session=True
    )
    group = process.pid
    while len(_members(group)) < 3:
        assert process.poll() is None
        time.sleep(0.05)
    process.kill()
    process.wait()
    end = time.monotonic() + 60
    while _members(group) and time.monotonic() < end:
        time.sleep(0.05)
    left = _members(group)
    if left:
        os.killpg(group, signal.SIGKILL)
    assert not left


def _members(group: int) -> list[int]:
    """Return the processes of a group that run."""
    members = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, its_group = stat.read_text().rpartition(")")[2].split()[:3]
        except (OSError, ValueError):
            continue
        if int(its_group) == group and state != "Z":
            members.append(int(stat.parent.name))
    return members


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("crashes", "ended without an answer"),
        ("talks", "answered"),
        ("cheats", "answered"),
        ("numbers", "answered"),
        ("missing", "could not be started"),
        ("hangs", "no answer within 0.02 s"),
    ],
)
def test_games_go_on_when_a_program_fails(tmp_path: Path, name: str, words: str) -> None:
    command = f"cmd:{commands(tmp_path)[name]}"
    done = run(
        "qwixx", "--bots", f"{command},greedy", "--games", "2", "--seconds", "0.02", "--json"
    )
    report = json.loads(done.stdout)
    assert report["games"] == 2
    assert report["failures"][command] > 0
    assert f"failed in {report['failures'][command]:,} decisions" in done.stderr
    assert words in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_program_that_answers_is_not_blamed(tmp_path: Path) -> None:
    done = run("qwixx", "--bots", f"cmd:{commands(tmp_path)['passes']},greedy", "--games", "2")
    assert not done.stderr


def test_one_game_has_no_interval_and_any_name_can_be_shown() -> None:
    report = answer("qwixx", "--games", "1")
    assert [bot["mean_interval"] for bot in report["by_bot"]] == [None, None]
    told = run("qwixx", "--games", "1", "--bots", "greedy,cmd:./missing [/x]").stdout
    assert "1 game\n" in told
    assert "cmd:./missing" in told
    assert "inf" not in told


def test_games_of_a_worker_that_dies_are_played_again() -> None:
    process = subprocess.Popen(
        [*QLUB, "qwirkle", "--games", "1500", "--processes", "2", "--json"],
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    while len(workers := sorted(set(_members(process.pid)) - {process.pid})) < 2:
        assert process.poll() is None
        time.sleep(0.05)
    os.kill(workers[-1], signal.SIGKILL)
    told, _ = process.communicate(timeout=300)
    assert process.returncode == 0
    alone = answer("qwirkle", "--games", "1500")
    assert without_time(json.loads(told)) == without_time(alone)
