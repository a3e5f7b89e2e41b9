"""Files that are whole or not there at all, and locks that end with the process that has them."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any


@contextmanager
def naming(file: Path) -> Iterator[None]:
    """Let an error tell which file was to be written, and not a private one, or none on a full disk."""
    try:
        yield
    except OSError as error:
        error.filename = error.filename2 or error.filename or str(file)
        raise


@contextmanager
def appearing(file: Path) -> Iterator[Path]:
    """Give a private file to write to; it takes its place in one step, when it is complete."""
    handle, name = tempfile.mkstemp(prefix=f".{file.name}.", dir=file.parent)
    fresh = Path(name)
    try:
        os.close(handle)
        with naming(file):
            yield fresh
            with fresh.open("rb+") as written:
                os.fsync(written.fileno())
            fresh.replace(file)
    except BaseException:
        fresh.unlink()
        raise
    if hasattr(os, "O_DIRECTORY"):  # elsewhere a folder cannot be opened, and need not be
        folder = os.open(file.parent, os.O_DIRECTORY)
        os.fsync(folder)
        os.close(folder)


def lock(file: IO[Any], *, wait: bool = False) -> bool:
    """Lock a file for this process until it is closed; False if another has it and we do not wait."""
    try:
        import fcntl
    except ImportError:  # Windows
        return _lock_there(file, wait)
    try:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _lock_there(file: IO[Any], wait: bool) -> bool:
    """Lock a byte of a file on Windows, far behind its end: all others can still be read."""
    import msvcrt  # type: ignore[unused-ignore]

    system: Any = msvcrt
    while True:
        try:
            file.seek(1 << 40)
            system.locking(file.fileno(), system.LK_LOCK if wait else system.LK_NBLCK, 1)
        except OSError:  # with LK_LOCK it gives up after ten seconds
            if not wait:
                return False
        else:
            return True
