"""Every page, in every language, theme and size: nothing overflows, overlaps or is out of reach."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from clubhouse import Club
from pages import PAGES, arrive
from playwright.sync_api import Browser
from visitors import SIZES, Visitor, visiting

LANGUAGES = ("en", "fr", "de", "it")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("page", PAGES)
def test_axe_finds_nothing(browser: Browser, house: Club, page: str, theme: str) -> None:
    for size in ("phone", "desktop"):
        with visiting(browser, house, size, color_scheme=theme) as visitor:
            arrive(visitor, page)
            found = Axe().run(visitor.page)
            assert found.violations_count == 0, found.generate_report()


@pytest.mark.parametrize("page", PAGES)
def test_nothing_overflows_in_any_language_or_size(
    browser: Browser, house: Club, page: str
) -> None:
    for language in LANGUAGES:
        with visiting(browser, house, "phone", language) as visitor:
            arrive(visitor, page)
            for width, height in (*SIZES.values(), (320, 640), (2000, 1100)):
                visitor.page.set_viewport_size({"width": width, "height": height})
                assert faults(visitor) == [], (language, width)


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
    if (one.disabled || one.closest('[data-free]')) continue;
    const box = one.getBoundingClientRect();
    if (!box.width || box.bottom < 0 || box.top > innerHeight) continue;
    if (one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflow !== 'hidden')
      faults.push(`cut off: ${one.outerHTML.slice(0, 120)}`);
  }
  return faults;
}"""


def faults(visitor: Visitor) -> list[str]:
    """Measure the page and return what sticks out or is cut off."""
    found: list[str] = visitor.page.evaluate(MEASURE)
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


@pytest.mark.parametrize("page", [page for page in PAGES if page not in ("rules",)])
def test_what_a_finger_touches_is_large_enough(browser: Browser, house: Club, page: str) -> None:
    with visiting(browser, house, "phone") as visitor:
        arrive(visitor, page)
        assert visitor.page.evaluate(TARGETS) == []
