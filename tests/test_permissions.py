"""Who may do what: every command, keys, invitations, and texts that want to be SQL."""

import ast
import json
import re
from pathlib import Path
from typing import get_args

import httpx
import pytest
from clubhouse import Club, Guest, Json, Refused
from wire import Wire

from qlub.club.commands import Command
from qlub.club.tokens import Tokens

FORGED = "WyJ4IiwwLCJ5Il0.AAAAAAAAAAAAAAAAAAAAAAAAAAA"
COMMANDS: dict[str, tuple[Json, str, str]] = {
    "enter": ({"invite": "AAAAAAAAAAAAAAAAAAAAAA"}, "done", "done"),
    "sit": ({"seat": 0, "name": "Eve"}, "not-now", "not-now"),
    "leave": ({"seat": 0}, "not-allowed", "not-now"),
    "stir": ({"seat": 0, "entropy": "mine"}, "not-allowed", "not-now"),
    "bot": ({"seat": 2, "bot": "greedy"}, "not-allowed", "not-now"),
    "start": ({}, "not-allowed", "not-allowed"),
    "close": ({}, "not-allowed", "not-now"),
    "move": ({"seat": 0, "move": "-"}, "not-allowed", "not-allowed"),
    "hand": ({"seat": 0}, "not-allowed", "not-allowed"),
    "resume": ({"seat": 0}, "not-allowed", "not-allowed"),
    "resign": ({"seat": 0}, "not-allowed", "not-allowed"),
    "react": ({"seat": 0, "reaction": "wow"}, "not-allowed", "not-allowed"),
    "claim": ({"key": FORGED}, "not-allowed", "not-allowed"),
    "rematch": ({}, "not-now", "not-now"),
}
"""Commands with fields that aim at the host's seat, and the words for somebody who is at the table:
before the game and in it."""


def test_no_command_is_forgotten() -> None:
    kinds = get_args(get_args(Command)[0])
    words = [get_args(kind.model_fields["do"].annotation)[0] for kind in kinds]
    assert sorted(COMMANDS) == sorted(words)


@pytest.mark.parametrize("is_playing", [False, True])
def test_every_command_is_for_who_may(house: Club, is_playing: bool) -> None:
    """Over both ways, nobody but the host moves the host's seat or the table; nothing is stored."""
    host, ben = house.guest("Ann"), house.guest("Ben")
    eve, stranger = house.guest("Eve"), house.guest("Mallory")
    table = host.open("qwixx", 3, people=["Ann"])
    for guest in (ben, eve):
        guest.enter(table, host)
    ben.do(table, "sit", seat=1)
    if is_playing:
        host.do(table, "start")
    before = host.look(table, since=0)
    for do, (fields, *words) in COMMANDS.items():
        word = words[is_playing]
        told = {guest: try_both_ways(guest, table, {"do": do, **fields}) for guest in (ben, eve)}
        assert told[ben] == word, do
        assert told[eve] == ("not-allowed" if do == "rematch" else word), do
        unknown = try_both_ways(stranger, table, {"do": do, **fields})
        assert unknown == "not-found" or (do, unknown) == ("rematch", "not-allowed"), do
        with Wire(house) as wire:
            command = json.dumps({"do": do, **fields}).encode()
            kind = {"Content-Type": "application/json"}
            nobody = wire.request(f"POST /api/tables/{table} HTTP/1.1", kind, command)
            assert (nobody.status, nobody.error) == (401, "no-guest")
    assert host.look(table, since=0) == before


def try_both_ways(guest: Guest, table: str, command: Json) -> str:
    """Return the word with which a command is refused, over HTTP and over the socket."""
    with guest.socket() as socket:
        answer = socket.command(table, **command)
    word = "done"
    try:
        guest.ask("POST", f"/api/tables/{table}", command)
    except Refused as refused:
        word = str(refused.word)
    assert answer.get("error", "done") == word
    return word


def test_a_socket_without_a_cookie_looks_on_but_does_nothing(house: Club) -> None:
    host = house.guest("Ann")
    tables = [host.open("qwixx", 2, visibility=way) for way in ("open", "link")]
    with Wire(house) as wire:
        assert wire.shake_hands().status == 101
        for table in tables:
            wire.send_text({"do": "watch", "table": table})
            wire.send_text({"do": "command", "table": table, "command": {"do": "sit", "seat": 0}})
        told = [str(answer.get("error", answer["type"])) for answer in wire.answers()]
    assert sorted(told) == ["no-guest", "no-guest", "not-found", "pong", "update"]


def test_the_key_of_a_seat_is_for_who_sits_there(house: Club) -> None:
    host, ben, eve = (house.guest(name) for name in ("Ann", "Ben", "Eve"))
    table, other = host.open("qwixx", 2, people=["Ann"]), host.open("qwixx", 2, people=["Ann"])
    ben.enter(table, host)
    for guest, word in ((ben, "not-allowed"), (eve, "not-found")):
        with pytest.raises(Refused) as refused:
            guest.ask("POST", f"/api/tables/{table}/seats/0/key")
        assert refused.value.word == word
    key = host.ask("POST", f"/api/tables/{table}/seats/0/key")["key"]
    elsewhere = host.ask("POST", f"/api/tables/{other}/seats/0/key")["key"]
    head, _, signature = key.rpartition(".")
    for wrong in (
        elsewhere,
        head,
        f"{head}.{signature[::-1]}",
        key[:-2],
        Tokens(bytes(32)).cookie(head),
    ):
        with pytest.raises(Refused):
            ben.do(table, "claim", key=wrong)
    assert host.look(table)["you"]["seats"] == [0]
    ben.do(table, "claim", key=key)
    assert ben.look(table)["you"]["seats"] == [0]
    with pytest.raises(Refused):
        host.do(table, "claim", key=key)


def test_an_invitation_tells_a_stranger_who_plays_what(house: Club) -> None:
    host = house.guest("Ann")
    wish = {"game": "qwixx", "seats": 3, "people": ["Ann"], "bots": ["greedy"]}
    opened = host.ask("POST", "/api/tables", wish)
    path, knock = f"/api/tables/{opened['table']}/invite", {"invite": opened["invite"]}
    stranger = httpx.Client(base_url=house.url)
    told = stranger.post(path, json=knock).json()
    bot = told["seats"][1]
    assert told == {
        "game": "qwixx",
        "status": "gathering",
        "host": "Ann",
        "seats": [{"name": "Ann", "kind": "person"}, {"name": bot["name"], "kind": "bot"}, None],
    }
    host.do(opened["table"], "leave", seat=0)
    assert stranger.post(path, json=knock).json()["host"] is None
    stranger.close()


def test_invitations_open_one_table(house: Club) -> None:
    host, ben, eve = (house.guest(name) for name in ("Ann", "Ben", "Eve"))
    table, other = host.open("qwixx", 2), host.open("qwixx", 2)
    invite = host.ask("GET", f"/api/tables/{table}/invite")["invite"]
    with pytest.raises(Refused) as refused:
        eve.ask("GET", f"/api/tables/{table}/invite")
    assert refused.value.word == "not-found"
    for place, wrong in (
        (other, invite),
        (table, invite[:-1]),
        (table, ""),
        (table, invite.lower()),
    ):
        with pytest.raises(Refused) as refused:
            ben.do(place, "enter", invite=wrong)
        assert refused.value.word == "not-found"
        with pytest.raises(Refused) as refused:
            ben.ask("POST", f"/api/tables/{place}/invite", {"invite": wrong})
        assert refused.value.word == "not-found"
    ben.do(table, "enter", invite=invite)
    assert ben.look(table)["you"] == {"seats": [], "host": False}


# The database

INJECTIONS = [
    "'); DROP TABLE guests;--",
    "x' OR '1'='1",
    '"; DELETE FROM keys; --',
    "%s %(a)s :a ?",
]


def test_what_guests_write_is_never_taken_for_sql(house: Club) -> None:
    for text in INJECTIONS:
        guest = house.guest(text)
        assert guest.ask("GET", "/api/guest") == {"name": text}
        table = guest.open("qwixx", 2, people=[text])
        guest.do(table, "stir", seat=0, entropy=text)
        state = guest.look(table)["state"]
        assert (state["seats"][0]["name"], state["fair"]["entropy"][0]) == (text, text)
        for path in (
            f"/api/tables/{text}",
            f"/api/tables?game={text}",
            f"/api/tables?limit={text}",
            f"/api/tables/mine?status={text}",
            f"/api/leaderboard?game={text}",
            f"/api/tables/{table}?since={text}",
        ):
            assert guest.http.get(path).status_code in (400, 404)
        for do, field in (
            ("enter", "id"),
            ("enter", "invite"),
            ("sit", "seat"),
            ("bot", "bot"),
            ("move", "move"),
            ("claim", "key"),
            ("react", "reaction"),
        ):
            fields, *_ = COMMANDS[do]
            answer = guest.http.post(f"/api/tables/{table}", json={"do": do, **fields, field: text})
            assert 400 <= answer.status_code < 500 or (do, field) == ("enter", "invite")
        for field in ("game", "options", "visibility", "clock", "bots", "id"):
            wish = {"game": "qwixx", "seats": 2, field: text}
            assert 400 <= guest.http.post("/api/tables", json=wish).status_code < 500
        assert guest.look(table)["state"]["seats"][0]["name"] == text


SQL = re.compile(
    "(SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|DROP|PRAGMA|VACUUM|LISTEN|NOTIFY|BEGIN)\\b"
)
BY_HAND = {
    ("bell.py", "SELECT pg_notify(%s, %s)"),
    ("bell.py", "LISTEN "),
    ("database.py", "SELECT pg_advisory_xact_lock(:lock)"),
    ("database.py", "PRAGMA "),
    ("database.py", "BEGIN IMMEDIATE"),
    ("database.py", "BEGIN"),
}
"""What SQLAlchemy has no words for. Only names that we chose are put into it."""


def test_sql_is_written_by_sqlalchemy() -> None:
    found = set()
    for path in (Path(__file__).parents[1] / "src").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and SQL.match(str(node.value)):
                found.add((path.name, node.value))
    assert found == BY_HAND
