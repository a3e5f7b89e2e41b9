"""The pages are true: their examples run, their JSON is JSON, and their links lead somewhere."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from qlub.core.protocol import Engine
from qlub.core.registry import find_game

ROOT = Path(__file__).parent.parent
PAGES = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", page.read_text(), re.DOTALL)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\((?!https?:)([^)]+)\)", page.read_text()):
        path, _, anchor = target.partition("#")
        linked = (page.parent / path).resolve() if path else page
        assert linked.exists(), target
        if anchor:
            headings = re.findall(r"^#+ (.+)$", linked.read_text(), re.MULTILINE)
            slugs = {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in headings}
            assert anchor in slugs, target


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_json_is_json(page: Path) -> None:
    for block in blocks(page, "json"):
        json.loads(block)


def test_the_transcript_of_the_protocol_page_is_what_the_engine_says() -> None:
    engine = Engine()
    lines = "".join(blocks(ROOT / "docs" / "protocol.md", "text")).splitlines()
    requests = [line[2:] for line in lines if line.startswith("> ")]
    answers = [json.loads(line[2:]) for line in lines if line.startswith("< ")]
    assert len(requests) == len(answers) > 10
    for request, answer in zip(requests, answers, strict=True):
        told = json.loads(engine.answer(request))
        assert without_message(told) == without_message(answer), request


def without_message(answer: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in answer.items() if key != "message"}


def test_the_positions_and_views_of_the_notation_page_read_back() -> None:
    read = 0
    for block in blocks(ROOT / "docs" / "notation.md", "json"):
        data = json.loads(block)
        if isinstance(data, dict) and "phase" in data and "game" in data:
            game = find_game(data["game"])
            if isinstance(data.get("bag"), int) or True in data.get("decided", {}).values():
                hands = enumerate(data.get("hands", [[]]))
                own = next(seat for seat, hand in hands if isinstance(hand, list))
                assert game.write_view(game.read_view(data, own)) == data
            else:
                assert game.write_position(game.read_position(data)) == data
            read += 1
    assert read >= 5


def test_pages_name_no_machine() -> None:
    for page in PAGES:
        assert not re.search(r"(?<![\w.])/(root|home|work|tmp)/", page.read_text()), page


def test_the_library_example_of_the_readme_runs(capsys: pytest.CaptureFixture[str]) -> None:
    (source,) = blocks(ROOT / "README.md", "python")
    exec(compile(source, "README.md", "exec"), {})  # noqa: S102 - our own page
    told = source.rpartition("# ")[2].strip()
    assert capsys.readouterr().out.strip() == told
