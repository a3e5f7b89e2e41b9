"""Provably fair chance: honest records verify, changed ones do not, and the numbers are even."""

import hashlib
import hmac
from collections import Counter
from dataclasses import replace
from itertools import combinations
from random import Random
from typing import Any

import pytest
from fairly import (
    TABLES,
    begun,
    chance_events,
    fair_for,
    passed,
    played,
    step,
    with_event,
    with_proof,
)
from golden import golden
from table import crosses, qwixx

from qlub.core.chance import Chance
from qlub.core.errors import BadEvent, BadRequest, Unfair
from qlub.core.fair import SCHEME, Fair, chances, commit, read_entropy, sealed_proof, verify
from qlub.core.game import Json

SECRET = bytes(range(32))

# --- what verifies


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_a_fair_game_verifies(game: str, seats: int) -> None:
    for seed in (1, 2, 3):
        match = played(game, seats, seed)
        record = match.record()
        verified = verify(record, fair_for(seats, seed).commitment)
        assert verified.record() == record
        assert chances(verified) == len(chance_events(record)) > 5


def test_a_game_that_was_given_up_verifies_as_far_as_it_goes() -> None:
    record = played("qwixx", 2).record()
    for index in chance_events(record):
        verify({**record, "events": record["events"][: index + 1], "result": None})


def test_chance_is_counted_from_the_start_of_the_record() -> None:
    match, fair = qwixx(crosses(r=[5]), crosses(), active=1), fair_for(2)
    match.fair = fair.proof()
    while not match.state.is_over:
        step(match, fair, Random(5))
    first_roll = fair.outcome(qwixx(crosses(), crosses()).state.awaited_chance(), 0)
    assert match.events[0] == ("*", str(first_roll))
    verify(match.record())


def test_a_game_that_began_at_its_end_verifies() -> None:
    match = played("qwirkle", 2)
    start = match.game.write_position(match.state)
    verify({**match.record(), "start": start, "events": []})


# --- what does not


@pytest.mark.parametrize("game", ["qwixx", "qwantum", "qwirkle"])
def test_any_other_chance_is_found(game: str) -> None:
    """Each chance event of a game in turn becomes another that the rules allow, and the last."""
    (match, _), rng, changed = begun(game, 2), Random(1), 0
    for index, (actor, text) in enumerate(played(game, 2).events):
        other = another(match.state.chance, text, rng) if match.state.chance else None
        if other:
            turned = replace(match, events=list(match.events))
            turned.apply("*", other)
            refuse(turned.record(), index)
            changed += 1
        match.apply(actor, text)
    assert changed >= chances(match) - 4  # the last tiles of a bag leave no choice


def another(chance: Chance, text: str, rng: Random) -> str | None:
    """Return an outcome that might have been instead, if there is any."""
    outcomes = (str(chance.sample(rng.randrange)) for _ in range(50))
    return next((outcome for outcome in outcomes if outcome != text), None)


def refuse(record: Json, index: int) -> None:
    """Expect the chance event at an index to be found unfair."""
    with pytest.raises(
        Unfair, match=f"^event {index}: recorded is '.*', but the secret gives '.*'$"
    ):
        verify(record)


def test_any_other_roll_within_a_whole_game_is_found() -> None:
    record, rng = passed(turns=7), Random(1)
    assert verify(record).state.is_over
    for index in chance_events(record)[1:]:
        chance = qwixx(crosses(), crosses()).state.awaited_chance()
        other = another(chance, record["events"][index][1], rng)
        assert other
        refuse(with_event(record, index, other), index)


def test_swapped_chance_is_found() -> None:
    record = passed(turns=4)
    verify(record)
    rolls = chance_events(record)[1:]
    for one, two in combinations(rolls, 2):
        first, second = record["events"][one][1], record["events"][two][1]
        refuse(with_event(with_event(record, one, second), two, first), one)


def test_a_turn_that_was_left_out_is_found() -> None:
    record = passed(turns=4)
    events = record["events"]
    refuse({**record, "events": [events[0], *events[9:]]}, 1)


def test_white_dice_in_the_other_order_are_found() -> None:
    record = passed(turns=1)
    first, second, *colours = record["events"][1][1].split(" ")
    assert first != second
    refuse(with_event(record, 1, " ".join([second, first, *colours])), 1)


def test_a_record_that_is_not_legal_is_refused_as_replay_does() -> None:
    record = played("qwixx", 2).record()
    with pytest.raises(BadEvent, match=r"^event 1: "):
        verify(with_event(record, 1, "w7 w1 r1 y1 g1 b1"))
    broken: list[object] = [None, [], {}, "x", {**record, "fair": 5}]
    for data in broken:
        with pytest.raises(BadRequest):
            verify(data)


def test_another_secret_is_found() -> None:
    record = passed(turns=2)
    other = fair_for(2, seed=2)
    with pytest.raises(Unfair, match="the secret does not fit the commitment"):
        verify(with_proof(record, secret=other.secret.hex()))
    refuse(with_proof(record, secret=other.secret.hex(), commitment=other.commitment), 0)


def test_another_commitment_is_found() -> None:
    record = passed(turns=2)
    other = fair_for(2, seed=2).commitment
    with pytest.raises(Unfair, match="the secret does not fit the commitment"):
        verify(with_proof(record, commitment=other))
    with pytest.raises(Unfair, match=f"the commitment of the record is .*, not {other}"):
        verify(record, other)


def test_other_texts_of_the_players_are_found() -> None:
    record = passed(turns=2)
    one, two = record["fair"]["entropy"]
    for entropy in ([two, one], [one, one], [one + " ", two], [one.upper(), two], ["", one + two]):
        with pytest.raises(Unfair, match=r"^event [01]: "):
            verify(with_proof(record, entropy=entropy))


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"scheme": "qlub-fair/2"}, "'scheme' is one of qlub-fair/1"),
        ({"scheme": None}, "'scheme'"),
        ({"commitment": None}, "'commitment' is a text"),
        ({"commitment": "ab"}, "'commitment' is 64 digits"),
        ({"commitment": "A" * 64}, "'commitment' is 64 digits"),
        ({"commitment": "a" * 64 + "\n"}, "'commitment' is 64 digits"),
        ({"commitment": "٣" * 64}, "'commitment' is 64 digits"),
        ({"secret": ""}, "'secret' is 64 digits"),
        ({"secret": "0" * 63}, "'secret' is 64 digits"),
        ({"secret": "0" * 66}, "'secret' is 64 digits"),
        ({"secret": "AB" * 32}, "'secret' is 64 digits"),
        ({"secret": " 1" * 32}, "'secret' is 64 digits"),
        ({"secret": 5}, "'secret' is a text"),
        ({"secret": False}, "'secret' is a text"),
        ({"entropy": None}, "'entropy' is a list"),
        ({"entropy": "ab"}, "'entropy' is a list"),
        ({"entropy": ["a"]}, "'entropy' has a text for each of 2 seats, not 1"),
        ({"entropy": ["a", "b", "c"]}, "'entropy' has a text for each of 2 seats, not 3"),
        ({"entropy": ["a", None]}, "what a seat adds to chance is a text, not None"),
        ({"entropy": ["a", "b" * 65]}, "at most 64 characters to chance, not 65"),
        ({"entropy": ["a", "\ud800"]}, "what a seat adds to chance is UTF-8"),
        ({"seed": 1}, "'fair' has an unknown field 'seed'"),
    ],
)
def test_a_proof_that_is_not_well_formed_is_refused(fields: dict[str, Any], told: str) -> None:
    with pytest.raises(BadRequest, match=told):
        verify(with_proof(passed(turns=1), **fields))


@pytest.mark.parametrize("field", ["scheme", "commitment", "entropy", "secret"])
def test_a_proof_that_lacks_something_is_refused(field: str) -> None:
    record = passed(turns=1)
    del record["fair"][field]
    with pytest.raises(BadRequest, match=f"'fair' lacks the field '{field}'"):
        verify(record)


def test_a_record_without_a_proof_proves_nothing() -> None:
    with pytest.raises(BadRequest, match="the record has no proof"):
        verify(golden("qwixx", "rows"))


def test_a_secret_that_is_kept_back_proves_nothing() -> None:
    fair = fair_for(2)
    sealed = sealed_proof(fair.commitment, fair.entropy)
    assert fair.secret.hex() not in str(sealed)
    assert repr(fair.secret) not in repr(fair)
    running, over = {**passed(turns=1), "fair": sealed}, {**passed(turns=7), "fair": sealed}
    with pytest.raises(
        BadRequest, match=r"not revealed yet \(the game was still running when this"
    ):
        verify(running)
    with pytest.raises(BadRequest, match="not revealed, although the game is over"):
        verify(over)
    with pytest.raises(Unfair, match="the commitment of the record"):
        verify(running, "0" * 64)


# --- the numbers


def block(secret: bytes, entropy: tuple[str, ...], k: int, d: int) -> bytes:
    """Make a block as docs/fairness.md says."""
    message = b"qlub-fair/1"
    for text in entropy:
        message += len(text.encode("utf-8")).to_bytes(4, "big") + text.encode("utf-8")
    message += k.to_bytes(8, "big") + d.to_bytes(8, "big")
    return hmac.new(secret, message, hashlib.sha256).digest()


def number(secret: bytes, entropy: tuple[str, ...], k: int, d: int) -> int:
    return int.from_bytes(block(secret, entropy, k, d)[:8], "big")


@pytest.mark.parametrize("entropy", [(), ("",), ("blue sky", "Zoë"), ("🎲" * 64, "", "\x00")])
def test_numbers_are_those_that_the_page_promises(entropy: tuple[str, ...]) -> None:
    for k in (0, 1, 17, 2**40):
        below = Fair(SECRET, entropy).below(k)
        for d, n in enumerate([6, 1, 108, 2, 6, 1, 3]):
            assert below(n) == number(SECRET, entropy, k, d) % n


def test_the_commitment_is_the_sha_256_of_the_secret() -> None:
    fair = Fair.new(["a", ""])
    assert len(fair.secret) == 32
    assert fair.secret != Fair.new(["a", ""]).secret
    assert fair.commitment == commit(fair.secret) == hashlib.sha256(fair.secret).hexdigest()
    assert fair.proof() == {
        "scheme": SCHEME,
        "commitment": fair.commitment,
        "entropy": ["a", ""],
        "secret": fair.secret.hex(),
    }
    known = hashlib.sha256(b"abc").hexdigest()
    assert (
        commit(b"abc")
        == known
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    )


def test_numbers_that_do_not_fit_are_rejected() -> None:
    """Half of all blocks are too large for this n, so that whoever keeps them is caught."""
    n = 2**63 + 1
    entropy = ("a", "b")
    below = Fair(SECRET, entropy).below(3)
    blocks = [number(SECRET, entropy, 3, d) for d in range(200)]
    fitting = [x for x in blocks if x < n]
    assert 60 < len(fitting) < 140
    assert [below(n) for _ in fitting] == fitting


def test_the_least_number_that_does_not_fit_is_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    fitting = 2**64 - 4  # 2**64 leaves 4 when divided by 6
    xs = iter([2**64 - 1, fitting, fitting - 1, fitting + 3, 5])
    digest = lambda key, message, name: next(xs).to_bytes(8, "big") + bytes(24)  # noqa: E731
    monkeypatch.setattr("qlub.core.fair.hmac.digest", digest)
    below = Fair(SECRET, ()).below(0)
    assert [below(6), below(6)] == [(fitting - 1) % 6, 5]


@pytest.mark.parametrize(
    ("n", "draws", "limit"),
    [  # what chi-square exceeds once in a thousand, for n - 1 degrees of freedom
        (2, 20_000, 10.828),
        (3, 30_000, 13.816),
        (5, 50_000, 18.467),
        (6, 1_000_000, 20.515),
        (108, 108_000, 158.0),
    ],
)
def test_numbers_are_even(n: int, draws: int, limit: float) -> None:
    fair, tally = Fair(SECRET, ("blue sky", "Zoë")), Counter[int]()
    for k in range(draws // 10):
        below = fair.below(k)
        tally.update(below(n) for _ in range(10))
    assert set(tally) == set(range(n))
    expected = draws / n
    assert sum((seen - expected) ** 2 / expected for seen in tally.values()) < limit


def test_what_could_not_be_a_secret_or_a_text_is_refused_at_once() -> None:
    with pytest.raises(ValueError, match="a secret has 32 bytes, not 31"):
        Fair(bytes(31), ())
    for text in ("x" * 65, "\udfff"):
        with pytest.raises(BadRequest):
            Fair.new(["", text])
    assert read_entropy(["", "x" * 64, "🎲" * 64]) == ("", "x" * 64, "🎲" * 64)
