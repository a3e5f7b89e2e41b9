"""The page at the club's address: says that the club is open, and what is played here."""

from html import escape
from importlib.resources import files

from fastapi import Request
from fastapi.responses import HTMLResponse, Response

from qlub.core.registry import all_games
from qlub.words import LANGUAGES, Words

MARK = (
    '<svg viewBox="0 0 48 48" aria-hidden="true"><circle cx="22" cy="22" r="15" fill="none" '
    'stroke="var(--pine)" stroke-width="7"/><rect x="28" y="28" width="15" height="15" rx="4" '
    'fill="var(--brass)"/><circle cx="35.5" cy="35.5" r="2.5" fill="#1b2624"/></svg>'
)


async def welcome_page(request: Request) -> HTMLResponse:
    """Greet whoever comes, in their language."""
    language = spoken(request.headers.get("accept-language", ""))
    words = Words.of("qlub.club", language)
    cards = []
    for game in all_games():
        own = Words.of(f"qlub.games.{game.name}", language)
        fewest, most = game.seats
        cards.append(
            f"<li><h2>{escape(game.name.capitalize())}</h2>"
            f'<p class="seats">{escape(words("welcome.seats", fewest=fewest, most=most))}</p>'
            f"<p>{escape(own('about'))}</p>"
            f'<p class="seats">{escape(words("welcome.terminal"))}</p>'
            f"<code>qlub play {escape(game.name)}</code></li>"
        )
    return HTMLResponse(
        f'<!doctype html><html lang="{language}"><meta charset="utf-8"><title>Qlub</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<link rel="stylesheet" href="/welcome.css"><main>'
        f"<header>{MARK}<h1>Qlub</h1></header>"
        f'<p class="open">{escape(words("welcome.open"))}</p><ul>{"".join(cards)}</ul>'
        f"<footer>{words('welcome.programs')}</footer></main></html>"
    )


async def welcome_style() -> Response:
    """Return how the page looks."""
    style = (files("qlub.club") / "pages" / "welcome.css").read_text(encoding="utf-8")
    return Response(style, media_type="text/css", headers={"cache-control": "max-age=3600"})


def spoken(accepted: str) -> str:
    """Return the first of our languages that a browser asks for, else English.

    >>> spoken("rm, fr-CH;q=0.9, en;q=0.8"), spoken("*")
    ('fr', 'en')
    """
    for part in accepted.split(","):
        language = part.strip()[:2].lower()
        if language in LANGUAGES:
            return language
    return "en"
