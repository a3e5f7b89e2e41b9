"""Takes a picture of every page in every language and size: `make screenshots`.

They go to build/screenshots; the choice that the README shows goes to docs/pictures.
"""

import argparse
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright
from rich.progress import track

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))  # where the real parts are
sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "browser"))

from clubhouse import Club
from pages import GAMES, PAGES, arrive, opened, play_on
from visitors import SIZES, launch, visiting

ROOT = Path(__file__).parent.parent
DECISIONS = 14
LANGUAGES = ("en", "fr", "de", "it")
CHOICE = (
    ("home", "phone", "fr", "light"),
    ("qwixx", "desktop", "en", "dark"),
    ("qwantum", "phone", "de", "light"),
    ("qwirkle", "phone", "it", "dark"),
    ("qwixx-end", "desktop", "en", "light"),
)
"""Page, size, language and theme of the pictures in the README."""


def take(
    browser: Browser, club: Club, where: tuple[str, str, str, str], file: Path, vision: str = "none"
) -> None:
    """Take one picture, as eyes see it that do not tell all colours apart if one likes."""
    page, size, language, theme = where
    with visiting(browser, club, size, language, color_scheme=theme) as visitor:
        if page in GAMES:
            play_on(visitor, page, opened(visitor, page), DECISIONS)
            visitor.page.wait_for_timeout(300)
        else:
            arrive(visitor, page)
        session = visitor.context.new_cdp_session(visitor.page)
        session.send("Emulation.setEmulatedVisionDeficiency", {"type": vision})
        visitor.page.wait_for_timeout(400)
        file.parent.mkdir(parents=True, exist_ok=True)
        visitor.page.screenshot(path=file)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--readme", action="store_true", help="only those of the README")
    options = parser.parse_args()
    wanted = [
        (where, ROOT / "docs" / "pictures" / f"web-{'-'.join(where[:2])}.png", "none")
        for where in CHOICE
    ]
    if not options.readme:
        folder = ROOT / "build" / "screenshots"
        for page in PAGES:
            for size in SIZES:
                for number, language in enumerate(LANGUAGES):
                    theme = ("light", "dark")[number % 2]
                    where = (page, size, language, theme)
                    wanted.append((where, folder / size / language / f"{page}.png", "none"))
        for page in ("qwixx", "qwantum", "qwirkle"):
            for vision in ("deuteranopia", "protanopia"):
                where = (page, "phone", "en", "light")
                wanted.append((where, folder / vision / f"{page}.png", vision))
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        browser = launch(playwright.chromium)
        data = Path(name)
        with Club(f"sqlite:///{data / 'club.db'}", data / "club.log") as club:
            for where, file, vision in track(wanted, "Taking pictures"):
                take(browser, club, where, file, vision)
        browser.close()
    print(f"{len(wanted)} pictures taken")


if __name__ == "__main__":
    main()
