"""Compiling: what has been damaged since is made again, and the interrupt key ends it for sure."""

import ctypes
import signal
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from qlub import compiler
from qlub.core.outcome import win_share


@pytest.mark.parametrize("kind", ["nbi", "nbc"])
@pytest.mark.parametrize("left", [0, 40])
def test_a_cut_file_is_made_again(
    kind: str, left: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compiler, "user_cache_path", lambda name: tmp_path / name)
    asked = np.array([60, 71, 71]), 3, 1

    def share() -> float:
        return float(compiler.compile_kernel(win_share, *asked)(*asked))

    assert share() == 0.5
    (made,) = tmp_path.rglob(f"*.{kind}")
    whole = made.read_bytes()
    made.write_bytes(whole[:left])
    assert share() == 0.5
    assert made.stat().st_size == len(whole)


def test_an_interrupt_that_is_lost_in_llvm_is_raised_all_the_same(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    called_back = ctypes.CFUNCTYPE(None)(lambda: signal.raise_signal(signal.SIGINT))
    run = SimpleNamespace(compile=lambda types: called_back())
    monkeypatch.setattr(compiler, "_load", lambda *_: SimpleNamespace(run=run))
    before = signal.getsignal(signal.SIGINT), sys.unraisablehook
    with pytest.raises(KeyboardInterrupt):
        compiler.compile_source("interrupted", "", (), None)
    assert (signal.getsignal(signal.SIGINT), sys.unraisablehook) == before
    assert capsys.readouterr().err == ""
