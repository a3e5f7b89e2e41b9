"""Runs `qlub tournament` in tests, as a person does."""

import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from qlub.sim.ledger import Ledger
from qlub.sim.plan import Plan, make_plan
from qlub.sim.standing import Standing
from qlub.sim.tournament import play_tournament

QLUB = [sys.executable, "-m", "qlub", "tournament"]
PATIENCE = 120.0
"""Seconds after which something that should have come is given up; compiling takes a while."""


def hold(*words: Any, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Hold a tournament and wait for its end."""
    return subprocess.run(
        [*QLUB, *map(str, words)],
        capture_output=True,
        text=True,
        cwd=folder,
        timeout=PATIENCE,
        check=False,
    )


def begin(*words: Any) -> subprocess.Popen[str]:
    """Begin a tournament and return without waiting for it."""
    return subprocess.Popen(
        [*QLUB, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def report_of(*words: Any) -> Any:
    """Hold a tournament and return its report."""
    done = hold(*words, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def long_plan(file: Path) -> Plan:
    """Write a plan of 400 chunks, long enough to be killed in the middle, and return it."""
    plan = make_plan("qwixx", ["greedy", "random", "random"], games=400_000, seed=7, chunk=1500)
    file.write_text(json.dumps(plan.as_json()))
    return plan


def play_all(plan: Plan, processes: int = 1) -> Standing:
    """Play a plan to its end."""
    standing = Standing(plan)
    for _ in play_tournament(standing, processes):
        pass
    return standing


def chunks_in(file: Path) -> list[tuple[int, int]]:
    """Return the chunks that a file has, in the order in which they were done."""
    lines = file.read_bytes().split(b"\n")[1:-1] if file.exists() else []
    return [(line["pairing"], line["part"]) for line in map(json.loads, lines)]


def read_ledger(file: Path, plan: Plan) -> Standing:
    """Read the file of a tournament as one that goes on does."""
    with Ledger(file, plan) as ledger:
        return ledger.standing


def until(happened: Callable[[], object], what: str) -> None:
    """Wait for something."""
    give_up = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < give_up, f"waited in vain for {what}"
        time.sleep(0.01)
