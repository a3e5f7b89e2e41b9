"""The pages on the club: their example runs, and their tables are complete."""

import dataclasses
import json
import re
import subprocess
import sys
from pathlib import Path

from clubhouse import Club

from qlub.club import commands, entries
from qlub.club.errors import STATUS
from qlub.club.settings import PREFIX, Settings
from qlub.core.fair import verify

DOCS = Path(__file__).parents[1] / "docs"


def test_the_client_of_the_page_plays_a_game(club: Club, tmp_path: Path) -> None:
    code = re.findall(r"```python\n(.*?)```", (DOCS / "api.md").read_text(), re.DOTALL)[-1]
    assert len(code.splitlines()) <= 40
    (tmp_path / "client.py").write_text(code)
    done = subprocess.run(
        [sys.executable, "client.py", club.url], cwd=tmp_path, capture_output=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")
    (file,) = tmp_path.glob("*.qlub.json")
    assert verify(json.loads(file.read_text())).state.is_over


def test_every_setting_is_in_the_table() -> None:
    page = (DOCS / "hosting.md").read_text()
    rows = [row for row in page.splitlines() if row.startswith("| `--")]
    assert rows == [
        f"| `--{one.name.replace('_', '-')}` | `{PREFIX}{one.name.upper()}` "
        f"| {f'`{one.default}`' if one.default != '' else ''} | {one.metadata['about']} |"
        for one in dataclasses.fields(Settings)
    ]


def test_every_command_is_in_the_table() -> None:
    page = (DOCS / "api.md").read_text()
    listed = {
        word
        for row in page.split("### Commands")[1].split("## The socket")[0].splitlines()
        if row.startswith("| `")
        for word in re.findall(r"`(\w+)`", row.split("|")[1])
    } - {"do"}
    kinds = [kind for kind in vars(commands).values() if isinstance(kind, type)]
    known = {
        kind.model_fields["do"].annotation.__args__[0]  # type: ignore[union-attr]
        for kind in kinds
        if issubclass(kind, commands.Request) and "do" in kind.model_fields
    }
    assert listed == known


def test_every_kind_of_entry_and_every_refusal_is_named() -> None:
    page = (DOCS / "api.md").read_text()
    kinds = {kind.__name__.lower() for kind in entries.What.__subclasses__()}
    assert set(re.search(r"`what` is one of `([a-z ]+)`", page)[1].split()) == kinds  # type: ignore[index]
    assert [error.word for error in STATUS if f"`{error.word}`" not in page] == ["bad-position"]
