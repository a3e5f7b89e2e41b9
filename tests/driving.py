"""Drives `qlub engine` line by line, as another program does."""

import json
import subprocess
import sys
from typing import Any

ROLL = "w4 w1 r2 y3 g5 b6"
OPENING: list[tuple[object, str]] = [
    ("*", "first 0"),
    ("*", ROLL),
    (0, "r5"),
    (1, "y5"),
    (0, "b10"),
]


def run_engine(lines: list[bytes]) -> list[Any]:
    """Send lines to `qlub engine` and return its answers; it must end well and print no more."""
    done = subprocess.run(
        [sys.executable, "-m", "qlub", "engine"],
        input=b"\n".join(lines),
        capture_output=True,
        check=False,
    )
    assert done.stderr == b""
    assert done.returncode == 0
    return [json.loads(line) for line in done.stdout.splitlines()]


def ask(*requests: object) -> list[Any]:
    return run_engine([json.dumps(request).encode() for request in requests])


def applied(events: list[tuple[object, str]]) -> list[object]:
    return [{"do": "apply", "actor": actor, "event": event} for actor, event in events]


def sample_record() -> Any:
    return {
        "format": "qlub-record/1",
        "game": "qwixx",
        "options": {},
        "seats": ["Max", "Emma"],
        "start": None,
        "events": [list(event) for event in OPENING],
        "result": None,
        "fair": None,
    }
