"""The doorstep: hangs up on who sends too much, or takes too long, before the door hears of it.

uvicorn has no limits for the head of a request, for what it answers by itself, and for waiting.
"""

import asyncio
from typing import TYPE_CHECKING

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import CloseCode, Frame

if TYPE_CHECKING:
    from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol as Protocol
else:
    from uvicorn.protocols.http.auto import AutoHTTPProtocol as Protocol

PATIENCE = 60.0
"""Seconds from an answer to the end of the next one, or to that of a socket's handshake."""
LARGEST_REQUEST = 1 << 18
"""Bytes from an answer to the end of the next one: several times what the door lets through."""
MOST_PARTS = 1000
"""Parts in which a message may come; empty ones do not count for its size."""
MOST_PONGS = 1000
"""Pings that are answered while nothing is read."""


class Requests(Protocol):
    """A connection over which requests come, until it becomes a socket."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._begin()

    def data_received(self, data: bytes) -> None:
        self._taken += len(data)
        if self._taken > LARGEST_REQUEST:
            self.send_400_response("This is too large.")
        else:
            super().data_received(data)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._clock.cancel()
        self._begin()

    def connection_lost(self, exc: Exception | None) -> None:
        self._clock.cancel()
        super().connection_lost(exc)

    def _begin(self) -> None:
        self._taken = 0
        self._clock = self.loop.call_later(PATIENCE, self._give_up)

    def _give_up(self) -> None:
        """Hang up, unless it has become a socket meanwhile."""
        protocol = self.transport.get_protocol()
        if not isinstance(protocol, Sockets) or not protocol.handshake_complete:
            self.transport.abort()


class Sockets(WebSocketsSansIOProtocol):
    """A connection that has become a socket, or is about to."""

    _pongs = 0

    def handle_ping(self) -> None:
        super().handle_ping()
        self._pongs = 0 if self.writable.is_set() else self._pongs + 1
        if self._pongs > MOST_PONGS:
            self.transport.abort()

    def handle_cont(self, event: Frame) -> None:
        super().handle_cont(event)
        if len(self.frames) > MOST_PARTS and not self.close_sent:
            self.conn.fail(CloseCode.MESSAGE_TOO_BIG, "too many parts")
            self.handle_parser_exception()

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self.transport.abort()  # who does not answer does not read: it would be closing for ever
