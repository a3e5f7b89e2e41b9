"""The lessons and the rules on the pages: played by the real rules, and the same in all languages."""

import json
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from toolbox import tool

from qlub.core.game import Json
from qlub.core.lesson import LEARNER, Lesson, tell_lesson
from qlub.core.record import Match, after
from qlub.core.registry import find_game, game_names

HOME = Path(__file__).parents[1]
PAGES = HOME / "web" / "src"
LANGUAGES = ("en", "fr", "de", "it")

pytestmark = pytest.mark.skipif(not PAGES.is_dir(), reason="the pages are not here")
each_game = pytest.mark.parametrize("game", game_names())


def lesson_of(game: str) -> Lesson:
    lesson: Lesson = import_module(f"qlub.games.{game}.lesson").LESSON
    return lesson


def read(*path: str) -> Any:
    return json.loads(PAGES.joinpath(*path).read_text("utf-8"))


def rules_of(game: str, language: str) -> Json:
    rules: Json = read("games", game, "rules", f"{language}.json")
    return rules


def test_all_files_are_up_to_date() -> None:
    """Whoever changes a rule, a guide or a lesson runs `python tools/lessons.py`."""
    for path, text in tool("lessons").files():
        assert path.read_text("utf-8") == text, path


@each_game
def test_every_move_that_is_asked_for_is_legal(game: str) -> None:
    """The learner may make it, and it leads to the next step."""
    rules = find_game(game)
    steps = tell_lesson(rules, lesson_of(game))["steps"]
    assert 6 <= len(steps) <= 9
    for step in steps:
        view = rules.read_view(step["view"], LEARNER)
        legal = {str(move) for move in view.legal()}
        assert set(step["expect"]) <= legal
        assert bool(step["expect"]) == (LEARNER in step["turn"]["to_act"])


@each_game
def test_a_lesson_ends_with_the_end_of_a_game(game: str) -> None:
    """The last step is read only, and has a winner: the learner."""
    *steps, last = tell_lesson(find_game(game), lesson_of(game))["steps"]
    assert all(step["expect"] for step in steps)
    assert last["turn"]["over"]
    assert last["turn"]["winners"] == [LEARNER]


@each_game
def test_steps_follow_from_each_other(game: str) -> None:
    """Where no position is set, the events told lead from one step to the next."""
    rules = find_game(game)
    lesson = lesson_of(game)
    told = tell_lesson(rules, lesson)["steps"]
    state = None
    for step, shown in zip(lesson.steps, told, strict=True):
        if step.position is not None:
            state = rules.read_position(step.position)
        for actor, text in step.before:
            assert state
            state, _ = after(rules, state, actor, text)
        assert state
        assert rules.write_view(state.view(LEARNER)) == shown["view"]
        if step.expect:
            state, _ = after(rules, state, LEARNER, step.expect)


def test_a_lay_can_be_built_tile_by_tile() -> None:
    """Whatever a guide offers on the way has a guide in the lesson."""
    for step in read("games", "qwirkle", "lesson.json")["steps"]:
        drafts = step.get("drafts", {})
        lays = [move for move in step["expect"] if "@" in move]
        assert all(move in drafts and drafts[move]["legal"] for move in lays)
        for told in [step["guide"], *drafts.values()]:
            laid = set(told["draft"].split())
            for tile, cells in told["spots"].items():
                for cell in cells:
                    next_one = laid | {f"{tile}@{cell}"}
                    assert not step["expect"] or any(
                        set(draft.split()) == next_one for draft in drafts
                    )


@each_game
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_step_has_its_words(game: str, language: str) -> None:
    """What is said and what is asked, and nothing that no step says."""
    words = read("words", language, "lessons.json")
    wanted = {f"{game}.lesson.about"}
    for step in lesson_of(game).steps:
        wanted.add(f"{game}.lesson.{step.say}")
        if step.expect:
            wanted.add(f"{game}.lesson.{step.say}.ask")
    assert {key for key in words if key.startswith(f"{game}.")} == wanted


def shape(told: object) -> object:
    """Return what must be the same in all languages: everything but the words."""
    if isinstance(told, dict):
        return {key: told[key] if key in ("id", "picture") else shape(told[key]) for key in told}
    if isinstance(told, list):
        return [shape(one) for one in told]
    return re.findall(r"\d+", str(told)), str(told).count("**"), bool(told)


@each_game
@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_rules_are_the_same_in_all_languages(game: str, language: str) -> None:
    """The same sections, pieces, tables and pictures, and the same numbers in the same order."""
    english, other = rules_of(game, "en"), rules_of(game, language)
    assert [section["id"] for section in other["sections"]] == [
        section["id"] for section in english["sections"]
    ]
    for one, two in zip(english["sections"], other["sections"], strict=True):
        for block, same in zip(one["body"], two["body"], strict=True):
            assert shape(same) == shape(block), (same, block)


@pytest.mark.parametrize("game", game_names())
def test_french_has_narrow_spaces(game: str) -> None:
    """Before two-part marks, where a line must not break."""
    for sentence in sentences([rules_of(game, "fr"), read("words", "fr", "lessons.json")]):
        assert not re.search(r"[^\u202f][?!;»](\s|$)|[^\u202f]:(\s|$)", sentence), sentence


def sentences(told: object) -> Iterator[str]:
    """Yield all texts."""
    if isinstance(told, dict):
        for one in told.values():
            yield from sentences(one)
    elif isinstance(told, list):
        for one in told:
            yield from sentences(one)
    else:
        yield str(told)


def moves_of_the_example() -> Iterator[tuple[str, int]]:
    """Yield the moves that the pictures of Qwirkle's rules show, and the points under them."""
    boards = read("games", "qwirkle", "rules", "boards.json")
    score = next(part for part in rules_of("qwirkle", "en")["sections"] if part["id"] == "score")
    captions = {block["picture"]: block["caption"] for block in score["body"] if "picture" in block}
    for name, caption in captions.items():
        (rows,) = boards[name]
        tiles = [(y, x, text) for y, row in enumerate(rows) for x, text in enumerate(row.split())]
        origin = next(x for y, x, text in tiles if "Bt" in text)
        laid = sorted((y, x - origin, text[1:3]) for y, x, text in tiles if text[0] == "[")
        points = int(re.findall(r"(\d+) points", caption)[0])
        yield " ".join(f"{tile}@{x},{y}" for y, x, tile in laid), points


def test_the_example_of_qwirkle_is_legal_and_adds_up() -> None:
    """Every picture is a move from the one before, and scores what is written under it."""
    rules = find_game("qwirkle")
    board: dict[str, str] = {}
    for move, points in moves_of_the_example():
        hand = [place.split("@")[0] for place in move.split()]
        position = {
            "game": "qwirkle",
            "options": {"seniority": [0, 1]},
            "phase": "turn",
            "active": 0,
            "board": board,
            "hands": [hand, ["Ps"]],
            "points": [0, 0],
            "drawing": None,
        }
        match = Match.from_position(position)
        match.apply(0, move)
        assert match.state.scores()[0] == points
        board = rules.write_position(match.state)["board"]


def points_of(game: str, picture: str) -> int:
    pictures = read("games", game, "rules", "pictures.json")
    view = find_game(game).read_view(pictures[picture]["view"], LEARNER)
    return int(view.scores()[LEARNER])


@pytest.mark.parametrize(("game", "total"), [("qwixx", 59), ("qwantum", 53)])
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_examples_of_a_score_add_up(game: str, total: int, language: str) -> None:
    """The picture shows a sheet that is worth what is written under it."""
    assert points_of(game, "score") == total
    captions = [text for text in sentences(rules_of(game, language)) if str(total) in text]
    assert captions
