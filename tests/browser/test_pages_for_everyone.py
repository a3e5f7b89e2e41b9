"""Every page, in every language, theme and size: nothing overflows, overlaps or is out of reach."""

from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from clubhouse import Club
from pages import PAGES, arrive
from playwright.sync_api import Browser
from visitors import LARGE_PRINT, SIZES, Visitor, launch, visiting

TRIES = 30

LANGUAGES = ("en", "fr", "de", "it")


@pytest.mark.parametrize("page", PAGES)
def test_everybody_can_read_and_touch_it(browser: Browser, house: Club, page: str) -> None:
    for size, theme in (("phone", "light"), ("desktop", "dark")):
        with visiting(browser, house, size, color_scheme=theme) as visitor:
            arrive(visitor, page)
            if size == "phone" and not page.startswith("rules"):  # those are there to be read
                assert visitor.page.evaluate(TARGETS) == []
            found = Axe().run(visitor.page)
            assert found.violations_count == 0, (size, theme, found.generate_report())


@pytest.mark.parametrize("page", PAGES)
def test_nothing_overflows_in_any_language_or_size(
    browser: Browser, house: Club, page: str
) -> None:
    for language in LANGUAGES:
        with visiting(browser, house, "phone", language) as visitor:
            arrive(visitor, page)
            for width, height in (*SIZES.values(), (320, 640), (844, 390), (2000, 1100)):
                visitor.page.set_viewport_size({"width": width, "height": height})
                assert faults(visitor) == [], (language, width)


@pytest.fixture(scope="module")
def large_print(browser: Browser) -> Iterator[Browser]:
    """A browser of somebody who reads letters of twice the size."""
    other = launch(browser.browser_type, LARGE_PRINT)
    yield other
    other.close()


@pytest.mark.parametrize("page", PAGES)
def test_letters_of_twice_the_size_have_room_on_a_phone(
    large_print: Browser, house: Club, page: str
) -> None:
    with visiting(large_print, house, "phone", "de") as visitor:
        arrive(visitor, page)
        assert faults(visitor) == []


MEASURE = """() => {
  const faults = [];
  const root = document.documentElement;
  if (root.scrollWidth > innerWidth) faults.push(`the page is ${root.scrollWidth} wide`);
  const shown = [...document.querySelectorAll('button, a, input, h1, h2, h3, p, li, summary')].filter(
    (one) => one.checkVisibility({ opacityProperty: true, visibilityProperty: true })
      && !one.closest('.visually-hidden') && !one.classList.contains('visually-hidden')
  );
  for (const one of shown) {
    const box = one.getBoundingClientRect();
    const scrolls = one.closest('[data-scrolls], .ways, .felt');
    if (!scrolls && box.width && (box.left < -1 || box.right > innerWidth + 1))
      faults.push(`outside: ${one.outerHTML.slice(0, 120)}`);
  }
  const controls = shown.filter((one) => one.matches('button, a.button, summary, input'));
  for (const one of controls) {
    if (one.disabled || one.matches('input, .cell')) continue; // cells reach out to be easier to hit
    const box = one.getBoundingClientRect();
    if (!box.width || box.bottom < 0 || box.top > innerHeight) continue;
    if (one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflow !== 'hidden')
      faults.push(`cut off: ${one.outerHTML.slice(0, 120)}`);
  }
  const places = '.decide, .controls, .bar, .felt, header, nav, dialog, main';
  const boxes = controls.filter((one) => !one.matches('.cell') && !one.closest('.spots'))
    .map((one) => ({ one, place: one.closest(places), box: one.getBoundingClientRect() }));
  boxes.forEach((a, index) => boxes.slice(index + 1).forEach((b) => {
    if (a.place !== b.place || a.one.contains(b.one) || b.one.contains(a.one)) return;
    const wide = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
    const high = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
    if (wide > 2 && high > 2)
      faults.push(`overlap: ${a.one.outerHTML.slice(0, 80)} and ${b.one.outerHTML.slice(0, 80)}`);
  }));
  return faults;
}"""


def faults(visitor: Visitor) -> list[str]:
    """Measure the page until it has come to rest, and return what sticks out or is cut off then."""
    found: list[str] = []
    for _ in range(TRIES):
        found = visitor.page.evaluate(MEASURE)
        if not found:
            break
        visitor.page.wait_for_timeout(100)
    return found


TARGETS = """() => [...document.querySelectorAll('button, a.button, summary, input, [role=button]')]
  .filter((one) => one.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && !one.disabled
    && !one.classList.contains('visually-hidden'))
  .flatMap((one) => {
    const box = one.getBoundingClientRect();
    const after = getComputedStyle(one, '::after');
    const grown = (side) => Math.max(0, -parseFloat(after[side]) || 0);
    const wide = box.width + grown('left') + grown('right');
    const high = box.height + grown('top') + grown('bottom');
    if (wide >= 43.5 && high >= 43.5) return [];
    return [`${Math.round(wide)}×${Math.round(high)} ${one.outerHTML.slice(0, 120)}`];
  })"""
