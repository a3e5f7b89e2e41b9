"""How much one guest, one address or one socket may have, and what happens to who wants more."""

import asyncio
import json
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from types import SimpleNamespace
from typing import Any, cast

import httpx
import pytest
from clubhouse import PATIENCE, Club, Refused
from wire import TEXT, Answer, Wire, come_in, cookie_of, frame, head

from qlub.club.house import House
from qlub.club.settings import Settings
from qlub.club.sockets import MOST_UNREAD, MOST_WATCHED, Connection

LARGEST = 1 << 15
TIGHT = {"rate": "5", "connections": "2", "tables": "2"}
BURST = 15
"""What a rate of 5 lets through at once."""
FLOOD = 400
"""So many that no machine is slow enough to let them through at that rate."""


def open_club(factory: pytest.TempPathFactory, **settings: str) -> Club:
    folder = factory.mktemp("club")
    return Club(f"sqlite:///{folder / 'club.db'}", folder / "club.log", **settings)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Club]:
    """A club that lets much through."""
    with open_club(tmp_path_factory) as club:
        yield club


@pytest.fixture(scope="module")
def tight(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Club]:
    """A club with narrow limits, behind a proxy on this machine that it believes."""
    with open_club(tmp_path_factory, **TIGHT, proxies="127.0.0.1") as club:
        yield club


@pytest.fixture(scope="module")
def suspicious(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Club]:
    """A club with narrow limits that believes a proxy somewhere else."""
    with open_club(tmp_path_factory, **TIGHT, proxies="192.0.2.1") as club:
        yield club


def forwarded(address: str) -> dict[str, str]:
    return {"X-Forwarded-For": address}


def flood(
    club: Club, address: Callable[[int], str], path: str = "/api/tables/mine"
) -> list[Answer]:
    """Send many requests at once over one connection and return the answers."""
    with Wire(club) as wire:
        for number in range(FLOOD):
            headers = {"Host": wire.host, **forwarded(address(number))}
            wire.send(head(f"GET {path} HTTP/1.1", headers))
        return [wire.answer() for _ in range(FLOOD)]


# Rates


def test_requests_are_limited_for_each_address(tight: Club) -> None:
    answers = flood(tight, lambda _: "10.1.0.1")
    assert [answer.status for answer in answers[:BURST]] == [401] * BURST
    assert {answer.status for answer in answers} == {401, 429}
    assert {answer.error for answer in answers} == {"no-guest", "too-many"}
    with Wire(tight) as wire:
        other = wire.request("GET /api/games HTTP/1.1", forwarded("10.1.0.2"))
        assert other.status == 200
        monitor = wire.request("GET /healthz HTTP/1.1", forwarded("10.1.0.1"))
        assert monitor.status == 200, "a monitor is not crowded out"


def test_monitors_have_a_limit_too(tight: Club) -> None:
    statuses = [answer.status for answer in flood(tight, lambda _: "10.2.0.1", "/metrics")]
    assert statuses[:BURST] == [200] * BURST
    assert set(statuses) == {200, 429}


def test_addresses_that_nobody_vouches_for_do_not_count(suspicious: Club, tight: Club) -> None:
    for club, statuses in ((suspicious, {401, 429}), (tight, {401})):
        answers = flood(club, lambda number: f"10.3.{number // 100}.{number % 100}")
        assert {answer.status for answer in answers} == statuses


def test_a_believed_proxy_says_how_browsers_come(tight: Club) -> None:
    """Its word makes cookies Secure, and pages that came by https our own."""
    for scheme in ("https", "http"):
        headers = {"Content-Type": "application/json", "X-Forwarded-Proto": scheme}
        headers |= {"Origin": tight.url.replace("http", scheme), **forwarded("10.4.0.1")}
        with Wire(tight) as wire:
            answer = wire.request("PUT /api/guest HTTP/1.1", headers, b'{"name": "Ann"}')
        assert answer.status == 200
        assert ("Secure" in answer.headers["set-cookie"]) is (scheme == "https")


def test_messages_are_limited_for_each_socket(tight: Club) -> None:
    """Who is too fast is told so; who goes on is sent away."""
    with Wire(tight) as wire:
        assert wire.shake_hands(forwarded("10.5.0.1")).status == 101
        wire.send(frame(TEXT, b'{"do": "ping"}') * FLOOD)
        told: list[Any] = []
        for kind, payload in wire.frames():
            told.append(json.loads(payload)["type"] if kind == TEXT else payload)
    assert told[:BURST] == ["pong"] * BURST
    assert told[-1] == (1008).to_bytes(2, "big") + b"too many messages"
    counts = Counter(word for word in told if isinstance(word, str))
    assert counts["error"] >= 50
    assert counts.keys() == {"pong", "error"}


# Sizes


def test_a_body_has_at_most_32_kilobytes(house: Club) -> None:
    name = b'{"name": "Ann"' + b" " * (LARGEST - 15) + b"}"
    kind = {"Content-Type": "application/json"}
    for body, status in ((name, 200), (name + b" ", 413)):
        with Wire(house) as wire:
            assert wire.request("PUT /api/guest HTTP/1.1", kind, body).status == status
        with Wire(house) as wire:
            chunked = {"Host": wire.host, "Transfer-Encoding": "chunked", **kind}
            wire.send(head("PUT /api/guest HTTP/1.1", chunked))
            for start in range(0, len(body), 1000):
                piece = body[start : start + 1000]
                wire.send(b"%x\r\n%s\r\n" % (len(piece), piece))
            wire.send(b"0\r\n\r\n")
            answer = wire.answer()
            assert answer.status == status
            assert status == 200 or answer.error == "too-large"


def test_a_frame_has_at_most_32_kilobytes(house: Club) -> None:
    with come_in(house, house.guest("Ann")) as wire:
        wire.send(frame(TEXT, b" " * LARGEST))
        assert [answer["type"] for answer in wire.answers()] == ["error", "pong"]
        wire.send(frame(TEXT, b" " * (LARGEST + 1))[:8])  # its length is enough
        assert [payload[:2] for _, payload in wire.frames()] == [(1009).to_bytes(2, "big")]


@pytest.mark.parametrize("name", ["Ann Lee", "x" * 24, "李", "é", "Zoë 2", "O'Neil", "<b>1</b>"])
def test_names_that_people_have(house: Club, name: str) -> None:
    assert house.guest(f"  {name}\t").ask("GET", "/api/guest") == {"name": name}


@pytest.mark.parametrize(
    "name",
    [
        "",
        " ",
        "x" * 25,
        "...",
        "a\0b",
        "a\u202eb",
        "\u200b",
        "a\u2028\u200db",
        "\ufffe1",
        "\ue000x",
    ],
)
def test_names_that_nobody_can_read(house: Club, name: str) -> None:
    guest = house.guest("Ann")
    for method, path, body in (
        ("PUT", "/api/guest", {"name": name}),
        ("POST", "/api/tables", {"game": "qwixx", "seats": 2, "people": [name]}),
    ):
        with pytest.raises(Refused) as refused:
            guest.ask(method, path, body)
        assert (refused.value.status, refused.value.word) == (400, "bad-request")
    table = guest.open("qwixx", 2)
    with pytest.raises(Refused) as refused:
        guest.do(table, "sit", seat=0, name=name)
    assert refused.value.word == "bad-request"
    assert guest.ask("GET", "/api/guest") == {"name": "Ann"}


# Numbers


def test_a_guest_hosts_so_many_tables(tight: Club) -> None:
    http = httpx.Client(base_url=tight.url, headers=forwarded("10.6.0.1"), timeout=PATIENCE)
    with http:
        http.put("/api/guest", json={"name": "Ann"})
        wish = {"game": "qwixx", "seats": 2}
        opened = [http.post("/api/tables", json=wish) for _ in range(3)]
        assert [answer.status_code for answer in opened] == [201, 201, 429]
        assert opened[2].json()["error"] == "too-many"
        table = opened[0].json()["table"]
        assert http.post(f"/api/tables/{table}", json={"do": "close"}).status_code == 200
        assert http.post("/api/tables", json=wish).status_code == 201


def knock(club: Club, headers: dict[str, str]) -> tuple[Wire, Answer]:
    """Ask for a socket, and again if that was too soon after other requests."""
    while True:
        wire = Wire(club)
        answer = wire.shake_hands(headers)
        if b"too many requests" not in answer.body:
            return wire, answer
        wire.close()
        time.sleep(0.3)


def knock_until_there_is_room(club: Club, headers: dict[str, str]) -> Wire:
    """Ask for a socket until the club has noticed that another one is gone."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        wire, answer = knock(club, headers)
        if answer.status == 101:
            return wire
        wire.close()
    raise AssertionError("the place is still taken")


@pytest.mark.parametrize("how", ["close", "vanish", "finish"])
def test_an_address_has_so_many_sockets(tight: Club, how: str) -> None:
    """A place is free again when a client hangs up, is killed, or says that it is done."""
    headers = forwarded(f"somebody who will {how}")
    with ExitStack() as cleanup:
        wires = [cleanup.enter_context(Wire(tight)) for _ in range(3)]
        answers = [wire.shake_hands(headers) for wire in wires]
        assert [answer.status for answer in answers] == [101, 101, 429]
        assert answers[2].error == "too-many"
        other = cleanup.enter_context(Wire(tight))
        assert other.shake_hands(forwarded(f"somebody beside who will {how}")).status == 101
        getattr(wires[0], how)()
        cleanup.enter_context(knock_until_there_is_room(tight, headers))
        assert wires[1].answers() == [{"type": "pong"}]


def test_sockets_from_addresses_that_nobody_vouches_for_count_together(suspicious: Club) -> None:
    with ExitStack() as cleanup:
        for number, status in enumerate((101, 101, 429)):
            wire, answer = knock(suspicious, forwarded(f"10.8.0.{number}"))
            cleanup.enter_context(wire)
            assert answer.status == status


def test_a_socket_watches_so_many_tables(house: Club) -> None:
    guest = house.guest("Ann")
    tables = [guest.open("qwixx", 2) for _ in range(MOST_WATCHED + 1)]
    with come_in(house, guest) as wire:
        for table in (*tables, tables[0]):
            wire.send_text({"do": "watch", "table": table})
        wire.send_text({"do": "unwatch", "table": tables[0]})
        wire.send_text({"do": "watch", "table": tables[-1]})
        wire.send_text({"do": "command", "table": tables[-1], "command": {"do": "close"}})
        answers = wire.answers()
    errors = [answer for answer in answers if answer["type"] == "error"]
    assert [(error["error"], error["table"]) for error in errors] == [("too-many", tables[-1])]
    assert "ack" in [answer["type"] for answer in answers]


# Clients that do not listen


@pytest.mark.parametrize("text", ['{"do": "ping"}', "nonsense", '{"do": "unwatch", "table": ""}'])
def test_who_does_not_read_the_answers_is_sent_away(text: str) -> None:
    sent: list[dict[str, Any]] = []
    received = 0

    async def receive() -> dict[str, Any]:
        nonlocal received
        received += 1
        assert received < 10 * MOST_UNREAD, "nothing is done about it"
        await asyncio.sleep(0)
        return {"type": "websocket.receive", "text": text}

    async def send(message: Any) -> None:
        sent.append(message)
        if message["type"] == "websocket.send":
            await asyncio.Event().wait()  # the client reads nothing

    house = cast(House, SimpleNamespace(settings=Settings(rate=10**6)))
    asyncio.run(Connection(house, None, receive, send).serve())
    assert [message["type"] for message in sent] == [
        "websocket.accept",
        "websocket.send",
        "websocket.close",
    ]
    assert sent[-1]["code"] == 1013


def test_the_deaf_do_not_hold_up_the_others(house: Club) -> None:
    """Sockets that watch a table and read nothing, and requests that never end, harm nobody."""
    host = house.guest("Ann")
    table = host.open("qwixx", 2, visibility="open", people=["Ann", "Ben"], start=True)
    with ExitStack() as cleanup:
        for _ in range(50):
            deaf = cleanup.enter_context(come_in(house, host))
            deaf.send_text({"do": "watch", "table": table, "since": 0})
            half = cleanup.enter_context(Wire(house))
            half.send(b"POST /api/tables HTTP/1.1\r\nHost: " + half.host.encode())
            short = cleanup.enter_context(Wire(house))
            headers = {"Host": short.host, "Content-Length": "100", **cookie_of(host)}
            short.send(head("POST /api/tables HTTP/1.1", headers) + b'{"game"')
        with host.socket() as socket:
            update = socket.watch(table)
            while update["state"]["status"] != "over":
                view = next(view for view in update["views"] if view["legal"])
                move = {"do": "move", "seat": view["seat"], "move": view["legal"][0]}
                socket.send({"do": "command", "table": table, "command": move})
                update = socket.receive_until("update")
        assert [answer["type"] for answer in deaf.answers()][-1] == "pong", "nobody was lost"
