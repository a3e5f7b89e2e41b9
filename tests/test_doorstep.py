"""Who sends without an end, or never comes to one, is hung up on; the club's memory has limits."""

import asyncio
import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from clubhouse import PATIENCE, Club
from starlette.types import Receive, Scope, Send
from uvicorn import Config, Server
from wire import CLOSE, CONTINUED, PING, TEXT, Wire, come_in, frame

from qlub.club import doorstep

ENOUGH = 1 << 27
"""Bytes that would be noticed if they were kept."""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Club]:
    folder = tmp_path_factory.mktemp("doorstep")
    with Club(f"sqlite:///{folder / 'club.db'}", folder / "club.log") as club:
        yield club
        assert "Traceback" not in (folder / "club.log").read_text()


def memory(club: Club) -> int:
    """Return how many bytes of memory the club has ever had."""
    for line in Path(f"/proc/{club.pid}/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * 1024
    raise AssertionError("the system does not tell")


def pour(club: Club, wire: Wire, data: bytes) -> None:
    """Send the same again and again until the club hangs up, which must not be too late."""
    before = memory(club)
    sent = 0
    with suppress(ConnectionError):
        while sent < ENOUGH:
            wire.send(data)
            sent += len(data)
    assert sent < ENOUGH
    assert memory(club) - before < ENOUGH // 4


@pytest.mark.parametrize(
    ("beginning", "rest"),
    [
        (b"", b"\r\n"),
        (b"GET /", b"x"),
        (b"GET / HTTP/1.1\r\n", b"X: y\r\n"),
        (b"GET / HTTP/1.1\r\nX: ", b"x"),
        (b"POST /api/tables HTTP/1.1\r\nContent-Length: 999999999\r\n\r\n", b"x"),
        (b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1;", b"x"),
        (b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n", b"X: y\r\n"),
    ],
)
def test_requests_without_an_end(house: Club, beginning: bytes, rest: bytes) -> None:
    with Wire(house) as wire:
        wire.send(beginning)
        pour(house, wire, rest * 10_000)


def test_parts_of_a_message_without_an_end(house: Club) -> None:
    with come_in(house, house.guest("Ann")) as wire:
        wire.send(frame(TEXT, b"x", is_last=False))
        wire.send(frame(CONTINUED, b"", is_last=False) * (doorstep.MOST_PARTS + 1))
        assert [payload[:2] for _, payload in wire.frames()] == [(1009).to_bytes(2, "big")]


def test_pings_of_who_does_not_read(house: Club) -> None:
    with come_in(house, house.guest("Ann")) as wire:
        pour(house, wire, frame(PING, b"x" * 125) * 1000)


class Impatient(Club):
    """A server that has as little patience as can be, with two sockets: one that talks all the time."""

    def __init__(self, url: str) -> None:
        self.address = url
        self.has_lost_somebody = threading.Event()

    @property
    def url(self) -> str:
        return self.address

    async def app(self, scope: Scope, receive: Receive, send: Send) -> None:
        await receive()
        if scope["type"] == "websocket":
            await send({"type": "websocket.accept"})
        try:
            while scope["path"] == "/talk":
                await send({"type": "websocket.send", "text": "x" * 100_000})
            while "disconnect" not in (await receive())["type"]:
                pass
        finally:
            self.has_lost_somebody.set()


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> Iterator[Impatient]:
    monkeypatch.setattr(doorstep, "PATIENCE", 0.1)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        club = Impatient(f"http://127.0.0.1:{listener.getsockname()[1]}")
        config = Config(
            club.app,
            interface="asgi3",
            http=doorstep.Requests,
            ws=doorstep.Sockets,
            ws_ping_interval=0.3,
            ws_ping_timeout=0.1,
            lifespan="off",
            log_config=None,
        )
        server = Server(config)
        thread = threading.Thread(target=lambda: asyncio.run(server.serve(sockets=[listener])))
        thread.start()
        yield club
        server.should_exit = True
        thread.join(PATIENCE)


UPGRADE = "GET / HTTP/1.1\r\nConnection: upgrade\r\nUpgrade: websocket\r\n"


def test_requests_that_never_come_to_an_end(impatient: Impatient) -> None:
    for beginning in (
        "",
        "GET",
        "GET / HTTP/1.1\r\nHost: x\r\n",
        "POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\n{",
        UPGRADE + "Sec-WebSocket-Key: ",
        UPGRADE + "X: " + "x" * 9000 + "\r\n\r\n",
    ):
        with Wire(impatient) as wire:
            wire.send(beginning.encode())
            assert wire.listen() == b""


def test_a_socket_may_be_silent_but_must_answer(impatient: Impatient) -> None:
    """It outlives the patience for requests, and ends when it does not answer a ping."""
    with Wire(impatient) as wire:
        assert wire.shake_hands().status == 101
        assert [kind for kind, _ in wire.frames()] == [PING, CLOSE]
        assert impatient.has_lost_somebody.wait(PATIENCE)


def test_a_socket_that_reads_nothing_is_not_kept(impatient: Impatient) -> None:
    with Wire(impatient) as wire:
        assert wire.shake_hands(path="/talk").status == 101
        assert impatient.has_lost_somebody.wait(PATIENCE)
