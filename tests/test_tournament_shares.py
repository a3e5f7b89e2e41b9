"""Intervals hold the truth as often as they say, mirrored chance favours nobody, verdicts are right."""

from dataclasses import replace

import numpy as np
import pytest
from meets import play_all

from qlub.sim.counts import WHOLE, Counts, count_results, play_chunk
from qlub.sim.plan import Chunk, make_plan
from qlub.sim.play import play_deals
from qlub.sim.ratings import Meeting, rate
from qlub.sim.sequential import Verdict, estimate_always, judge
from qlub.sim.shares import Sample, estimate
from qlub.sim.standing import Standing
from qlub.sim.table import Results, Table

TRIALS = 2000

DEALS = {
    "even": ((0.0, 0.5, 1.0), (0.25, 0.5, 0.25)),
    "a little better": ((0.0, 0.5, 1.0), (0.2, 0.5, 0.3)),
    "mostly split": ((0.0, 0.5, 1.0), (0.05, 0.85, 0.1)),
    "much better": ((0.0, 0.5, 1.0), (0.02, 0.26, 0.72)),
    "with ties": ((0.25, 0.5, 0.75, 1.0), (0.3, 0.3, 0.3, 0.1)),
}
"""What a bot may win of a deal, and how likely each is."""


def samples(values: tuple[float, ...], chances: tuple[float, ...], deals: int) -> list[Sample]:
    drawn = np.random.default_rng(1).choice(values, (TRIALS, deals), p=chances)
    sums, squares = drawn.sum(axis=1).tolist(), (drawn**2).sum(axis=1).tolist()
    return [Sample(deals, *both) for both in zip(sums, squares, strict=True)]


@pytest.mark.parametrize("deals", [40, 400])
@pytest.mark.parametrize("kind", DEALS)
def test_intervals_hold_the_truth_in_95_of_100_cases(kind: str, deals: int) -> None:
    values, chances = DEALS[kind]
    truth = float(np.dot(values, chances))
    found = [estimate(sample) for sample in samples(values, chances, deals)]
    held = sum(one.low <= truth <= one.high for one in found) / TRIALS
    assert 0.935 < held < 0.975


def test_the_mean_over_opponents_holds_the_truth() -> None:
    """Random bots of Qwantum against each other: one half, whoever the opponents are."""
    held = 0
    for seed in range(100):
        plan = make_plan("qwantum", ["random"] * 4, games=60, seed=seed, chunk=30)
        standing = Standing(plan)
        for chunk in plan.chunks():
            table, *_ = plan.sides(chunk.pairing)
            deals = np.array(plan.deals_of(chunk))
            results = play_deals(table, deals, np.zeros((len(deals), 2), np.int64))
            is_first = np.tile([True, False], (len(deals), 1))
            standing.add(chunk, _doubled(count_results(results, is_first, table.rules.reasons)))
        share = standing.mean_share(0)
        assert share
        held += share.low <= 0.5 <= share.high
    assert 87 <= held <= 100


def _doubled(counts: Counts) -> Counts:
    """Let a game that was played once stand for both of its deal, so that luck does not cancel."""
    twice = {"won": 2, "won_squared": 4, "games": 2, "wins": 2, "losses": 2, "turns": 2}
    return replace(counts, **{name: by * getattr(counts, name) for name, by in twice.items()})


def test_random_bots_are_even_in_95_of_100_small_matches() -> None:
    """Their truth is one half. In these matches alone each game has chance of its own."""
    matches, deals = 1000, 30
    games = 2 * deals * matches
    seatings = np.tile([[0, 1], [1, 0]], (games // 2, 1))
    results = play_deals(Table("qwixx", 2, ("random", "greedy")), np.arange(games), 0 * seatings)
    held = 0
    for match in range(matches):
        rows = slice(2 * deals * match, 2 * deals * (match + 1))
        counts = count_results(cut(results, rows), seatings[rows] == 0, ("rows", "penalties"))
        assert counts.deals == deals
        whole = 2 * WHOLE
        share = estimate(Sample(deals, counts.won / whole, counts.won_squared / whole**2))
        held += share.low <= 0.5 <= share.high
    assert 0.93 < held / matches < 0.97


def cut(results: Results, rows: slice) -> Results:
    """Return some games, two of which count as one deal."""
    return Results(
        results.deals[rows] // 2,
        results.seatings[rows],
        results.scores[rows],
        results.reasons[rows],
        results.turns[rows],
        results.seconds,
    )


@pytest.mark.parametrize(
    ("game", "bot", "seats"),
    [
        ("qwixx", "greedy", 2),
        ("qwixx", "greedy", 3),
        ("qwixx", "random", 2),
        ("qwantum", "greedy", 2),
    ],
)
def test_a_bot_against_itself_is_exactly_even(game: str, bot: str, seats: int) -> None:
    """Random bots too: their coins belong to the seat, as all other chance of a deal does."""
    plan = make_plan(game, [bot, bot], seats=seats, games=600, chunk=100)
    standing = play_all(plan)
    share = standing.share(0)
    assert share
    assert share.low < 0.5 < share.high
    counts, sample = standing.counts(0), standing.sample(0)
    assert 2 * counts.won == WHOLE * counts.games
    assert counts.wins == counts.losses
    assert counts.points[0] == counts.points[1]
    assert sample.variance == pytest.approx(0.0, abs=1e-9), "every single deal is even"
    one, other = standing.ratings()
    assert one.mu == pytest.approx(other.mu)


def test_seats_and_chance_are_mirrored() -> None:
    """Whoever sits where, the same deals come to the same counts, seen from the other side."""
    for seats in (2, 3):
        there = play_chunk(make_plan("qwixx", ["greedy", "random"], seats=seats), Chunk(0, 0))
        back = play_chunk(make_plan("qwixx", ["random", "greedy"], seats=seats), Chunk(0, 0))
        assert (there.wins, there.losses, there.ties) == (back.losses, back.wins, back.ties)
        assert there.points == back.points[::-1]
        assert there.won + back.won == WHOLE * there.games
        assert (there.turns, there.ends) == (back.turns, back.ends)


def test_looking_again_and_again_is_wrong_in_at_most_5_of_100_pairings() -> None:
    values, chances = DEALS["even"]
    drawn = np.random.default_rng(2).choice(values, (400, 40, 50), p=chances)
    wrong = 0
    for trial in drawn:
        sums, squares = np.cumsum(trial.sum(axis=1)), np.cumsum((trial**2).sum(axis=1))
        looks = [Sample(50 * (look + 1), sums[look], squares[look]) for look in range(40)]
        verdicts = [verdict for look in looks if (verdict := judge(look, 1e-6))]
        wrong += bool(verdicts)
    assert wrong / 400 <= 0.05


def test_verdicts() -> None:
    values, chances = DEALS["a little better"]
    drawn = np.random.default_rng(3).choice(values, 5000, p=chances)
    better = Sample(5000, drawn.sum(), (drawn**2).sum())
    assert judge(better, 0.01) is Verdict.FIRST
    assert judge(
        Sample(5000, 5000 - better.total, 5000 - 2 * better.total + better.squares), 0.01
    ) is (Verdict.SECOND)
    assert judge(Sample(2000, 1000.0, 500.0), 0.01) is Verdict.EVEN
    assert judge(Sample(49, 49.0, 49.0), 0.01) is None, "too early"
    assert judge(Sample(60, 31.0, 23.0), 0.01) is None
    always, once = estimate_always(better), estimate(better)
    assert always.low < once.low < once.high < always.high


def test_a_pairing_ends_with_its_verdict_in_whatever_order_chunks_come() -> None:
    plan = make_plan("qwixx", ["greedy", "random", "greedy"], games=4000, until_sure=0.02, chunk=30)
    counts = {chunk: play_chunk(plan, chunk) for chunk in plan.chunks()}
    orders = (list(counts), list(counts)[::-1], sorted(counts, key=lambda chunk: chunk.part % 7))
    found = []
    for order in orders:
        standing = Standing(plan)
        for chunk in order:
            standing.add(chunk, counts[chunk])
            standing.add(chunk, counts[chunk])  # told twice, counted once
        assert standing.is_finished
        found.append((standing.verdicts, [standing.counts(pairing) for pairing in range(3)]))
    assert found[0] == found[1] == found[2]
    assert found[0][0] == [Verdict.FIRST, Verdict.EVEN, Verdict.SECOND]
    assert all(one.games < 4000 for one in found[0][1]), "nobody had to play all games"
    here = play_all(plan)
    assert (here.verdicts, [here.counts(pairing) for pairing in range(3)]) == found[0]


def test_counts_add_up_in_any_order() -> None:
    plan = make_plan("qwixx", ["random", "random"], games=400, chunk=20)
    parts = [play_chunk(plan, chunk) for chunk in plan.chunks()]
    whole = play_chunk(make_plan("qwixx", ["random", "random"], games=400, chunk=200), Chunk(0, 0))
    assert sum(parts, Counts()) == sum(parts[::-1], Counts()) == Counts() + whole
    assert Counts.read(whole.as_json()) == whole


def test_ratings_order_bots_and_do_not_depend_on_the_order_of_pairings() -> None:
    meetings = [Meeting(0, 1, 60, 10, 30), Meeting(1, 2, 70, 0, 30), Meeting(0, 2, 9, 0, 1)]
    best, middle, last = rate(3, meetings)
    assert best.mu > middle.mu > last.mu
    assert best.low < best.mu < best.high
    turned = [Meeting(one.second, one.first, one.losses, one.ties, one.wins) for one in meetings]
    for one, other in zip(rate(3, turned[::-1]), (best, middle, last), strict=True):
        assert (one.mu, one.sigma) == pytest.approx((other.mu, other.sigma))
    assert rate(2, [Meeting(0, 1, 5 * 10**8, 0, 5 * 10**8)])[0].mu == pytest.approx(25)
    assert rate(2, [])[0].sigma == pytest.approx(25 / 3)
