"""Policies that bots bring along, and what is kept of their compilation."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from qlub.core.errors import BadOption
from qlub.games.qwixx.rules import PASS, legal_cells
from qlub.games.qwixx.state import Move, View, decode
from qlub.kernel import Ints, Slots, jitable
from qlub.sim import Table, simulate
from qlub.sim.compiled import play_compiled
from qlub.sim.plain import play_plainly
from qlub.sim.play import play_deals, seat_bots
from qlub.thinker import Array

ROOT = Path(__file__).parent.parent


@jitable
def choose_leftmost(table: Ints, seat: int, cells: int, luck: Slots) -> int:
    """Cross the first open cell of red, if that is rolled."""
    return 0 if cells & 1 else PASS


class Leftmost:
    """A bot that nobody in the house knows."""

    about = "Crosses red 2."
    policy = staticmethod(choose_leftmost)

    def choose(self, view: View, rng: Random, seconds: float) -> Move:
        seat = view.seat or 0
        return decode(self.policy(view.table, seat, legal_cells(view.table, seat), []))


@jitable
def choose_favourite(table: Ints, seat: int, cells: int, luck: Slots, mind: Ints) -> int:
    """Cross the cell that one has in mind, if it is open."""
    return mind[0] if cells >> mind[0] & 1 else PASS


class Favourite:
    """A bot with a cell in mind; with two seats it is always the same."""

    about = "Crosses one cell."
    policy = staticmethod(choose_favourite)

    def __init__(self, cell: int) -> None:
        self.cell = cell

    def mind(self, array: Array, seats: int) -> Any:
        return array([self.cell if seats > 2 else 0])

    def choose(self, view: View, rng: Random, seconds: float) -> Move:
        seat = view.seat or 0
        cells = legal_cells(view.table, seat)
        return decode(self.policy(view.table, seat, cells, [], self.mind(list, view.seats)))


class Passive:
    """A bot without a policy."""

    about = "Passes."

    def choose(self, view: View, rng: Random, seconds: float) -> Move:
        return view.legal()[-1]


def test_a_bot_may_bring_its_own_policy() -> None:
    table = Table("qwixx", 2, (Leftmost(), "greedy"), seed=4)
    assert table.policies
    deals, seatings = np.arange(40), np.tile([0, 1], (40, 1))
    compiled = play_deals(table, deals, seatings)
    assert compiled.scores.tolist() == play_plainly(table, deals, seatings).scores.tolist()
    assert play_compiled(table, deals, seatings).turns.tolist() == compiled.turns.tolist()


def test_a_mind_is_one_for_so_many_seats() -> None:
    """With two seats the favourite has the mind of who crosses red 2 only."""
    points = [simulate("qwixx", [bot, "greedy"], 50).scores for bot in (Favourite(7), Leftmost())]
    assert points[0].tolist() == points[1].tolist()


def test_everybody_thinks_with_their_own_mind() -> None:
    table = Table("qwixx", 3, (Favourite(3), "greedy", Favourite(16)), seed=4)
    deals = np.arange(30)
    seatings = seat_bots(deals, table, rotate=True)
    compiled = play_deals(table, deals, seatings)
    assert compiled.scores.tolist() == play_plainly(table, deals, seatings).scores.tolist()


def test_a_bot_without_a_policy_plays_the_same_way_but_slower() -> None:
    table = Table("qwixx", 2, (Passive(), "greedy"))
    assert table.policies is None
    results = simulate("qwixx", [Passive(), "greedy"], 10)
    assert (results.scores[:, 0] <= -5 * 4).any()
    assert results.shares.sum() == 10


def test_an_edited_rule_is_never_played_by_an_old_compilation(tmp_path: Path) -> None:
    """A penalty of 6 instead of 5, a copy of all sources, the usual cache for both."""
    edited = tmp_path / "edited"
    shutil.copytree(ROOT / "src" / "qlub", edited / "qlub", ignore=shutil.ignore_patterns("pages"))
    sheet = edited / "qlub" / "games" / "qwixx" / "sheet.py"
    text = sheet.read_text()
    sheet.write_text(text.replace("PENALTY_POINTS = 5", "PENALTY_POINTS = 6"))
    assert sheet.read_text() != text
    command = [sys.executable, "-m", "qlub", "simulate", "qwixx", "--bots", "random,random"]

    def scores(source: Path) -> Any:
        environment = {**os.environ, "PYTHONPATH": str(source)}
        told = subprocess.check_output([*command, "--games", "2000", "--json"], env=environment)
        return json.loads(told)["scores"]

    before = scores(ROOT / "src")
    assert np.mean(scores(edited)) < np.mean(before) - 1
    assert scores(ROOT / "src") == before


def test_without_a_place_to_keep_it_compiled_code_still_runs(tmp_path: Path) -> None:
    (tmp_path / "qlub").write_text("a file where the folder should be")
    command = [sys.executable, "-m", "qlub", "simulate", "qwixx", "--games", "50", "--json"]
    done = subprocess.run(
        command,
        env={**os.environ, "XDG_CACHE_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["games"] == 50
    assert "Traceback" not in done.stderr


def test_the_examples_of_the_page_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "Agg")
    page = (ROOT / "docs" / "simulation.md").read_text()
    names: dict[str, object] = {}
    for block in re.findall(r"```python\n(.*?)```", page, re.DOTALL):
        exec(block, names)  # noqa: S102 - our own page
    assert (tmp_path / "scores.png").stat().st_size > 1000


def test_a_policy_that_is_not_marked_is_refused_in_words() -> None:
    class Unmarked(Leftmost):
        policy = staticmethod(lambda table, seat, cells, luck: PASS)

    with pytest.raises(BadOption, match="Unmarked is not marked @jitable"):
        simulate("qwixx", [Unmarked(), "greedy"], 10)


def test_a_policy_that_is_written_anew_is_compiled_anew() -> None:
    """As in a notebook, where no file tells two policies of one name apart."""

    def points_with(cell: int) -> float:
        names: dict[str, Any] = {"PASS": PASS, "cell": cell}
        exec("def mine(table, seat, cells, luck):\n    return PASS if cells & 1 else cell", names)  # noqa: S102
        marked = jitable(names["mine"])

        class Mine(Leftmost):
            policy = staticmethod(marked)

        return float(simulate("qwixx", [Mine(), "greedy"], 200).scores[:, 0].mean())

    assert points_with(PASS) < -10 < 0 < points_with(9)  # the second one cheats, and nobody asks
