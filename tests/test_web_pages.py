"""The pages as they are served: files and their kinds, what browsers keep, and what is not there."""

import asyncio
import gzip
import json
import re
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
from clubhouse import Club
from test_words import plain

from qlub.club import app, pages
from qlub.club.pages import FOREVER, PAGES
from qlub.words import LANGUAGES

HTML = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
SCRIPT = "/assets/index-Ab12.js"
FILES = {
    "index.html": b"<!doctype html><title>Qlub</title>" + b" " * 2000,
    "sw.js": b"const VERSION = 1;",
    "icon.svg": b"<svg/>",
    "icon-192.png": b"\x89PNG",
    "manifest.webmanifest": b"{}",
    "assets/index-Ab12.js": b"let a = 1;" * 200,
    "assets/index-Ab12.css": b"a{}",
    "assets/words.json": b"{}",
    "assets/serif.woff2": b"wOF2",
    "assets/odd.bin": b"?",
}
KINDS = {
    "/": "text/html; charset=utf-8",
    "/sw.js": "text/javascript; charset=utf-8",
    "/icon.svg": "image/svg+xml",
    "/icon-192.png": "image/png",
    "/manifest.webmanifest": "application/manifest+json",
    SCRIPT: "text/javascript; charset=utf-8",
    "/assets/index-Ab12.css": "text/css; charset=utf-8",
    "/assets/words.json": "application/json",
    "/assets/serif.woff2": "font/woff2",
    "/assets/odd.bin": "application/octet-stream",
}
Fetch = Callable[..., httpx.Response]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with pages that are built, the larger ones also compressed."""
    for name, data in FILES.items():
        file = tmp_path / "pages" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
        if len(data) > 1024:
            file.with_name(f"{file.name}.gz").write_bytes(gzip.compress(data))
    return tmp_path


@pytest.fixture
def fetch(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Fetch:
    """Ask the whole application, door and all, for something of these pages."""
    monkeypatch.setattr(app, "set_up", lambda form: None)
    monkeypatch.setattr(pages, "files", lambda package: folder)
    monkeypatch.setattr(pages, "_files", {})
    club = app.create()

    async def ask(path: str, method: str, headers: dict[str, str]) -> httpx.Response:
        transport = httpx.ASGITransport(club)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as browser:
            del browser.headers["accept-encoding"]
            return await browser.request(method, path, headers=headers)

    return lambda path, method="GET", **headers: asyncio.run(
        ask(path, method, {name.replace("_", "-"): value for name, value in headers.items()})
    )


@pytest.mark.parametrize("path", KINDS)
def test_every_file_is_served_as_what_it_is(fetch: Fetch, path: str) -> None:
    answer = fetch(path)
    assert (answer.status_code, answer.headers["content-type"]) == (200, KINDS[path])
    assert answer.content == FILES[path.removeprefix("/") or "index.html"]
    caching = FOREVER if path.startswith("/assets/") else "no-cache"
    assert answer.headers["cache-control"] == caching
    assert answer.headers["vary"] == "accept-encoding"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "default-src 'self'" in answer.headers["content-security-policy"]


def test_all_addresses_of_pages_are_one_document(fetch: Fetch) -> None:
    for path in PAGES:
        answer = fetch(re.sub(r"\{\w+\}", "abc", path))
        assert (answer.status_code, answer.content) == (200, FILES["index.html"])


def test_what_is_worth_it_is_sent_compressed(fetch: Fetch) -> None:
    for path in ("/", "/t/abc", SCRIPT):
        for wish in ("gzip", "gzip, deflate, br", "br;q=1.0, GZIP;q=0.8", "*"):
            answer = fetch(path, accept_encoding=wish)
            assert answer.headers["content-encoding"] == "gzip", wish
            assert answer.content == fetch(path).content
            assert int(answer.headers["content-length"]) < len(answer.content)
        for wish in ("", "identity", "br", "gzip;q=0", "*;q=0", "gzip; q=0.0, *"):
            answer = fetch(path, accept_encoding=wish)
            assert "content-encoding" not in answer.headers, wish
    assert "content-encoding" not in fetch("/icon.svg", accept_encoding="gzip").headers


def test_what_a_browser_has_already_is_not_sent_again(fetch: Fetch, folder: Path) -> None:
    for path in ("/", "/results", "/sw.js", "/icon-192.png"):
        first = fetch(path, accept_encoding="gzip")
        for tag in (first.headers["etag"], f'"x", {first.headers["etag"]}', "*"):
            again = fetch(path, if_none_match=tag)
            assert (again.status_code, again.content) == (304, b"")
            assert again.headers["etag"] == first.headers["etag"]
            assert again.headers["cache-control"] == "no-cache"
        assert fetch(path, if_none_match='"another"').status_code == 200
    old = fetch("/").headers["etag"]
    (folder / "pages" / "index.html").write_bytes(b"<!doctype html>new")
    assert fetch("/", if_none_match=old).status_code == 304, "files are read once"
    pages.built().clear()
    assert fetch("/", if_none_match=old).content == b"<!doctype html>new"


def test_heads(fetch: Fetch) -> None:
    for path in ("/", SCRIPT, "/icon.svg", "/learn/qwixx"):
        whole, head = fetch(path), fetch(path, "HEAD")
        assert (head.status_code, head.headers) == (200, whole.headers)
    assert fetch("/nowhere", "HEAD").status_code == 404
    for path in ("/", "/learn", "/icon.svg", SCRIPT):
        refused = fetch(path, "POST")
        assert (refused.status_code, refused.json()["error"]) == (405, "bad-request")


NOWHERE = (
    "/nowhere",
    "/t",
    "/t/a/b",
    "/new/qwixx",
    "/assets/index-Old.js",
    "/assets/a/b.js",
    "/index.html.gz",
    "/assets/../sw.js.gz",
    "/..%2f..%2fpages.py",
    "/%2e%2e/pages.py",
    "/assets/..%2findex.html",
    "/a/b/c/d",
)


@pytest.mark.parametrize("path", NOWHERE)
def test_what_is_not_there(fetch: Fetch, path: str) -> None:
    page = fetch(path, **HTML)
    assert (page.status_code, page.content) == (404, FILES["index.html"])
    assert page.headers["content-type"] == KINDS["/"]
    assert page.headers["cache-control"] == "no-cache"
    assert page.headers["vary"] == "accept, accept-encoding"
    assert "etag" not in page.headers
    for accept in ("*/*", "application/json", "image/avif,image/webp,*/*"):
        answer = fetch(path, accept=accept)
        assert (answer.status_code, answer.json()["error"]) == (404, "not-found")
        assert answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize("path", ["/api", "/api/nowhere", "/api/tables/a/b", "/healthz/x"])
def test_programs_are_answered_as_programs_read_it(fetch: Fetch, path: str) -> None:
    answer = fetch(path, **HTML)
    assert (answer.status_code, answer.json()["error"]) == (404, "not-found")


@pytest.mark.parametrize("language", [*LANGUAGES, "rm"])
def test_pages_that_are_not_built(fetch: Fetch, folder: Path, language: str) -> None:
    (folder / "pages" / "index.html").rename(folder / "page")
    room = Path(str(pages.__file__)).parent
    texts = plain(room, language if language in LANGUAGES else "en")
    for path in ("/", "/t/abc", "/learn"):
        answer = fetch(path, accept_language=f"{language}-CH, en;q=0.5")
        assert answer.status_code == 503
        assert answer.headers["content-type"] == KINDS["/"]
        assert answer.headers["cache-control"] == "no-store"
        assert texts["unbuilt.build"].replace("'", "&#x27;") in answer.text
        assert "make web" in answer.text
        assert "<style" not in answer.text
        assert "style=" not in answer.text
    assert fetch("/nowhere", **HTML).json()["error"] == "not-found"
    (folder / "page").rename(folder / "pages" / "index.html")
    assert fetch("/").status_code == 200, "nobody needs to start the club again"


# What is really built


def test_what_is_built_is_served_and_complete(house: Club) -> None:
    """The document, all that it names, and all that the service worker keeps."""
    with httpx.Client(base_url=house.url) as browser:
        page = browser.get("/")
        assert page.status_code == 200, "the pages are not built: make web"
        assert page.headers["content-encoding"] == "gzip"
        named = set(re.findall(r'(?:src|href)="(/[^"]+)"', page.text))
        manifest = browser.get("/manifest.webmanifest").json()
        named |= {icon["src"] for icon in manifest["icons"]}
        worker = browser.get("/sw.js")
        assert worker.headers["cache-control"] == "no-cache"
        found = re.search(r"const SHELF = (\[.*\]);", worker.text)
        assert found
        shelf = set(json.loads(found[1]))
        assert named | {"/"} <= shelf
        assert not [path for path in shelf if path.endswith((".map", ".gz"))]
        for path in sorted(shelf):
            answer = browser.get(path)
            assert answer.status_code == 200, path
            if len(answer.content) > 1024 and not path.endswith(".png"):
                assert answer.headers["content-encoding"] == "gzip", path


def test_the_pages_carry_nothing_from_elsewhere() -> None:
    """No address of another site, and nothing that the content policy would forbid."""
    for path, file in pages.built().items():
        if path.endswith((".html", ".css")):
            assert not re.search(rb"(?:https?:)?//[a-z0-9.-]+\.[a-z]{2,}", file.data), path
        if path.endswith(".html"):
            assert not re.search(rb"<style|style=|<script>|javascript:|\son\w+=", file.data)


def test_visits_are_not_counted_like_requests(tmp_path: Path) -> None:
    """A page has dozens of files, and many guests may come from one address."""
    database, log = f"sqlite:///{tmp_path / 'club.db'}", tmp_path / "club.log"
    with Club(database, log, rate="2") as club, httpx.Client(base_url=club.url) as browser:
        assert {browser.get("/").status_code for _ in range(50)} == {200}
        assert {browser.get("/assets/nothing.js").status_code for _ in range(50)} == {404}
        assert 429 in {browser.get("/api/games").status_code for _ in range(50)}
    text = log.read_text()
    assert text.count("path=/ ") == 50
    assert "nothing.js" not in text
