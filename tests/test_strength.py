"""The page about strength can be read back, so that what was not played again stays as it was."""

import subprocess
import sys
from pathlib import Path

import pytest
from toolbox import HOME, tool

from qlub.sim.counts import play_chunk
from qlub.sim.ledger import Ledger
from qlub.sim.plan import Chunk, make_plan


def test_the_ladder_is_told_as_it_was_read() -> None:
    strength, page = tool("strength"), (HOME / "docs" / "strength.md").read_text()
    matches = list(strength.read_page(page))
    assert {match.game for match in matches} == set(strength.SEATS)
    for game in strength.SEATS:
        lines = strength.table([match for match in matches if match.game == game])
        assert "\n".join(lines) in page


def test_every_step_of_the_ladder_was_played_and_is_sure() -> None:
    strength = tool("strength")
    told = {match[:4]: match for match in strength.read_page(strength.PAGE.read_text())}
    assert set(told) == set(strength.MATCHES)
    for match in told.values():
        assert match.low > 0.5, match
    for game, least in {"qwixx": 0.72, "qwantum": 0.90, "qwirkle": 0.75}.items():
        match = told[game, 2, "master", "greedy"]
        assert (match.share >= least, match.games) == (True, strength.USUAL), match


def test_what_is_not_sure_is_told_apart_from_what_is_weaker() -> None:
    strength = tool("strength")

    def told(low: float, high: float) -> str:
        share = (low + high) / 2
        return str(
            strength.tell(strength.Match("qwixx", 2, "b", "a", share, low, high, 20_000, 20_000))
        )

    assert told(0.51, 0.55) == "53.0% ± 2.0% of 20,000"
    assert told(0.48, 0.55).endswith("(not sure)")
    assert told(0.45, 0.49).endswith("(weaker)")


def test_what_was_sure_stays_sure_when_it_is_read_back() -> None:
    """Rounded, an interval may seem to end at one half."""
    strength = tool("strength")
    cells = [
        "50.5% ± 0.5% of 10,000",
        "50.5% ± 0.5% of 10,000 of 20,000 planned (not sure)",
        "49.5% ± 0.5% of 10,010 (weaker)",
    ]
    row = " | ".join(["b against a", *cells])
    head = "### Qwixx\n| | 2 seats | 3 seats | 4 seats |\n"
    matches = strength.read_page(f"{strength.BEGIN}\n{head}| {row} |\n{strength.END}")
    assert [strength.tell(match) for match in matches] == cells


def test_a_match_that_has_only_begun_does_not_take_the_place_of_a_longer_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    strength, page = tool("strength"), tmp_path / "strength.md"
    told = "| greedy against random | 99.7% ± 0.1% of 30 of 10,000 planned |"
    monkeypatch.setattr(strength, "PAGE", page)
    monkeypatch.setattr(strength, "PLAYED", tmp_path)
    monkeypatch.setattr(strength, "PICTURES", tmp_path)
    plan = make_plan("qwixx", ["greedy", "random"], games=40, chunk=5)
    with Ledger(strength.file_of("qwixx", 2, "greedy", "random"), plan) as ledger:
        for parts, stays in ((range(2), True), (range(2, 3), False)):
            page.write_text(
                f"{strength.BEGIN}\n### Qwixx\n| | 2 seats |\n|---|---|\n{told}\n{strength.END}"
            )
            for part in parts:
                ledger.add(Chunk(0, part), play_chunk(plan, Chunk(0, part)))
            strength.write_page()
            assert (told in page.read_text()) is stays
    assert "100.0% ± " in page.read_text()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--seats", "9", "--played"], "there is no such match"),
        (["--scale", "nan"], "--scale is more than 0"),
        (["--scale", "-1"], "--scale is more than 0"),
        (["--processes", "0"], "--processes at least 1"),
    ],
)
def test_a_match_that_is_none_is_refused_and_the_page_left_alone(
    words: list[str], told: str
) -> None:
    page = (HOME / "docs" / "strength.md").read_bytes()
    command = [sys.executable, str(HOME / "tools" / "strength.py"), *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert told in done.stderr
    assert (HOME / "docs" / "strength.md").read_bytes() == page


def test_a_match_that_was_ended_early_is_told_as_far_as_it_went(tmp_path: Path) -> None:
    strength, file = tool("strength"), tmp_path / "match.jsonl"
    plan = make_plan("qwixx", ["greedy", "random"], games=40, chunk=5)
    file.write_text('{"format": "qlub-tour')
    assert strength.look_up(file) is None
    file.unlink()
    with Ledger(file, plan) as ledger:
        assert strength.look_up(file) is None
        ledger.add(Chunk(0, 0), play_chunk(plan, Chunk(0, 0)))
    file.write_bytes(file.read_bytes() + b'{"pairing": 0, "pa')
    match = strength.look_up(file)
    assert (match.games, match.planned) == (10, 40)
    assert "of 10 of 10,000 planned" in strength.tell(match)
