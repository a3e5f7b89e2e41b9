"""The pages of the club, and how a visitor comes to each of them."""

import time
from random import Random
from typing import Any

from clubhouse import Json
from visitors import Visitor

from qlub.bots import find_bot
from qlub.core.registry import find_game

GAMES = ("qwixx", "qwantum", "qwirkle")
PAGES = (
    "home",
    "new-friends",
    "new-device",
    "gathering",
    "join",
    *GAMES,
    *(f"{game}-end" for game in GAMES),
    "history",
    "results",
    "no-results",
    "learn",
    *(f"learn-{game}" for game in GAMES),
    *(f"rules-{game}" for game in GAMES),
    "missing",
    "wrong-table",
)


def arrive(visitor: Visitor, page: str) -> None:
    """Bring a visitor to a page, and wait until it is there."""
    for name, go in (
        ("-end", _end),
        ("new-", _new),
        ("learn-", _learn),
        ("rules-", _rules),
    ):
        if name in page:
            go(visitor, page.replace(name, ""))
            break
    else:
        ways = {"gathering": _gathering, "join": _join, "history": _history, "results": _results}
        if page in GAMES:
            _play(visitor, page)
        elif page in ways:
            ways[page](visitor)
        else:
            _plain(visitor, page)
    visitor.page.wait_for_selector("h1")
    visitor.page.wait_for_function("() => document.fonts.status === 'loaded'")


def opened(visitor: Visitor, game: str, **wish: Any) -> str:
    """Let a visitor called Ada begin a game against two bots."""
    visitor.name("Ada")
    return visitor.open(**against_bots(game) | wish)


def against_bots(game: str) -> Json:
    """Return the wish for a game of Ada against two bots."""
    return {"game": game, "seats": 3, "people": ["Ada"], "bots": ["greedy"] * 2, "start": True}


def _play(visitor: Visitor, game: str) -> None:
    opened(visitor, game)
    visitor.page.wait_for_selector(".table, .qwirkle")


def _end(visitor: Visitor, game: str) -> None:
    finished(visitor, game)
    visitor.page.wait_for_selector(".result")


def finished(visitor: Visitor, game: str) -> str:
    """Come to a game that two bots have played to its end; one for all who visit this club."""
    if (visitor.club.url, game) not in _finished:
        visitor.name("Ada")
        wish: Json = {"game": game, "seats": 2, "bots": ["greedy", "greedy"], "visibility": "open"}
        _finished[visitor.club.url, game] = visitor.open(**wish, start=True)
    table = _finished[visitor.club.url, game]
    visitor.go(f"/t/{table}")
    return table


_finished: dict[tuple[str, str], str] = {}


def _new(visitor: Visitor, how: str) -> None:
    visitor.go(f"/new/qwixx/{how}")


def _learn(visitor: Visitor, game: str) -> None:
    visitor.go(f"/learn/{game}")
    visitor.page.wait_for_selector(".table, .qwirkle")


def _gathering(visitor: Visitor) -> None:
    visitor.name("Ada")
    visitor.open(game="qwixx", seats=4, people=["Ada"], bots=["greedy"])
    visitor.page.wait_for_selector("input.link")


def _join(visitor: Visitor) -> None:
    host = visitor.club.guest("Host")
    answer = host.ask("POST", "/api/tables", {"game": "qwixx", "seats": 2, "people": ["Host"]})
    visitor.go(f"/t/{answer['table']}#{answer['invite']}")
    visitor.page.wait_for_selector("form")


def _history(visitor: Visitor) -> None:
    _end(visitor, "qwixx")
    visitor.page.locator("[data-history]").click()
    visitor.page.wait_for_selector("input[type=range]")


def _rules(visitor: Visitor, game: str) -> None:
    visitor.go(f"/rules/{game}")
    visitor.page.wait_for_selector("h2")


def _results(visitor: Visitor) -> None:
    """Come as somebody who has played; one guest for all who visit this club."""
    if visitor.club.url not in _regulars:
        visitor.name("Ada")
        for _ in range(3):
            wish = against_bots("qwixx") | {"seats": 2, "bots": ["greedy"]}
            play_on(visitor, "qwixx", visitor.begin(**wish))
        _regulars[visitor.club.url] = visitor.context.cookies()
    visitor.context.add_cookies(_regulars[visitor.club.url])
    visitor.go("/results")
    visitor.page.wait_for_selector(".bars")


_regulars: dict[str, Any] = {}


def play_on(visitor: Visitor, game: str, table: str, most: int = 1000) -> None:
    """Decide greedily past the page, so many times or to the end."""
    rules, rng = find_game(game), Random(7)
    bot = find_bot(rules, "greedy")
    for _ in range(most):
        while 0 not in (told := visitor.ask(f"/api/tables/{table}"))["state"]["turn"]["to_act"]:
            if told["state"]["status"] == "over":
                return
            time.sleep(0.01)
        move = bot.choose(rules.read_view(told["views"][0]["view"], 0), rng, 1)
        visitor.do(table, {"do": "move", "seat": 0, "move": str(move)})


def _plain(visitor: Visitor, page: str) -> None:
    paths = {
        "no-results": "/results",
        "home": "/",
        "missing": "/there/is/no/page",
        "wrong-table": "/t/nosuchtable",
    }
    visitor.allowed = ("404",)
    if page == "no-results":
        visitor.name("Ada")
    visitor.go(paths.get(page, f"/{page}"))
