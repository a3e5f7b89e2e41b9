"""Mallory, who sends nonsense to a club, and what she must never be told."""

import base64
import sqlite3
from contextlib import closing
from dataclasses import dataclass

from clubhouse import Club, Guest, Json
from hypothesis import HealthCheck, settings

from qlub.club.errors import STATUS

WORDS = {error.word for error in STATUS}

REPEATABLE = settings(
    derandomize=True, deadline=None, database=None, suppress_health_check=list(HealthCheck)
)
"""Nonsense that is the same in every run, however long it takes."""


@dataclass
class Company:
    """Mallory, and Vera, who plays at a table of her own."""

    mallory: Guest
    vera: Guest
    private: str
    secrets: dict[str, bytes]

    def table(self, status: str) -> str:
        """Open a table of Mallory's that gathers or at which she plays with Vera."""
        table = self.mallory.open("qwixx", 3, visibility="open", people=["Mallory"])
        if status == "playing":
            self.vera.do(table, "sit", seat=2)
            self.mallory.do(table, "start")
        return table

    def assert_sees_nothing(self, heard: bytes) -> None:
        seen = [name for name, secret in self.secrets.items() if secret in heard]
        assert not seen, f"Mallory was told {seen}"


def gather(club: Club) -> Company:
    """Bring Mallory and Vera into a club, and take note of everything that is secret there."""
    mallory, vera = club.guest("Mallory"), club.guest("Vera")
    private = vera.open("qwixx", 2, people=["Vera", "Victor"], start=True)
    cookie = vera.http.cookies["qlub_guest"]
    secrets = {
        "a cookie": cookie.encode(),
        "a guest": cookie.partition(".")[0].encode(),
        "an invitation": vera.ask("GET", f"/api/tables/{private}/invite")["invite"].encode(),
        "a seat key": vera.ask("POST", f"/api/tables/{private}/seats/0/key")["key"].encode(),
    }
    with closing(sqlite3.connect(club.log.with_name("club.db"))) as database:
        rows = [*database.execute("SELECT name, value FROM keys")]
        rows += [*database.execute("SELECT 'of a table', secret FROM tables")]
    for name, value in rows:
        secrets[f"the key {name}"] = value.hex().encode()
        secrets[f"the key {name} in another form"] = base64.b64encode(value)[:40]
    return Company(mallory, vera, private, secrets)


def assert_refused_in_order(answer: Json) -> None:
    """Check that a refusal has a word that clients know and one line that people can read."""
    assert answer["error"] in WORDS
    assert 0 < len(answer["message"]) <= 300
    assert answer["message"].isprintable()


def assert_plays_on(club: Club) -> None:
    """Check that a club has nothing to complain about and still plays a game to its end."""
    guest = club.guest("Ann")
    table = guest.open("qwixx", 2, people=["Ann", "Ben"], start=True)
    with guest.socket() as socket:
        update = socket.watch(table)
        while update["state"]["status"] != "over":
            view = next(view for view in update["views"] if view["legal"])
            move = {"do": "move", "seat": view["seat"], "move": view["legal"][-1]}
            socket.send({"do": "command", "table": table, "command": move})
            update = socket.receive_until("update")
    log = club.log.read_text(encoding="utf-8")
    assert "Traceback" not in log
    assert "[error" not in log
    assert "status=5" not in log
