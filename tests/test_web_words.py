"""The texts of the pages: complete in all languages, each of them used, none missing."""

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from qlub.club.commands import REACTIONS

WEB = Path(__file__).parent.parent / "web" / "src"
LANGUAGES = ("en", "fr", "de", "it")
TAGS = {"en": {"one", "other"}, "de": {"one", "other"}}
"""The plural forms that a language has besides those that nobody needs in these texts."""

Form = str | dict[str, str]


def files_of(language: str) -> list[Path]:
    return sorted(
        [*WEB.glob(f"words/{language}/*.json"), *WEB.glob(f"games/*/words/{language}.json")]
    )


def texts_of(language: str) -> dict[str, Form]:
    texts: dict[str, Form] = {}
    for file in files_of(language):
        part = json.loads(file.read_text(encoding="utf-8"))
        assert not texts.keys() & part.keys(), f"{file}: a key is there twice"
        texts |= part
    return texts


def forms(form: Form) -> list[str]:
    return [form] if isinstance(form, str) else list(form.values())


def holes(text: str) -> set[str]:
    """Return what is filled in; a name may begin with a capital where the sentence does."""
    return {name.lower() for name in re.findall(r"\{(\w+)\}", text)}


def sources() -> str:
    found = [file for kind in ("*.svelte", "*.ts") for file in WEB.rglob(kind)]
    return "\n".join(file.read_text(encoding="utf-8") for file in sorted(found))


def used() -> tuple[set[str], list[re.Pattern[str]]]:
    """Return the keys that are named literally, and the patterns of those that are put together."""
    source = sources()
    literal = set(re.findall(r"""['"`]((?:[a-z][\w-]*\.)+[\w.-]+|[a-z]+)['"`]""", source))
    patterns = []
    for template in re.findall(r"`([\w.${}() ?:'\[\]-]+)`", source):
        parts = re.split(r"\$\{[^`]*?\}", template)
        if len(parts) > 1 and re.fullmatch(r"[\w.-]*[a-z][\w.-]*", "".join(parts)):
            patterns.append(re.compile(r"[\w-]+".join(map(re.escape, parts))))
    return literal, patterns


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_every_language_has_the_same_texts(language: str) -> None:
    english, other = texts_of("en"), texts_of(language)
    assert english.keys() - other.keys() == set(), "missing"
    assert other.keys() - english.keys() == set(), "too many"
    for key, form in english.items():
        for text in forms(other[key]):
            strange = holes(text) - set().union(*map(holes, forms(form)))
            assert not strange, f"{key}: {strange}"
        for hole in set().union(*map(holes, forms(form))) - {"n"}:
            assert all(hole in holes(text) for text in forms(other[key])), f"{key}: no {{{hole}}}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_plurals_have_the_forms_of_their_language(language: str) -> None:
    for key, form in texts_of(language).items():
        if isinstance(form, dict):
            assert form.keys() >= {"one", "other"}, key
            assert form.keys() <= TAGS.get(language, {"one", "many", "other"}), key


@pytest.mark.parametrize("language", LANGUAGES)
def test_texts_are_written_as_the_house_writes(language: str) -> None:
    for key, form in texts_of(language).items():
        for text in forms(form):
            assert text == text.strip() != "", key
            assert "..." not in text, key
            assert "!" not in text, f"{key}: no exclamation marks"
            assert "'" not in text, f"{key}: ’ is the apostrophe"
            if language == "fr":
                assert not re.search(r"[^\u202f][?!;]|[^\u202f\d]:(?!/)", text), f"{key}: {text}"


def test_every_text_is_used_and_every_used_one_exists() -> None:
    texts = texts_of("en")
    literal, patterns = used()
    games = {folder.name for folder in (WEB / "games").iterdir() if folder.is_dir()}
    unused = {
        key
        for key in texts
        if key not in literal and not any(pattern.fullmatch(key) for pattern in patterns)
    }
    assert unused == set()
    named = set(re.findall(r"\bt\(\s*'([^']+)'", sources()))
    assert named - texts.keys() == set(), "missing"
    for game in games:
        for key in ("card.players", "card.about", "why"):
            assert any(one.startswith(f"{game}.{key}") for one in texts), (game, key)


def test_a_seat_may_say_what_the_club_lets_it_say() -> None:
    source = (WEB / "table" / "reactions.ts").read_text(encoding="utf-8")
    assert tuple(re.findall(r"'(\w+)'", source)) == REACTIONS
    assert {f"reaction.{one}" for one in REACTIONS} <= texts_of("en").keys()


def outline(text: Any) -> Any:
    """Return what is left of a page of rules without its words: sections, lists, tables, pictures."""
    if isinstance(text, dict):
        return {
            key: value if key in ("id", "picture") else outline(value)
            for key, value in text.items()
        }
    return [outline(part) for part in text] if isinstance(text, list) else "…"


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_the_rules_say_the_same_in_every_language(language: str) -> None:
    for english in sorted(WEB.glob("games/*/rules/en.json")):
        other = english.with_name(f"{language}.json")
        texts = [json.loads(file.read_text(encoding="utf-8")) for file in (english, other)]
        assert outline(texts[1]) == outline(texts[0]), other
        drawn = (english.parent / "Picture.svelte").exists()
        assert drawn or "picture" not in english.read_text(encoding="utf-8")


def test_nothing_is_said_twice_in_a_language() -> None:
    """A text that two keys share is one thing with two names, unless the names are of two rooms."""
    for language in LANGUAGES:
        for file in files_of(language):
            part = json.loads(file.read_text(encoding="utf-8"))
            long = Counter(
                text for text in part.values() if isinstance(text, str) and len(text) > 40
            )
            assert [text for text, count in long.items() if count > 1] == [], file
