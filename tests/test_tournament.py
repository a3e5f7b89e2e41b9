"""`qlub tournament` as a person uses it: tables, reports, programs that fail, and wrong command lines."""

import json
import signal
from pathlib import Path

import pytest
from meets import begin, hold, report_of, until
from programs import commands, is_running, pids

ILLEGAL = """while read -r line; do echo '{"move": "r12"}'; done"""


def test_a_tournament_is_printed_as_tables() -> None:
    done = hold("qwixx", "random", "greedy", "greedy", "--games", 2000)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0] == "qwixx, 2 seats, seed 1: 6,000 games, 3 pairings"
    assert lines[2].split() == ["bot", "rating", "±", "2σ", "wins", "95", "%", "points"]
    assert lines[3].startswith("1  greedy")
    assert lines[5].startswith("3  random")
    assert "50.0 ±" in lines[8]
    assert max(map(len, lines)) <= 80


def test_one_process_and_two_have_the_same_report() -> None:
    words = ("qwantum", "greedy", "random", "--games", 3000, "--seed", 5, "--until-sure", 0.05)
    assert report_of(*words) == report_of(*words, "--processes", 2)


def test_a_report_has_all_figures(tmp_path: Path) -> None:
    plan = {"game": "qwixx", "bots": ["greedy", "random"], "games": 300, "seats": 3}
    file = tmp_path / "plan.json"
    file.write_text(json.dumps({**plan, "options": {"end": "player"}}, indent=2))
    told = report_of(file)
    assert told["format"] == "qlub-tournament-report/1"
    assert told["plan"] == {
        **plan,
        "options": {"end": "player"},
        "seed": 1,
        "seconds": 2.0,
        "until_sure": None,
        "less_luck": False,
        "chunk": 1,
    }
    assert (told["finished"], told["games"]) == (True, 300)
    (pairing,) = told["pairings"]
    assert pairing["bots"] == ["greedy", "random"]
    assert pairing["wins"] + pairing["ties"] + pairing["losses"] == pairing["games"] == 300
    assert pairing["deals"] == 50
    assert pairing["share_interval"][0] < pairing["share"] < pairing["share_interval"][1]
    assert sum(pairing["ends"].values()) == 300
    greedy, random = told["bots"]
    assert greedy["share"] == pairing["share"] == pytest.approx(1 - random["share"])
    assert greedy["rating"]["mu"] > random["rating"]["mu"]


@pytest.fixture
def programs(tmp_path: Path) -> dict[str, str]:
    (tmp_path / "dreams").write_text(ILLEGAL + "\n")
    named = {**commands(tmp_path), "dreams": f"sh {tmp_path / 'dreams'}"}
    return {name: f"cmd:{command}" for name, command in named.items()}


@pytest.mark.parametrize(
    ("name", "failure"),
    [
        ("missing", "could not be started"),
        ("hangs", "no answer within 0.05 s"),
        ("crashes", "it ended without an answer"),
        ("talks", "answered b'a secret plan"),
        ("dreams", "answered 'r12', which is not legal"),
    ],
)
def test_games_go_on_when_a_program_fails(
    name: str, failure: str, programs: dict[str, str], tmp_path: Path
) -> None:
    bot = programs[name]
    words = ("qwixx", bot, "random", "--games", 2, "--seconds", 0.05, "--json")
    done = hold(*words)
    assert done.returncode == 0
    assert done.stderr.startswith(f"qlub: warning: {bot} failed in ")
    assert done.stderr.count("\n") == 1
    told = json.loads(done.stdout)
    assert told["games"] == 2
    failures = told["bots"][0]["failures"]
    assert any(kind.startswith(failure) for kind in failures)
    assert sum(failures.values()) > 10
    assert told["bots"][1]["failures"] == {}
    assert not any(map(is_running, pids(tmp_path, name)))


def test_a_good_program_is_a_bot_like_any_other(programs: dict[str, str]) -> None:
    words = ("qwixx", programs["passes"], "greedy", "random", "--games", 4, "--seconds", 20)
    done = hold(*words)
    assert (done.returncode, done.stderr) == (0, "")
    assert report_of(*words) == report_of(*words, "--processes", 2)


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGKILL])
def test_programs_end_with_the_tournament(
    end: signal.Signals, programs: dict[str, str], tmp_path: Path
) -> None:
    """However it ends, and although they would sleep on."""
    words = ("qwixx", programs["hangs"], "random", "--seconds", 100, "--processes", 2)
    run = begin(*words)
    until(lambda: len(pids(tmp_path, "hangs")) == 4 or run.poll() is not None, "programs")
    run.send_signal(end)
    run.communicate()
    assert run.returncode == (130 if end == signal.SIGINT else -end)
    until(lambda: not any(map(is_running, pids(tmp_path, "hangs"))), "the end of all programs")


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ([], "the following arguments are required: GAME|FILE"),
        (["chess", "greedy", "random"], "chess"),
        (["qwixx"], "a tournament has 2 to 32 bots, not 0"),
        (["qwixx", "greedy"], "a tournament has 2 to 32 bots, not 1"),
        (["qwixx", "greedy", "genius"], "unknown bot 'genius'"),
        (["qwixx", "greedy", "cmd:"], "names no program"),
        (["qwixx", "greedy", "cmd:./a 'b"], "cannot be read as a command"),
        (["qwixx", "greedy", "random", "--seats", "1"], "at least 2 seats"),
        (["qwixx", "greedy", "random", "--seats", "9"], "qwixx has 2 to 5 seats"),
        (["qwixx", "greedy", "random", "--games", "0"], "expected a number of games"),
        (["qwixx", "greedy", "random", "--games", "many"], "expected a number of games"),
        (["qwixx", "greedy", "random", "--seed", "-1"], "'seed' is a whole number"),
        (["qwixx", "greedy", "random", "--processes", "0"], "expected at least 1"),
        (["qwixx", "greedy", "random", "--until-sure", "2"], "expected a share"),
        (["qwirkle", "greedy", "random", "--less-luck"], "the luck of qwirkle cannot be told"),
        (["lucky.json"], "'less_luck' is true or false, not 'yes'"),
        (["qwixx", "greedy", "random", "--option", "end=never"], "option end is one of"),
        (["qwixx", "greedy", "random", "--option", "x"], "expected NAME=VALUE"),
        (["qwixx", "greedy", "random", "--wat"], "unrecognized arguments: --wat"),
        (["qwixx", "greedy", "random", "--file", "."], "directory"),
        (["qwixx", "greedy", "random", "--dask", "x", "--processes", "2"], "leave --processes or"),
        (["nothing.jsonl"], "nothing.jsonl: No such file"),
        (["plan.json", "greedy", "--seed", "1"], "leave BOT, --seed out"),
        (["plan.json"], "plan.json: a plan has an unknown field 'bot'"),
        (["list.json"], "list.json: a plan is an object"),
    ],
)
def test_a_wrong_command_line_is_refused_in_one_line(
    words: list[str], line: str, tmp_path: Path
) -> None:
    (tmp_path / "plan.json").write_text('{"game": "qwixx", "bots": [], "bot": "greedy"}')
    (tmp_path / "list.json").write_text("[]")
    lucky = {"game": "qwixx", "bots": ["greedy", "random"], "less_luck": "yes"}
    (tmp_path / "lucky.json").write_text(json.dumps(lucky))
    done = hold(*words, folder=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert line in done.stderr
    assert done.stderr.count("\n") == 1
