"""Long work goes on where it was, and never from what is not to be trusted."""

import json
import os
import time
from pathlib import Path

import numpy as np
import pytest

from qlub.sim.kept import STALE_SECONDS, find_kept, keep

WHAT = {"format": "test/1", "game": "qwixx", "seats": 2}
NUMBERS = np.linspace(-1, 1, 50)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "deep" / "work.bin"
    assert keep(file, WHAT, {"games": 700}, NUMBERS)
    return file


def test_what_is_kept_is_found(file: Path) -> None:
    found = find_kept(file, WHAT)
    assert found
    assert found[0] == {"games": 700}
    assert found[1].tolist() == NUMBERS.tolist()
    assert [one.name for one in file.parent.iterdir()] == ["work.bin"]


def test_the_latest_is_found(file: Path) -> None:
    keep(file, WHAT, 9, NUMBERS * 2)
    found = find_kept(file, WHAT)
    assert found
    assert (found[0], found[1].tolist()) == (9, (NUMBERS * 2).tolist())


def test_nothing_is_found_where_nothing_is(tmp_path: Path) -> None:
    assert find_kept(tmp_path / "work.bin", WHAT) is None
    assert find_kept(tmp_path, WHAT) is None


@pytest.mark.parametrize("left", [0, 1, 20, 120, 200, 300, -80, -8, -1])
def test_what_is_cut_is_not_used(file: Path, left: int) -> None:
    whole = file.read_bytes()
    file.write_bytes(whole[:left])
    assert len(file.read_bytes()) < len(whole)
    assert find_kept(file, WHAT) is None


@pytest.mark.parametrize("other", [{"format": "test/2"}, {"game": "qwantum"}, {"seats": 3}])
def test_other_work_is_not_used(file: Path, other: dict[str, object]) -> None:
    assert find_kept(file, {**WHAT, **other}) is None
    assert find_kept(file, {**WHAT, "sources": "of today"}) is None


@pytest.mark.parametrize(
    "foreign", [b"\x93NUMPY\x01\0", b"[]\n", b"{}\n", b"null", b"7\n", b"\xff" * 900, b"\n\n"]
)
def test_what_is_foreign_is_not_used(file: Path, foreign: bytes) -> None:
    body = file.read_bytes().partition(b"\n")[2]
    for found in (foreign, foreign + body):
        file.write_bytes(found)
        assert find_kept(file, WHAT) is None


def test_what_was_changed_is_not_used(file: Path) -> None:
    line, _, body = file.read_bytes().partition(b"\n")
    head = json.loads(line)
    changed = {
        "numbers": line + b"\n" + (NUMBERS + 1).tobytes(),
        "a bit": line + b"\n" + body[:-3] + bytes([body[-3] ^ 1]) + body[-2:],
        "state": json.dumps({**head, "state": {"games": 900}}).encode() + b"\n" + body,
        "longer": line + b"\n" + body + bytes(8),
    }
    for how, found in changed.items():
        file.write_bytes(found)
        assert find_kept(file, WHAT) is None, how


def test_where_nothing_can_be_kept_work_goes_on(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file where a folder should be")
    assert not keep(tmp_path / "taken" / "work.bin", WHAT, 1, NUMBERS)
    assert find_kept(tmp_path / "taken" / "work.bin", WHAT) is None


def test_what_somebody_left_who_was_killed_while_writing_is_removed(file: Path) -> None:
    """Somebody else may be writing just now, and other work is left alone."""
    names = [".work.bin.old", ".work.bin.new", ".other.bin.old"]
    left, fresh, other = (file.parent / name for name in names)
    for one in (left, fresh, other):
        one.write_text("half of it")
    for one in (left, other):
        os.utime(one, (time.time() - 2 * STALE_SECONDS,) * 2)
    keep(file, WHAT, 9, NUMBERS)
    assert {one.name for one in file.parent.iterdir()} == {"work.bin", fresh.name, other.name}
