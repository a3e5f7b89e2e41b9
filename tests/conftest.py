"""What many tests share: a PostgreSQL server, started when the first test asks for it."""

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from backups import sqlite
from clubhouse import Club
from forks import QuickClub
from mallory import Company, gather
from playwright.sync_api import Browser, sync_playwright
from postgres import Postgres
from stored import creation, open_store, wait
from visitors import launch

from qlub.club.store.store import Store

# A shell lets what it starts in the background ignore the interrupt key, and so all that tests start.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A server for all tests of this process; a test that stops it need not start it again."""
    with Postgres() as server:
        yield server


@pytest.fixture
def postgres_url(postgres: Postgres) -> Iterator[str]:
    """The address of an empty database for one test."""
    url = postgres.new_database()
    yield url
    if postgres.is_running:
        postgres.drop_database(url)


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database, of each kind in turn."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'club.db'}"
    url: str = request.getfixturevalue("postgres_url")
    return url


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    """A club on SQLite."""
    with QuickClub(f"sqlite:///{tmp_path / 'club.db'}", tmp_path / "club.log") as club:
        yield club


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Club]:
    """A club on SQLite for all tests of a file; each brings its own guests."""
    folder = tmp_path_factory.mktemp("house")
    with QuickClub(f"sqlite:///{folder / 'club.db'}", folder / "club.log") as club:
        yield club


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A browser for all tests of a file.

    Playwright runs an event loop as long as it is open, in which no other test could run its own.
    """
    with sync_playwright() as playwright:
        browser = launch(playwright.chromium)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def company(house: Club) -> Company:
    """Tables and guests at that club, for whoever wants to harm them."""
    return gather(house)


@pytest.fixture
def store(database: str) -> Iterator[Store]:
    """A store on each kind of database in turn."""
    with open_store(database) as store:
        yield store


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder for copies, with nothing else in it."""
    folder = tmp_path / "copies"
    folder.mkdir()
    return folder


@pytest.fixture
def closed_club(tmp_path: Path) -> Path:
    """The file of a club that is not open, with a guest and two tables."""
    file = tmp_path / "closed.db"
    with open_store(sqlite(file)) as store:
        wait(store.key("signing"))
        wait(store.save_guest("3f", "Ann"))
        wait(store.append(creation("one")))
        wait(store.append(creation("two")))
    return file


@pytest.fixture
def open_club(database: str, tmp_path: Path) -> Iterator[Club]:
    """A club that is open, on each kind of database."""
    with QuickClub(database, tmp_path / "club.log") as club:
        yield club
