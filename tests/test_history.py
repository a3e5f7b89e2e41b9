"""Looking back: a game event by event, as a guest may know it."""

import json
from random import Random

import pytest
from clubhouse import Club, Refused
from evenings import begun, pass_on
from fairly import TABLES
from logbook import ANN, SECRET, Logbook
from twins import company, moments

from qlub.club.looking_back import history
from qlub.club.table import Table
from qlub.core.chance import Chance, Draw, Lot, Throw
from qlub.core.fair import Fair
from qlub.core.game import CHANCE, Json, status


def steps(table: Table, *seats: int) -> list[Json]:
    told: list[Json] = json.loads(history(table, seats))["steps"]
    return told


def read_chance(told: Json) -> Chance:
    """Read what chance could supply, as a page would."""
    if "seats" in told:
        return Lot(**told)
    if "dice" in told:
        return Throw(told["kind"], tuple(map(tuple, told["dice"])))
    return Draw(**{**told, "bag": tuple(told["bag"])})


@pytest.mark.parametrize(("game", "seats"), [one for one in TABLES if one[1] == 3])
def test_a_finished_game_is_told_from_its_beginning_to_its_end(game: str, seats: int) -> None:
    rng = Random(game)
    book = company(game, seats, rng)
    list(moments(book, rng))
    match = book.table.playing()
    told = steps(book.table, 0)
    first, last = told[0], told[-1]
    assert (first["event"], first["chance"]) == (None, None)
    assert [tuple(step["event"]) for step in told[1:]] == match.events
    assert last["turn"] == status(match.state)
    assert last["view"] == match.game.write_view(match.state.view(0))
    by_seq = {entry.seq: entry for entry in book.table.entries}
    assert all(step["at"] == by_seq[step["seq"]].at for step in told)


@pytest.mark.parametrize("game", ["qwixx", "qwantum", "qwirkle"])
def test_with_the_secret_all_chance_can_be_worked_out_again(game: str) -> None:
    rng = Random(game)
    book = company(game, 3, rng)
    list(moments(book, rng))
    proof = book.table.proof(SECRET)
    fair = Fair(bytes.fromhex(proof["secret"]), tuple(proof["entropy"]))
    rolled = [step for step in steps(book.table) if step["event"] and step["event"][0] == CHANCE]
    assert len(rolled) == book.table.rolls
    for k, step in enumerate(rolled):
        assert str(fair.outcome(read_chance(step["chance"]), k)) == step["event"][1]


def test_while_a_game_runs_nothing_is_told_that_was_hidden() -> None:
    book = Logbook("qwixx", 2)
    for seat, name in enumerate(("Ann", "Grandma")):
        book.do(ANN, "sit", seat=seat, name=name)
    book.do(ANN, "start")
    book.do(ANN, "move", seat=1, move="-")
    for seats, text, decision in (((), None, True), ((0,), None, True), ((1,), "-", "-")):
        sealed = steps(book.table, *seats)[-1]
        assert (sealed["event"], sealed["view"]["decided"]) == ([1, text], {"1": decision})
    assert steps(book.table, 0, 1) == steps(book.table)  # people at one device: either may look
    assert all(step["chance"] is None for step in steps(book.table))


def test_who_may_see_a_table_may_look_back(house: Club) -> None:
    table, (ann, ben) = begun(house, "Ann", "Ben")
    where = f"/api/tables/{table}/history"
    with pytest.raises(Refused, match="not-found"):
        house.guest("Eve").ask("GET", where)
    dan = house.guest("Dan")
    dan.enter(table, ann)
    assert [step["view"] for step in dan.ask("GET", where)["steps"]] == [
        step["view"] for step in ann.ask("GET", where)["steps"]
    ]
    pass_on(table, ann, ben)
    told = ben.ask("GET", where)["steps"]
    assert [step["event"] for step in told[1:]] == ben.ask("GET", f"/api/tables/{table}/record")[
        "events"
    ]
    waiting = ann.open("qwixx", 2)
    with pytest.raises(Refused, match="not-now"):
        ann.ask("GET", f"/api/tables/{waiting}/history")
