"""Draws the icons of web/public from icon.svg: `python tools/icons.py`.

Where systems cut icons to a shape of their own, the ground goes to the edge and the sign stays
within four fifths of the middle.
"""

import shutil
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

PUBLIC = Path(__file__).parents[1] / "web" / "public"
WHOLE, CUT = 1.0, 0.88
"""How large the sign is: as it is, or so that no shape cuts it."""

ICONS = {
    "icon-180.png": (180, CUT),
    "icon-192.png": (192, WHOLE),
    "icon-512.png": (512, WHOLE),
    "icon-maskable.png": (512, CUT),
}


def draw(page: Page, sign: str, name: str, size: int, scale: float) -> None:
    """Draw one icon."""
    ground = "#1f3a35" if scale < WHOLE else "transparent"
    page.set_viewport_size({"width": size, "height": size})
    page.set_content(
        f"<style>body {{ margin: 0; background: {ground} }}"
        f"svg {{ display: block; width: {size}px; transform: scale({scale}) }}</style>{sign}"
    )
    page.screenshot(path=PUBLIC / name, omit_background=True)


def main() -> None:
    """Draw them all."""
    sign = (PUBLIC / "icon.svg").read_text("utf-8")
    chromium = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page()
        for name, (size, scale) in ICONS.items():
            draw(page, sign, name, size, scale)
        browser.close()


if __name__ == "__main__":
    main()
