"""The store keeps its promises on both kinds of database: all or nothing, once, in order, for good."""

import asyncio
import threading
from contextlib import ExitStack
from dataclasses import replace
from typing import Any

import pytest
from postgres import Postgres
from sqlalchemy import Connection, event, text
from stored import (
    creation,
    open_store,
    reaction,
    read_logs,
    read_rows,
    row,
    wait,
    wait_for_all,
)

from qlub.club.errors import NotSaved
from qlub.club.store import writer
from qlub.club.store.store import Store
from qlub.club.store.writer import Append

RESULT: dict[str, Any] = {
    "table_id": "one",
    "seat": 0,
    "at": 2000,
    "game": "qwixx",
    "seats": 2,
    "player": "ann",
    "name": "Ann",
    "score": 12,
    "place": 1,
    "gave_up": False,
    "counts": True,
}


# Logs


def test_entries_come_back_as_they_were_appended(store: Store) -> None:
    first, more = creation("one"), [reaction(2, "ann/a", "wow"), reaction(3, "ann/b", "ouch")]
    assert wait(store.append(first)) is True
    assert wait(store.append(Append("one", more))) is True
    assert wait(store.log("one")) == [*first.entries, *more]
    assert wait(store.log("one", after=2)) == more[1:]
    assert wait(store.log("two")) == []


def test_the_row_of_a_table_keeps_its_secrets_and_changes_its_status(store: Store) -> None:
    secret = bytes(range(256))[:32]
    wait(store.append(creation("one", secret=secret, invite="ünü", due=5)))
    assert wait(store.row("one")) == row("one", secret=secret, invite="ünü", due=5)
    change = {"status": "playing", "due": 7}
    wait(store.append(Append("one", [reaction(2)], change=change)))
    assert wait(store.row("one")) == row("one", secret=secret, invite="ünü", **change)
    assert wait(store.row("two")) is None


def test_the_last_entry_of_many_logs(store: Store) -> None:
    wait_for_all(*(store.append(creation(name)) for name in ("one", "two", "three")))
    wait(store.append(Append("two", [reaction(2), reaction(3)])))
    assert wait(store.last(["one", "two", "none"])) == {"one": 1, "two": 3}
    assert wait(store.last([])) == {}


def test_open_tables_are_those_that_anybody_may_see(store: Store) -> None:
    tables = [
        creation("older", created=1),
        creation("newer", created=2),
        creation("other", created=3, game="qwirkle"),
        creation("hidden", created=4, visibility="link"),
        creation("begun", created=5, status="playing"),
    ]
    wait_for_all(*map(store.append, tables))
    assert wait(store.open_tables("gathering", None, 10)) == ["other", "newer", "older"]
    assert wait(store.open_tables("gathering", "qwixx", 10)) == ["newer", "older"]
    assert wait(store.open_tables("gathering", None, 1)) == ["other"]
    assert wait(store.open_tables("playing", None, 10)) == ["begun"]


def test_the_tables_of_a_guest(store: Store) -> None:
    tables = [
        creation("one", created=1),
        creation("two", created=2, status="over"),
        creation("bens", created=3, host="ben", members=("ben",)),
    ]
    wait_for_all(*map(store.append, tables))
    assert wait(store.tables_of("ann", ["gathering"], 10)) == ["one"]
    assert wait(store.tables_of("ann", ["gathering", "over"], 10)) == ["two", "one"]
    assert wait(store.tables_of("ann", ["gathering", "over"], 1)) == ["two"]
    wait(store.append(Append("bens", [reaction(2)], members=("ann", "cleo"))))
    wait(store.append(Append("bens", [reaction(3)], members=("ann",))))
    assert wait(store.tables_of("ann", ["gathering"], 10)) == ["bens", "one"]
    assert wait(store.tables_of("cleo", ["gathering"], 10)) == ["bens"]
    assert wait(store.tables_of("nobody", ["gathering"], 10)) == []


def test_who_hosts_how_much(store: Store) -> None:
    statuses = ("gathering", "playing", "over", "closed")
    wait_for_all(*(store.append(creation(status, status=status)) for status in statuses))
    assert wait(store.count_hosted("ann")) == 2
    assert wait(store.count_hosted("ben")) == 0


def test_guests_and_their_names(store: Store) -> None:
    assert wait(store.guest_name("3f")) is None
    wait(store.save_guest("3f", "Ann"))
    wait(store.save_guest("4a", "Ann"))
    wait(store.save_guest("3f", "Zoë 🎲"))
    assert wait(store.guest_name("3f")) == "Zoë 🎲"
    assert wait(store.guest_name("4a")) == "Ann"


def test_all_who_ask_for_a_key_at_once_get_the_same(database: str, store: Store) -> None:
    with open_store(database) as other:
        asking = [one.key("signing") for one in (store, other) for _ in range(8)]
        keys = wait_for_all(*asking)
        assert len(set(keys)) == 1
        assert len(keys[0]) == 32
        assert wait(other.key("another")) != keys[0]


# Races


def full(store: Store, **fields: Any) -> Append:
    """Return an append to the table `one` that would leave a trace everywhere."""
    return Append(
        "one",
        [reaction(2, "ann/late"), reaction(3)],
        change={"status": "over", "due": 99},
        members=("late",),
        results=[RESULT],
        also=creation("new"),
        **fields,
    )


def test_who_comes_too_late_leaves_no_trace(database: str, store: Store) -> None:
    wait(store.append(creation("one")))
    wait(store.append(Append("one", [reaction(2, "ben/first")])))
    before = read_rows(database)
    assert wait(store.append(full(store))) is False
    assert read_rows(database) == before
    again = replace(full(store), entries=[reaction(3, "ann/late"), reaction(4)])
    assert wait(store.append(again)) is True
    after = read_rows(database)
    assert all(len(after[name]) > len(before[name]) for name in ("members", "results"))
    assert wait(store.tables_of("late", ["over"], 1)) == ["one"]
    assert wait(store.log("new")) == list(creation("new").entries)


def test_a_command_is_stored_once_whatever_its_number(database: str, store: Store) -> None:
    wait(store.append(creation("one")))
    wait(store.append(Append("one", [reaction(2, "ann/1")])))
    before = read_rows(database)
    assert wait(store.append(Append("one", [reaction(3, "ann/1")], members=("late",)))) is False
    late = Append("one", [reaction(3, "ann/2"), reaction(4, "ann/1")], members=("late",))
    assert wait(store.append(late)) is False
    assert read_rows(database) == before
    assert wait(store.append(Append("one", [reaction(3), reaction(4)]))) is True, "no id, no limit"


def test_of_two_workers_one_is_first(database: str, store: Store) -> None:
    names = [f"table {number}" for number in range(20)]
    wait_for_all(*(store.append(creation(name)) for name in names))
    with open_store(database) as other:
        mine = [Append(name, [reaction(2, "ann/1"), reaction(3)]) for name in names]
        theirs = [Append(name, [reaction(2, "ben/1")]) for name in reversed(names)]
        appends = [part for pair in zip(mine, theirs, strict=True) for part in pair]
        stored = wait_for_all(
            *((store if append in mine else other).append(append) for append in appends)
        )
    logs = read_logs(database)
    for append, is_stored in zip(appends, stored, strict=True):
        log = logs[append.table][1:]
        assert is_stored == (log == list(append.entries))
        assert len(log) in (1, 2)
    assert sum(stored) == len(names)


class Held:
    """A writer that waits in the middle of a commit until it is let go, and counts its commits."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.commits = 0
        self._is_held = threading.Event()
        self._goes_on = threading.Event()
        event.listen(store.engine, "commit", self._commit)

    def _commit(self, connection: Connection) -> None:
        self.commits += 1
        self._is_held.set()
        self._goes_on.wait()

    async def append(self, first: Append, *appends: Append) -> list[bool | BaseException]:
        """Append one thing, and the others while the writer is held up with the first."""
        waiting = [asyncio.ensure_future(self.store.append(first))]
        while not self._is_held.is_set():
            await asyncio.sleep(0)
        waiting += [asyncio.ensure_future(self.store.append(append)) for append in appends]
        await asyncio.sleep(0)  # now all of them are in the queue
        self._goes_on.set()
        return await asyncio.gather(*waiting, return_exceptions=True)


def test_what_waits_together_is_committed_together(store: Store) -> None:
    held = Held(store)
    names = [f"table {number}" for number in range(50)]
    assert wait(held.append(*map(creation, names))) == [True] * 50
    assert held.commits == 2


def test_a_batch_has_a_size(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "LARGEST_BATCH", 10)
    held = Held(store)
    names = [f"table {number}" for number in range(26)]
    assert wait(held.append(*map(creation, names))) == [True] * 26
    assert held.commits == 1 + 3


def test_one_bad_append_fails_alone(database: str, store: Store) -> None:
    bad = creation("bad", game=None)
    stored = wait(Held(store).append(creation("one"), creation("two"), bad, creation("three")))
    assert isinstance(stored.pop(2), NotSaved)
    assert stored == [True] * 3
    assert set(read_logs(database)) == {"one", "two", "three"}


@pytest.mark.parametrize("letters", ["\x00", "x" * 200])
def test_what_postgresql_refuses_fails_alone(postgres_url: str, letters: str) -> None:
    with open_store(postgres_url) as store:
        wait(store.append(creation("one")))
        bad = Append("one", [reaction(2, letters)])
        stored = wait(Held(store).append(creation("two"), bad, creation("three")))
        assert isinstance(stored[1], NotSaved)
        assert wait(store.last(["one", "two", "three"])) == {"one": 1, "two": 1, "three": 1}


def test_in_one_batch_too_one_of_two_is_first(store: Store) -> None:
    wait(store.append(creation("one")))
    two = [Append("one", [reaction(2, name)], members=(name,)) for name in ("ann/1", "ben/1")]
    assert wait(Held(store).append(creation("two"), *two)) == [True, True, False]
    assert wait(store.tables_of("ben/1", ["gathering"], 1)) == []
    nameless = [Append("one", [reaction(3)], members=(name,)) for name in ("cleo", "dan")]
    assert wait(Held(store).append(creation("three"), *nameless)) == [True, True, False]
    assert wait(store.tables_of("dan", ["gathering"], 1)) == []


def test_in_one_batch_too_nothing_is_torn(store: Store) -> None:
    wait(store.append(creation("one")))
    short, long = [reaction(2)], [reaction(2, "ann/1"), reaction(3), reaction(4)]
    two = (Append("one", short), Append("one", long))
    assert wait(Held(store).append(creation("two"), *two)) == [True, True, False]
    assert wait(store.log("one", after=1)) == short


def test_the_same_table_created_twice_in_one_batch(store: Store) -> None:
    first = creation("one", invite="first")
    second = replace(
        creation("one", invite="second"), entries=[*first.entries, reaction(2, "ann/1")]
    )
    assert wait(Held(store).append(creation("two"), first, second)) == [True, True, False]
    stored = wait(store.row("one"))
    assert stored
    assert stored["invite"] == "first"
    assert wait(store.log("one")) == list(first.entries)


def test_closing_commits_what_waits(database: str) -> None:
    names = [f"table {number}" for number in range(30)]

    async def append_and_close() -> None:
        with open_store(database) as store:
            for name in names:
                asyncio.ensure_future(store.append(creation(name)))  # noqa: RUF006
            await asyncio.sleep(0)

    wait(append_and_close())
    assert set(read_logs(database)) == set(names)


# A database that fails


def test_a_broken_database_confirms_nothing(store: Store) -> None:
    wait(store.append(creation("one")))
    with store.engine.begin() as connection:
        connection.execute(text("DROP TABLE entries"))
    for work in (store.append(Append("one", [reaction(2)])), store.log("one"), store.last(["one"])):
        with pytest.raises(NotSaved):
            wait(work)


def test_after_a_pause_of_postgresql_the_store_goes_on(
    postgres: Postgres, postgres_url: str
) -> None:
    with open_store(postgres_url) as store:
        wait(store.append(creation("one")))
        postgres.stop()
        with pytest.raises(NotSaved):
            wait(store.append(Append("one", [reaction(2)])))
        with pytest.raises(NotSaved):
            wait(store.check())
        with pytest.raises(NotSaved):
            wait(store.claim_due(1, 2))
        postgres.start()
        assert wait(store.append(Append("one", [reaction(2)]))) is True
        wait(store.check())


# Tables that somebody must look after


def test_a_table_that_is_due_is_given_to_one(database: str, store: Store) -> None:
    appends = [creation("late", due=10), creation("later", due=20), creation("never")]
    wait_for_all(*map(store.append, appends))
    assert wait(store.claim_due(now=9, until=100)) == []
    assert wait(store.claim_due(now=15, until=100)) == ["late"]
    with open_store(database) as other:
        assert wait(other.claim_due(now=99, until=200)) == ["later"]
        assert sorted(wait(other.claim_due(now=200, until=300))) == ["late", "later"]


def test_who_is_due_longest_comes_first(store: Store) -> None:
    wait_for_all(*(store.append(creation(f"table {due}", due=due)) for due in range(9, 0, -1)))
    assert sorted(wait(store.claim_due(now=20, until=100, limit=2))) == ["table 1", "table 2"]
    assert sorted(wait(store.claim_due(now=20, until=100, limit=2))) == ["table 3", "table 4"]


def test_many_who_look_at_once_share_the_tables(database: str, store: Store) -> None:
    names = [f"table {number}" for number in range(60)]
    wait_for_all(*(store.append(creation(name, due=1)) for name in names))
    with ExitStack() as stack:
        stores = [store, *(stack.enter_context(open_store(database)) for _ in range(2))]
        looks = [one.claim_due(now=5, until=100, limit=10) for _ in range(6) for one in stores]
        claimed = [name for names in wait_for_all(*looks) for name in names]
    claimed += wait(store.claim_due(now=5, until=100, limit=100))
    assert sorted(claimed) == sorted(names)


def test_a_claimed_table_is_due_when_its_claimer_says(store: Store) -> None:
    wait(store.append(creation("one", due=10)))
    wait(store.claim_due(now=15, until=100))
    wait(store.set_due("one", claimed=100, due=50))
    assert wait(store.claim_due(now=49, until=200)) == []
    assert wait(store.claim_due(now=50, until=200)) == ["one"]
    wait(store.set_due("one", claimed=200, due=None))
    assert wait(store.claim_due(now=10**15, until=300)) == []


def test_a_newer_entry_knows_better_when_its_table_is_due(store: Store) -> None:
    wait(store.append(creation("one", due=10)))
    wait(store.claim_due(now=15, until=100))
    wait(store.append(Append("one", [reaction(2)], change={"status": "playing", "due": 30})))
    wait(store.set_due("one", claimed=100, due=500))
    assert wait(store.claim_due(now=30, until=200)) == ["one"]
