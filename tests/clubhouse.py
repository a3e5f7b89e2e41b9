"""A real club for tests: a server process on this machine, and guests who talk to it."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

import httpx
from ports import HOST, Port
from websockets.sync.client import ClientConnection, connect

Json = dict[str, Any]

PATIENCE = 60.0
"""Seconds after which a server that should answer is taken for broken."""

FAST = {
    "bot_pace": "0",
    "bot_prepare": "no",
    "rate": "100000",
    "connections": "100000",
    "tables": "100000",
}
"""Settings with which tests are not held up by what is there for people."""


class Club:
    """A club on a port of its own; `kill` is a power cut, `start` goes on with the same data."""

    def __init__(self, database: str, log: Path, **settings: str) -> None:
        self.log = log
        self._port = Port()
        self._settings = {**FAST, **settings, "database": database, "port": str(self._port.number)}
        self._process: subprocess.Popen[bytes] | None = None
        self.guests: list[Guest] = []

    @property
    def url(self) -> str:
        return f"http://{HOST}:{self._port.number}"

    @property
    def pid(self) -> int:
        assert self._process
        return self._process.pid

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.kill()
        for guest in self.guests:
            guest.http.close()
        self._port.close()

    def start(self) -> None:
        """Start the server and wait until it answers."""
        self.launch()
        self.wait()

    def launch(self) -> None:
        """Start the server without waiting for it."""
        variables = {f"QLUB_{name.upper()}": value for name, value in self._settings.items()}
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "qlub", "serve"],
                env={**os.environ, **variables},
                stderr=log,
                stdout=log,
                start_new_session=True,
            )

    def wait(self) -> None:
        """Wait until the server answers."""
        end = time.monotonic() + PATIENCE
        with httpx.Client(timeout=PATIENCE) as http:
            while time.monotonic() < end:
                if self.has_ended():
                    raise AssertionError(f"the club ended: {self.log.read_text()[-2000:]}")
                try:
                    if http.get(f"{self.url}/healthz").status_code == 200:
                        return
                except httpx.TransportError:
                    time.sleep(0.02)
        raise AssertionError("the club does not answer")

    def has_ended(self) -> bool:
        """Say whether the server ended by itself."""
        assert self._process
        return self._process.poll() is not None

    def kill(self) -> None:
        """End the server and its workers at once, as a power cut would."""
        if self._process:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
            self._process = None

    def stop(self) -> int:
        """Ask the server to end and return its exit status."""
        assert self._process
        self._process.terminate()
        status = self._process.wait(PATIENCE)
        self._process = None
        return status

    def guest(self, name: str) -> "Guest":
        """Come in as somebody new."""
        self.guests.append(Guest(self, name))
        return self.guests[-1]


class Refused(Exception):
    """The club refused something, with this status and answer."""

    def __init__(self, status: int, answer: Json) -> None:
        super().__init__(f"{status} {answer}")
        self.status = status
        self.word = answer.get("error")


class Guest:
    """Somebody with a cookie."""

    def __init__(self, club: Club, name: str) -> None:
        self.club = club
        self.http = httpx.Client(base_url=club.url, timeout=PATIENCE)
        self.ask("PUT", "/api/guest", {"name": name})

    def ask(self, method: str, path: str, body: object = None) -> Any:
        """Send a request and return what was answered, or raise `Refused`."""
        response = self.http.request(method, path, json=body)
        if response.status_code >= 400:
            raise Refused(response.status_code, response.json())
        return response.json()

    def open(self, game: str, seats: int, **wish: object) -> str:
        """Open a table and return its name."""
        return str(self.ask("POST", "/api/tables", {"game": game, "seats": seats, **wish})["table"])

    def do(self, table: str, do: str, **command: object) -> int:
        """Send a command and return the number of its entry."""
        return int(self.ask("POST", f"/api/tables/{table}", {"do": do, **command})["seq"])

    def look(self, table: str, since: int | None = None) -> Json:
        """Return how a table stands for this guest."""
        query = "" if since is None else f"?since={since}"
        answer: Json = self.ask("GET", f"/api/tables/{table}{query}")
        return answer

    def enter(self, table: str, host: "Guest") -> None:
        """Come in by the host's invitation."""
        invite = host.ask("GET", f"/api/tables/{table}/invite")["invite"]
        self.do(table, "enter", invite=invite)

    @contextmanager
    def socket(self) -> Iterator["Socket"]:
        """Open a socket."""
        cookie = "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())
        address = self.club.url.replace("http", "ws") + "/api/socket"
        with connect(address, additional_headers={"Cookie": cookie}, max_size=None) as connection:
            yield Socket(connection)


class Socket:
    """A socket that sends and receives JSON."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection

    def send(self, frame: object) -> None:
        self.connection.send(json.dumps(frame))

    def receive(self) -> Json:
        frame: Json = json.loads(self.connection.recv(timeout=PATIENCE))
        return frame

    def receive_until(self, kind: str) -> Json:
        """Return the next frame of a type, and drop what comes before it."""
        while (frame := self.receive())["type"] != kind:
            pass
        return frame

    def watch(self, table: str, since: int | None = 0) -> Json:
        """Watch a table and return its first update."""
        self.send({"do": "watch", "table": table, "since": since})
        return self.receive_until("update")

    def command(self, table: str, do: str, **command: object) -> Json:
        """Send a command and return the answer to it: an ack or an error."""
        self.send({"do": "command", "table": table, "command": {"do": do, **command}})
        while (frame := self.receive())["type"] not in ("ack", "error"):
            pass
        return frame
