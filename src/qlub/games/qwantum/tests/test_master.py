"""The odds of sums are right, and the player that learns plays by the rules with any weights."""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import permutations, product
from random import Random

import pytest

from qlub.core.luck import new_luck
from qlub.core.net import net_size
from qlub.games.qwantum import rerolls, throws
from qlub.games.qwantum.bots import Greedy
from qlub.games.qwantum.colours import weigh_colours
from qlub.games.qwantum.dice import DICE, FACES, encode_face
from qlub.games.qwantum.features import FEATURES, MOST_THERE, find_features
from qlub.games.qwantum.levels import Learnt
from qlub.games.qwantum.master import find_best
from qlub.games.qwantum.mind import LOWEST, STEPS, Mind, new_mind
from qlub.games.qwantum.odds import SETS, TOTALS, list_odds, odds_place
from qlub.games.qwantum.playout import ALL_DICE, roll
from qlub.games.qwantum.rerolls import expect
from qlub.games.qwantum.rules import (
    ACTIVE,
    DECIDED,
    DIE,
    KEEP,
    OVER,
    PASS,
    PHASE,
    PICK,
    REROLL,
    ROLL,
    ROLLING,
    SIZE,
    SUM,
    add_up,
    begin,
    decide,
    is_legal,
    may_decide,
    row_place,
    start,
    writing,
)
from qlub.games.qwantum.sheet import COLOURS, ROWS, write
from qlub.games.qwantum.state import View
from qlub.kernel import SEALED, UNDECIDED
from qlub.thinker import Array

JUDGE = (0, 0, 0, 0)
BY_EYE = (60, 0, 0, 0)
THROWS = (0, 1, 0, 100)


@cache
def some_weights() -> Sequence[float]:
    rng = Random(1)
    return [rng.gauss(0, 0.2) for _ in range(net_size(FEATURES))]


def some_mind(plan: Sequence[int]) -> Mind:
    return new_mind(some_weights(), plan, list)


def test_odds_of_every_set_of_dice_add_up_to_one() -> None:
    odds = list_odds()
    for dice, colour in product(range(SETS), range(ROWS)):
        at = odds_place(dice, colour)
        assert sum(odds[at : at + TOTALS]) == pytest.approx(1)


def test_odds_are_those_of_all_throws() -> None:
    rolled, colour = (0, 2, 5), COLOURS.index("b")
    counts = [0] * TOTALS
    for faces in product(*(FACES[die] for die in rolled)):
        counts[sum(int(face[1]) for face in faces if face[0] in "wb")] += 1
    at = odds_place(sum(1 << die for die in rolled), colour)
    assert list_odds()[at : at + TOTALS] == pytest.approx([count / 216 for count in counts])


def test_what_dice_are_worth_is_exact_when_one_row_is_open() -> None:
    mind, table = some_mind(JUDGE), [0] * SIZE
    start(table, 2)
    for colour in range(1, ROWS):
        row = 0
        for number in (5, 9, 13, 17, 13, 9):
            row = write(row, number)
        table[row_place(0, colour)] = row
    table[row_place(0, 0)] = write(0, 6)
    for number in range(TOTALS):
        mind.steps[number] = number % (STEPS + 1)
    faces = ("w4", "v6", "v4", "b4", "b4", "y4", "r6")
    for die in range(DICE):
        table[DIE + die] = encode_face(faces[die])
    free, total = 3, 0
    for second, sixth in product(FACES[2], FACES[6]):
        violet = [face for face in (*faces[:2], second, *faces[3:6], sixth) if face[0] in "wv"]
        number = sum(int(face[1]) for face in violet)
        total += number % (STEPS + 1) if number > 6 else 0
    assert expect(table, 0, 1 << 2 | 1 << 6, 4, free, mind) == pytest.approx(total / 36)


@pytest.mark.clause("QN-9")
def test_sums_of_a_throw_are_those_of_the_rules() -> None:
    for seed, rolling in product(range(3), range(SETS)):
        table, thrown, sums = [0] * SIZE, [0] * SIZE, [0] * ROWS
        roll(table, ALL_DICE, new_luck(seed, 0, 2))
        roll(thrown, ALL_DICE, new_luck(seed, 1, 2))
        throws.add_sums(table, thrown, rolling, sums)
        for die in range(DICE):
            if rolling >> die & 1:
                table[DIE + die] = thrown[DIE + die]
        add_up(table)
        assert sums == table[SUM : SUM + ROWS]


@pytest.mark.clause("QN-10", "QN-11", "QN-12")
def test_a_throw_brings_the_best_pair_of_colours_less_what_the_others_write() -> None:
    """Whatever numbers bring, with colours that cannot be written among them."""
    rng, mind, fail = Random(3), some_mind(JUDGE), -0.4
    for _ in range(200):
        for colour in range(ROWS):
            mind.totals[colour] = rng.randrange(1, 34)
        for place in range(3 * ROWS * TOTALS):
            can_write = rng.random() < 0.6
            mind.brings[place] = rng.uniform(-0.2, 0.3) if can_write else LOWEST
            mind.wants[place] = rng.uniform(-0.2, 0.3) if can_write else LOWEST

        def at(writer: int, colour: int) -> int:
            return throws.number_place(writer, colour, mind.totals[colour])

        worths = []
        for mine in permutations([*range(ROWS), None, None], 2):
            worth = sum(mind.brings[at(1, colour)] for colour in mine if colour is not None)
            if mine == (None, None):
                worth = fail
            for other in (0, 2):
                wishes = [(mind.wants[at(other, colour)], colour) for colour in range(ROWS)]
                wish, colour = max(wish for wish in wishes if wish[1] != mine[0])
                if wish > 0:
                    worth += mind.brings[at(other, colour)]
            worths.append(worth)
        assert throws.throw_worth(1, 3, fail, mind) == pytest.approx(max(worths))


def test_who_keeps_all_dice_has_what_they_show() -> None:
    mind = some_mind(JUDGE)
    table, seat = next((table, seat) for table, seat in decisions(3, 1) if table[PHASE] == KEEP)
    fail = throws.judge_numbers(table, seat, mind)
    throws.add_sums(table, table, 0, mind.totals)
    shown = throws.throw_worth(seat, 3, fail, mind)
    throws.weigh_throws(table, seat, 3, 5, mind)
    assert mind.values[0] == pytest.approx(shown)
    assert len(set(mind.values)) > SETS // 2


def test_a_turn_is_worth_what_can_be_written_with_the_dice_that_were_rolled_again() -> None:
    mind, rolling = some_mind(JUDGE), 0b1010011
    keeping = [(table, seat) for table, seat in decisions(3, 2) if table[PHASE] == KEEP]
    for table, seat in keeping[::10]:
        throws.judge_numbers(table.copy(), seat, mind)
        roll(mind.thrown, ALL_DICE, new_luck(7, seat, 3))
        worth = throws.turn_worth(table, seat, rolling, mind)
        for die in range(DICE):
            if rolling >> die & 1:
                table[DIE + die] = mind.thrown[DIE + die]
        add_up(table)
        table[PHASE] = PICK
        count = weigh_colours(table.copy(), table, seat, mind)
        assert worth == pytest.approx(max(mind.values[:count]))


def test_dice_that_were_tried_are_better_than_those_that_only_look_best() -> None:
    mind, gain, others = some_mind((0, 4, 0, 50)), 0.0, 0
    keeping = [(table, seat) for table, seat in decisions(2, 6) if table[PHASE] == KEEP]
    for table, seat in keeping[::5]:
        found = throws.find_by_throws(table, seat, 3, mind)
        throws.weigh_throws(table.copy(), seat, 4 * throws.LOOKS, 3, mind)
        looked = mind.values.index(max(mind.values))
        others += found != looked
        for throw in range(40):
            roll(mind.thrown, ALL_DICE, new_luck(8, throw, 2))
            gain += throws.turn_worth(table, seat, found, mind)
            gain -= throws.turn_worth(table, seat, looked, mind)
    assert others > 1
    assert gain > 0


def test_of_all_dice_that_are_tried_the_best_are_rolled(monkeypatch: pytest.MonkeyPatch) -> None:
    tried = set()

    def worth(table: Sequence[int], seat: int, rolling: int, mind: Mind) -> float:
        tried.add(rolling)
        return -(rolling * 37 % SETS) / SETS

    monkeypatch.setattr(throws, "turn_worth", worth)
    table, seat = next((table, seat) for table, seat in decisions(2, 4) if table[PHASE] == KEEP)
    found = throws.find_by_throws(table, seat, 3, some_mind((0, 1, 0, 1000)))
    assert len(tried) == throws.MOST_TRIED
    assert found == min(tried, key=lambda rolling: rolling * 37 % SETS)


def decisions(seats: int, seed: int) -> Iterator[tuple[list[int], int]]:
    """Yield the tables of a greedy game with who is to decide; earlier seats have sealed what they do."""
    table, luck = [0] * SIZE, new_luck(seed, 0, seats)
    start(table, seats)
    begin(table, seats - 1)
    while table[PHASE] != OVER:
        if table[PHASE] == ROLL:
            roll(table, ALL_DICE, luck)
            table[PHASE] = KEEP
        if table[PHASE] == REROLL:
            roll(table, table[ROLLING], luck)
            table[PHASE] = PICK
        seat = next(seat for seat in range(seats) if may_decide(table, seat))
        yield table.copy(), seat
        decide(table, seat, Greedy.policy(table, seat, luck))


@pytest.mark.parametrize("plan", [JUDGE, BY_EYE])
def test_dice_that_cannot_be_the_best_need_not_be_weighed_to_the_end(
    plan: Sequence[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same is chosen as if all were."""
    keeping = [(table, seat) for table, seat in decisions(4, 3) if table[PHASE] == KEEP][::4]
    chosen = [find_best(table, seat, 9, some_mind(plan)) for table, seat in keeping]
    weigh_dice = rerolls.weigh_dice
    monkeypatch.setattr(
        rerolls,
        "weigh_dice",
        lambda table, seat, writers, rolling, white, free, _, mind: weigh_dice(
            table, seat, writers, rolling, white, free, LOWEST, mind
        ),
    )
    assert len(set(chosen)) > 2
    assert chosen == [find_best(table, seat, 9, some_mind(plan)) for table, seat in keeping]


def one_of_each_phase(seats: int, seed: int) -> list[tuple[list[int], int]]:
    """Return some decisions from about the middle of a game: of A, of B and of C."""
    known = list(decisions(seats, seed))
    return list({table[PHASE]: (table, seat) for table, seat in known[: len(known) // 2]}.values())


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_features_fit(seats: int) -> None:
    for table, seat in decisions(seats, seats):
        there = [-1] * MOST_THERE
        count = find_features(table, seat, table[ACTIVE], there)
        assert all(0 <= feature < FEATURES for feature in there[:count])
        assert all(feature == -1 for feature in there[count:])


@pytest.mark.parametrize("plan", [JUDGE, BY_EYE, THROWS])
@pytest.mark.parametrize("seats", [1, 2, 4])
def test_moves_are_legal_and_decided_by_the_word(seats: int, plan: Sequence[int]) -> None:
    """Whatever was thought before, and with the table left as it was."""
    mind, words = some_mind(plan), Random(seats)
    for table, seat in one_of_each_phase(seats, seats):
        before, word = table.copy(), words.getrandbits(63)
        move = find_best(table, seat, word, mind)
        assert table == before
        assert is_legal(table, seat, move)
        assert move == find_best(table, seat, word, some_mind(plan))


def test_every_move_is_legal_whoever_thinks_nothing_of_anything() -> None:
    mind = new_mind([0.0] * net_size(FEATURES), JUDGE, list)
    for table, seat in list(decisions(2, 1))[::5]:
        assert is_legal(table, seat, find_best(table, seat, 1, mind))


@pytest.mark.clause("QN-11")
def test_what_others_have_sealed_does_not_matter() -> None:
    mind = some_mind(JUDGE)
    sealed = [(table, seat) for table, seat in decisions(3, 5) if seat == 2 and table[DECIDED] >= 0]
    assert len(sealed) > 10
    for table, seat in sealed[5::11]:
        moves = set()
        for hidden in (SEALED, UNDECIDED, PASS, writing(1, table[SUM + 1])):
            table[DECIDED] = table[DECIDED + 1] = hidden
            moves.add(find_best(table, seat, 7, mind))
        assert len(moves) == 1


class Anybody(Learnt):
    """A player without a network of the package."""

    def mind(self, array: Array, seats: int) -> Mind:
        return new_mind(some_weights(), self.plan, array)


@pytest.mark.parametrize("plan", [JUDGE, BY_EYE, THROWS])
def test_moves_are_the_same_when_compiled(plan: Sequence[int]) -> None:
    plain, compiled = Anybody("Is plain.", plan, is_quick=True), Anybody("Is compiled.", plan)
    for number, (table, seat) in enumerate(one_of_each_phase(2, 2)):
        view = View(tuple(table), seat)
        move = plain.choose(view, Random(number), 1.0)
        assert move == compiled.choose(view, Random(number), 1.0)
        assert move in view.legal()
