"""Networks in files: read back as they were written, and refused in words when they are not whole."""

import hashlib
import json
import zlib
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from qlub.core.errors import BadRequest
from qlub.core.weights import FORMAT, read_net, write_net

SIZE = 300


def some_weights() -> list[float]:
    rng = Random(1)
    return [rng.gauss(0, 0.5) for _ in range(SIZE)]


@pytest.fixture
def net(tmp_path: Path) -> Path:
    """A network for Qwixx with two seats."""
    file = tmp_path / "2.net"
    write_net(file, {"game": "qwixx", "seats": 2, "games": 1000, "seed": 1}, some_weights())
    return file


def refusal(file: Path, game: str = "qwixx", seats: int = 2, size: int = SIZE) -> str:
    """Return the one line with which a network is refused."""
    with pytest.raises(BadRequest) as refused:
        read_net(file, game, seats, size)
    line = str(refused.value)
    assert "\n" not in line
    assert str(file) in line
    assert f"qlub train {game} --seats {seats}" in line
    return line


def test_a_network_is_read_back_as_it_was_written(net: Path) -> None:
    found = read_net(net, "qwixx", 2, SIZE)
    assert found == pytest.approx(some_weights(), rel=2**-11, abs=2**-24)
    write_net(net, {"game": "qwixx", "seats": 2}, found)
    assert read_net(net, "qwixx", 2, SIZE) == found


def test_a_network_tells_how_it_was_made(net: Path) -> None:
    head = json.loads(net.read_bytes().partition(b"\n")[0])
    assert (head["game"], head["seats"], head["games"], head["seed"]) == ("qwixx", 2, 1000, 1)


def test_a_network_is_smaller_than_its_numbers(tmp_path: Path) -> None:
    write_net(tmp_path / "net", {"game": "qwixx", "seats": 2}, [0.0] * 9000)
    assert (tmp_path / "net").stat().st_size < 9000
    assert [file.name for file in tmp_path.iterdir()] == ["net"]


def test_a_missing_network_is_told(tmp_path: Path) -> None:
    assert "no network at" in refusal(tmp_path / "2.net")
    assert "no network at" in refusal(tmp_path)
    assert "no network at" in refusal(tmp_path / "nowhere" / "2.net")


@pytest.mark.parametrize("left", [0, 1, 10, 100, 150, 300, 500, -100, -1])
def test_a_network_that_is_cut_is_refused(net: Path, left: int) -> None:
    whole = net.read_bytes()
    net.write_bytes(whole[:left])
    assert len(net.read_bytes()) < len(whole)
    refusal(net)


HARM: dict[str, Callable[[bytes], bytes]] = {
    "longer": lambda whole: whole + b"\0",
    "without a head": lambda whole: whole.partition(b"\n")[2],
    "without weights": lambda whole: whole.partition(b"\n")[0] + b"\n",
    "one bit off": lambda whole: whole[:-9] + bytes([whole[-9] ^ 1]) + whole[-8:],
    "an array of numpy": lambda whole: b"\x93NUMPY\x01\0v\0{'descr': '<f8'}\n" + bytes(80),
    "a list": lambda whole: b"[1, 2]\n" + whole,
    "a number": lambda whole: b"7\n",
    "a page": lambda whole: b"<!DOCTYPE html>\n<title>404</title>",
    "bytes of any kind": lambda whole: Random(1).randbytes(len(whole)),
    "of another format": lambda whole: whole.replace(b"qlub-net/1", b"qlub-net/9"),
}


@pytest.mark.parametrize("harm", HARM)
def test_what_is_not_the_network_that_was_written_is_refused(net: Path, harm: str) -> None:
    whole = net.read_bytes()
    net.write_bytes(HARM[harm](whole))
    assert net.read_bytes() != whole
    refusal(net)


def test_a_network_for_something_else_is_refused(net: Path) -> None:
    assert "not for qwantum with 2 seats" in refusal(net, game="qwantum")
    assert "not for qwixx with 3 seats" in refusal(net, seats=3)
    assert "another version" in refusal(net, size=SIZE - 1)
    assert "another version" in refusal(net, size=SIZE + 1)


def test_what_a_network_cannot_replace_is_named(tmp_path: Path) -> None:
    (folder := tmp_path / "2.net").mkdir()
    with pytest.raises(IsADirectoryError) as told:
        write_net(folder, {}, [1.0])
    assert told.value.filename == str(folder)
    assert list(tmp_path.iterdir()) == [folder]


@pytest.mark.parametrize("weight", [float("nan"), float("inf"), 1e9])
def test_weights_that_are_no_numbers_are_never_written(tmp_path: Path, weight: float) -> None:
    with pytest.raises(BadRequest, match="beyond all measure"):
        write_net(tmp_path / "2.net", {"game": "qwixx", "seats": 2}, [0.0] * (SIZE - 1) + [weight])
    assert not any(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("packed", "why"),
    [
        (b"not deflated", "another version"),
        (zlib.compress(bytes(2 * SIZE - 2)), "another version"),
        (zlib.compress(b"\x00\x7c" * SIZE), "no numbers"),
        (zlib.compress(b"\x00\x7e" * SIZE), "no numbers"),
    ],
)
def test_weights_that_are_none_are_never_used(tmp_path: Path, packed: bytes, why: str) -> None:
    digest = hashlib.sha256(packed).hexdigest()
    head = {"format": FORMAT, "game": "qwixx", "seats": 2, "sha256": digest}
    (tmp_path / "2.net").write_bytes(json.dumps(head).encode() + b"\n" + packed)
    assert why in refusal(tmp_path / "2.net")
