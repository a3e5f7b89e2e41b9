"""The best possible play of Qwixx alone: worked out, checked, kept, and gone on with."""

import json
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from platformdirs import user_cache_path

from qlub.cli import main
from qlub.games.qwixx import exact
from qlub.games.qwixx.sheet import row_of
from qlub.sim import solver

QLUB = [sys.executable, "-m", "qlub", "solve"]
MEASURED = """
import sys
from qlub.cli import main
status = main(["solve", *sys.argv[1:]])
print(next(line for line in open("/proc/self/status") if line.startswith("VmHWM")), file=sys.stderr)
sys.exit(status)
"""
MOST_MEMORY = 400 * 1024
"""Kilobytes that solving may take."""

Rows = tuple[frozenset[int], ...]
"""The crossed cells of each row."""


def points(rows: Rows, penalties: int) -> int:
    crosses = [len(row) + (10 in row) for row in rows]
    return sum(count * (count + 1) // 2 for count in crosses) - 5 * penalties


def is_final(rows: Rows, penalties: int) -> bool:
    return penalties == 4 or sum(10 in row for row in rows) >= 2


def crossings(rows: Rows, sums: list[set[int]]) -> Iterator[Rows]:
    """All sheets with one more cross, in a row with one of its sums."""
    for colour, row in enumerate(rows):
        for total in sums[colour]:
            cell = total - 2 if colour < 2 else 12 - total
            if cell > max(row, default=-1) and (cell < 10 or len(row) >= 5):
                yield (*rows[:colour], row | {cell}, *rows[colour + 1 :])


def best_of_roll(rows: Rows, penalties: int, dice: tuple[int, ...], others: int) -> float:
    one, other, *colours = dice
    most = naive_worth(rows, penalties + 1, others, others)
    for after in (rows, *crossings(rows, [{one + other}] * 4)):
        if after != rows:
            most = max(most, naive_worth(after, penalties, others, others))
        if not is_final(after, 0):
            sums = [{one + die, other + die} for die in colours]
            for last in crossings(after, sums):
                most = max(most, naive_worth(last, penalties, others, others))
    return most


@cache
def naive_worth(rows: Rows, penalties: int, others: int = 0, left: int = 0) -> float:
    """What a sheet is worth among so many others, of whom some are still to roll, over all rolls."""
    if is_final(rows, penalties):
        return points(rows, penalties)
    if left > 0:
        rolls = product(range(1, 7), repeat=2)
        return sum(best_of_others(rows, penalties, sum(dice), others, left) for dice in rolls) / 36
    rolls = product(range(1, 7), repeat=6)
    return sum(best_of_roll(rows, penalties, dice, others) for dice in rolls) / 6**6


def best_of_others(rows: Rows, penalties: int, white: int, others: int, left: int) -> float:
    """What a roll of somebody else is worth: one may cross the white sum, or nothing."""
    ends = (rows, *crossings(rows, [{white}] * 4))
    return max(naive_worth(after, penalties, others, left - 1) for after in ends)


def sheet(*rows: str) -> Rows:
    """Read rows as they look: `x` is crossed."""
    return tuple(frozenset(cell for cell, mark in enumerate(row) if mark == "x") for row in rows)


@pytest.mark.parametrize(
    ("rows", "penalties"),
    [
        (sheet("xxxxx....x.", "x........x.", ".........x.", ".xx......x."), 3),
        (sheet("xxxxx....x.", "xxxxxxx..x.", ".x.......x.", "xxxxx....xx"), 3),
        (sheet(".........x.", "xxxxxx..x..", "xxxx.....x.", "xxxxx....xx"), 3),
        (sheet("xxxxx....xx", "x........x.", "xxxxx....x.", ".xx......x."), 2),
    ],
)
def test_worths_are_those_of_every_roll_one_by_one(rows: Rows, penalties: int) -> None:
    """QX-6 to QX-10, QX-13 to QX-15 and QX-18, by the definition of a mean."""
    worths = [0.0] * 4 * exact.SHEETS
    work_out(rows, worths)
    assert noted(rows, penalties, worths) == pytest.approx(naive_worth(rows, penalties), abs=1e-9)


@pytest.mark.parametrize("seats", [2, 3])
def test_among_friends_worths_are_those_of_every_roll_one_by_one(seats: int) -> None:
    """The others roll, too, and one may cross what they roll; they never close a row (QX-6)."""
    rows = sheet("xxxxx....x.", "xxxxxxx..x.", ".x.......x.", "xxxxx....xx")
    worths = [0.0] * seats * 4 * exact.SHEETS
    work_out(rows, worths, seats)
    kinds = short(rows)
    for turn in range(seats):
        left = (seats - turn) % seats
        naive = naive_worth(rows, 3, seats - 1, left)
        plane = turn * 4 * exact.SHEETS
        assert exact.worth_of(kinds, 3, worths, plane) == pytest.approx(naive, abs=1e-9)


def short(rows: Rows) -> list[int]:
    return [exact.short_row(sum(1 << cell for cell in row)) for row in rows]


def noted(rows: Rows, penalties: int, worths: list[float]) -> float:
    return exact.worth_of(short(rows), penalties, worths, 0)


def work_out(rows: Rows, worths: list[float], seats: int = 1) -> None:
    """Work out a sheet and before it all that can follow from it, in plain Python."""
    for after in sorted(following(rows), key=lambda one: -sum(map(max, filter(None, one)))):
        kinds = [exact.kind_of(row) for row in short(after)]
        exact.work_out(kinds, exact.all_kinds(), seats, worths, [0] * 4, [0.0] * 44, [0.0] * 48)


def following(rows: Rows) -> set[Rows]:
    """A sheet and all that it can become."""
    found = {rows}
    todo = [rows]
    while todo:
        for after in crossings(todo.pop(), [set(range(2, 13))] * 4):
            if after not in found:
                found.add(after)
                todo.append(after)
    return found


def test_a_row_of_the_rules_is_one_of_62_kinds() -> None:
    rows = [row for row in range(1 << 11) if row < 1 << 10 or row.bit_count() > 5]
    kinds = {exact.kind_of(exact.short_row(row_of(row, 0))) for row in rows}
    assert kinds == set(range(62))
    assert (exact.PAIRS, exact.SHEETS) == (1953, 1_908_081)


@pytest.fixture
def cache_home(tmp_path: Path) -> Path:
    """A cache in which nothing is worked out, but all is compiled that usually is."""
    compiled = user_cache_path("qlub") / "compiled"
    compiled.mkdir(parents=True, exist_ok=True)
    (tmp_path / "qlub").mkdir()
    (tmp_path / "qlub" / "compiled").symlink_to(compiled)
    return tmp_path


def begin(patch: pytest.MonkeyPatch, home: Path, levels: int) -> Path:
    """Work out the first levels as somebody would who is killed then, and return the file."""
    patch.setattr(solver, "user_cache_path", lambda name: home / name)
    work = solver.solve(1, 1)
    for _ in range(levels - 1):
        next(work)
    patch.setattr(solver, "SAVE_SECONDS", -1.0)
    assert next(work).left
    return home / "qlub" / "exact" / "qwixx-1.bin"


def run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*QLUB, *words], capture_output=True, text=True, check=False)


def test_a_run_that_was_killed_goes_on_and_finds_the_known_value(
    cache_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """115.4831 is the published optimum; the policy comes to it in real games, by the rules."""
    begin(monkeypatch, cache_home, 18)
    begun = solver.load(1)
    assert begun
    assert 0 < begun.done < exact.SHEETS
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache_home))
    words = [sys.executable, "-c", MEASURED, "qwixx", "--json"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0
    name, most, unit = done.stderr.split()
    assert (name, unit) == ("VmHWM:", "kB")
    assert int(most) < MOST_MEMORY
    told = json.loads(done.stdout)
    assert round(told["value"], 4) == 115.4831
    assert told["states"] == 4 * exact.SHEETS
    low, high = told["played"]["interval"]
    assert low < 115.4831 < high
    whole = solver.load(1)
    assert whole
    assert whole.left == 0
    assert (whole.worths[begun.worths != 0] == begun.worths[begun.worths != 0]).all()


def test_two_friends_come_to_the_known_values(
    cache_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache_home))
    told = json.loads(run("qwixx", "--n", "2", "--json").stdout)
    assert [round(value, 2) for value in told["values"]] == [130.50, 131.13]


def test_a_file_that_is_not_ours_is_never_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = begin(monkeypatch, tmp_path, 1)
    assert solver.load(1)
    whole = file.read_bytes()
    head, _, body = whole.partition(b"\n")
    harmed = {
        "empty": b"",
        "foreign": b"\x93NUMPY",
        "no object": b"[]\n" + body,
        "cut": whole[: len(whole) // 2],
        "changed": whole[:-8] + b"12345678",
        "for other seats": head.replace(b'"seats": 1', b'"seats": 2') + b"\n" + body,
        "from other rules": head.replace(b'"sources": "', b'"sources": "0') + b"\n" + body,
    }
    for harm, found in harmed.items():
        file.write_bytes(found)
        assert solver.load(1) is None, harm
    file.unlink()
    assert solver.load(1) is None


def test_games_are_counted_the_same_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever sheets are worth: here nothing, so that any move will do."""
    solution = solver.Solution(1, np.zeros(4 * exact.SHEETS), 0)
    (whole,) = solver.play_solution(solution, 50, 3)
    monkeypatch.setattr(solver, "GAMES_AT_ONCE", 20)
    played = list(solver.play_solution(solution, 50, 3))
    assert [done for done, _ in played] == [20, 40, 50]
    assert played[-1] == whole


def test_a_single_game_has_no_interval(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    solution = solver.Solution(1, np.zeros(4 * exact.SHEETS), 0)
    monkeypatch.setattr(solver, "solve", lambda seats, threads: iter([solution]))
    assert main(["solve", "qwixx", "--games", "1"]) == 0
    assert "\n1 game played by it: " in (told := capsys.readouterr().out)
    assert told.endswith("points on average\n")
    assert main(["solve", "qwixx", "--games", "1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["played"]["interval"] is None


@pytest.mark.parametrize("is_kept", [True, False, None])
def test_whoever_ends_it_is_told_what_becomes_of_it(
    is_kept: bool | None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def work(seats: int, threads: int) -> Iterator[solver.Solution]:
        for kept in (None, is_kept, is_kept):
            yield solver.Solution(seats, np.zeros(4 * exact.SHEETS), 40, kept)
        raise KeyboardInterrupt

    monkeypatch.setattr(solver, "solve", work)
    assert main(["solve", "qwixx"]) == 130
    *warned, ended = capsys.readouterr().err.splitlines()
    if is_kept:
        assert (warned, ended) == ([], "Ended. The same command goes on from what was kept.")
    elif is_kept is None:
        told = "Ended. The same command goes on from what was kept, if anything was."
        assert (warned, ended) == ([], told)
    else:
        assert ended == "Ended. The same command begins anew: nothing could be kept."
        assert [line.split(" in ")[0] for line in warned] == ["qlub: warning: nothing can be kept"]


def test_values_are_told_by_who_rolls_first() -> None:
    """Who rolls second waits for one other turn: the one that comes last before one's own."""
    worths = np.zeros(3 * 4 * exact.SHEETS)
    worths.reshape(3, -1)[:, 0] = 10, 30, 20
    assert solver.Solution(3, worths, 0).values == [10, 20, 30]


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["qwirkle"], "only qwixx can be solved, not qwirkle"),
        (["qwixx", "--n", "6"], "invalid choice: 6"),
        (["qwixx", "--threads", "0"], "argument --threads: expected at least 1"),
        (["qwixx", "--threads", "1000000"], "argument --threads: "),
        (["qwixx", "--games", "-1"], "--games is a whole number from 0 to"),
        (["qwixx", "--games", "1000000000000000"], "--games is a whole number from 0 to"),
        (["qwixx", "--seed", "-1"], "--seed is a whole number from 0 to"),
        (["qwixx", "--seed", "99999999999999999999999"], "--seed is a whole number from 0 to"),
    ],
)
def test_wrong_use_is_refused_with_one_line(words: list[str], line: str) -> None:
    done = run(*words)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert line in done.stderr
