"""Whole games in the page, against bots and against each other."""

import json
import re

import pytest
from clubhouse import Club, Json
from pages import GAMES, opened
from players import click, decide, is_over, play_out, type_keys
from playwright.sync_api import Browser, expect
from visitors import PATIENCE, Visitor, visiting

from qlub.core.fair import verify
from qlub.core.record import replay


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_by_mouse(browser: Browser, house: Club, game: str) -> None:
    with visiting(browser, house, "desktop", reduced_motion="no-preference") as visitor:
        table = opened(visitor, game, seats=2, bots=["greedy"])
        assert play_out(visitor, game, click(visitor.page)) > 10
        check_record(visitor, table)


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_by_keyboard_alone(browser: Browser, house: Club, game: str) -> None:
    with visiting(browser, house, "phone") as visitor:
        table = opened(visitor, game, seats=2, bots=["greedy"])
        play_out(visitor, game, type_keys(visitor.page))
        check_record(visitor, table)


def check_record(visitor: Visitor, table: str) -> None:
    """Read the record that the page offers, and check it and its dice."""
    # It goes through the page's own service worker, which may still be busy.
    with visitor.page.expect_download(timeout=3 * PATIENCE) as download:
        visitor.page.locator("a[download]").click()
    record = json.loads(download.value.path().read_text())
    assert replay(record).state.is_over
    assert verify(record).state.scores() == tuple(record["result"]["scores"])
    scores = visitor.page.locator("[data-score]").all_inner_texts()
    assert sorted(int(one.replace("−", "-")) for one in scores) == sorted(
        record["result"]["scores"]
    )


def test_a_newcomer_rolls_dice_two_clicks_after_coming(browser: Browser, house: Club) -> None:
    with visiting(browser, house, "phone", "fr") as visitor:
        visitor.go("/")
        visitor.page.get_by_role("button", name="Jouer maintenant").first.click()
        visitor.page.wait_for_url(re.compile("/t/"))
        visitor.page.locator(".decide .choice").first.click()
        expect(visitor.page.locator(".decide .button--primary")).to_be_enabled()


@pytest.mark.parametrize("game", GAMES)
def test_two_browsers_meet_by_a_link_and_play(browser: Browser, house: Club, game: str) -> None:
    with (
        visiting(browser, house, "phone") as ann,
        visiting(browser, house, "desktop", "de") as ben,
    ):
        ann.name("Ann")
        ann.go(f"/new/{game}/friends")
        ann.page.get_by_role("button", name="One less").click(click_count=1)
        while ann.page.locator("output").inner_text() != "2":
            ann.page.get_by_role("button", name="One less").click()
        ann.page.get_by_role("button", name="Open the table").click()
        link = ann.page.locator("input.link").input_value()
        assert "#" in link
        ben.page.goto(link)
        ben.page.get_by_label("Dein Name").fill("Ben")
        ben.page.get_by_role("button", name="Hereinkommen").click()
        ben.page.get_by_role("button", name="Hinsetzen").first.click()
        ann.page.get_by_role("button", name="Begin with 2").click()
        table = link.split("/t/")[1].split("#")[0]
        for visitor in (ann, ben):
            visitor.page.wait_for_selector(".table, .qwirkle")
        for _ in range(8):
            for visitor in (ann, ben):
                if waits_for(visitor, table):
                    assert not is_over(visitor.page)
                    decide(visitor, game, click(visitor.page))
                    settle(visitor, table)
        agree(ann, ben, table)
        check_hidden(ann, ben, table)


def waits_for(visitor: Visitor, table: str) -> bool:
    """Say whether the club waits for a decision of this visitor."""
    update = visitor.ask(f"/api/tables/{table}")
    return bool(set(update["you"]["seats"]) & set(update["state"]["turn"]["to_act"]))


def settle(visitor: Visitor, table: str) -> None:
    """Wait until a move is stored, which the page has shown at once."""
    visitor.page.wait_for_function(
        f"() => sessionStorage.getItem('qlub-pending-{table}') === null", polling=20
    )


def updates(visitor: Visitor) -> list[Json]:
    return [frame for frame in map(json.loads, visitor.heard) if frame["type"] == "update"]


def agree(ann: Visitor, ben: Visitor, table: str) -> None:
    """Both pages have been told of the same last entry and the same state of the table."""
    told = ann.ask(f"/api/tables/{table}")
    for visitor in (ann, ben):
        for _ in range(100):
            if updates(visitor)[-1]["seq"] >= told["seq"]:
                break
            visitor.page.wait_for_timeout(50)
        assert updates(visitor)[-1]["state"] == told["state"]


def check_hidden(ann: Visitor, ben: Visitor, table: str) -> None:
    """Nothing that one hides has come to the other: no tiles drawn or exchanged, no sealed decision."""
    for me, other in ((ann, ben), (ben, ann)):
        own = me.ask(f"/api/tables/{table}")
        seat = own["you"]["seats"][0]
        for frame in updates(other):
            for view in frame["views"]:
                hands = view["view"].get("hands")
                assert hands is None or isinstance(hands[seat], int)
                decided = view["view"].get("decided") or {}
                assert decided.get(str(seat)) in (None, True)
            for entry in frame["entries"]:
                for actor, text in entry.get("events", []):
                    if actor == "*" and text.startswith(f"{seat}: "):
                        assert re.fullmatch(r"\d: \d+", text)
                    if actor == seat and text is not None:
                        assert not re.match("swap [A-Z]", text)
        sealed = [
            (frame["seq"], entry["seq"])
            for frame in updates(other)
            for entry in frame["entries"]
            if entry.get("events") and entry["events"][0] == [seat, None]
        ]
        opened_later = {one["seq"] for frame in updates(other) for one in frame["revealed"]}
        assert all(number in opened_later for seq, number in sealed if seq < own["seq"] - 2)
        hands = own["views"][0]["view"].get("hands")
        shown = me.page.locator("[data-hand]").count()
        assert shown == (len(hands[seat]) if hands else 0)


def test_why_a_tile_may_not_lie_there_is_never_cut_off(browser: Browser, house: Club) -> None:
    with visiting(browser, house, "phone", "de") as visitor:
        opened(visitor, "qwirkle")
        decide_when_asked(visitor, "qwirkle", 2)
        tile = visitor.page.locator("[data-hand]").first
        for right, down in ((0, 0), (1, 0), (0, 1)):
            tile.click()
            felt = visitor.page.locator(
                ".felt"
            ).bounding_box()  # a longer prompt makes it less high
            assert felt
            x, y = 3 + right * (felt["width"] - 6), 3 + down * (felt["height"] - 6)
            visitor.page.mouse.click(felt["x"] + x, felt["y"] + y)
            bubble = visitor.page.locator(".refusal").bounding_box()
            assert bubble
            assert felt["x"] <= bubble["x"]
            assert felt["y"] <= bubble["y"]
            assert bubble["x"] + bubble["width"] <= felt["x"] + felt["width"]
            assert bubble["y"] + bubble["height"] <= felt["y"] + felt["height"]
            tile.click()


def decide_when_asked(visitor: Visitor, game: str, most: int) -> None:
    """Play so many decisions, and wait until there is another."""
    for _ in range(most):
        assert not is_over(visitor.page)
        decide(visitor, game, click(visitor.page))
    assert not is_over(visitor.page)
