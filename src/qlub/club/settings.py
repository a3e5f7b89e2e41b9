"""What a host may choose: one table of settings, each a flag of `qlub serve` and a variable."""

import dataclasses
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from qlub.core.errors import QlubError, shown

PORT = 8077
PREFIX = "QLUB_"


class BadSetting(QlubError):
    """A setting with a value that it cannot have."""

    word = "bad-setting"


def _whole(low: int, high: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        if not text.isascii() or not text.isdigit() or not low <= int(text) <= high:
            raise ValueError(f"a whole number from {low} to {high}")
        return int(text)

    return read


def _seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1
    if not 0 <= value <= 600:
        raise ValueError("a number of seconds from 0 to 600")
    return value


def _word(*choices: str) -> Callable[[str], str]:
    def read(text: str) -> str:
        if text not in choices:
            raise ValueError(f"one of {', '.join(choices)}")
        return text

    return read


def _address(text: str) -> str:
    """Read the address under which browsers reach the club."""
    try:
        parts = urlsplit(text)
        parts.port  # noqa: B018 - reading it refuses a port that is no number
    except ValueError:
        parts = urlsplit("")
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.path not in ("", "/"):
        raise ValueError("an address such as https://club.example.org, without a path")
    return text.rstrip("/")


def _programs(text: str) -> str:
    read_programs(text)
    return text


def read_programs(text: str) -> dict[str, str]:
    """Read the programs that a host lets sit at tables.

    >>> read_programs("iris=./iris --strong; qwixx/max=/opt/max")
    {'iris': './iris --strong', 'qwixx/max': '/opt/max'}
    """
    programs: dict[str, str] = {}
    for part in filter(None, (part.strip() for part in text.split(";"))):
        name, equals, command = part.partition("=")
        name, command = name.strip(), command.strip()
        word = name.rpartition("/")[2]
        if not equals or not command or not word.replace("-", "").isalnum() or not word.islower():
            raise ValueError("NAME=COMMAND or GAME/NAME=COMMAND, several separated by ;")
        programs[name] = command
    return programs


def _setting(read: Callable[[str], Any], about: str, default: Any) -> Any:
    return field(default=default, metadata={"read": read, "about": about})


def default_database() -> str:
    """Return the database of a club house on one's own machine."""
    from platformdirs import user_data_path

    return f"sqlite:///{user_data_path('qlub', appauthor=False) / 'club.db'}"


@dataclass(frozen=True)
class Settings:
    """All settings of a club, with their defaults."""

    host: str = _setting(str, "the address to listen on", "127.0.0.1")
    port: int = _setting(_whole(0, 65535), "the port to listen on; 0 for any free one", PORT)
    database: str = _setting(
        str, "sqlite:///FILE or postgresql://USER@HOST/NAME; empty: a file of your own", ""
    )
    workers: int = _setting(_whole(1, 64), "processes that serve; more than 1 needs PostgreSQL", 1)
    url: str = _setting(
        _address, "the address that browsers use; https makes cookies Secure; empty: as asked", ""
    )
    proxies: str = _setting(
        str, "addresses of proxies whose forwarded headers are believed, separated by commas", ""
    )
    bots: str = _setting(_programs, "programs that may sit at tables: NAME=COMMAND; …", "")
    bot_seconds: float = _setting(
        _seconds, "seconds that a program may think about a decision", 5.0
    )
    bot_pace: float = _setting(_seconds, "seconds that a bot takes at least", 0.7)
    bot_processes: int = _setting(_whole(1, 64), "bots that think at the same time, per worker", 2)
    bot_prepare: str = _setting(
        _word("yes", "no"),
        "whether to compile ahead what the strongest bots need: yes or no",
        "yes",
    )
    tables: int = _setting(_whole(1, 10**6), "unfinished tables that a guest may host", 20)
    connections: int = _setting(_whole(1, 10**6), "sockets from one address, per worker", 60)
    rate: int = _setting(_whole(1, 10**6), "messages a second from one socket or address", 20)
    log: str = _setting(_word("text", "json"), "how the log is written: text or json", "text")

    @classmethod
    def read(
        cls, given: Mapping[str, str], environment: Mapping[str, str] = os.environ
    ) -> "Settings":
        """Read settings: what is given by flags, else by variables, else the defaults."""
        values: dict[str, Any] = {}
        for one in dataclasses.fields(cls):
            variable = PREFIX + one.name.upper()
            flag = "--" + one.name.replace("_", "-")
            for source, texts, key in ((flag, given, one.name), (variable, environment, variable)):
                if texts.get(key) not in (None, ""):
                    try:
                        values[one.name] = one.metadata["read"](texts[key])
                    except ValueError as error:
                        raise BadSetting(f"{source} is {error}, not {shown(texts[key])}") from None
                    break
        return cls(**values)

    def environment(self) -> dict[str, str]:
        """Return the variables that make another process read these settings."""
        return {
            PREFIX + one.name.upper(): str(getattr(self, one.name))
            for one in dataclasses.fields(self)
        }

    @property
    def database_url(self) -> str:
        return self.database or default_database()

    @property
    def programs(self) -> dict[str, str]:
        return read_programs(self.bots)

    @property
    def is_secure(self) -> bool:
        """Whether browsers reach the club by https."""
        return self.url.startswith("https://")
