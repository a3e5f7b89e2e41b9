"""The luck of dice: nothing on average, nobody's alone, and less chance in what is left without it."""

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from meets import play_all, read_ledger, report_of

from qlub.core.luck import new_luck, next_word
from qlub.core.net import net_size
from qlub.core.record import Match
from qlub.games.qwantum.rules import PHASE, PICK, ROLLING, add_up
from qlub.sim.adapted import learning_of
from qlub.sim.counts import play_chunk
from qlub.sim.fortune import Luck, luck_of, luck_teller, prepare_luck
from qlub.sim.ledger import Ledger
from qlub.sim.plan import Chunk, make_plan
from qlub.sim.play import play_with_luck, seat_bots, tell_deals
from qlub.sim.table import Results, Table
from qlub.sim.tournament import play_tournament
from qlub.thinker import learnt_weights


def luck_in_plain_python(match: Match, seed: int, deal: int) -> list[float]:
    """Return how lucky each seat was, without a compiler."""
    game, seats = match.game.name, match.state.seats
    learning: Any = learning_of(game)
    weights = learnt_weights(game, seats, net_size(learning.FEATURES))
    mind = learning.new_mind(weights, (0, 0, 0, 0), list)
    lucky, words = [0.0] * seats, new_luck(seed, deal, seats + 1)
    again = Match.new(match.game, seats)
    for actor, text in match.events:
        before: Any = again.state
        again.apply(actor, text)
        after: Any = again.state
        if before.phase == learning.LUCKY_PHASE:
            room = [0] * learning.SIZE, [0.0] * seats
            word = next_word(words, seats)
            luck_teller(learning)(before.table, after.table, word, *room, lucky, mind)
    return lucky


@pytest.mark.parametrize("game", ["qwixx", "qwantum"])
def test_compiled_and_plain_luck_are_the_same(game: str) -> None:
    table = Table(game, 2, ("random",), seed=5)
    _, (match,) = tell_deals(table, np.array([3]), np.zeros((1, 2), np.int64))
    start = match.events[: len(match.events) // 6]
    begun = Match.new(match.game, 2)
    for event in start:
        begun.apply(*event)
    lucky = luck_of(begun, 5, 3)
    assert np.any(lucky)
    assert lucky.tolist() == pytest.approx(luck_in_plain_python(begun, 5, 3))


def test_threads_do_not_disturb_each_other() -> None:
    """Compiled games leave the lock: what one thread thinks with must be its own."""
    plan = make_plan("qwixx", ["master", "greedy"], games=48, chunk=4, less_luck=True)
    chunks = [Chunk(0, part) for part in range(plan.parts)]
    alone = [play_chunk(plan, chunk) for chunk in chunks]
    with ThreadPoolExecutor(3) as threads:
        together = list(threads.map(lambda chunk: play_chunk(plan, chunk), chunks))
    assert together == alone


def test_dice_that_stay_are_no_luck() -> None:
    """Only this turn of Qwantum is compared: where nothing is rolled again, nothing can differ."""
    _, (match,) = tell_deals(Table("qwantum", 2, ("greedy",)), np.array([1]), np.zeros((1, 2), int))
    again = Match.new(match.game, 2)
    weigh, phase, room, mind = prepare_luck("qwantum", 2)
    for actor, text in match.events:
        state: Any = again.state
        if state.phase == phase:
            before = np.array(state.table)
            before[ROLLING] = 0
            after: Any = before.copy()
            add_up(after)
            after[PHASE] = PICK
            lucky = np.zeros(2)
            weigh(before, after, 7, *room, lucky, mind)
            assert lucky == pytest.approx([0.0, 0.0], abs=1e-9)
        again.apply(actor, text)


def lucky_games(table: Table, games: int) -> tuple[Results, Luck]:
    deals = np.arange(games)
    return play_with_luck(table, deals, seat_bots(deals, table, rotate=True))


@pytest.mark.parametrize(("game", "seats", "games"), [("qwixx", 3, 80), ("qwantum", 2, 40)])
def test_luck_is_nothing_on_average_and_nobody_has_it_alone(
    game: str, seats: int, games: int
) -> None:
    """However bad the players are, and whatever the network thinks of them."""
    _, luck = lucky_games(Table(game, seats, ("greedy", "random"), seed=1), games)
    assert luck.sum(axis=1) == pytest.approx(np.zeros(games), abs=1e-9)
    error = luck.std(axis=0) / np.sqrt(games)
    assert error.min() > 0.002
    assert (abs(luck.mean(axis=0)) < 3 * error).all()


def test_who_wins_was_lucky() -> None:
    """Between equals nothing else decides; the network judges as if they played better, though."""
    results, luck = lucky_games(Table("qwixx", 2, ("greedy",), seed=2), 100)
    earned = results.shares - luck
    assert np.corrcoef(results.shares[:, 0], luck[:, 0])[0, 1] > 0.8
    assert earned[:, 0].var() < results.shares[:, 0].var() / 2


def test_a_bot_against_itself_is_exactly_even_without_its_luck() -> None:
    standing = play_all(make_plan("qwixx", ["greedy", "greedy"], games=40, less_luck=True, chunk=5))
    counts = standing.counts(0)
    assert standing.sample(0).mean == pytest.approx(0.5, abs=1e-12)
    assert standing.sample(0).variance == pytest.approx(0.0, abs=1e-9)
    assert (counts.wins, counts.games) == (counts.losses, 40)


def test_the_truth_is_the_same_and_the_interval_narrower() -> None:
    """10,000 games of `master` against `club` are in docs/strength.md: it wins 57.9 %."""
    plans = [
        make_plan("qwixx", ["master", "club"], games=200, seed=4, less_luck=less, chunk=25)
        for less in (False, True)
    ]
    (raw, less) = (play_all(plan) for plan in plans)
    wide, narrow = raw.share(0), less.share(0)
    assert wide
    assert narrow
    assert narrow.high - narrow.low < (wide.high - wide.low) / 2
    assert narrow.low < 0.579 < narrow.high
    assert narrow.low > 0.5
    assert raw.counts(0).wins == less.counts(0).wins, "the games are the same"


def test_ratings_follow_what_was_earned() -> None:
    """Here the better one had bad dice, and won fewer games."""
    standing = play_all(make_plan("qwixx", ["master", "club"], games=24, seed=5, less_luck=True))
    counts, share = standing.counts(0), standing.share(0)
    assert share
    assert counts.wins < counts.losses
    assert share.low > 0.5
    master, club = standing.ratings()
    assert master.mu > club.mu


def test_intervals_hold_the_truth_where_one_side_wins_nearly_all() -> None:
    """10,000 games of `greedy` against `random`: it wins 99.7 %. Nobody can win more than all."""
    for until_sure in (None, 0.05):
        plan = make_plan(
            "qwixx", ["greedy", "random"], games=80, seed=4, until_sure=until_sure, less_luck=True
        )
        share = play_all(plan).share(0)
        assert share
        assert 0.5 < share.low < 0.997 < share.high <= 1.0
        assert share.low <= share.value <= share.high


def test_a_run_with_less_luck_goes_on_and_counts_below_nothing(tmp_path: Path) -> None:
    """In a single deal somebody may earn less than nothing."""
    plan = make_plan("qwixx", ["random", "greedy"], games=24, seed=1, less_luck=True, chunk=1)
    file = tmp_path / "run.jsonl"
    with Ledger(file, plan) as ledger:
        for _ in play_tournament(ledger.standing, 1, None, ledger.add):
            pass
        whole = ledger.standing.counts(0)
    lines = file.read_text().splitlines()
    assert any('"won": -' in line for line in lines)
    assert read_ledger(file, plan).counts(0) == whole
    file.write_text("\n".join(lines[:7]) + "\n")
    assert report_of(file)["pairings"][0]["wins"] == whole.wins
    assert read_ledger(file, plan).counts(0) == whole


def test_programs_have_luck_too() -> None:
    program = f"cmd:{sys.executable} -m qlub bot random"
    told = report_of("qwixx", "greedy", program, "--games", 6, "--less-luck")
    assert told["plan"]["less_luck"] is True
    assert told["pairings"][0]["games"] == 6
    assert not told["pairings"][0]["failures"]
