"""Networks in files: small, told what made them, and never used when they are not whole.

A file has one line of JSON and then its weights, packed: numbers of 16 bits, deflated.
"""

import hashlib
import json
import math
import shlex
import struct
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path

from qlub.core.errors import BadRequest
from qlub.core.files import appearing

FORMAT = "qlub-net/1"


def write_net(file: Path, made: Mapping[str, object], weights: Sequence[float]) -> None:
    """Write a network with what it is for and how it was made."""
    try:
        numbers = _numbers(len(weights)).pack(*weights)
    except OverflowError:
        numbers = b""
    if not numbers or not all(map(math.isfinite, weights)):
        raise BadRequest(f"weights have grown beyond all measure: nothing for {file}")
    packed = zlib.compress(numbers, level=9)
    head = {"format": FORMAT, **made, "sha256": hashlib.sha256(packed).hexdigest()}
    with appearing(file) as fresh:
        fresh.write_bytes(json.dumps(head).encode() + b"\n" + packed)
        fresh.chmod(0o644)  # it is for all


def read_net(file: Path, game: str, seats: int, size: int) -> tuple[float, ...]:
    """Return the weights of a network for a game with so many seats, or refuse what is none."""
    folder = shlex.quote(str(file.parent))
    remedy = (
        f"install Qlub again, or learn it anew: qlub train {game} --seats {seats} --out {folder}"
    )
    try:
        line, _, packed = file.read_bytes().partition(b"\n")
        head = json.loads(line)
        known = {key: head.get(key) for key in ("format", "game", "seats", "sha256")}
    except OSError as error:
        raise BadRequest(f"no network at {file} ({error.strerror}): {remedy}") from None
    except (ValueError, AttributeError, RecursionError):
        raise BadRequest(f"{file} is not a network: {remedy}") from None
    digest = hashlib.sha256(packed).hexdigest()
    if known != {"format": FORMAT, "game": game, "seats": seats, "sha256": digest}:
        raise BadRequest(f"{file} is cut, or not for {game} with {seats} seats: {remedy}")
    try:
        weights: tuple[float, ...] = _numbers(size).unpack(zlib.decompress(packed))
    except (zlib.error, struct.error):
        raise BadRequest(f"{file} is of another version of Qlub: {remedy}") from None
    if not all(map(math.isfinite, weights)):
        raise BadRequest(f"{file} has weights that are no numbers: {remedy}")
    return weights


def _numbers(count: int) -> struct.Struct:
    return struct.Struct(f"<{count}e")
