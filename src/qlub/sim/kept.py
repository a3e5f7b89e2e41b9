"""Keeps long work on disk, so that it goes on where it was when it is ended."""

import hashlib
import json
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qlub.core.files import appearing

Worths = NDArray[np.float64]

STALE_SECONDS = 600.0
"""After how long a private file is what somebody left who was killed while writing."""


def keep(file: Path, what: Mapping[str, object], state: object, numbers: Worths) -> bool:
    """Keep numbers with what they are and how far the work has come, whole or not at all.

    Returns whether they are kept: where nothing can be, the work goes on all the same.
    """
    head = {"what": what, "state": state, "sha256": _digest(state, numbers)}
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        _sweep(file)
        with appearing(file) as fresh, fresh.open("wb") as opened:
            opened.write(json.dumps(head).encode() + b"\n")
            opened.write(numbers.data)
    except OSError:
        return False
    return True


def _sweep(file: Path) -> None:
    """Remove what was left by those who were killed while they wrote."""
    for left in file.parent.glob(f".{file.name}.*"):
        with suppress(FileNotFoundError):  # somebody else may be just as tidy, or have finished it
            if time.time() - left.stat().st_mtime > STALE_SECONDS:
                left.unlink()


def find_kept(file: Path, what: Mapping[str, object]) -> tuple[Any, Worths] | None:
    """Return how far the work has come and its numbers; None if there is nothing to be trusted."""
    try:
        with file.open("rb") as opened:
            head = json.loads(opened.readline())
            numbers = np.fromfile(opened)
    except (OSError, ValueError, RecursionError):
        return None
    if not isinstance(head, dict) or head.get("what") != what:
        return None
    state = head.get("state")
    return (state, numbers) if head.get("sha256") == _digest(state, numbers) else None


def _digest(state: object, numbers: Worths) -> str:
    digest = hashlib.sha256(json.dumps(state).encode())
    digest.update(numbers.data)
    return digest.hexdigest()
