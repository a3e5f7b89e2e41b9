"""The file of a tournament: its plan, then a line for each finished chunk.

A chunk is on the disk before the next is counted. Whoever was killed while writing leaves a cut last line,
which is dropped; its chunk is played again and comes to the same counts.
"""

import json
import os
from pathlib import Path
from types import TracebackType

from qlub import __version__
from qlub.core.errors import BadRequest, shown
from qlub.core.fields import Fields
from qlub.core.files import lock, naming
from qlub.sim.counts import WHOLE, Counts
from qlub.sim.plan import Chunk, Plan
from qlub.sim.sources import sources_of
from qlub.sim.standing import Standing

FORMAT = "qlub-tournament/1"


class Ledger:
    """An open file to which finished chunks are added. Only one process can have it open."""

    def __init__(self, path: Path, plan: Plan) -> None:
        """Open a file, new or of the same plan; the second is read into `standing`."""
        self.standing = Standing(plan)
        self._path = path
        if path.exists() and not (path.is_file() or path.is_dir()):
            raise BadRequest(f"{path} is not a file that results can be kept in")
        self._file = path.open("a+b")
        try:
            self._begin(plan)
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> "Ledger":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        with naming(self._path):
            self._file.close()

    def add(self, chunk: Chunk, counts: Counts) -> None:
        """Keep a finished chunk for good, then count it."""
        self._append({"pairing": chunk.pairing, "part": chunk.part, "counts": counts.as_json()})
        self.standing.add(chunk, counts)

    def _begin(self, plan: Plan) -> None:
        if not lock(self._file):
            raise BadRequest(f"{self._path} is in use by another tournament")
        self._file.seek(0)
        head, *lines = self._file.read().split(b"\n")
        ours = _head(plan)
        if not lines:
            if not _line(ours).startswith(head):
                raise BadRequest(f"{self._path} is not the file of a tournament")
            self._file.truncate(0)
            self._append(ours)
            return
        found = read_head(head, self._path)
        if found.as_json() != plan.as_json():
            raise BadRequest(f"{self._path} belongs to another tournament; choose another file")
        self._file.truncate(self._read(head, lines))

    def _read(self, head: bytes, lines: list[bytes]) -> int:
        """Read the finished chunks, and return how long the file is without a cut last line."""
        size = len(head) + 1
        whole = [*lines[:-1]]
        for number, line in enumerate(whole, 2):
            try:
                self.standing.add(*_read_chunk(line, self.standing.plan))
            except BadRequest as error:
                if number == len(whole) + 1:
                    break
                raise BadRequest(f"line {number} of {self._path} is damaged: {error}") from None
            size += len(line) + 1
        return size

    def _append(self, data: object) -> None:
        with naming(self._path):
            self._file.write(_line(data))
            self._file.flush()
            os.fsync(self._file.fileno())


def read_head(line: bytes, path: Path) -> Plan:
    """Read the plan in the first line of a file, or refuse a file that this version cannot go on with."""
    try:
        fields = Fields(json.loads(line), f"the first line of {path}", BadRequest)
    except (ValueError, RecursionError):
        raise BadRequest(f"{path} is not the file of a tournament") from None
    if fields.data.get("format") != FORMAT:
        raise BadRequest(f"{path} is not the file of a tournament ({FORMAT})")
    version, sources = fields.of("qlub", str), fields.of("sources", str)
    plan = Fields(fields.get("plan"), "its plan", BadRequest)
    if version != __version__ or sources != sources_of(plan.of("game", str)):
        raise BadRequest(
            f"{path} was begun by another version of Qlub ({version}, rules and bots {sources}); "
            "games of two versions do not add up"
        )
    return Plan.read(plan.data)


def read_file(path: Path) -> tuple[Plan, bool]:
    """Read a plan from a file, and say whether there are results behind it."""
    try:
        text = path.read_bytes()
    except OSError as error:
        raise BadRequest(f"{path}: {error.strerror}") from None
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return read_head(text.partition(b"\n")[0], path), True
    if isinstance(data, dict) and "format" in data:
        return read_head(text, path), True
    try:
        return Plan.read(data), False
    except BadRequest as error:
        raise BadRequest(f"{path}: {error}") from None


def _head(plan: Plan) -> dict[str, object]:
    return {
        "format": FORMAT,
        "qlub": __version__,
        "sources": sources_of(plan.game),
        "plan": plan.as_json(),
    }


def _line(data: object) -> bytes:
    return json.dumps(data).encode() + b"\n"


def _read_chunk(line: bytes, plan: Plan) -> tuple[Chunk, Counts]:
    try:
        fields = Fields(json.loads(line), "it", BadRequest)
    except (ValueError, RecursionError):
        raise BadRequest(shown(line)) from None
    chunk = Chunk(
        fields.whole("pairing", 0, len(plan.pairings) - 1), fields.whole("part", 0, plan.parts - 1)
    )
    counts = Counts.read(fields.get("counts"))
    if counts.games != plan.games_of(chunk):
        raise BadRequest(f"it has {counts.games} games, not {plan.games_of(chunk)}")
    if counts.deals != len(plan.deals_of(chunk)):
        raise BadRequest(f"it has {counts.deals} deals, not {len(plan.deals_of(chunk))}")
    is_won_too_often = not (plan.less_luck or 0 <= counts.won <= WHOLE * counts.games)
    if is_won_too_often or counts.wins + counts.losses > counts.games:
        raise BadRequest(f"it counts more wins than {counts.games} games can have")
    least, most = counts.won**2, counts.deals * counts.won * WHOLE * len(plan.seatings)
    squares = counts.deals * counts.won_squared
    if squares < least or (squares > most and not plan.less_luck):
        raise BadRequest("what its deals came to does not add up")
    return chunk, counts
