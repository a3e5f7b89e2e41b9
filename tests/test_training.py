"""Training: the same for the same seed, whether or not it was ended on the way, and kind to wrong use."""

import json
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

import qlub
from qlub.cli import main
from qlub.core.registry import game_names
from qlub.core.weights import read_net
from qlub.games.qwirkle.leaves import LEARNT
from qlub.sim import training

GAMES = 250
"""Not a multiple of the steps."""


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep what is learnt here away from what was learnt before."""
    monkeypatch.setattr(training, "user_cache_path", lambda _: tmp_path / "cache")
    monkeypatch.setattr(training, "SAVE_SECONDS", -1.0)


def learnt(seed: int = 1) -> training.Training:
    *_, last = training.train("qwirkle", 2, GAMES, seed)
    assert last.done == GAMES
    return last


def test_the_seed_decides_what_is_learnt(tmp_path: Path) -> None:
    one, other = learnt(1), learnt(2)
    (tmp_path / "cache" / "learning" / "qwirkle-2-250-1.bin").unlink()
    assert (
        one.lesson.weights.tolist()
        == learnt(1).lesson.weights.tolist()
        != other.lesson.weights.tolist()
    )
    assert len(one.curve) == len(training.LOOKS)


def test_who_was_ended_goes_on_and_learns_the_same(tmp_path: Path) -> None:
    begun = training.train("qwirkle", 2, GAMES, 1)
    while next(begun).done < GAMES // 2:
        pass
    del begun  # what a kill leaves is what was kept after the last step
    again = training.train("qwirkle", 2, GAMES, 1)
    assert next(again).done >= GAMES // 2 - GAMES // training.STEPS
    *_, last = again
    (tmp_path / "cache" / "learning" / "qwirkle-2-250-1.bin").unlink()
    assert last.lesson.weights.tolist() == learnt().lesson.weights.tolist()


@pytest.mark.parametrize("game", game_names())
def test_how_many_games_are_learnt_from_at_once_changes_nothing(game: str) -> None:
    whole, parts = (training.Training(game, 2, GAMES, 1).lesson for _ in range(2))
    whole.play(0, 8, 0.01)
    for first, count in ((0, 5), (5, 1), (6, 2)):
        parts.play(first, count, 0.01)
    assert whole.weights.tolist() == parts.weights.tolist()


class Noting:
    """Learns nothing, and notes how fast it was to learn from each game."""

    def __init__(self) -> None:
        self.weights = np.zeros(1)
        self.rates: list[float] = []

    def play(self, first: int, games: int, rate: float) -> None:
        assert first == len(self.rates)
        self.rates += [rate] * games

    def figures(self) -> dict[str, float]:
        return {"games": float(len(self.rates))}


@pytest.mark.parametrize("games", [GAMES, 1234])
def test_a_step_in_pieces_learns_as_fast_and_is_measured_as_often(
    games: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A step begins where the one before ends, whatever was rounded."""
    monkeypatch.setattr(training, "_new_lesson", lambda *_: Noting())
    found = []
    for count in (games, 5, 1):
        monkeypatch.setattr(training, "GAMES_AT_ONCE", count)
        monkeypatch.setattr(training, "user_cache_path", lambda _, name=count: tmp_path / str(name))
        *_, last = training.train("qwantum", 2, games, 1)
        assert isinstance(last.lesson, Noting)
        found.append((last.lesson.rates, last.curve))
    assert found[0] == found[1] == found[2]
    rates, curve = found[0]
    assert sorted(set(rates), reverse=True) == list(dict.fromkeys(rates))
    assert len(set(rates)) == training.STEPS
    ends = [games * look // training.STEPS for look in training.LOOKS]
    assert curve == [(end, {"games": end}) for end in ends]


def test_what_was_kept_and_then_cut_is_learnt_anew(tmp_path: Path) -> None:
    first = learnt()
    file = tmp_path / "cache" / "learning" / "qwirkle-2-250-1.bin"
    file.write_bytes(file.read_bytes()[:-8])
    assert next(training.train("qwirkle", 2, GAMES, 1)).done == 0
    assert learnt().lesson.weights.tolist() == first.lesson.weights.tolist()


def test_the_command_writes_a_network_and_a_picture(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "nets"
    assert main(["train", "qwirkle", "--games", str(GAMES), "--out", str(out)]) == 0
    assert str(out / "2.net") in capsys.readouterr().out
    assert len(read_net(out / "2.net", "qwirkle", 2, LEARNT)) == LEARNT
    assert b"qlub train qwirkle --seats 2 --games 250 --seed 1" in (out / "2.net").read_bytes()
    assert b"<svg" in (out / "2.svg").read_bytes()


@pytest.mark.parametrize(
    "words",
    [
        ["chess"],
        ["qwixx", "--seats", "9"],
        ["qwixx", "--seats", "2", "--games", "5"],
        ["qwixx", "--seed", "-1"],
        ["qwixx", "--seed", "99999999999999999999999"],
        ["qwirkle", "--games", "100000000000000000000000"],
        ["qwixx", "--seats", "two"],
        ["qwirkle", "--games", "0"],
        ["qwirkle", "--out", ""],
    ],
)
def test_wrong_use_is_refused_in_one_line(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["train", "--out", str(tmp_path / "nets"), *words]) != 0
    assert capsys.readouterr().err.count("\n") == 1


def test_a_folder_that_takes_nothing_is_refused_before_anything_is_learnt(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(training, "train", None)
    assert main(["train", "qwixx", "--out", "/proc"]) != 0
    assert capsys.readouterr().err.startswith("qlub: nothing can be written to --out /proc: ")


def test_every_game_has_a_folder_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["train", "qwirkle", "--games", str(GAMES)]) == 0
    assert capsys.readouterr().out.startswith(str(Path("nets", "qwirkle", "2.net")))


def test_a_game_without_learning_is_refused_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("qlub.sim.adapted.find_spec", lambda name: None)
    assert main(["train", "qwixx"]) != 0
    assert capsys.readouterr().err == "qlub: nobody can learn qwixx yet: it has no learning.py\n"


def test_what_is_in_the_package_is_what_the_command_learns() -> None:
    """What Qwirkle's players know is learnt in seconds; networks of the other games would take an hour."""
    nets = Path(qlub.__file__).parent / "games" / "qwirkle" / "nets"
    *_, last = training.train("qwirkle", 2, None, 1)
    learnt_again = np.array(last.lesson.result(), np.float16)  # as exact as a file is
    assert learnt_again.tolist() == list(read_net(nets / "2.net", "qwirkle", 2, LEARNT))


@pytest.mark.parametrize("game", game_names())
def test_the_networks_of_the_package_name_the_command_as_it_is(game: str) -> None:
    games = import_module(f"qlub.games.{game}.learning").GAMES
    nets = Path(qlub.__file__).parent / "games" / game / "nets"
    assert {file.name for file in nets.glob("*.net")} == {f"{seats}.net" for seats in games}
    for seats in games:
        head = json.loads((nets / f"{seats}.net").read_bytes().partition(b"\n")[0])
        assert head["command"] == training.Training(game, seats, games[seats], 1).command
