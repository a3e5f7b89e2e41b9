"""What a host may choose: flags, variables, defaults, and one line for whatever cannot be."""

import dataclasses
import os
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from clubhouse import PATIENCE, Club

from qlub.club.settings import PREFIX, BadSetting, Settings
from qlub.club.store.database import BadDatabase, read_url

NAMES = [one.name for one in dataclasses.fields(Settings)]
EXAMPLES = {
    "host": ("0.0.0.0", "0.0.0.0"),  # noqa: S104
    "port": ("8078", 8078),
    "database": ("sqlite:///club.db", "sqlite:///club.db"),
    "workers": ("4", 4),
    "url": ("https://club.example.org/", "https://club.example.org"),
    "proxies": ("10.0.0.1, 10.0.0.2", "10.0.0.1, 10.0.0.2"),
    "bots": ("iris=./iris --strong", "iris=./iris --strong"),
    "bot_seconds": ("0.5", 0.5),
    "bot_pace": ("0", 0.0),
    "bot_prepare": ("no", "no"),
    "bot_processes": ("3", 3),
    "tables": ("5", 5),
    "connections": ("6", 6),
    "rate": ("7", 7),
    "log": ("json", "json"),
}
BAD = {
    "port": ["x", "-1", "65536", "80 80", "٣"],
    "workers": ["0", "65", "two", "1.5"],
    "url": ["club.example.org", "ftp://club", "https://", "http://club:port", "http://club/path"],
    "bots": ["iris", "=./iris", "iris=", "Iris=./iris", "two words=./iris"],
    "bot_seconds": ["x", "-1", "601", "nan", "inf"],
    "bot_pace": ["soon"],
    "bot_prepare": ["maybe"],
    "bot_processes": ["0"],
    "tables": ["0", "1000001"],
    "connections": ["0", "many"],
    "rate": ["0", "-5"],
    "log": ["xml", "TEXT"],
}


def serve(*flags: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run `qlub serve`, which must not begin to serve."""
    clean = {name: text for name, text in os.environ.items() if not name.startswith(PREFIX)}
    return subprocess.run(
        [sys.executable, "-m", "qlub", "serve", *flags],
        env={**clean, **variables},
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )


def refusal(*flags: str, **variables: str) -> str:
    """Return the one line with which `qlub serve` refuses to begin."""
    done = serve(*flags, **variables)
    assert done.returncode == 2, done.stderr
    assert done.stdout == ""
    lines = done.stderr.splitlines()
    assert len(lines) == 1, done.stderr
    assert lines[0].startswith("qlub: ")
    return lines[0].removeprefix("qlub: ")


def test_every_setting_has_an_example() -> None:
    assert sorted(EXAMPLES) == sorted(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_flag_wins_over_a_variable_and_that_over_the_default(name: str) -> None:
    text, value = EXAMPLES[name]
    default = getattr(Settings(), name)
    variable = PREFIX + name.upper()
    assert getattr(Settings.read({}, {}), name) == default
    assert getattr(Settings.read({}, {variable: text}), name) == value
    assert getattr(Settings.read({name: text}, {}), name) == value
    assert getattr(Settings.read({name: text}, {variable: str(default)}), name) == value
    assert getattr(Settings.read({name: text}, {variable: "\0"}), name) == value, "it is not read"
    assert getattr(Settings.read({}, {variable: ""}), name) == default, "empty is as if not there"
    assert value != default


def test_settings_reach_the_workers_as_they_are() -> None:
    settings = Settings.read({name: text for name, (text, _) in EXAMPLES.items()}, {})
    assert Settings.read({}, settings.environment()) == settings
    assert Settings.read({}, Settings().environment()) == Settings()


@pytest.mark.parametrize(("name", "text"), [(name, text) for name in BAD for text in BAD[name]])
def test_a_value_that_cannot_be_is_named_with_where_it_came_from(name: str, text: str) -> None:
    flag, variable = "--" + name.replace("_", "-"), PREFIX + name.upper()
    with pytest.raises(BadSetting, match=rf"^{flag} is .*, not {re.escape(repr(text))}$"):
        Settings.read({name: text}, {})
    with pytest.raises(BadSetting, match=rf"^{variable} is .*, not {re.escape(repr(text))}$"):
        Settings.read({}, {variable: text})


def test_a_bad_value_is_one_line_and_status_2() -> None:
    assert refusal("--port", "x") == "--port is a whole number from 0 to 65535, not 'x'"
    assert refusal(QLUB_LOG="xml") == "QLUB_LOG is one of text, json, not 'xml'"
    assert "--nonsense" in refusal("--nonsense")
    assert "--help" in refusal("--port")


def test_help_shows_every_setting_with_its_default() -> None:
    done = serve("--help")
    assert done.returncode == 0
    shown = " ".join(done.stdout.replace("-\n", "-").split())
    for one in dataclasses.fields(Settings):
        flag = "--" + one.name.replace("_", "-")
        default = "none" if one.default == "" else one.default
        about = f"{one.metadata['about']} (default: {default})"
        assert f"{flag} {one.name.upper()} {about}" in shown
    assert "--open" in shown


def test_a_port_that_is_in_use(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        line = refusal("--port", str(port), "--database", f"sqlite:///{tmp_path / 'club.db'}")
    assert line.startswith(f"cannot listen on 127.0.0.1:{port}: ")
    assert "--port 0" in line


def test_an_address_that_is_not_here(tmp_path: Path) -> None:
    line = refusal("--host", "192.0.2.1", "--database", f"sqlite:///{tmp_path / 'club.db'}")
    assert line.startswith("cannot listen on 192.0.2.1:8077: ")


def test_addresses_that_are_no_database() -> None:
    for address, why in {
        "hunter2": "sqlite:///FILE or postgresql://USER@HOST/NAME",
        "postgresql://qlub:hunter2@localhost:port/qlub": "this is neither",
        "mysql://qlub:hunter2@localhost/qlub": "not 'mysql'",
        "sqlite://": "name a file",
        "sqlite:///:memory:": "name a file",
    }.items():
        with pytest.raises(BadDatabase, match=re.escape(why)) as refused:
            read_url(address)
        assert "hunter2" not in str(refused.value)


def test_databases_that_cannot_be_opened(tmp_path: Path) -> None:
    """Whatever is wrong with one, the password in its address is not shown."""
    nothing, folder = tmp_path / "nothing", tmp_path / "folder.db"
    nothing.write_text("this is no database, and too long to be mistaken for an empty one" * 20)
    folder.mkdir()
    for database, why in {
        "oracle://qlub:hunter2@localhost/qlub": "not 'oracle'",
        f"sqlite:///{nothing}": "not a database",
        f"sqlite:///{folder}": "unable to open",
        f"sqlite:///{nothing}/club.db": f"{nothing}: ",
        "postgresql://qlub:hunter2@127.0.0.1:1/qlub": "the database cannot be used",
    }.items():
        line = refusal("--port", "0", QLUB_DATABASE=database)
        assert why in line, database
        assert "hunter2" not in line


def test_sqlite_has_one_worker(tmp_path: Path) -> None:
    line = refusal("--workers", "2", "--database", f"sqlite:///{tmp_path / 'club.db'}")
    assert line == "SQLite has one worker; several need --database postgresql://…"


def test_one_file_has_one_server(club: Club, tmp_path: Path) -> None:
    """The second says who has it, and the first goes on; afterwards the file is free again."""
    database = f"sqlite:///{tmp_path / 'club.db'}"
    line = refusal("--port", "0", "--database", database)
    assert line == f"this database is already served by another qlub at {club.url}"
    ann = club.guest("Ann")
    assert club.stop() == 0
    club.start()
    assert ann.ask("GET", "/api/guest") == {"name": "Ann"}
