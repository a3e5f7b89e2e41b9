"""The file of a tournament: killed runs go on where they were, and other files are left alone."""

import json
import os
import re
import resource
import signal
from pathlib import Path

import pytest
from meets import begin, chunks_in, hold, long_plan, play_all, read_ledger, report_of, until
from programs import is_running

from qlub.core.errors import BadRequest
from qlub.sim.counts import Counts, play_chunk
from qlub.sim.ledger import Ledger, read_file
from qlub.sim.plan import Chunk, Plan, make_plan
from qlub.sim.tournament import play_tournament, report


@pytest.fixture
def plan() -> Plan:
    return make_plan("qwixx", ["greedy", "random"], games=400, chunk=20)


@pytest.fixture
def half(plan: Plan, tmp_path: Path) -> Path:
    """The file of a run that was ended in the middle."""
    file = tmp_path / "half.jsonl"
    with Ledger(file, plan) as ledger:
        for chunk in list(plan.chunks())[:5]:
            ledger.add(chunk, play_chunk(plan, chunk))
    return file


def test_a_killed_run_goes_on_and_counts_nothing_twice(tmp_path: Path) -> None:
    """The same result with one process, with two, and killed and resumed in the middle."""
    plan = long_plan(tmp_path / "plan.json")
    file = tmp_path / "run.jsonl"
    run = begin(tmp_path / "plan.json", "--processes", 2, "--file", file)
    until(lambda: len(chunks_in(file)) > 10 or run.poll() is not None, "chunks")
    workers = children_of(run.pid)
    run.send_signal(signal.SIGKILL)
    run.communicate()
    kept = chunks_in(file)
    assert len(kept) < 300, "it was in the middle"
    assert workers
    until(lambda: not any(map(is_running, workers)), "the end of its processes")
    with file.open("ab") as cut:
        cut.write(b'{"pairing": 0, "part": 99, "cou')
    resumed = report_of(file, "--processes", 2)
    assert chunks_in(file)[: len(kept)] == kept
    assert sorted(chunks_in(file)) == sorted(plan.chunks()), "every chunk exactly once"
    assert resumed == json.loads(json.dumps(report(play_all(plan))))
    assert resumed == report_of(file), "and nothing is left to do"


def test_chunks_of_a_process_that_dies_are_played_again(tmp_path: Path) -> None:
    plan = long_plan(tmp_path / "plan.json")
    file = tmp_path / "run"
    run = begin(tmp_path / "plan.json", "--processes", 2, "--file", file, "--json")
    until(lambda: len(chunks_in(file)) > 10 or run.poll() is not None, "chunks")
    workers = [pid for pid in children_of(run.pid) if b"spawn_main" in command_of(pid)]
    assert len(workers) == 2
    os.kill(workers[0], signal.SIGKILL)
    printed, errors = run.communicate()
    assert (run.returncode, errors) == (0, "")
    assert sorted(chunks_in(file)) == sorted(plan.chunks())
    assert json.loads(printed) == report_of(file)


def test_a_full_disk_is_told_with_the_file_and_nothing_is_lost(tmp_path: Path) -> None:
    plan = long_plan(tmp_path / "plan.json")
    file = tmp_path / "run.jsonl"
    run = begin(tmp_path / "plan.json", "--processes", 2, "--file", file)
    until(lambda: len(chunks_in(file)) > 10 or run.poll() is not None, "chunks")
    _, hard = resource.prlimit(run.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(run.pid, resource.RLIMIT_FSIZE, (file.stat().st_size, hard))
    _, errors = run.communicate()
    assert (run.returncode, errors) == (2, f"qlub: {file}: File too large\n")
    kept = chunks_in(file)
    assert len(kept) > 10
    report_of(file, "--processes", 2)
    assert chunks_in(file)[: len(kept)] == kept
    assert sorted(chunks_in(file)) == sorted(plan.chunks())


def test_ctrl_c_prints_what_is_there(tmp_path: Path) -> None:
    plan = long_plan(tmp_path / "plan.json")
    file = tmp_path / "run.jsonl"
    run = begin(tmp_path / "plan.json", "--processes", 2, "--file", file, "--json")
    until(lambda: len(chunks_in(file)) > 10 or run.poll() is not None, "chunks")
    run.send_signal(signal.SIGINT)
    printed, errors = run.communicate()
    assert run.returncode == 130
    assert errors == f"qlub: go on with: qlub tournament {file}\n"
    told = json.loads(printed)
    assert told["finished"] is False
    assert 0 < told["games"] < plan.games * 3
    assert abs(len(chunks_in(file)) * 3000 - told["games"]) <= 3000


def test_what_is_kept_is_not_played_again(plan: Plan, half: Path) -> None:
    with Ledger(half, plan) as ledger:
        assert ledger.standing.games == 200
        played = list(play_tournament(ledger.standing, keep=ledger.add))
    assert played == list(plan.chunks())[5:]
    assert report(read_ledger(half, plan)) == report(play_all(plan))


@pytest.mark.parametrize(
    "end", [b'{"pairing": 0, "pa', b"\x00\x00\x00", b'{"pairing": 0}\n', b"{\n"]
)
def test_a_cut_last_line_is_dropped(plan: Plan, half: Path, end: bytes) -> None:
    before = half.read_bytes()
    half.write_bytes(before + end)
    assert read_ledger(half, plan).games == 200
    assert half.read_bytes() == before


def test_a_file_that_was_cut_in_its_first_line_is_begun_again(plan: Plan, half: Path) -> None:
    half.write_bytes(half.read_bytes()[:50])
    assert read_ledger(half, plan).games == 0
    assert read_file(half) == (plan, True)


def test_a_chunk_told_twice_counts_once(plan: Plan, half: Path) -> None:
    lines = half.read_bytes().splitlines(keepends=True)
    half.write_bytes(b"".join([*lines, lines[1], lines[2]]))
    assert read_ledger(half, plan).games == 200


def test_a_file_is_in_use_once(plan: Plan, half: Path) -> None:
    with Ledger(half, plan):
        done = hold(half)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"qlub: {half} is in use by another tournament\n"


def test_other_files_are_refused_and_left_alone(plan: Plan, half: Path, tmp_path: Path) -> None:
    other = make_plan("qwixx", ["greedy", "random"], games=401, chunk=20)
    lines = half.read_bytes().splitlines(keepends=True)
    damaged = [lines[0], lines[1].replace(b'"games": 40', b'"games": 39'), *lines[2:]]
    lucky = [lines[0], re.sub(rb'"won": \d+', b'"won": 2401', lines[1]), *lines[2:]]
    owing = [lines[0], re.sub(rb'"won": \d+', b'"won": -1', lines[1]), *lines[2:]]
    sore = [lines[0], re.sub(rb'"losses": \d+', b'"losses": 41', lines[1]), *lines[2:]]
    deals = [lines[0], lines[1].replace(b'"deals": 20', b'"deals": 21'), *lines[2:]]
    even, wild = (
        [lines[0], re.sub(rb'"won_squared": \d+', b'"won_squared": %d' % squares, lines[1])]
        for squares in (1, 2**90)
    )
    for content, with_plan, words in (
        (b"".join(deals), plan, "it has 21 deals, not 20"),
        (b"".join([*even, *lines[2:]]), plan, "does not add up"),
        (b"".join([*wild, *lines[2:]]), plan, "does not add up"),
        (half.read_bytes(), other, "belongs to another tournament"),
        (half.read_bytes().replace(b'"qlub": "', b'"qlub": "9.'), plan, "another version of Qlub"),
        (half.read_bytes().replace(b'"sources": "', b'"sources": "0'), plan, "another version"),
        (b"".join(damaged), plan, "line 2 of .* is damaged: it has 39 games, not 40"),
        (b"".join(lucky), plan, "more wins than 40 games can have"),
        (b"".join(owing), plan, "more wins than 40 games can have"),
        (b"".join(sore), plan, "more wins than 40 games can have"),
        (b"".join([lines[0], b"[]\n", *lines[1:]]), plan, "line 2 of .* is damaged"),
        (b"my diary\n", plan, "is not the file of a tournament"),
        (b"my diary", plan, "is not the file of a tournament"),
        (b'{"format": "qlub-record/1"}\n', plan, "is not the file of a tournament"),
    ):
        file = tmp_path / "other.jsonl"
        file.write_bytes(content)
        with pytest.raises(BadRequest, match=words):
            Ledger(file, with_plan)
        assert file.read_bytes() == content


def test_numbers_in_a_file_are_checked() -> None:
    good = Counts(deals=1, games=2, ends={"rows": 2}, failures={"a": {"b": 1}}).as_json()
    assert Counts.read(good).ends == {"rows": 2}
    for wrong in (
        {**good, "wins": -1},
        {**good, "won": 1.5},
        {**good, "points": [1]},
        {**good, "points": [1, "2"]},
        {**good, "ends": {"rows": True}},
        {**good, "failures": {"a": 1}},
        {**good, "more": 1},
        {},
        None,
    ):
        with pytest.raises(BadRequest):
            Counts.read(wrong)


def test_plans_are_cut_into_chunks_that_hold_each_deal_once() -> None:
    for seats, games, size in ((2, 1, None), (2, 777, 10), (3, 1000, 7), (5, 31, None)):
        plan = make_plan("qwixx", ["greedy", "random", "random"], seats, games, chunk=size)
        chunks = list(plan.chunks())
        assert len(set(chunks)) == len(chunks) == plan.parts * 3
        for pairing in range(3):
            deals = [n for part in range(plan.parts) for n in plan.deals_of(Chunk(pairing, part))]
            assert deals == list(range(pairing * plan.deals, (pairing + 1) * plan.deals))
            total = sum(plan.games_of(chunk) for chunk in chunks if chunk.pairing == pairing)
            assert games <= total < games + len(plan.seatings)
        assert Plan.read(json.loads(json.dumps(plan.as_json()))) == plan


def command_of(pid: int) -> bytes:
    """Return the command line of a process."""
    return Path(f"/proc/{pid}/cmdline").read_bytes()


def children_of(pid: int) -> list[int]:
    """Return the processes that a process has started."""
    folders = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(word) for folder in folders for word in folder.read_text().split()]
