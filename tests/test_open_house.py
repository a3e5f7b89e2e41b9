"""`qlub` alone: the club house on this machine, with the browser opened."""

import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from ports import Port

PATIENCE = 60.0
TELL = "import sys; open(sys.argv[1], 'a').write(sys.argv[2] + '\\n')"


class Home:
    """Somebody's machine: a folder for data, a usual port, and a browser that notes addresses."""

    def __init__(self, folder: Path) -> None:
        self.visited = folder / "visited"
        self.running: list[subprocess.Popen[str]] = []
        self.port = Port()
        browser = shlex.join([sys.executable, "-c", TELL, str(self.visited)])
        self.environment = {
            **os.environ,
            "XDG_DATA_HOME": str(folder / "data"),
            "BROWSER": f"{browser} %s",
            "QLUB_PORT": str(self.port.number),
        }

    def qlub(self) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-m", "qlub"],
            env=self.environment,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.running.append(process)
        return process

    def address(self, visit: int = 0) -> str:
        """Wait until the browser was opened so often, and return the address."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if self.visited.exists() and len(seen := self.visited.read_text().split()) > visit:
                return seen[visit]
            time.sleep(0.05)
        raise AssertionError("the browser was not opened")


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    home = Home(tmp_path)
    yield home
    for process in home.running:
        process.kill()
        process.communicate()
    home.port.close()


def test_the_browser_opens_the_club_house_and_tables_are_kept_at_home(
    home: Home, tmp_path: Path
) -> None:
    process = home.qlub()
    assert home.address() == f"http://127.0.0.1:{home.port.number}"
    with httpx.Client(base_url=home.address(), timeout=PATIENCE) as browser:
        page = browser.get("/")
        assert (page.status_code, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
        assert "<title>Qlub</title>" in page.text
    assert (tmp_path / "data" / "qlub" / "club.db").exists()
    process.send_signal(signal.SIGINT)
    told = process.communicate(timeout=PATIENCE)[1]
    assert process.returncode == 0
    assert told.startswith(f"Qlub is open at {home.address()}")
    assert "Traceback" not in told


def test_a_taken_port_is_no_trouble(home: Home) -> None:
    home.port.take()
    home.qlub()
    address = home.address()
    assert address != f"http://127.0.0.1:{home.port.number}"
    assert httpx.get(f"{address}/healthz", timeout=PATIENCE).json() == {"ok": True}


def test_a_club_house_that_is_open_already_is_visited(home: Home) -> None:
    home.qlub()
    first = home.address()
    assert httpx.get(f"{first}/healthz", timeout=PATIENCE).status_code == 200
    second = home.qlub()
    assert second.wait(PATIENCE) == 0
    assert home.address(visit=1) == first
