"""Ratings: what openskill makes of all finished games, in their order, each once."""

import asyncio
import math
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from clubhouse import PATIENCE
from openskill.models import PlackettLuce
from sqlalchemy import insert, select
from stored import open_store, wait, wait_for_all

from qlub.bots import bots_of
from qlub.club import caretaker
from qlub.club import ratings as ratings_module
from qlub.club.entries import Botted, Created, Entry, Handed, Moved, Resigned, Sat, Started
from qlub.club.ratings import LOCK, rate_games
from qlub.club.ruling import decide, start
from qlub.club.store.schema import ratings, results
from qlub.club.store.store import Store
from qlub.club.table import OVER, PLAYING, Table
from qlub.club.telling import results_of
from qlub.core.registry import find_game

MODEL = PlackettLuce()
SECRET = bytes(32)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(f"sqlite:///{tmp_path / 'club.db'}") as store:
        yield store


@pytest.fixture
def workers(database: str) -> Iterator[tuple[Store, Store]]:
    """Two workers of one club, on each kind of database."""
    with open_store(database) as one, open_store(database) as another:
        wait(one.key(LOCK))
        yield one, another


def game(at: int, players: Sequence[str], places: Sequence[int], **fields: object) -> list[Any]:
    """Return the results of a game that ended at a time."""
    return [
        {
            "table_id": f"game {at}",
            "seat": seat,
            "at": at,
            "game": "qwixx",
            "seats": len(players),
            "player": player,
            "name": player.capitalize(),
            "score": 10 - place,
            "place": place,
            "gave_up": False,
            "counts": True,
            **fields,
        }
        for seat, (player, place) in enumerate(zip(players, places, strict=True))
    ]


def write(store: Store, *games: list[Any]) -> None:
    with store.engine.execution_options(writes=True).begin() as connection:
        connection.execute(insert(results), [row for rows in games for row in rows])


def rate(store: Store) -> int:
    """Rate until there is nothing left, and return how many games that were."""
    total = 0
    while number := wait(store.rate()):
        total += number
    return total


def read(store: Store, game: str = "qwixx", seats: int = 2) -> dict[str, tuple[float, float]]:
    """Return everybody's rating."""
    return {
        row["player"]: (row["mu"], row["sigma"]) for row in wait(store.leaders(game, seats, 99))
    }


def expected(*games: list[Any]) -> dict[str, tuple[float, float]]:
    """Return what openskill says itself."""
    known: dict[str, tuple[float, float]] = {}
    for rows in games:
        teams = [[MODEL.rating(*known.get(row["player"], (25, 25 / 3)))] for row in rows]
        rated = MODEL.rate(teams, ranks=[row["place"] for row in rows])
        known |= {
            row["player"]: (one.mu, one.sigma) for row, (one,) in zip(rows, rated, strict=True)
        }
    return known


def random_games(number: int, seats: int = 2) -> list[list[Any]]:
    rng = Random(number)
    players = ["ann", "ben", "cleo", "dan", "bot:greedy"]
    return [
        game(at, rng.sample(players, seats), [rng.randint(1, seats) for _ in range(seats)])
        for at in range(number)
    ]


def test_ratings_are_those_of_openskill(store: Store) -> None:
    games = random_games(30, seats=3)
    write(store, *games)
    assert rate(store) == 30
    assert read(store, seats=3) == expected(*games)
    assert rate(store) == 0
    assert read(store, seats=3) == expected(*games)


def test_games_are_rated_in_the_order_in_which_they_ended(store: Store) -> None:
    games = random_games(12)
    assert expected(*games) != expected(*reversed(games))
    write(store, *reversed(games))
    rate(store)
    assert read(store) == expected(*games)


def test_later_games_go_on_from_earlier_ratings(store: Store) -> None:
    games = random_games(10)
    for one in games:
        write(store, one)
        assert rate(store) == 1
    assert read(store) == expected(*games)


def test_a_batch_never_cuts_a_game_in_two(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ratings_module, "BATCH", 7)
    games = random_games(10, seats=4)
    write(store, *games)
    assert rate(store) == 10
    assert read(store, seats=4) == expected(*games)


def test_games_of_other_kinds_and_sizes_are_rated_apart(store: Store) -> None:
    three = game(2, ["ann", "ben", "cleo"], [3, 2, 1])
    other = game(3, ["ann", "ben"], [2, 1], game="qwirkle")
    write(store, game(1, ["ann", "ben"], [1, 2]), three, other)
    rate(store)
    assert read(store) == expected(game(1, ["ann", "ben"], [1, 2]))
    assert read(store, seats=3) == expected(three)
    assert read(store, "qwirkle") == expected(other)


def test_equals_stay_equal(store: Store) -> None:
    tie = game(1, ["ann", "ben", "cleo"], [1, 1, 3])
    write(store, tie)
    rate(store)
    rated = read(store, seats=3)
    assert rated == expected(tie)
    assert math.isclose(rated["ann"][0], rated["ben"][0])
    assert rated["ann"][0] > rated["cleo"][0]
    wins = {row["player"]: row["wins"] for row in wait(store.leaders("qwixx", 3, 9))}
    assert wins == {"ann": 1, "ben": 1, "cleo": 0}


def test_games_and_wins_are_counted_under_the_last_name(store: Store) -> None:
    write(store, game(1, ["ann", "ben"], [1, 2]), game(2, ["ben", "ann"], [2, 1]))
    write(store, game(3, ["ann", "cleo"], [2, 1], name="Anna"))
    rate(store)
    leaders = {row["player"]: row for row in wait(store.leaders("qwixx", 2, 9))}
    assert {player: (row["games"], row["wins"]) for player, row in leaders.items()} == {
        "ann": (3, 2),
        "ben": (2, 0),
        "cleo": (1, 1),
    }
    assert [leaders["ann"]["name"], leaders["ben"]["name"]] == ["Anna", "Ben"]


def test_a_guest_in_several_seats_changes_no_rating(store: Store) -> None:
    write(store, game(1, ["ann", "ann", "ben"], [1, 2, 3], counts=False))
    assert rate(store) == 1
    assert read(store, seats=3) == {}


def test_practice_changes_no_rating(store: Store) -> None:
    write(store, game(1, ["ann"], [1]))
    assert rate(store) == 1
    assert read(store, seats=1) == {}


def test_a_bot_in_several_seats_keeps_its_rating(store: Store) -> None:
    first = game(1, ["bot:greedy", "ann", "ben"], [1, 2, 3])
    write(store, first)
    rate(store)
    before = read(store, seats=3)
    crowd = game(2, ["bot:greedy", "ann", "bot:greedy"], [1, 2, 3])
    write(store, crowd)
    rate(store)
    after = read(store, seats=3)
    assert after["bot:greedy"] == before["bot:greedy"]
    assert after["ann"] == expected(first, crowd)["ann"] != before["ann"]


def test_the_best_are_those_of_whom_one_can_be_sure(store: Store) -> None:
    rows = [("ann", 40.0, 8.0), ("ben", 25.0, 1.0), ("cleo", 30.0, 5.0), ("dan", 30.0, 5.0)]
    with store.engine.begin() as connection:
        connection.execute(
            insert(ratings),
            [
                {
                    "player": player,
                    "game": "qwixx",
                    "seats": 2,
                    "name": player,
                    "mu": mu,
                    "sigma": sigma,
                    "games": 1,
                    "wins": 0,
                }
                for player, mu, sigma in rows
            ],
        )
    leaders = [row["player"] for row in wait(store.leaders("qwixx", 2, 9))]
    assert leaders == ["ben", "ann", "cleo", "dan"]
    assert [row["player"] for row in wait(store.leaders("qwixx", 2, 2))] == ["ben", "ann"]
    assert wait(store.leaders("qwixx", 3, 9)) == []


# Several workers


def test_two_workers_rate_every_game_once(workers: tuple[Store, Store]) -> None:
    games = random_games(60)
    write(workers[0], *games)
    while sum(wait_for_all(*(store.rate() for store in workers for _ in range(3)))):
        pass
    assert read(workers[0]) == expected(*games)
    with workers[0].engine.connect() as connection:
        assert set(connection.scalars(select(results.c.rated))) == {True}


def test_a_worker_waits_for_one_who_is_rating(workers: tuple[Store, Store]) -> None:
    one, another = workers
    games = random_games(5)
    write(one, *games)
    rated: list[int] = []
    with one.engine.execution_options(writes=True).begin() as connection:
        assert rate_games(connection) == 4
        waiting = threading.Thread(target=lambda: rated.append(wait(another.rate())))
        waiting.start()
    waiting.join()
    assert rated == [1]
    assert read(one) == expected(*games)


def test_a_worker_that_dies_while_rating_leaves_all_to_the_next(
    workers: tuple[Store, Store],
) -> None:
    one, another = workers
    games = random_games(5)
    write(one, *games)
    with one.engine.execution_options(writes=True).connect() as connection:
        assert rate_games(connection) == 4
        connection.rollback()
    assert rate(another) == 5
    assert read(one) == expected(*games)


class Clerk:
    """A store in which a game ends while the ratings are being worked out for the first time."""

    is_shared = True

    def __init__(self) -> None:
        self.times = 0
        self.ends: Callable[[], None] = lambda: None

    async def rate(self) -> int:
        self.times += 1
        if self.times == 1:
            self.ends()
        return 0

    async def claim_due(self, now: int, until: int) -> list[str]:
        return []


def test_a_game_that_ends_meanwhile_is_not_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(caretaker, "SWEEP", 0)
    room: Any = SimpleNamespace(table=played_out(seated("ann", "ben")))
    store: Any = Clerk()

    async def run() -> None:
        keeper = caretaker.Caretaker(store, Any, 0.0, Any)  # type: ignore[arg-type]
        store.ends = lambda: keeper.follow(room)
        keeper.start()
        async with asyncio.timeout(PATIENCE):
            while store.times < 2:
                await asyncio.sleep(0)
        await keeper.close()

    wait(run())


# What a table makes of its end


def seated(*sitters: str) -> Table:
    """Return a game of Qwixx that has begun; a bot's name begins with `bot:`, Ann's seats with `ann`."""
    table = Table("one")
    created = Created("qwixx", {}, len(sitters), "open", None, "00" * 32)
    told: list[tuple[str | None, Any]] = [("ann", created)]
    for seat, sitter in enumerate(sitters):
        kind, _, name = sitter.rpartition(":")
        guest = sitter.split()[0]
        told.append((None, Botted(seat, name, name)) if kind else (guest, Sat(seat, sitter)))
    for who, what in told:
        take(table, who, what)
    take(table, "ann", start(table, SECRET))
    assert isinstance(table.entries[-1].what, Started)
    return table


def take(table: Table, guest: str | None, what: Any) -> None:
    table.take(Entry(table.seq + 1, 1000 + table.seq, guest, None, what))


def played_out(table: Table) -> Table:
    """Let everybody decide at random until the game is over."""
    rng = Random(1)
    while table.status == PLAYING:
        match = table.playing()
        seat = rng.choice(match.state.to_act)
        move = str(rng.choice(match.state.legal(seat)))
        take(table, None, Moved(seat, "person", decide(table, SECRET, seat, move)))
    return table


def test_places_follow_the_scores() -> None:
    rows = results_of(played_out(seated("ann", "ben", "bot:greedy")))
    assert [row["player"] for row in rows] == ["ann", "ben", "bot:greedy"]
    scores = [row["score"] for row in rows]
    assert [row["place"] for row in rows] == [
        1 + sum(s > score for s in scores) for score in scores
    ]
    assert all(row["counts"] and not row["gave_up"] for row in rows)


def test_who_gave_up_is_last_whatever_the_bot_makes_of_it() -> None:
    bot = list(bots_of(find_game("qwixx")))[-1]
    for loser in range(3):
        table = seated("ann", "ben", "cleo")
        take(table, "ann", Resigned(loser, bot))
        rows = results_of(played_out(table))
        assert rows[loser]["place"] == 3
        assert [row["gave_up"] for row in rows] == [seat == loser for seat in range(3)]


def test_who_leaves_the_end_to_a_bot_is_last_too() -> None:
    table = seated("ann", "ben", "cleo")
    take(table, "ann", Handed(0, "greedy"))
    take(table, "ben", Resigned(1, "greedy"))
    rows = results_of(played_out(table))
    assert [row["place"] for row in rows] == [2, 2, 1]
    assert [row["player"] for row in rows] == ["ann", "ben", "cleo"]


def test_the_last_who_has_not_given_up_wins_at_once() -> None:
    table = seated("ann", "ben")
    take(table, "ann", Resigned(0, "greedy"))
    assert table.status == OVER
    assert [(row["player"], row["place"]) for row in results_of(table)] == [("ann", 2), ("ben", 1)]


def test_only_games_in_which_everybody_has_one_seat_count() -> None:
    assert not any(row["counts"] for row in results_of(played_out(seated("ann", "ann 2", "ben"))))
    assert all(row["counts"] for row in results_of(played_out(seated("ann", "bot:random"))))
    table = played_out(seated("ann", "bot:random", "bot:random"))
    assert all(row["counts"] for row in results_of(table))
    assert [row["player"] for row in results_of(table)] == ["ann", "bot:random", "bot:random"]
