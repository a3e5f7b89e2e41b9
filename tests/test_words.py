"""The texts: every language has all of them, with the same places, and the code uses each."""

import re
import tomllib
from pathlib import Path
from string import Formatter

import pytest
from rich.cells import cell_len

from qlub.core.registry import game_names
from qlub.words import LANGUAGES, Words, choose_language, flatten

SOURCE = Path(__file__).parents[1] / "src" / "qlub"
ROOMS = sorted(folder.parent for folder in SOURCE.rglob("words") if folder.is_dir())

LEVELS = ("greedy", "club", "master", "grandmaster")
SHARED = {"about", *(f"style.{level}" for level in LEVELS)}
"""What every game must have: the first pages show it."""

USED = re.compile(r"""words\(\s*(f?)(["'])((?:(?!\2).)+)\2""")
REASON = re.compile(
    r"""(?:IllegalMove\((?:[^()]|\([^()]*\))*?,\s*|: \("[^"]*", )"([a-z-]+)",?\s*\)"""
)


def texts_of(room: Path, language: str) -> dict[str, str | dict[str, str]]:
    return flatten(tomllib.loads((room / "words" / f"{language}.toml").read_text("utf-8")))


def plain(room: Path, language: str) -> dict[str, str]:
    """Return all texts, each form of a plural under a key of its own."""
    plain: dict[str, str] = {}
    for key, text in texts_of(room, language).items():
        if isinstance(text, str):
            plain[key] = text
        else:
            plain |= {f"{key}.{form}": words for form, words in text.items()}
    return plain


def places(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


def used_patterns(room: Path) -> dict[str, re.Pattern[str]]:
    """Return the keys that the code of a room asks for; what is filled in may be any one word."""
    patterns = {}
    for file in room.rglob("*.py"):
        for is_filled, _, key in USED.findall(file.read_text("utf-8")):
            parts = re.split(r"\{[^}]*\}", key) if is_filled else [key]
            patterns[key] = re.compile("[^.]+".join(map(re.escape, parts)))
    return patterns


def test_rooms_are_found() -> None:
    assert {room.name for room in ROOMS} == {"cli", "club", "qwixx", "qwantum", "qwirkle"}


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.name)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_the_same_keys_and_places(room: Path, language: str) -> None:
    english, other = plain(room, "en"), plain(room, language)
    assert other.keys() == english.keys()
    for key, text in english.items():
        assert places(other[key]) == places(text), key
        assert other[key].strip(), key


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.name)
def test_every_text_is_used_and_every_used_text_exists(room: Path) -> None:
    keys = set(texts_of(room, "en")) - SHARED
    patterns = used_patterns(room)
    assert patterns
    for asked, pattern in patterns.items():
        assert any(pattern.fullmatch(key) for key in keys), f"{asked} is asked for but not there"
    for key in keys:
        assert any(pattern.fullmatch(key) for pattern in patterns.values()), f"{key} is not used"


@pytest.mark.parametrize("game", ["qwixx", "qwantum", "qwirkle"])
def test_every_refusal_of_the_rules_has_a_text(game: str) -> None:
    code = (SOURCE / "games" / game / "state.py").read_text("utf-8")
    reasons = set(REASON.findall(code))
    if game == "qwantum":
        reasons |= {"greater", "smaller"}
    keys = texts_of(SOURCE / "games" / game, "en")
    assert keys.keys() >= SHARED
    told = {key.removeprefix("refusal.") for key in keys if key.startswith("refusal.")}
    assert told == reasons


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.name)
def test_french_has_narrow_spaces(room: Path) -> None:
    for key, text in plain(room, "fr").items():
        bare = re.sub(r"\{[^}]*\}", "X", text)
        assert not re.search("[^\u202f?!][?!:;]( |$)", bare.replace(" ? ", " ")), key
        assert not re.search("« | »", bare), key


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.name)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_voice_is_calm(room: Path, language: str) -> None:
    for key, text in plain(room, language).items():
        assert "!" not in text, key
        assert "..." not in text, key


def test_plurals() -> None:
    texts = {"tiles": {"one": "{count} a", "other": "{count} b"}}
    assert [Words("fr", texts)("tiles", count=count) for count in (0, 1, 2)] == [
        "0 a",
        "1 a",
        "2 b",
    ]
    assert [Words("de", texts)("tiles", count=count) for count in (0, 1, 2)] == [
        "0 b",
        "1 a",
        "2 b",
    ]


def test_a_missing_text_raises() -> None:
    with pytest.raises(KeyError):
        Words("en", {})("nowhere")


@pytest.mark.parametrize(
    ("given", "environment", "language"),
    [
        ("it", {"QLUB_LANGUAGE": "fr"}, "it"),
        (None, {"QLUB_LANGUAGE": "fr", "LC_ALL": "de_CH.UTF-8"}, "fr"),
        (None, {"LC_ALL": "de_CH.UTF-8", "LC_MESSAGES": "fr", "LANG": "it"}, "de"),
        (None, {"LC_MESSAGES": "fr_CH.UTF-8", "LANG": "it_IT.UTF-8"}, "fr"),
        (None, {"LANG": "it_IT.UTF-8"}, "it"),
        (None, {"LANG": "pt_BR.UTF-8"}, "en"),
        (None, {}, "en"),
    ],
)
def test_the_language_is_chosen(
    given: str | None, environment: dict[str, str], language: str
) -> None:
    assert choose_language(given, environment) == language


@pytest.mark.parametrize("language", LANGUAGES)
def test_hints_stay_on_one_line(language: str) -> None:
    """A hint is the line below the prompt; the smallest terminal that is served has 80 columns."""
    for game in game_names():
        texts = Words.of(f"qlub.games.{game}", language).texts
        hints = {key: text for key, text in texts.items() if key.startswith("prompt.")}
        assert {key: text for key, text in hints.items() if cell_len(str(text)) >= 80} == {}
