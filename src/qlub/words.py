"""Texts in several languages, read from TOML files that lie beside the code that speaks them."""

import tomllib
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

LANGUAGES = ("en", "fr", "de", "it")
SOURCES = ("QLUB_LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
"""Where somebody may have said which language they read, the strongest first."""

FORMS = {"one", "other"}


class Words:
    """The texts of one room of the code in one language.

    >>> words = Words("en", {"table": {"tiles": {"one": "{count} tile", "other": "{count} tiles"}}})
    >>> words("table.tiles", count=1), words("table.tiles", count=6)
    ('1 tile', '6 tiles')
    """

    def __init__(self, language: str, texts: Mapping[str, Any]) -> None:
        self.language = language
        self.texts = flatten(texts)

    @classmethod
    def of(cls, package: str, language: str) -> "Words":
        """Read the texts in the folder `words` of a package."""
        file = files(package) / "words" / f"{language}.toml"
        return cls(language, tomllib.loads(file.read_text(encoding="utf-8")))

    def __call__(self, key: str, **values: object) -> str:
        """Return a text with its places filled in; a plural is chosen by `count`.

        A key that is not there is a mistake in the code, and raises `KeyError`.
        """
        text = self.texts[key]
        if not isinstance(text, str):
            text = text[self._form(values["count"])]
        return text.format(**values)

    def _form(self, count: object) -> str:
        """Return the form that a number takes; French has one for nothing, too."""
        is_one = count in (0, 1) if self.language == "fr" else count == 1
        return "one" if is_one else "other"


def flatten(texts: Mapping[str, Any], above: str = "") -> dict[str, str | dict[str, str]]:
    """Return nested texts under dotted keys; the two forms of a plural stay together.

    >>> flatten({"ask": {"game": "Which game?"}})
    {'ask.game': 'Which game?'}
    """
    flat: dict[str, str | dict[str, str]] = {}
    for key, value in texts.items():
        if isinstance(value, str) or set(value) == FORMS:
            flat[above + key] = value
        else:
            flat |= flatten(value, f"{above}{key}.")
    return flat


def choose_language(given: str | None, environment: Mapping[str, str]) -> str:
    """Return the language that somebody asked for or their system speaks, else English.

    >>> choose_language(None, {"LANG": "fr_CH.UTF-8"}), choose_language(None, {"LANG": "C"})
    ('fr', 'en')
    """
    if given:
        return given
    for source in SOURCES:
        value = environment.get(source, "")
        if value:
            language = value[:2].lower()
            return language if language in LANGUAGES else "en"
    return "en"
