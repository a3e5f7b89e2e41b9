"""When the disk is full or the database is gone, nothing is promised; once it is back, all goes on."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import programs
import psycopg
import pytest
from clubhouse import PATIENCE, Club, Json, Refused, Socket
from disks import Disk, disks, open_disk
from evenings import wait_for
from forks import workers_of
from postgres import Postgres
from stored import read_logs
from websockets.exceptions import ConnectionClosed

MOVE: dict[str, Any] = {"seat": 0, "move": "-", "id": "one"}
NOT_SAVED = 503, "not-saved"
SERVICE_RESTART = 1012
"""What a socket is closed with when the club ends."""


@pytest.fixture(params=disks())
def disk(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Disk]:
    folder = tmp_path / "disk"
    folder.mkdir()
    with open_disk(request.param, folder) as disk:
        yield disk


def refusal(ask: Callable[[], object]) -> tuple[int, str | None]:
    """Return the status and the word with which something is refused."""
    with pytest.raises(Refused) as refused:
        ask()
    return refused.value.status, refused.value.word


def commands(database: str, table: str) -> dict[str, int]:
    """Return the entries of commands that had an id, by that id; none may be there twice."""
    log = read_logs(database)[table]
    found = [(entry.command.partition("/")[2], entry.seq) for entry in log if entry.command]
    assert len(found) == len(dict(found))
    return dict(found)


def send_until_stored(socket: Socket, table: str, **move: object) -> int:
    """Send a move again while it is not saved; return the number of its entry."""
    while (answer := socket.command(table, "move", **move))["type"] == "error":
        assert answer["error"] == "not-saved"
    return int(answer["seq"])


def count_listeners(database: str) -> int:
    """Return how many servers listen to what others write."""
    with psycopg.connect(database) as connection:
        sessions = connection.execute(
            "SELECT pid FROM pg_stat_activity"
            " WHERE datname = current_database() AND query LIKE 'LISTEN%'"
        )
        return len(sessions.fetchall())


def test_a_full_disk_refuses_until_there_is_room(disk: Disk, tmp_path: Path) -> None:
    database = f"sqlite:///{disk.folder / 'club.db'}"
    with Club(database, tmp_path / "log") as club:
        ann = club.guest("Ann")
        table = ann.open("qwixx", 2, people=["Ann", "Ben"], start=True)
        with ann.socket() as socket:
            before = socket.watch(table)
            disk.fill(club)
            answer = socket.command(table, "move", **MOVE)
            assert (answer["type"], answer["error"]) == ("error", "not-saved")
            assert refusal(lambda: ann.do(table, "move", **MOVE)) == NOT_SAVED
            assert refusal(lambda: ann.open("qwixx", 2)) == NOT_SAVED
            assert refusal(lambda: ann.ask("PUT", "/api/guest", {"name": "Eve"})) == NOT_SAVED
            assert ann.look(table) == {**before, "since": None, "entries": []}, "reading goes on"
            assert ann.http.get("/healthz").status_code in (200, 503)
            assert len(read_logs(database)[table]) == before["seq"]

            disk.make_room(club)
            answer = socket.command(table, "move", **MOVE)
            assert (answer["type"], answer["seq"]) == ("ack", before["seq"] + 1)
            assert ann.do(table, "move", **MOVE) == answer["seq"]
            assert commands(database, table) == {"one": answer["seq"]}
    assert "Traceback" not in club.log.read_text()


@pytest.mark.parametrize("end", [Postgres.kill, Postgres.stop])
def test_a_lost_database_comes_back(
    end: Callable[[Postgres], None], tmp_path: Path, postgres: Postgres, postgres_url: str
) -> None:
    """Ann is at one server and Ben at another; their sockets stay open all the time."""
    with ExitStack() as stack:
        one, two = (stack.enter_context(Club(postgres_url, tmp_path / name)) for name in "12")
        ann, ben = one.guest("Ann"), two.guest("Ben")
        table = ann.open("qwixx", 2, visibility="open")
        ann.do(table, "sit", seat=0)
        ben.do(table, "sit", seat=1)
        seq = ann.do(table, "start")
        at_ann, at_ben = stack.enter_context(ann.socket()), stack.enter_context(ben.socket())
        assert at_ann.watch(table)["seq"] == at_ben.watch(table)["seq"] == seq

        end(postgres)
        assert at_ann.command(table, "move", **MOVE)["error"] == "not-saved"
        assert refusal(lambda: ann.do(table, "move", **MOVE)) == NOT_SAVED
        assert refusal(lambda: ben.look(table)) == NOT_SAVED
        assert refusal(lambda: ben.ask("GET", "/healthz")) == NOT_SAVED
        at_ben.send({"do": "ping"})
        assert at_ben.receive() == {"type": "pong"}, "Ben is told nothing"

        postgres.start()
        assert send_until_stored(at_ann, table, **MOVE) == seq + 1
        assert ann.do(table, "move", **MOVE) == seq + 1
        update = at_ben.receive_until("update")
        assert [entry["seq"] for entry in update["entries"]] == [seq + 1]
        assert send_until_stored(at_ben, table, seat=1, move="-", id="two") == seq + 2
        assert commands(postgres_url, table) == {"one": seq + 1, "two": seq + 2}
        wait_for(lambda: count_listeners(postgres_url) == 2)
        for club in (one, two):
            assert "Traceback" not in club.log.read_text()


def test_a_bot_whose_move_was_not_saved_moves_later(
    tmp_path: Path, postgres: Postgres, postgres_url: str
) -> None:
    bots = programs.setting({"waits": programs.commands(tmp_path)["waits"]})
    with Club(postgres_url, tmp_path / "log", bots=bots, bot_seconds="60") as club:
        ann = club.guest("Ann")
        table = ann.open("qwixx", 2, people=["Ann"], bots=["waits"], start=True)
        with ann.socket() as socket:
            seq = socket.watch(table)["seq"]
            wait_for(lambda: len(programs.pids(tmp_path, "waits")) == 1)
            postgres.kill()
            (tmp_path / "waits.go").touch()
            wait_for(lambda: "a bot's move waits" in club.log.read_text())
            postgres.start()
            (moved,) = socket.receive_until("update")["entries"]
            assert (moved["seq"], moved["what"], moved["by"]) == (seq + 1, "moved", "bot")


def test_a_worker_that_starts_without_the_database_waits_for_it(
    tmp_path: Path, postgres: Postgres, postgres_url: str
) -> None:
    """The other workers go on: uvicorn would end them all if one said that it could not start."""
    with Club(postgres_url, tmp_path / "log", workers="2") as club:

        def has_logged(line: str, times: int) -> bool:
            return len(re.findall(line, club.log.read_text())) >= times

        wait_for(lambda: has_logged(r" open +\[qlub\]", 2))
        postgres.kill()
        os.kill(workers_of(club)[0], signal.SIGKILL)
        wait_for(lambda: has_logged(r" the database does not answer +\[qlub\]", 1))
        postgres.start()
        wait_for(lambda: has_logged(r" open +\[qlub\]", 3))
        assert len(workers_of(club)) == 2
        assert club.guest("Ann").open("qwixx", 2)


def test_a_club_without_its_database_says_so_and_ends(
    postgres: Postgres, postgres_url: str
) -> None:
    postgres.kill()
    serve = [sys.executable, "-m", "qlub", "serve", "--port", "0", "--database", postgres_url]
    done = subprocess.run(serve, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert line.startswith("qlub: the database cannot be used: ")
    # About one connection in a thousand to a server that was just killed is told as closed.
    assert line.endswith(("Connection refused", "server closed the connection unexpectedly"))


@pytest.mark.parametrize("workers", [1, 2])
def test_a_club_that_is_asked_to_end_keeps_what_it_acknowledged(
    workers: int, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    database: str = request.getfixturevalue("postgres_url") if workers > 1 else ""
    database = database or f"sqlite:///{tmp_path / 'club.db'}"
    with Club(database, tmp_path / "log", workers=str(workers)) as club, ExitStack() as stack:
        guests = [club.guest(f"Guest {number}") for number in range(8)]
        wish: Json = {"people": ["Ann", "Ben"], "start": True}
        tables = [guest.open("qwixx", 2, **wish) for guest in guests]
        sockets = [stack.enter_context(guest.socket()) for guest in guests]
        for socket, table in zip(sockets, tables, strict=True):
            socket.send({"do": "command", "table": table, "command": {"do": "move", **MOVE}})
        assert club.stop() == 0
        for socket, table in zip(sockets, tables, strict=True):
            frames, code = drain(socket)
            acks = {frame["id"]: frame["seq"] for frame in frames if frame["type"] == "ack"}
            assert acks.items() <= commands(database, table).items()
            assert code == SERVICE_RESTART

        club.start()
        for guest, table in zip(guests, tables, strict=True):
            assert commands(database, table).get("one", 0) in (0, guest.do(table, "move", **MOVE))
            assert commands(database, table) == {"one": guest.do(table, "move", **MOVE)}


def drain(socket: Socket) -> tuple[list[Json], int | None]:
    """Return all that was still sent to a socket, and the code with which it was closed."""
    frames = []
    try:
        while True:
            frames.append(socket.receive())
    except ConnectionClosed as closed:
        return frames, closed.rcvd.code if closed.rcvd else None
