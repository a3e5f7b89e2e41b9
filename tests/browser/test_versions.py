"""The service worker through updates: an open page keeps its own files, the next has the new ones."""

import re
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from qlub.club import pages

READY = "navigator.serviceWorker.ready.then(() => navigator.serviceWorker.controller !== null)"
KEPT = "caches.keys()"


class Site:
    """A site that serves the real service worker with small pages of a version."""

    def __init__(self) -> None:
        self.files: dict[str, str] = {}
        self.is_faulty = False
        site = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                text = site.files.get(self.path)
                status = 500 if site.is_faulty else 200 if text is not None else 404
                kind = "text/javascript" if self.path.endswith(".js") else "text/html"
                self.send_response(status)
                self.send_header("content-type", kind)
                self.send_header("cache-control", "no-cache")
                self.end_headers()
                self.wfile.write((text or "").encode())

            def log_message(self, *arguments: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever).start()

    def release(self, version: str) -> None:
        """Put a version in the place of the one before, of which no file is left."""
        worker = pages.built()["/sw.js"].data.decode()
        shelf = f'["/", "/assets/{version}.js"]'
        worker = re.sub(r"const SHELF = .*", f"const SHELF = {shelf};", worker)
        worker = re.sub(r"const VERSION = .*", f'const VERSION = "{version}";', worker)
        self.files = {
            "/sw.js": worker,
            f"/assets/{version}.js": f'export default "the file of {version}"',
            "/": f"<title>{version}</title>",
            "/api/games": f'"{version}"',
        }

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def site() -> Iterator[Site]:
    site = Site()
    yield site
    site.close()


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context()
    yield context
    context.close()


def visit(context: BrowserContext, site: Site, path: str = "/") -> Page:
    page = context.new_page()
    page.goto(site.url + path)
    return page


def register(page: Page) -> None:
    page.evaluate("navigator.serviceWorker.register('/sw.js').then(() => true)")
    page.wait_for_function(READY)


def import_file(page: Page, version: str) -> str:
    file: str = page.evaluate(f"import('/assets/{version}.js').then((file) => file.default)")
    return file


def update(page: Page) -> None:
    """Let the browser find the new version, and wait until it has all files of it."""
    page.evaluate("navigator.serviceWorker.getRegistration().then((one) => one.update())")
    page.wait_for_function("navigator.serviceWorker.getRegistration().then((one) => one.waiting)")


def test_an_open_page_keeps_its_files_and_the_next_one_has_the_new(
    context: BrowserContext, site: Site
) -> None:
    site.release("one")
    old = visit(context, site)
    register(old)
    site.release("two")
    update(old)
    assert import_file(old, "one") == "the file of one", "nobody else has it any more"
    new = visit(context, site)
    assert new.title() == "two", "online, a new version is seen at once"
    assert import_file(new, "two") == "the file of two"
    assert sorted(new.evaluate(KEPT)) == ["qlub-one", "qlub-two"]
    old.close()
    new.close()
    last = visit(context, site)
    last.wait_for_function(f"{KEPT}.then((names) => names.join() === 'qlub-two')")
    context.set_offline(True)
    last.reload()
    assert last.title() == "two"
    assert import_file(last, "two") == "the file of two"


def test_without_a_network_every_address_is_a_page_but_the_interface_is_not(
    context: BrowserContext, site: Site
) -> None:
    site.release("one")
    register(visit(context, site))
    site.files["/api/games"] = '"changed"'
    page = visit(context, site)
    answer = "fetch('/api/games').then((answer) => answer.json(), () => 'refused')"
    assert page.evaluate(answer) == "changed", "the interface is never kept"
    context.set_offline(True)
    for path in ("/", "/t/abc", "/learn/qwixx", "/nowhere"):
        assert visit(context, site, path).title() == "one"
    assert page.evaluate(answer) == "refused"


def test_a_club_that_fails_is_like_no_network(context: BrowserContext, site: Site) -> None:
    site.release("one")
    register(visit(context, site))
    site.is_faulty = True
    assert visit(context, site).title() == "one"


def test_a_version_that_cannot_be_had_in_full_is_not_taken(
    context: BrowserContext, site: Site
) -> None:
    site.release("one")
    page = visit(context, site)
    register(page)
    site.release("two")
    del site.files["/assets/two.js"]
    page.evaluate(
        """navigator.serviceWorker.getRegistration()
        .then((one) => one.update())
        .then((one) => new Promise((done) => {
          const worker = one.installing;
          if (!worker) done();
          else worker.onstatechange = () => worker.state === 'redundant' && done();
        }))"""
    )
    context.set_offline(True)
    page.reload()
    assert page.title() == "one"
    assert import_file(page, "one") == "the file of one"
