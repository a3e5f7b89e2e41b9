"""The page about strength can be read back, so that what was not played again stays as it was."""

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

HOME = Path(__file__).parent.parent


def strength() -> Any:
    """Return the tool, which is no part of the package."""
    spec = spec_from_file_location("strength", HOME / "tools" / "strength.py")
    assert spec
    assert spec.loader
    tool = module_from_spec(spec)
    spec.loader.exec_module(tool)
    return tool


def test_the_ladder_is_told_as_it_was_read() -> None:
    tool, page = strength(), (HOME / "docs" / "strength.md").read_text()
    matches = list(tool.read_page(page))
    assert {match.game for match in matches} == set(tool.SEATS)
    for game in tool.SEATS:
        lines = tool.table([match for match in matches if match.game == game])
        assert "\n".join(lines) in page
