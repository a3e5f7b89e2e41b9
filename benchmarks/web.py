"""How fast the pages are: what a first visit loads, how soon it answers, how smoothly a board moves.

Everything runs in Debian's headless Chromium against a club on this machine. The four times slower
processor is Chromium's own; pictures are drawn without a graphics card.
"""

import sys
import tempfile
from pathlib import Path
from statistics import median

from playwright.sync_api import Browser, Page, sync_playwright
from rich.console import Console

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))  # where the real parts are
sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "browser"))

from clubhouse import Club
from pages import finished, opened
from visitors import Visitor, launch, visiting

console = Console()
SLOWER = 4
TRIES = 5
TAPS = 15
REST = 300
"""Milliseconds for what came before a tap to come to rest."""

WHEN_READY = """
  const look = () => {
    const lamp = document.querySelector('.bar__end > .button--icon');
    lamp?.click(); // the page's own answer is the theme that it sets
    if (document.documentElement?.dataset.theme) window.answered = performance.now();
    else requestAnimationFrame(look);
  };
  look();
"""

TAP = """([selector, sign, appears]) => new Promise((shown) => {
  // Looks at every change of the page: the club may answer before the next frame does.
  const watch = new MutationObserver(() => {
    if (!!document.querySelector(sign) !== appears) return;
    watch.disconnect();
    requestAnimationFrame(() => setTimeout(() => shown(performance.now() - began)));
  });
  watch.observe(document, { attributes: true, childList: true, subtree: true });
  const began = performance.now();
  document.querySelector(selector).click();
})"""

FRAMES = """() => {
  window.frames_ = [];
  let last = performance.now();
  const count = (now) => {
    window.frames_.push(now - last);
    last = now;
    window.counting = requestAnimationFrame(count);
  };
  requestAnimationFrame(count);
}"""


def slow_down(page: Page) -> None:
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})


def measure_first_page(browser: Browser, club: Club) -> None:
    """Weigh the scripts of the home page as they come over the wire."""
    with visiting(browser, club) as visitor:
        sizes: list[int] = []

        def weigh(request: object) -> None:
            if getattr(request, "resource_type", "") == "script":
                sizes.append(request.sizes()["responseBodySize"])  # type: ignore[attr-defined]

        visitor.page.on("requestfinished", weigh)
        visitor.go("/")
        visitor.page.wait_for_load_state("networkidle")
        console.print(
            f"scripts of the first page        {sum(sizes) / 1000:6.1f} kB gzip   (goal: under 60)"
        )


def measure_first_answer(browser: Browser, club: Club) -> None:
    """Take the time from the first byte asked for until a button answers."""
    times = []
    for _ in range(TRIES):
        with visiting(browser, club) as visitor:
            slow_down(visitor.page)
            visitor.page.add_init_script(WHEN_READY)
            visitor.go("/")
            visitor.page.wait_for_function("() => window.answered")
            times.append(visitor.page.evaluate("window.answered"))
    console.print(
        f"first interaction, {SLOWER} times slower {median(times) / 1000:6.2f} s         (goal: under 1.5)"
    )


def measure_taps(browser: Browser, folder: Path) -> None:
    """Take the time from a tap until the own screen shows it, at a club where bots take their time."""
    taps: list[float] = []
    moves: list[float] = []
    with (
        Club(f"sqlite:///{folder / 'taps.db'}", folder / "taps.log", bot_pace="0.7") as club,
        visiting(browser, club) as visitor,
    ):
        opened(visitor, "qwixx", seats=2, bots=["greedy"])
        slow_down(visitor.page)
        while len(moves) < TAPS:
            visitor.page.wait_for_selector(".decide .choice, .decide .button--primary:enabled")
            if visitor.page.locator(".decide .choice").count():
                taps.append(tap(visitor, ".decide .choice", "[aria-pressed=true]", True))
            confirm = ".decide .button--primary:enabled"
            moves.append(tap(visitor, confirm, confirm, False))
    console.print(
        f"tap to answer, {SLOWER} times slower     {median(taps):6.1f} ms        (goal: under 50)"
    )
    console.print(
        f"move to own screen, {SLOWER} times slower{median(moves):6.1f} ms        (goal: under 50)"
    )


def tap(visitor: Visitor, selector: str, sign: str, appears: bool) -> float:
    visitor.page.wait_for_timeout(REST)
    took: float = visitor.page.evaluate(TAP, [selector, sign, appears])
    return took


def measure_dragging(browser: Browser, club: Club) -> None:
    """Count frames while a finished board of Qwirkle is dragged about."""
    with visiting(browser, club, "phone", reduced_motion="no-preference") as visitor:
        finished(visitor, "qwirkle")
        visitor.page.wait_for_selector(".result")
        visitor.page.get_by_role("button", name="History of the game").click()
        visitor.page.keyboard.press("End")
        visitor.page.wait_for_timeout(1500)
        tiles = visitor.page.evaluate("document.querySelectorAll('.felt use').length")
        box = visitor.page.locator(".felt").bounding_box()
        assert box
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        visitor.page.mouse.move(x, y)
        visitor.page.mouse.down()
        visitor.page.evaluate(FRAMES)
        for step in range(120):
            visitor.page.mouse.move(x + 80 * ((step // 10) % 2), y + step % 60)
        frames = sorted(visitor.page.evaluate("window.frames_.slice(2)"))
        visitor.page.mouse.up()
        slowest = frames[int(0.95 * len(frames))]
        console.print(
            f"dragging {tiles} tiles             {1000 / median(frames):6.1f} frames/s  "
            f"slowest twentieth {slowest:.1f} ms  (goal: 60)"
        )


def main() -> None:
    """Measure everything."""
    console.rule("the pages, in headless Chromium on this machine")
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name)
        browser = launch(playwright.chromium)
        with Club(f"sqlite:///{folder / 'club.db'}", folder / "club.log") as club:
            measure_first_page(browser, club)
            measure_first_answer(browser, club)
            measure_dragging(browser, club)
        measure_taps(browser, folder)
        browser.close()


if __name__ == "__main__":
    main()
