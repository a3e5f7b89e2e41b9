"""What the tests of backup and restore share."""

import subprocess
import sys
from pathlib import Path
from typing import Any

QLUB = [sys.executable, "-m", "qlub"]


def sqlite(file: Path) -> str:
    return f"sqlite:///{file}"


def quiet(done: int, total: int) -> None:
    """Take no notice of the progress."""


def qlub(*words: Any) -> subprocess.CompletedProcess[str]:
    command = [*QLUB, *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=False)
