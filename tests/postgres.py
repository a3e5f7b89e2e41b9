"""Runs a PostgreSQL server of the tests' own: in a folder that goes away, killed and started at will.

This file run as a program is the guard of such a server: it waits until the tests have ended,
however they end, and then removes the server with everything it kept.
"""

import itertools
import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

from ports import HOST, Port

USER = "qlub"
DEBIAN = Path("/usr/lib/postgresql")
MISSING = "No PostgreSQL server is installed: run make postgresql, or install Debian's package postgresql."
PATIENCE = 60.0
SETTINGS = {
    "listen_addresses": HOST,
    "unix_socket_directories": "",
    "dynamic_shared_memory_type": "mmap",  # in the server's folder; /dev/shm would outlive a kill
    "fsync": "on",  # these three stay on: what is committed outlives a power cut
    "synchronous_commit": "on",
    "full_page_writes": "on",
    "max_connections": "100",
    "shared_buffers": "16MB",
    "max_wal_size": "128MB",
}


class Postgres:
    """A server that listens on a port of its own and trusts everyone on this machine."""

    def __init__(self) -> None:
        self._programs = find_programs()
        self._account = find_account()
        self._folder = Path(tempfile.mkdtemp(prefix="qlub-postgres-")).resolve()
        self._data = self._folder / "data"
        self._guard = subprocess.Popen(
            [sys.executable, "-Es", __file__, self._folder],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        self._port = Port()
        self._server: subprocess.Popen[bytes] | None = None
        self._numbers = itertools.count(1)

    def __enter__(self) -> Self:
        try:
            self._make_cluster()
            self.start()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def url(self) -> str:
        """The address of the database that every server has."""
        return self._url_of("postgres")

    @property
    def is_running(self) -> bool:
        return self._server is not None and self._server.poll() is None

    def new_database(self) -> str:
        """Make an empty database and return its address; a server that is down is started first."""
        if not self.is_running:
            self.start()
        name = f"test_{next(self._numbers)}"
        self._ask("createdb", name)
        return self._url_of(name)

    def drop_database(self, url: str) -> None:
        """Remove a database, and end whatever is still connected to it."""
        self._ask("dropdb", "--force", url.rpartition("/")[2])

    def start(self) -> None:
        """Start the server, always on the same data and port, and wait until it takes connections."""
        assert not self.is_running, "it runs already"
        settings = {**SETTINGS, "port": str(self._port.number)}
        log = self._folder / "log"
        with log.open("wb") as output:
            self._server = server = subprocess.Popen(
                [
                    self._programs / "postgres",
                    *("-D", self._data),
                    *(f"--{name}={value}" for name, value in settings.items()),
                ],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
                **self._surroundings(),
            )
        wait_until(lambda: server.poll() is not None or is_ready(self._data, server.pid))
        if not self.is_running:
            raise RuntimeError(f"PostgreSQL does not start: {log.read_text()}")

    def stop(self) -> None:
        """End the server in order: connections are cut, everything is written."""
        assert self._server, "it does not run"
        self._server.send_signal(signal.SIGINT)
        self._server.wait(PATIENCE)

    def kill(self) -> None:
        """End all processes of the server at once, as a power cut does; nothing is tidied up."""
        assert self._server, "it does not run"
        cut_power(self._data)
        self._server.wait(PATIENCE)

    def close(self) -> None:
        """End the server and remove its folder: the guard does it, as the end of the tests would."""
        self._guard.communicate()
        if self._server:
            self._server.wait(PATIENCE)
        self._port.close()
        assert self._guard.returncode == 0, f"{self._folder} could not be removed"

    def _make_cluster(self) -> None:
        self._folder.chmod(0o711)  # the server's account has to get through
        self._data.mkdir(0o700)
        if self._account:
            os.chown(self._data, self._account["user"], self._account["group"])
        # Without --no-sync initdb takes seconds; the server itself does sync.
        options = ["--no-sync", "--auth=trust", "--encoding=UTF8", "--locale=C"]
        self._run("initdb", f"--pgdata={self._data}", f"--username={USER}", *options)

    def _ask(self, program: str, *arguments: str) -> None:
        server = [f"--host={HOST}", f"--port={self._port.number}", f"--username={USER}"]
        self._run(program, *server, *arguments)

    def _run(self, program: str, *arguments: str) -> None:
        done = subprocess.run(
            [self._programs / program, *arguments],
            capture_output=True,
            text=True,
            check=False,
            **self._surroundings(),
        )
        if done.returncode:
            raise RuntimeError(f"{program} failed: {done.stderr}")

    def _surroundings(self) -> dict[str, Any]:
        """Return what every program is run with: the account, a folder it may be in, no settings."""
        ours = {name: value for name, value in os.environ.items() if not name.startswith("PG")}
        environment = {**ours, "LC_ALL": "C", "TZ": "UTC"}
        return {"cwd": self._folder, "env": environment, **self._account}

    def _url_of(self, database: str) -> str:
        return f"postgresql://{USER}@{HOST}:{self._port.number}/{database}"


def find_programs() -> Path:
    """Return the folder of a server's programs: on the path, where pg_config says, or Debian's newest."""
    folders = []
    if on_path := shutil.which("postgres"):
        folders.append(Path(on_path).resolve().parent)
    if config := shutil.which("pg_config"):
        told = subprocess.run([config, "--bindir"], capture_output=True, text=True, check=False)
        folders.append(Path(told.stdout.strip()))
    versions = [folder for folder in DEBIAN.glob("*") if folder.name.isdigit()]
    versions.sort(key=lambda folder: int(folder.name), reverse=True)
    folders += [folder / "bin" for folder in versions]
    for folder in folders:
        if (folder / "postgres").is_file() and (folder / "initdb").is_file():
            return folder
    raise FileNotFoundError(MISSING)


def find_account() -> dict[str, Any]:
    """Return the account to run a server as: our own or, since PostgreSQL refuses root, another."""
    if os.geteuid() != 0:
        return {}
    for name in ("postgres", "nobody"):
        with suppress(KeyError):
            account = pwd.getpwnam(name)
            return {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}
    raise LookupError(
        "PostgreSQL refuses to run as root, and there is no account postgres or nobody."
    )


def is_ready(data: Path, pid: int) -> bool:
    """Whether a server takes connections: its file has the process first and its state eighth."""
    lines = read(data / "postmaster.pid").splitlines()
    return len(lines) > 7 and lines[0] == str(pid) and lines[7].strip() == "ready"


def read(path: Path) -> str:
    """Return the text of a file, nothing if there is no such file."""
    with suppress(OSError):
        return path.read_text(errors="replace")
    return ""


def cut_power(data: Path) -> None:
    """Kill all processes of the server on this data, and free what the kernel keeps for it."""
    pid_file = data / "postmaster.pid"
    lines = read(pid_file).splitlines()
    if not lines:
        return
    server = int(lines[0])
    if str(data) in read(Path(f"/proc/{server}/cmdline")):
        os.kill(server, signal.SIGSTOP)  # so that it starts no more processes
        wait_until(lambda: is_dead(server) or process(server)[0] == "T")
        pids = [int(path.name) for path in Path("/proc").glob("[0-9]*")]
        family = [server, *(pid for pid in pids if process(pid)[1] == server)]
        for pid in family:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        wait_until(lambda: all(map(is_dead, family)))
    if len(lines) > 6:
        memory, owner = lines[6].split()[1], data.stat().st_uid
        subprocess.run(["ipcrm", "-m", memory], user=owner, capture_output=True, check=False)
    pid_file.unlink()


def process(pid: int) -> tuple[str, int]:
    """Return the state of a process and its parent's id: X and 0 when there is no such process."""
    if line := read(Path(f"/proc/{pid}/stat")):
        state, parent, *_ = line.rpartition(")")[2].split()
        return state, int(parent)
    return "X", 0


def is_dead(pid: int) -> bool:
    return process(pid)[0] in "XZ"


def wait_until(is_so: Callable[[], bool]) -> None:
    """Wait until something is so; that it takes a minute means that something is wrong."""
    deadline = time.monotonic() + PATIENCE
    while not is_so():
        if time.monotonic() > deadline:
            raise TimeoutError("PostgreSQL takes too long")
        time.sleep(0.005)


def guard(folder: Path) -> None:
    """Wait until the other end of our input is closed or dead, then remove a server."""
    sys.stdin.read()
    cut_power(folder / "data")
    shutil.rmtree(folder)


if __name__ == "__main__":
    guard(Path(sys.argv[1]))
