"""Colours that stay apart for eyes that see fewer of them, and what goes with each colour."""

import base64
import math
from itertools import combinations

import pytest
from clubhouse import Club
from pages import arrive
from playwright.sync_api import Browser, Page
from visitors import visiting

PIGMENTS = {
    "qwixx": ("red", "yellow", "green", "blue"),
    "qwantum": ("violet", "sky", "scarlet", "yellow"),
    "qwirkle": tuple(
        f"tile-{one}" for one in ("red", "orange", "yellow", "green", "blue", "purple")
    ),
}
LEAST = 0.12
"""The least distance in OKLab of two colours that are told apart at a glance."""

PIXELS = """async ([picture, count]) => {
  const image = new Image();
  image.src = `data:image/png;base64,${picture}`;
  await image.decode();
  const canvas = new OffscreenCanvas(image.width, image.height);
  const drawing = canvas.getContext('2d');
  drawing.drawImage(image, 0, 0);
  return Array.from({ length: count }, (_, index) =>
    [...drawing.getImageData(50 * index + 25, 25, 1, 1).data.slice(0, 3)]);
}"""


def seen(page: Page, vision: str, colours: list[str]) -> list[list[int]]:
    """Return colours as eyes with such a vision see them, from a picture that Chromium takes."""
    swatches = "".join(
        f'<i style="position:absolute;left:{50 * index}px;top:0;width:50px;height:50px;'
        f'background:{colour}"></i>'
        for index, colour in enumerate(colours)
    )
    page.set_content(swatches)
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setEmulatedVisionDeficiency", {"type": vision})
    picture = base64.b64encode(page.screenshot()).decode()
    session.send("Emulation.setEmulatedVisionDeficiency", {"type": "none"})
    pixels: list[list[int]] = page.evaluate(PIXELS, [picture, len(colours)])
    return pixels


def oklab(pixel: list[int]) -> tuple[float, float, float]:
    """Return a colour in OKLab, where distances are what eyes find (Björn Ottosson, 2020)."""
    red, green, blue = (
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4
        for c in (value / 255 for value in pixel)
    )
    long = (0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue) ** (1 / 3)
    middle = (0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue) ** (1 / 3)
    short = (0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue) ** (1 / 3)
    return (
        0.2104542553 * long + 0.7936177850 * middle - 0.0040720468 * short,
        1.9779984951 * long - 2.4285922050 * middle + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * middle - 0.8086757660 * short,
    )


@pytest.mark.parametrize("vision", ["none", "deuteranopia", "protanopia"])
@pytest.mark.parametrize("game", PIGMENTS)
def test_colours_of_a_game_stay_apart(
    browser: Browser, house: Club, game: str, vision: str
) -> None:
    with visiting(browser, house) as visitor:
        arrive(visitor, game)
        names = PIGMENTS[game]
        colours = visitor.page.evaluate(
            "names => names.map((name) => getComputedStyle(document.documentElement)"
            ".getPropertyValue(`--${name}`).trim())",
            list(names),
        )
        blank = visitor.context.new_page()
        pixels = seen(blank, vision, colours)
    for (one, a), (other, b) in combinations(zip(names, pixels, strict=True), 2):
        assert math.dist(oklab(a), oklab(b)) > LEAST, (one, other)


@pytest.mark.parametrize("language", ["en", "fr", "de", "it"])
@pytest.mark.parametrize("game", ["qwixx", "qwantum"])
def test_a_letter_and_a_hatch_go_with_every_colour(
    browser: Browser, house: Club, game: str, language: str
) -> None:
    with visiting(browser, house, "desktop", language) as visitor:
        arrive(visitor, game)
        marks = visitor.page.locator(".sheet .mark")
        letters = marks.all_inner_texts()
        assert len(letters) == len(set(letters)) == 4
        hatches = marks.evaluate_all(
            "all => all.map((one) => getComputedStyle(one).backgroundImage)"
        )
        assert "none" not in hatches
        assert len(set(hatches)) == 4


def test_a_hatch_goes_with_every_colour_of_the_tiles(browser: Browser, house: Club) -> None:
    with visiting(browser, house) as visitor:
        arrive(visitor, "qwirkle")
        patterns = visitor.page.locator("pattern").evaluate_all(
            "all => all.map((one) => one.innerHTML)"
        )
        assert len({pattern.replace("-mark", "") for pattern in patterns}) >= 6
