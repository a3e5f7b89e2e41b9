"""Nothing leaks: change what a guest cannot know, and every byte that they are sent stays the same."""

import dataclasses
import json
import os
from base64 import b64encode
from collections.abc import Callable
from functools import cache
from itertools import product
from random import Random
from typing import Any

import pytest
from fairly import TABLES
from logbook import ANN, BEN, CLEO, DAN, EVE, FAY, INVITE, SECRET, TOKENS
from twins import company, leaks, moments, told_everything, twin

from qlub.club import looking_back, ruling, telling
from qlub.club.ruling import may_see
from qlub.club.table import OVER, PLAYING, Table
from qlub.club.telling import Teller, encode
from qlub.core.errors import IllegalMove
from qlub.core.fair import verify
from qlub.core.game import Json, status, tell_all
from qlub.core.record import after
from qlub.core.registry import find_game

SOAK = int(os.environ.get("QLUB_SOAK", "1"))
GUESTS = (ANN, BEN, CLEO, DAN, EVE, FAY, None)
"""Everybody who may look at a table: who sits there, who only came in, and strangers."""
COMPANIES = [(game, seats) for game, seats in TABLES if seats > 1]
MOMENTS = 6
"""How many moments of a game are looked at."""

Pair = tuple[Table, Table, str | None]


def looked_at(game: str, seats: int, rng: Random) -> list[Table]:
    """Play a game and return some moments of it that have something to hide."""
    book = company(game, seats, rng)
    hiding = [seq for seq in moments(book, rng) if game == "qwirkle" or book.table.sealed()]
    chosen = rng.sample(hiding, min(MOMENTS, len(hiding)))
    return [Table.read(book.table.id, book.table.entries[:seq]) for seq in chosen]


@cache
def pairs(game: str, seats: int, number: int = 0) -> tuple[Pair, ...]:
    """Return moments of a game with their twins, and for whom: who sits there, who does not."""
    rng = Random(f"{game} {seats} {number}")
    found = []
    for table in looked_at(game, seats, rng):
        guests = [guest for guest in GUESTS if may_see(table, guest)]
        rng.shuffle(guests)
        for guest in sorted(guests, key=lambda guest: -len(table.seats_of(guest)))[::2]:
            other = twin(table, table.seats_of(guest), rng)
            if other:
                found.append((table, other, guest))
    return tuple(found)


@pytest.mark.soak
@pytest.mark.parametrize(("game", "seats"), COMPANIES)
def test_what_a_guest_cannot_know_changes_no_byte(game: str, seats: int) -> None:
    found = [pair for number in range(SOAK) for pair in pairs(game, seats, number)]
    assert any(table.seats_of(guest) for table, _, guest in found)
    assert any(not table.seats_of(guest) for table, _, guest in found)
    for table, other, guest in found:
        assert leaks(table, other, guest) == []


def tell_tiles(patch: pytest.MonkeyPatch) -> None:
    leaky = dataclasses.replace(find_game("qwirkle"), tell=tell_all)
    patch.setattr("qlub.club.table.find_game", lambda name: leaky)


def seal_nothing(patch: pytest.MonkeyPatch) -> None:
    for game in ("qwixx", "qwantum"):
        state = type(find_game(game).new(2, {"end": "table"}))
        patch.setattr(state, "sealed", property(lambda state: ()))


def open_sealed(patch: pytest.MonkeyPatch) -> None:
    tell = telling.told_events
    patch.setattr(
        telling,
        "told_events",
        lambda table, events, seats, is_hidden: tell(table, events, seats, False),
    )


def show_positions(patch: pytest.MonkeyPatch) -> None:
    def view(teller: Teller, seat: int | None, guided: bool) -> bytes:
        match = teller.table.playing()
        return encode(match.game.write_position(match.state))

    patch.setattr(Teller, "view", view)


def give_whole_records(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(telling, "told_record", lambda table, seats, secret: table.match.record())


def show_the_bag_when_looking_back(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(looking_back, "OVER", PLAYING)


def guide_by_position(patch: pytest.MonkeyPatch) -> None:
    """Give advice that sees through everything."""

    def advise(teller: Teller, seat: int, draft: str) -> Json:
        match = teller.table.playing()
        position: Json = match.game.write_position(match.state)
        return position

    patch.setattr(Teller, "advise", advise)


def number_states(patch: pytest.MonkeyPatch) -> None:
    for module in (telling, looking_back):
        patch.setattr(module, "status", lambda state: {**status(state), "tag": hash(state)})


def explain_too_much(patch: pytest.MonkeyPatch) -> None:
    def explain(game: Any, state: Any, actor: Any, text: str) -> Any:
        try:
            return after(game, state, actor, text)
        except IllegalMove as refusal:
            raise IllegalMove(f"{refusal} in {game.write_position(state)}", "why") from None

    patch.setattr(ruling, "after", explain)


@pytest.mark.parametrize(
    ("games", "leak"),
    [
        (["qwirkle"], tell_tiles),
        (["qwixx", "qwantum"], seal_nothing),
        (["qwixx", "qwantum"], open_sealed),
        (["qwixx", "qwantum", "qwirkle"], show_positions),
        (["qwixx", "qwantum", "qwirkle"], guide_by_position),
        (["qwixx", "qwantum", "qwirkle"], give_whole_records),
        (["qwirkle"], show_the_bag_when_looking_back),
        (["qwixx", "qwantum", "qwirkle"], number_states),
        (["qwixx", "qwantum", "qwirkle"], explain_too_much),
    ],
)
def test_a_leak_would_be_found(
    games: list[str], leak: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = {game: pairs(game, 3) for game in games}
    leak(monkeypatch)
    for game in games:
        assert any(
            leaks(Table.read(one.id, one.entries), Table.read(other.id, other.entries), guest)
            for one, other, guest in found[game]
        )


@pytest.mark.parametrize(("game", "seats"), COMPANIES)
def test_no_secret_is_in_any_byte(game: str, seats: int) -> None:
    for table in looked_at(game, seats, Random(seats)):
        people = [ANN, BEN, CLEO, DAN, EVE, FAY]
        keys = [TOKENS.seat_key(table.id, chair.came) for chair in table.chairs if chair]
        cookies = [TOKENS.cookie(guest) for guest in people]
        secrets = [SECRET.hex(), b64encode(SECRET).decode(), INVITE, *people, *keys, *cookies]
        for guest in GUESTS:
            sent = b"\n".join(told_everything(table, guest).values())
            assert [secret for secret in secrets if secret.encode() in sent] == []


@pytest.mark.parametrize("game", ["qwixx", "qwantum", "qwirkle"])
def test_all_that_is_told_of_the_secret_is_its_commitment(game: str) -> None:
    for table in looked_at(game, 3, Random(3)):
        for guest in GUESTS:
            tellers = [Teller(table, SECRET), Teller(table, bytes(32))]
            assert len({teller.update(guest, 0) for teller in tellers}) == 1
            records = [telling.told_record(table, (), secret) for secret in (SECRET, bytes(32))]
            assert records[0] == records[1]


@pytest.mark.parametrize("game", ["qwixx", "qwantum", "qwirkle"])
def test_what_one_guest_was_told_is_not_told_to_another(game: str) -> None:
    rng = Random(game)
    for table in looked_at(game, 4, rng):
        teller = Teller(table, SECRET)
        sinces = (None, 0, table.seq - 1)
        questions = list(product(GUESTS, sinces, (False, True)))
        for question in rng.sample(questions, len(questions)):
            told = teller.update(*question)
            assert told == Teller(table, SECRET).update(*question)
            assert json.loads(told)["you"]["seats"] == list(table.seats_of(question[0]))


class Reader:
    """A client that keeps what it was told, and asks again from where it left off."""

    def __init__(self, guest: str | None) -> None:
        self.guest = guest
        self.since = 0
        self.seats: list[int] = []
        self.events: dict[int, Any] = {}

    def hear(self, table: Table) -> None:
        frame: Json = json.loads(Teller(table, SECRET).update(self.guest, self.since))
        if frame["you"]["seats"] != self.seats:  # with another seat, one has seen other things
            frame = json.loads(Teller(table, SECRET).update(self.guest, 0))
        self.since, self.seats = frame["seq"], frame["you"]["seats"]
        for entry in (*frame["entries"], *frame["revealed"]):
            self.events[entry["seq"]] = entry.get("events")


@pytest.mark.parametrize(("game", "seats"), COMPANIES)
def test_who_hears_of_a_game_in_pieces_knows_as_much_as_who_hears_it_at_once(
    game: str, seats: int
) -> None:
    rng = Random(seats)
    book = company(game, seats, rng)
    readers = [Reader(guest) for guest in GUESTS if may_see(book.table, guest)]
    for _ in moments(book, rng):
        for reader in readers:
            if rng.random() < 0.4:
                reader.hear(book.table)
                fresh = Reader(reader.guest)
                fresh.hear(book.table)
                assert reader.events == fresh.events


@pytest.mark.parametrize(("game", "seats"), COMPANIES)
def test_when_the_game_is_over_everything_is_told(game: str, seats: int) -> None:
    rng = Random(seats)
    book = company(game, seats, rng)
    list(moments(book, rng))
    table = book.table
    assert table.status == OVER
    for guest in GUESTS:
        frame = json.loads(Teller(table, SECRET).update(guest, 0))
        told = [event for entry in frame["entries"] for event in entry.get("events", ())]
        assert told == [list(event) for event in table.playing().events]
        assert frame["state"]["fair"]["secret"] == SECRET.hex()
        record = telling.told_record(table, table.seats_of(guest), SECRET)
        assert verify(record).events == table.playing().events
        steps = json.loads(looking_back.history(table, table.seats_of(guest)))["steps"]
        assert [step["event"] for step in steps] == [None, *told]
