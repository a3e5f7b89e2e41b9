"""Tournaments on a cluster: a real scheduler and real workers on loopback, some of which are killed."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from meets import PATIENCE, begin, chunks_in, hold, long_plan, play_all, until

from qlub.sim.cluster import AnotherVersion, play_for
from qlub.sim.plan import Chunk, make_plan
from qlub.sim.tournament import report

DASK = [sys.executable, "-m", "dask"]


class Cluster:
    """A scheduler and its workers, each a process of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._processes: list[subprocess.Popen[bytes]] = []
        contact = folder / "scheduler.json"
        self._start(
            "scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(contact)
        )
        until(lambda: contact.exists() and contact.read_text().endswith("}"), "a scheduler")
        self.address = json.loads(contact.read_text())["address"]

    def add_worker(self, **variables: str) -> subprocess.Popen[bytes]:
        """Let one more worker join, and return when it has."""
        before = self._log().count("Registered to")
        worker = self._start(
            "worker", self.address, "--nworkers", "1", "--nthreads", "1", "--no-nanny", **variables
        )
        until(lambda: self._log().count("Registered to") > before, "a worker")
        return worker

    def close(self) -> None:
        """End whatever still runs."""
        for process in self._processes:
            process.kill()
            process.wait()

    def _start(self, *words: str, **variables: str) -> subprocess.Popen[bytes]:
        with (self._folder / "log").open("ab") as log:
            process = subprocess.Popen(
                [*DASK, *words, "--no-dashboard"],
                stdout=log,
                stderr=log,
                cwd=self._folder,
                env={**os.environ, **variables},
            )
        self._processes.append(process)
        return process

    def _log(self) -> str:
        return (self._folder / "log").read_text()


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    folder = tmp_path / "cluster"
    folder.mkdir()
    cluster = Cluster(folder)
    try:
        yield cluster
    finally:
        cluster.close()


def test_workers_that_die_and_come_change_nothing(cluster: Cluster, tmp_path: Path) -> None:
    """Two workers play; both are killed in the middle, and one that joined in between ends it."""
    plan = long_plan(tmp_path / "plan.json")
    file = tmp_path / "run.jsonl"
    first, second = cluster.add_worker(), cluster.add_worker()
    run = begin(tmp_path / "plan.json", "--dask", cluster.address, "--file", file, "--json")
    until(lambda: len(chunks_in(file)) > 10 or run.poll() is not None, "chunks")
    first.send_signal(signal.SIGKILL)
    second.send_signal(signal.SIGSTOP)  # so that there is work left when the newcomer is there
    assert len(chunks_in(file)) < 300
    cluster.add_worker()
    second.send_signal(signal.SIGKILL)
    printed, errors = run.communicate(timeout=PATIENCE)
    assert run.returncode == 0, errors
    assert sorted(chunks_in(file)) == sorted(plan.chunks()), "every chunk exactly once"
    assert json.loads(printed) == json.loads(json.dumps(report(play_all(plan))))
    assert errors == ""


def test_a_cluster_that_is_lost_is_told_in_one_line(cluster: Cluster, tmp_path: Path) -> None:
    long_plan(tmp_path / "plan.json")
    file = tmp_path / "run.jsonl"
    cluster.add_worker()
    run = begin(tmp_path / "plan.json", "--dask", cluster.address, "--file", file)
    until(lambda: chunks_in(file) or run.poll() is not None, "chunks")
    cluster.close()
    printed, errors = run.communicate(timeout=PATIENCE)
    assert (run.returncode, printed) == (2, "")
    assert errors == f"qlub: lost the cluster at {cluster.address}; what it finished is kept\n"


@pytest.mark.parametrize(
    ("address", "line"),
    [
        ("here", "a cluster has an address such as tcp://127.0.0.1:8786, not 'here'"),
        ("foo://1:2", "a cluster has an address such as tcp://127.0.0.1:8786, not 'foo://1:2'"),
        ("tcp://127.0.0.1:1", "no cluster answers at tcp://127.0.0.1:1"),
    ],
)
def test_no_cluster_is_told_in_one_line(address: str, line: str) -> None:
    done = hold("qwixx", "greedy", "random", "--dask", address)
    assert (done.returncode, done.stdout) == (2, "")
    assert line in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_worker_of_another_version_does_not_play() -> None:
    plan = make_plan("qwixx", ["greedy", "random"])
    with pytest.raises(AnotherVersion, match="has another version of Qlub"):
        play_for("000000000000", plan, Chunk(0, 0))


@pytest.mark.parametrize(
    ("sources", "line"),
    [
        (None, "cannot play: ModuleNotFoundError(\"No module named 'qlub.sim'\")"),
        ("def sources_of(game):\n    return 'others'\n", "has another version of Qlub"),
    ],
)
def test_a_worker_without_this_qlub_is_told_in_one_line(
    sources: str | None, line: str, cluster: Cluster, tmp_path: Path
) -> None:
    package = tmp_path / "other" / "qlub"
    (package / "sim").mkdir(parents=True)
    (package / "__init__.py").touch()
    if sources:
        (package / "sim" / "__init__.py").touch()
        (package / "sim" / "sources.py").write_text(sources)
    else:
        (package / "sim").rmdir()
    cluster.add_worker(PYTHONPATH=str(tmp_path / "other"))
    done = hold("qwixx", "greedy", "random", "--dask", cluster.address)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("qlub: the worker at tcp://127.0.0.1:")
    assert done.stderr.endswith(line + "\n")
    assert done.stderr.count("\n") == 1
