"""The page about strength can be read back, so that what was not played again stays as it was."""

from toolbox import HOME, tool


def test_the_ladder_is_told_as_it_was_read() -> None:
    strength, page = tool("strength"), (HOME / "docs" / "strength.md").read_text()
    matches = list(strength.read_page(page))
    assert {match.game for match in matches} == set(strength.SEATS)
    for game in strength.SEATS:
        lines = strength.table([match for match in matches if match.game == game])
        assert "\n".join(lines) in page
