"""Hands that play in the page: with a mouse, and with nothing but keys."""

from collections.abc import Callable

from playwright.sync_api import Page
from visitors import Visitor

MOST_DECISIONS = 600

DECIDABLE = ".decide .button--primary:enabled, .decide .choice, [data-hand][aria-pressed]"
READY = """things => [...document.querySelectorAll(things)].some((one) => one.checkVisibility())"""

Press = Callable[[str], None]
"""Touches the first thing on the page that a selector finds."""


def click(page: Page) -> Press:
    """Play with the mouse."""
    return lambda selector: page.locator(selector).first.click()


def type_keys(page: Page) -> Press:
    """Play with keys: go to a thing with Tab, as somebody would who has no mouse, then Enter."""

    def press(selector: str) -> None:
        target = page.locator(selector).first
        target.wait_for()
        for _ in range(300):
            if target.evaluate("one => one === document.activeElement"):
                page.keyboard.press("Enter")
                return
            page.keyboard.press("Tab")
        raise AssertionError(f"{selector} cannot be reached with Tab")

    return press


def decide(visitor: Visitor, game: str, press: Press) -> None:
    """Make one decision of a game: the first that offers itself."""
    visitor.page.wait_for_function(READY, arg=DECIDABLE)
    {"qwixx": _qwixx, "qwantum": _qwantum, "qwirkle": _qwirkle}[game](visitor.page, press)


def _qwixx(page: Page, press: Press) -> None:
    if page.locator(".decide .choice").count():
        press(".decide .choice")
    press(".decide .button--primary:enabled")


def _qwantum(page: Page, press: Press) -> None:
    if page.locator(".decide .choice").count():
        press(".decide .choice")
    press(".decide .button--primary:enabled")


def _qwirkle(page: Page, press: Press) -> None:
    if page.locator(".decide .button--primary:enabled").count():  # nothing can be laid: pass
        press(".decide .button--primary:enabled")
        return
    for index in range(page.locator("[data-hand]").count()):
        press(f"li:nth-child({index + 1}) > [data-hand]")
        if page.locator("[data-spot]").count():
            press("[data-spot]")
            page.wait_for_selector(".decide[aria-busy=false]")
            if page.locator(".decide .button--primary:enabled").count():
                press(".decide .button--primary:enabled")
                return
    press(".decide__actions .button:not(.button--icon):enabled")  # exchange
    press("[data-hand]")
    press(".decide .button--primary:enabled")


def is_over(page: Page) -> bool:
    """Wait until there is something to decide, and say whether the game is over instead."""
    page.wait_for_function(READY, arg=f".result, .cover, {DECIDABLE}")
    return bool(page.locator(".result").count())


def play_out(visitor: Visitor, game: str, press: Press) -> int:
    """Play to the end and return how many decisions it took."""
    for decisions in range(MOST_DECISIONS):
        if is_over(visitor.page):
            return decisions
        decide(visitor, game, press)
    raise AssertionError("the game does not end")
