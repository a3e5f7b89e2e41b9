"""Visitors: real browsers at a real club, who note everything that goes wrong."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from clubhouse import Club
from playwright.sync_api import Browser, BrowserContext, BrowserType, Page, WebSocket

SIZES = {"phone": (390, 844), "tablet": (820, 1180), "desktop": (1280, 800)}
PATIENCE = 20_000
"""Milliseconds after which something that should be on the page is taken for missing."""

BLOCKED = "Service Worker registration blocked by Playwright"
"""What Playwright itself says on the console."""

ARGUMENTS = [
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


LARGE_PRINT = "--blink-settings=defaultFontSize=32,defaultFixedFontSize=26"
"""What somebody chooses in the browser who needs letters of twice the size."""


def launch(chromium: BrowserType, *arguments: str) -> Browser:
    """Start Debian's Chromium."""
    for name in ("chromium-headless-shell", "chromium"):
        if path := shutil.which(name):
            return chromium.launch(executable_path=path, args=[*ARGUMENTS, *arguments])
    raise AssertionError("there is no Chromium: run tools/install-chromium.sh")


@dataclass
class Visitor:
    """One browser context with one page."""

    club: Club
    context: BrowserContext
    page: Page
    complaints: list[str] = field(default_factory=list)
    heard: list[str] = field(default_factory=list)
    """Every frame that came from the club over the socket."""
    allowed: tuple[str, ...] = ()
    """Parts of complaints that a test expects, such as the status of a wrong link."""

    def go(self, path: str) -> None:
        self.page.goto(self.club.url + path)

    def name(self, name: str) -> None:
        """Introduce the visitor to the club before the first page is opened."""
        answer = self.context.request.put(f"{self.club.url}/api/guest", data={"name": name})
        assert answer.ok

    def open(self, **wish: Any) -> str:
        """Open a table over the club's interface and go there."""
        table = self.begin(**wish)
        self.go(f"/t/{table}")
        return table

    def begin(self, **wish: Any) -> str:
        """Open a table over the club's interface, and stay on the page that is open."""
        answer = self.context.request.post(f"{self.club.url}/api/tables", data=wish)
        assert answer.ok, answer.text()
        return str(answer.json()["table"])

    def ask(self, path: str) -> Any:
        """Return what the club answers this visitor."""
        return self.context.request.get(self.club.url + path).json()

    def do(self, table: str, command: dict[str, Any]) -> None:
        """Do something at a table past the page."""
        answer = self.context.request.post(f"{self.club.url}/api/tables/{table}", data=command)
        assert answer.ok, answer.text()

    def check(self) -> None:
        """Fail if the page complained, or asked anybody but the club."""
        serious = [one for one in self.complaints if not any(part in one for part in self.allowed)]
        assert not serious, "\n".join(serious)


@contextmanager
def visiting(
    browser: Browser, club: Club, size: str = "phone", language: str = "en", **options: Any
) -> Iterator[Visitor]:
    """Come to the club with a browser of one's own."""
    width, height = SIZES[size]
    context = browser.new_context(
        viewport={"width": width, "height": height},
        locale=language,
        **{"reduced_motion": "reduce", "service_workers": "block", **options},
    )
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    visitor = Visitor(club, context, page)
    _listen(visitor, page)
    try:
        yield visitor
        visitor.check()
    finally:
        context.close()


def _listen(visitor: Visitor, page: Page) -> None:
    def complain(kind: str) -> Callable[[Any], None]:
        return lambda what: visitor.complaints.append(f"{kind}: {what}")

    def on_console(message: Any) -> None:
        if message.type in ("error", "warning") and message.text != BLOCKED:
            visitor.complaints.append(f"console: {message.text}")

    def on_request(request: Any) -> None:
        if urlsplit(request.url).netloc != urlsplit(visitor.club.url).netloc:
            visitor.complaints.append(f"left the club: {request.url}")

    def on_socket(socket: WebSocket) -> None:
        if urlsplit(socket.url).netloc != urlsplit(visitor.club.url).netloc:
            visitor.complaints.append(f"left the club: {socket.url}")
        socket.on("framereceived", lambda frame: visitor.heard.append(str(frame)))

    page.on("console", on_console)
    page.on("pageerror", complain("error"))
    page.on("request", on_request)
    page.on("websocket", on_socket)
