"""Disks that can be full, for the database of a club."""

import os
import resource
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from clubhouse import Club


class Disk(Protocol):
    """A place for a database, with and without room for more."""

    folder: Path

    def fill(self, club: Club) -> None: ...

    def make_room(self, club: Club) -> None: ...


class LimitedFiles:
    """A disk that only seems full: no file of the club can grow."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def fill(self, club: Club) -> None:
        """Set the limit less than a page from the end, so that writing stops in the middle of one."""
        self._limit(club, (self.folder / "club.db-wal").stat().st_size + 1000)

    def make_room(self, club: Club) -> None:
        self._limit(club, resource.RLIM_INFINITY)

    def _limit(self, club: Club, size: int) -> None:
        _, hard = resource.prlimit(club.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(club.pid, resource.RLIMIT_FSIZE, (size, hard))


class SmallFileSystem:
    """A file system of its own that is really full."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def fill(self, club: Club) -> None:
        with (self.folder / "ballast").open("wb", buffering=0) as ballast:
            while os.statvfs(self.folder).f_bavail:
                ballast.write(bytes(1 << 12))

    def make_room(self, club: Club) -> None:
        (self.folder / "ballast").unlink()


@contextmanager
def mounted(folder: Path) -> Iterator[bool]:
    """Mount a small file system in a folder; False if we may not."""
    mount = ["mount", "-t", "tmpfs", "-o", "size=2m", "qlub-test", str(folder)]
    is_mounted = subprocess.run(mount, capture_output=True, check=False).returncode == 0
    try:
        yield is_mounted
    finally:
        if is_mounted:
            subprocess.run(["umount", folder], check=True)


def disks() -> list[str]:
    """Return the disks that can be had on this machine; the first always can."""
    with tempfile.TemporaryDirectory() as folder, mounted(Path(folder)) as is_mounted:
        return ["limited files", *["small file system"] * is_mounted]


@contextmanager
def open_disk(name: str, folder: Path) -> Iterator[Disk]:
    """Have a disk with some room in a folder."""
    if name == "limited files":
        yield LimitedFiles(folder)
        return
    with mounted(folder):
        yield SmallFileSystem(folder)
