"""Puts logs into a database before a club opens on it, as if they had been played there."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import httpx
from clubhouse import PATIENCE, Club, Guest
from logbook import INVITE, KEY, SECRET, TOKENS
from sqlalchemy import insert

from qlub.club.entries import write_body
from qlub.club.store.database import migrate, open_engine, read_url
from qlub.club.store.schema import entries, guests, keys, members, tables
from qlub.club.table import Table
from qlub.club.tokens import COOKIE


def shelve(database: str, logs: Iterable[Table], due: int | None = None) -> None:
    """Put tables into an empty database, with the key that signs the cookies of their guests.

    The club looks after them when they are due; without a time it leaves them as they are.
    """
    logs = list(logs)
    people = {guest for table in logs for guest in table.members}
    at = [{"table_id": table.id, "guest": guest} for table in logs for guest in table.members]
    engine = open_engine(read_url(database))
    migrate(engine)
    with engine.execution_options(writes=True).begin() as connection:
        connection.execute(insert(keys), [{"name": "signing", "value": KEY}])
        connection.execute(
            insert(guests), [{"id": one, "name": one[:8], "created": 0} for one in people]
        )
        connection.execute(insert(tables), [_row(table, due) for table in logs])
        connection.execute(insert(entries), [row for table in logs for row in _entries(table)])
        connection.execute(insert(members), at)
    engine.dispose()


def _row(table: Table, due: int | None) -> dict[str, Any]:
    return {
        "id": table.id,
        "game": table.created.game,
        "host": table.host,
        "visibility": table.created.visibility,
        "status": table.status,
        "created": table.entries[0].at,
        "secret": SECRET,
        "invite": INVITE,
        "due": due,
    }


def _entries(table: Table) -> Iterator[dict[str, Any]]:
    for entry in table.entries:
        yield {
            "table_id": table.id,
            "seq": entry.seq,
            "at": entry.at,
            "guest": entry.guest,
            "command": entry.command,
            "body": write_body(entry.what),
        }


class Known(Guest):
    """A guest whose id the test knows; or a stranger, without any."""

    def __init__(self, club: Club, guest: str | None) -> None:
        self.club = club
        cookies = {COOKIE: TOKENS.cookie(guest)} if guest else {}
        self.http = httpx.Client(base_url=club.url, timeout=PATIENCE, cookies=cookies)


@contextmanager
def known(club: Club, guest: str | None) -> Iterator[Known]:
    """Come back as a guest whose logs were put there."""
    one = Known(club, guest)
    with one.http:
        yield one
