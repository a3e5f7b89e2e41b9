"""Nothing leaks over the wire: two real clubs with twin tables send a guest the same bytes."""

from collections.abc import Iterator
from itertools import product
from pathlib import Path
from random import Random

import pytest
from clubhouse import PATIENCE, Club
from logbook import ANN, BEN, CLEO, DAN, EVE, FAY, INVITE, SECRET, TOKENS
from shelves import Known, known, shelve
from twins import DRAFTS, answer, attempts, company, moments, twin

from qlub.club.ruling import may_see
from qlub.club.table import Table
from qlub.core.game import Json

PEOPLE = (ANN, BEN, CLEO, DAN, EVE, FAY)
VIEWERS = (BEN, CLEO, FAY, ANN)
"""Who looks at one table of each game: who sits there, who came in, a stranger, the host."""


def pairs() -> Iterator[tuple[Table, Table, str]]:
    """Yield tables with their twins, each under a name of its own, and for whom they are twins."""
    for game, seats in (("qwixx", 4), ("qwantum", 3), ("qwirkle", 3)):
        rng, viewers = Random(game), list(VIEWERS)
        while viewers:
            book = company(game, seats, rng)
            seqs = [seq for seq in moments(book, rng) if game == "qwirkle" or book.table.sealed()]
            entries = book.table.entries[: rng.choice(seqs)]
            table = Table.read(f"{game}-{len(viewers)}", entries)
            other = twin(table, table.seats_of(viewers[-1]), rng)
            if other and may_see(table, viewers[-1]):
                yield table, other, viewers.pop()


def refused(table: Table, guest: str, rng: Random) -> list[Json]:
    """Return some commands that a table refuses."""
    commands = [one for one in attempts(table) if answer(table, guest, one) != b"done"]
    return rng.sample(commands, 12)


def everything_sent(guest: Known, table: Table, commands: list[Json]) -> list[bytes]:
    """Return whatever a guest is sent: status and body of every answer, and every frame."""
    sent: list[bytes] = []

    def ask(method: str, path: str, body: object = None) -> None:
        response = guest.http.request(method, path, json=body)
        sent.append(f"{path} {response.status_code} ".encode() + response.content)

    here = f"/api/tables/{table.id}"
    for path in ("", "?since=0", f"?since={table.seq - 1}", f"?since={table.seq}"):
        ask("GET", here + path)
    for path in ("?guide=true", "/record", "/history"):
        ask("GET", here + path)
    for path in ("/api/tables", "/api/tables/mine", "/api/results", "/api/ratings"):
        ask("GET", path)
    for command in commands:
        ask("POST", here, command)
    frames: list[Json] = [
        {"do": "watch", "table": table.id, "since": since} for since in (None, 0, table.seq // 2)
    ]
    frames += [{**frame, "guide": True} for frame in frames]
    asks = product(range(len(table.chairs)), DRAFTS[::3])
    frames += [
        {"do": "ask", "id": "a", "table": table.id, "seat": seat, "draft": draft}
        for seat, draft in asks
    ]
    frames += [{"do": "command", "table": table.id, "command": command} for command in commands]
    with guest.socket() as socket:
        for frame in frames:
            socket.send(frame)
            sent.append(str(socket.connection.recv(timeout=PATIENCE)).encode())
    return sent


@pytest.fixture(scope="module")
def cases() -> list[tuple[Table, Table, str]]:
    return list(pairs())


@pytest.fixture(scope="module")
def clubs(
    cases: list[tuple[Table, Table, str]], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Club, Club]]:
    """Two clubs: one with the tables, one with their twins."""
    folder: Path = tmp_path_factory.mktemp("twins")
    databases = [f"sqlite:///{folder / name}" for name in ("one.db", "other.db")]
    shelve(databases[0], [table for table, _, _ in cases])
    shelve(databases[1], [other for _, other, _ in cases])
    with (
        Club(databases[0], folder / "one.log") as one,
        Club(databases[1], folder / "other.log") as other,
    ):
        yield one, other


def test_twin_tables_send_the_same_bytes_and_no_secret(
    cases: list[tuple[Table, Table, str]], clubs: tuple[Club, Club]
) -> None:
    for table, _, viewer in cases:
        commands = refused(table, viewer, Random(table.id))
        sent = []
        for club in clubs:
            with known(club, viewer) as guest:
                sent.append(everything_sent(guest, table, commands))
        assert sent[0] == sent[1]
        assert f"{table.id} 200".encode() in sent[0][0]
        keys = [TOKENS.seat_key(table.id, chair.came) for chair in table.chairs if chair]
        secrets = [SECRET.hex(), INVITE, *PEOPLE, *map(TOKENS.cookie, PEOPLE), *keys]
        assert [secret for secret in secrets if secret.encode() in b"".join(sent[0])] == []
