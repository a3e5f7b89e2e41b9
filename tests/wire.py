"""Talks to a club byte by byte, as no client should: broken requests, odd frames, silence."""

import json
import os
import socket
import struct
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from email.message import Message
from http.client import parse_headers
from typing import Self

from clubhouse import PATIENCE, Club, Guest, Json

CONTINUED, TEXT, BINARY, CLOSE, PING, PONG = 0x0, 0x1, 0x2, 0x8, 0x9, 0xA

HANDSHAKE = {
    "Connection": "Upgrade",
    "Upgrade": "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
}


@dataclass
class Answer:
    """What was answered to a request; status 0 if the connection was just closed."""

    status: int
    headers: Message
    body: bytes

    @property
    def error(self) -> str:
        """The word of a refusal."""
        return str(json.loads(self.body)["error"])


class Wire:
    """One connection."""

    def __init__(self, club: Club) -> None:
        self.host = club.url.removeprefix("http://")
        name, port = self.host.split(":")
        self._socket = socket.create_connection((name, int(port)), timeout=PATIENCE)
        self._file = self._socket.makefile("rb")
        self.heard = b""
        """The payloads of all frames so far."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        self._file.close()
        self._socket.close()

    def vanish(self) -> None:
        """Break the connection off, as it breaks when a client is killed."""
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close()

    def send(self, data: bytes) -> None:
        self._socket.sendall(data)

    def send_text(self, message: Json) -> None:
        """Send a frame with some JSON."""
        self.send(frame(TEXT, json.dumps(message).encode()))

    def listen(self) -> bytes:
        """Return everything that is still said, until the club hangs up."""
        heard = b""
        with suppress(ConnectionError):
            while more := self._file.read1():
                heard += more
        return heard

    def finish(self) -> bytes:
        """Say that nothing more will come, and return what is still answered."""
        with suppress(OSError):  # the club has hung up already
            self._socket.shutdown(socket.SHUT_WR)
        return self.listen()

    def request(self, line: str, headers: Mapping[str, str] = {}, body: bytes = b"") -> Answer:
        """Send a request, with a host and a length unless others are given, and read the answer."""
        self.send(head(line, {"Host": self.host, "Content-Length": str(len(body)), **headers}))
        self.send(body)
        return self.answer()

    def shake_hands(self, headers: Mapping[str, str] = {}, path: str = "/api/socket") -> Answer:
        """Ask for a socket; it is open if the status of the answer is 101."""
        self.send(head(f"GET {path} HTTP/1.1", {"Host": self.host, **HANDSHAKE, **headers}))
        return self.answer()

    def answer(self) -> Answer:
        """Read an answer with its body."""
        line = self._file.readline().split()
        headers = parse_headers(self._file)
        body = self._file.read(int(headers.get("content-length", "0")))
        return Answer(int(line[1]) if line else 0, headers, body)

    def frames(self) -> Iterator[tuple[int, bytes]]:
        """Yield the frames that the club sends, until it closes the socket or hangs up."""
        while header := self._file.read(2):
            length = header[1]
            if length > 125:
                length = int.from_bytes(self._file.read(2 if length == 126 else 8), "big")
            payload = self._file.read(length)
            self.heard += payload
            yield header[0] & 0xF, payload
            if header[0] & 0xF == CLOSE:
                return

    def answers(self) -> list[Json]:
        """Return what was answered so far: the last is a pong, or a close with its code."""
        with suppress(ConnectionError):  # the club has hung up, and perhaps said why
            self.send(frame(TEXT, b'{"do": "ping"}'))
        found: list[Json] = []
        for kind, payload in self.frames():
            if kind == CLOSE:
                return [*found, {"type": "close", "code": int.from_bytes(payload[:2], "big")}]
            if kind == TEXT:
                found.append(json.loads(payload))
                if found[-1]["type"] == "pong":
                    return found
        return [*found, {"type": "close", "code": 0}]


def head(line: str, headers: Mapping[str, str]) -> bytes:
    """Write the beginning of a request."""
    lines = [line, *(f"{name}: {value}" for name, value in headers.items()), "", ""]
    return "\r\n".join(lines).encode("latin-1")


def frame(kind: int, payload: bytes, is_last: bool = True) -> bytes:
    """Write a frame as clients do: masked."""
    size = len(payload)
    if size < 126:
        length = bytes([0x80 | size])
    elif size < 1 << 16:
        length = bytes([0x80 | 126]) + size.to_bytes(2, "big")
    else:
        length = bytes([0x80 | 127]) + size.to_bytes(8, "big")
    mask = os.urandom(4)
    masked = bytes(byte ^ mask[at % 4] for at, byte in enumerate(payload))
    return bytes([0x80 * is_last | kind]) + length + mask + masked


def cookie_of(guest: Guest) -> dict[str, str]:
    """Return the header that makes a request the guest's."""
    return {"Cookie": "; ".join(f"{name}={value}" for name, value in guest.http.cookies.items())}


def come_in(club: Club, guest: Guest) -> Wire:
    """Open a socket as a guest."""
    wire = Wire(club)
    assert wire.shake_hands(cookie_of(guest)).status == 101
    return wire
