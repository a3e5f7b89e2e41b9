"""Keeps games: writes records to files without losing others, and reads them back."""

import json
import os
import tempfile
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from qlub.core.errors import BadRequest, QlubError
from qlub.core.game import Json
from qlub.core.protocol import read_json
from qlub.core.record import Match, replay

SUFFIX = ".qlub.json"


class CannotSave(Exception):
    """No folder takes the record; the message says what the system said."""


def load(file: Path) -> Match:
    """Return the match of a record file, or raise `BadRequest` with one line that says why not."""
    try:
        return replay(read_json(file.read_bytes()))
    except OSError as error:
        raise BadRequest(f"{file} cannot be read: {error.strerror}") from None
    except QlubError as error:
        raise BadRequest(f"{file} is not a game to go on with: {error}") from None


def check_free(file: Path) -> None:
    """Refuse a file that could not be written, or that would be lost, before a game begins."""
    if file.exists():
        raise BadRequest(f"{file} exists already; name another file with --save")
    if not file.parent.is_dir():
        raise BadRequest(f"{file.parent} is not a folder")


def save(record: Json, file: Path | None, own: Path | None) -> Path:
    """Write a record and return where it is: in `file`, else over `own`, else in a new file.

    `own` is where the game was read from. If a folder does not take it, the next one is tried.
    """
    text = json.dumps(record, ensure_ascii=False) + "\n"
    refusal: OSError | None = None
    for place in _places(record["game"], file, own):
        try:
            if place == own:
                _replace(place, text)
            else:
                _create(place, text)
            return place
        except FileExistsError:
            continue
        except OSError as error:
            refusal = refusal or error
    raise CannotSave(refusal.strerror if refusal else "") from refusal


def _places(game: str, file: Path | None, own: Path | None) -> Iterator[Path]:
    """Yield where a record may go, the best place first."""
    if file:
        yield file
    elif own:
        yield own
    stem = f"{game}-{datetime.now().astimezone():%Y-%m-%d-%H%M}"
    for folder in (Path(), _data_folder(), Path(tempfile.gettempdir())):
        yield folder / f"{stem}{SUFFIX}"
        for number in range(2, 100):
            if not (folder / f"{stem}{SUFFIX}").exists():
                break
            yield folder / f"{stem}-{number}{SUFFIX}"


def _data_folder() -> Path:
    """Return the folder for a user's own data, where the system keeps it."""
    for name in ("XDG_DATA_HOME", "LOCALAPPDATA"):
        if os.environ.get(name):
            return Path(os.environ[name]) / "qlub"
    return Path(os.path.expanduser("~")) / ".local" / "share" / "qlub"  # noqa: PTH111 - never fails


def _create(file: Path, text: str) -> None:
    """Write a new file, never over another, and leave nothing behind that is not whole."""
    if file.parent == _data_folder():
        file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("x", encoding="utf-8") as opened:
        try:
            opened.write(text)
            opened.flush()
        except BaseException:
            file.unlink()
            raise


def _replace(file: Path, text: str) -> None:
    """Write a file anew in one step, so that either the old or the new record is there."""
    fresh = file.with_name(f".{file.name}.{os.getpid()}")
    _create(fresh, text)
    try:
        fresh.replace(file)
    except OSError:
        fresh.unlink()
        raise
