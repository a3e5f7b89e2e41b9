"""The page about strength can be read back, so that what was not played again stays as it was."""

from pathlib import Path

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


def test_what_is_not_sure_is_told_apart_from_what_is_weaker() -> None:
    strength = tool("strength")

    def told(low: float, high: float) -> str:
        share = (low + high) / 2
        return str(
            strength.tell(strength.Match("qwixx", 2, "b", "a", share, low, high, 1000, 1000))
        )

    assert told(0.51, 0.55) == "53.0% ± 2.0% of 1,000"
    assert told(0.48, 0.55).endswith("(not sure)")
    assert told(0.45, 0.49).endswith("(weaker)")


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
    assert "of 10 of 40 planned" in strength.tell(match)
