"""Ports of this machine that are kept for a server of the tests, also while it is down."""

import socket

HOST = "127.0.0.1"


class Port:
    """A port that nobody else is given until it is closed.

    Its socket does not listen, so with SO_REUSEADDR, which our servers and PostgreSQL set too, both
    may have it.
    """

    def __init__(self) -> None:
        self._kept = socket.socket()
        self._kept.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._kept.bind((HOST, 0))
        self.number: int = self._kept.getsockname()[1]

    def take(self) -> None:
        """Listen there, so that no server can."""
        self._kept.listen()

    def close(self) -> None:
        """Give it back."""
        self._kept.close()
