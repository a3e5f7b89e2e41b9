"""What was compiled before and has been damaged since is compiled again, never a traceback."""

from pathlib import Path

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
