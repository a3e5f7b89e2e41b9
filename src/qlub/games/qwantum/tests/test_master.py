"""The odds of sums are right, and the player that learns plays by the rules with any weights."""

from itertools import product
from random import Random

import pytest

from qlub.core.luck import new_luck
from qlub.core.net import net_size
from qlub.games.qwantum.dice import DICE, FACES, encode_face
from qlub.games.qwantum.features import FEATURES, MOST_THERE, find_features
from qlub.games.qwantum.master import STEPS, Mind, choose_best, expect, new_mind
from qlub.games.qwantum.odds import SETS, TOTALS, list_odds, odds_place
from qlub.games.qwantum.playout import ALL_DICE, roll
from qlub.games.qwantum.rules import (
    ACTIVE,
    DIE,
    KEEP,
    OVER,
    PHASE,
    PICK,
    REROLL,
    ROLL,
    ROLLING,
    SIZE,
    begin,
    decide,
    is_legal,
    may_decide,
    row_place,
    start,
)
from qlub.games.qwantum.sheet import COLOURS, ROWS, write


def any_mind(seed: int) -> Mind:
    rng = Random(seed)
    return new_mind([rng.gauss(0, 0.2) for _ in range(net_size(FEATURES))], list)


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
    mind, table = any_mind(1), [0] * SIZE
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


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_every_move_is_legal_whatever_the_weights_are(seats: int) -> None:
    mind, table, luck = any_mind(seats), [0] * SIZE, new_luck(1, seats, seats)
    start(table, seats)
    begin(table, seats - 1)
    there = [-1] * MOST_THERE
    while table[PHASE] != OVER:
        if table[PHASE] == ROLL:
            count = find_features(table, 0, table[ACTIVE], there)
            assert all(0 <= feature < FEATURES for feature in there[:count])
            roll(table, ALL_DICE, luck)
            table[PHASE] = KEEP
        if table[PHASE] == REROLL:
            roll(table, table[ROLLING], luck)
            table[PHASE] = PICK
        for seat in range(seats):
            if may_decide(table, seat):
                before = tuple(table)
                move = choose_best(table, seat, luck, mind)
                assert tuple(table) == before
                assert is_legal(table, seat, move)
                decide(table, seat, move)
                break
