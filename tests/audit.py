"""The audit: what guests noted agrees with what the database holds, entry for entry."""

from collections.abc import Mapping, Sequence
from typing import Any

from clubhouse import Json
from regulars import Notes, digest
from sqlalchemy import select
from stored import open_database, read_logs

from qlub.club.entries import AnyWhat, Botted, Created, Entry, Moved, Sat, Started
from qlub.club.store.schema import results, tables
from qlub.club.table import OVER, Table
from qlub.club.telling import Teller, results_of
from qlub.core.fair import verify


def audit(database: str, notes: Notes) -> None:
    """Compare the notes of all guests with a database, read past the club."""
    logs = read_logs(database)
    with open_database(database) as connection:
        rows = {row.id: row for row in connection.execute(select(tables))}
        ends: dict[str, list[Json]] = {name: [] for name in logs}
        for row in connection.execute(select(results).order_by(results.c.seat)):
            ends[row.table_id].append(dict(row._mapping))
    assert set(notes.tables) == set(logs) == set(rows), "the tables that were opened"
    for name, log in logs.items():
        assert [entry.seq for entry in log] == list(range(1, len(log) + 1)), f"a gap in {name}"
        check_opening(log, notes.tables[name])
        check_commands(log, notes.acks.get(name, {}))
        table = replay(name, log, rows[name].secret, notes)
        assert rows[name].status == table.status
        check_end(table, ends[name])
        if name in notes.records:
            check_record(table, notes.records[name])


def check_opening(log: Sequence[Entry], wish: Json) -> None:
    """A table was opened as it was wished for, with its host and its bots."""
    created, sat, *more = (entry.what for entry in log)
    assert isinstance(created, Created)
    assert (created.game, created.seats) == (wish["game"], wish["seats"])
    assert isinstance(sat, Sat)
    assert [one.bot for one in more if isinstance(one, Botted)] == wish["bots"]


def check_commands(log: Sequence[Entry], acks: Mapping[str, tuple[int, Json]]) -> None:
    """Every command that was acknowledged is in the log, once, where it was said to be; no other is."""
    commands = [(entry.command, entry.seq) for entry in log if entry.command]
    assert sorted(commands) == sorted((command, seq) for command, (seq, _) in acks.items())
    for seq, body in acks.values():
        assert fits(log[seq - 1].what, body), (log[seq - 1], body)
    moves = [entry for entry in log if isinstance(entry.what, Moved) and entry.what.by == "person"]
    assert all(entry.command for entry in moves), "a move that nobody sent"


def fits(what: AnyWhat, body: Json) -> bool:
    """Say whether an entry is what a command asked for."""
    match what:
        case Sat():
            return bool(body["do"] == "sit" and body["seat"] == what.seat)
        case Started():
            return bool(body["do"] == "start")
        case Moved():
            return body["do"] == "move" and what.events[0] == (body["seat"], body["move"])
    return False


def replay(name: str, log: Sequence[Entry], secret: bytes, notes: Notes) -> Table:
    """Replay a log; after each entry it tells what everybody was told then, byte for byte."""
    told: dict[int, list[tuple[str, int, bytes]]] = {}
    for seq, guest, since, update in notes.told.get(name, ()):
        told.setdefault(seq, []).append((guest, since, update))
    assert set(told) <= set(range(1, len(log) + 1)), "more was told than is in the log"
    table = Table(name)
    for entry in log:
        table.take(entry)
        teller = Teller(table, secret)
        for guest, since, update in told.get(table.seq, ()):
            assert digest(teller.update(guest, since)) == update, (guest, since, entry)
    return table


def check_end(table: Table, rows: list[Json]) -> None:
    """The results of a game are stored with its last entry."""
    due = results_of(table) if table.status == OVER else []
    assert [{key: row[key] for key in one} for one, row in zip(due, rows, strict=True)] == due


def check_record(table: Table, record: Any) -> None:
    """The record that was handed out is the game of the log, and its chance was honest."""
    events = [
        event
        for entry in table.entries
        if isinstance(entry.what, Started | Moved)
        for event in entry.what.events
    ]
    assert table.status == OVER
    assert verify(record, table.created.commitment).events == events
