"""Reloads, lost connections and a club that dies: the game goes on, no move is lost or doubled."""

import json
import re
from pathlib import Path

import pytest
from clubhouse import Club
from pages import GAMES, opened
from players import click, decide, is_over
from playwright.sync_api import Browser, WebSocketRoute, expect
from test_playing import settle
from visitors import Visitor, visiting


def own_moves(visitor: Visitor, table: str) -> list[str]:
    """Return the decisions of the visitor's seat, as the club has stored them."""
    record = visitor.ask(f"/api/tables/{table}/record")
    return [text for actor, text in record["events"] if actor == 0]


def make_moves(visitor: Visitor, table: str, game: str, count: int) -> None:
    for _ in range(count):
        if is_over(visitor.page):
            return
        decide(visitor, game, click(visitor.page))
        settle(visitor, table)


@pytest.mark.parametrize("game", GAMES)
def test_a_reload_changes_nothing(browser: Browser, house: Club, game: str) -> None:
    with visiting(browser, house) as visitor:
        table = opened(visitor, game)
        for _ in range(3):
            make_moves(visitor, table, game, 1)
            before = own_moves(visitor, table)
            visitor.page.reload()
            visitor.page.wait_for_selector("h1")
            assert own_moves(visitor, table) == before


def test_a_move_made_offline_is_sent_when_the_net_is_back(browser: Browser, house: Club) -> None:
    with visiting(browser, house) as visitor:
        visitor.allowed = ("ERR_INTERNET_DISCONNECTED", "WebSocket connection")
        table = opened(visitor, "qwixx")
        make_moves(visitor, table, "qwixx", 2)
        assert not is_over(visitor.page)
        before = own_moves(visitor, table)
        visitor.context.set_offline(True)
        visitor.page.evaluate("dispatchEvent(new Event('offline'))")
        decide(visitor, "qwixx", click(visitor.page))
        expect(visitor.page.locator(".strip--lost")).to_be_visible()
        assert own_moves(visitor, table) == before
        visitor.context.set_offline(False)
        settle(visitor, table)
        expect(visitor.page.locator(".strip--lost")).to_have_count(0)
        assert len(own_moves(visitor, table)) == len(before) + 1


def test_a_move_on_its_way_survives_a_reload(browser: Browser, house: Club) -> None:
    swallowed: list[str] = []
    is_hungry = True

    def between(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def pass_on(message: str | bytes) -> None:
            if is_hungry and '"command"' in str(message):
                swallowed.append(str(message))
            else:
                server.send(message)

        socket.on_message(pass_on)

    with visiting(browser, house) as visitor:
        visitor.page.route_web_socket(re.compile("/api/socket"), between)
        table = opened(visitor, "qwixx")
        assert not is_over(visitor.page)
        before = own_moves(visitor, table)
        decide(visitor, "qwixx", click(visitor.page))
        visitor.page.wait_for_function(f"() => sessionStorage.getItem('qlub-pending-{table}')")
        assert (len(swallowed), own_moves(visitor, table)) == (1, before)
        is_hungry = False
        for _ in range(2):
            visitor.page.reload()
            visitor.page.wait_for_selector("h1")
            settle(visitor, table)
            assert len(own_moves(visitor, table)) == len(before) + 1


@pytest.mark.parametrize("game", GAMES)
def test_a_club_that_is_killed_and_comes_back(browser: Browser, club: Club, game: str) -> None:
    with visiting(browser, club) as visitor:
        visitor.allowed = ("WebSocket connection", "ERR_CONNECTION_REFUSED")
        table = opened(visitor, game)
        for _ in range(2):
            make_moves(visitor, table, game, 1)
            assert not is_over(visitor.page)
            before = own_moves(visitor, table)
            if game != "qwirkle":  # there the club is asked as tiles are laid
                club.kill()
                decide(visitor, game, click(visitor.page))
                assert visitor.page.locator("h1").count()
                club.start()
            else:
                decide(visitor, game, click(visitor.page))
                club.kill()
                club.start()
            settle(visitor, table)
            assert len(own_moves(visitor, table)) == len(before) + 1
        make_moves(visitor, table, game, 1)
        assert len(own_moves(visitor, table)) == len(before) + 2


def test_a_club_that_is_away_is_said_so(browser: Browser, tmp_path: Path) -> None:
    with (
        Club(f"sqlite:///{tmp_path / 'club.db'}", tmp_path / "club.log") as club,
        visiting(browser, club, language="de", service_workers="allow") as visitor,
    ):
        visitor.allowed = ("ERR_CONNECTION_REFUSED", "ERR_FAILED", "Failed to load resource")
        visitor.go("/")
        visitor.page.wait_for_selector(".games")
        visitor.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        club.kill()
        visitor.page.reload()
        expect(visitor.page.get_by_text("Der Club ist nicht zu erreichen")).to_be_visible()
        visitor.page.get_by_role("link", name="In zwei Minuten lernen").first.click()
        visitor.page.wait_for_selector(".table, .qwirkle")
        assert json.loads(
            visitor.page.evaluate("JSON.stringify(navigator.serviceWorker.controller !== null)")
        )
