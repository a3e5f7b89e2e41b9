"""The pages: the files that were built from `web/`, and the one page that all addresses share."""

import hashlib
from collections.abc import Awaitable, Callable, Iterator
from html import escape
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import PurePosixPath
from typing import NamedTuple

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import HTMLResponse, Response

from qlub.words import LANGUAGES, Words

FOREVER = "public, max-age=31536000, immutable"
"""For files whose names change with what is in them."""
ASK_AGAIN = "no-cache"
DOCUMENT = "/index.html"

KINDS = {
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
"""What systems say about this differs, and browsers refuse scripts of another kind."""

PAGES = (
    "/",
    "/t/{table}",
    "/new/{game}/{how}",
    "/learn",
    "/learn/{game}",
    "/rules/{game}",
    "/results",
)
"""The addresses of `web/src/routes.svelte.ts`."""

PLAIN = ("/api", "/healthz", "/metrics")
"""Addresses for programs: what is not there is refused as programs read it."""

router = APIRouter(include_in_schema=False)


class File(NamedTuple):
    """A file that was built: as it is, compressed if that is worth it, and what it is."""

    data: bytes
    compressed: bytes | None
    kind: str
    tag: str


_files: dict[str, File] = {}


def built() -> dict[str, File]:
    """Return all files by their address. They are read once, as soon as they are there."""
    if DOCUMENT not in _files:
        folder = files("qlub.club") / "pages"
        found = dict(_collect(folder, "/")) if folder.is_dir() else {}
        _files.update(
            (path, _file(path, data, found.get(f"{path}.gz")))
            for path, data in found.items()
            if not path.endswith(".gz")
        )
    return _files


def _file(path: str, data: bytes, compressed: bytes | None) -> File:
    kind = KINDS.get(PurePosixPath(path).suffix, "application/octet-stream")
    return File(data, compressed, kind, f'W/"{hashlib.sha256(data).hexdigest()[:20]}"')


def _collect(folder: Traversable, path: str) -> Iterator[tuple[str, bytes]]:
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _collect(entry, f"{path}{entry.name}/")
        else:
            yield f"{path}{entry.name}", entry.read_bytes()


async def page(request: Request) -> Response:
    """Answer every address of a page with the same document: the script reads the address."""
    if DOCUMENT not in built():
        return _unbuilt(request)
    return _serve(request, DOCUMENT, ASK_AGAIN)


async def asset(request: Request, name: str) -> Response:
    """Answer with a file whose name changes with what is in it."""
    return _serve(request, f"/assets/{name}", FOREVER)


async def file(request: Request, name: str) -> Response:
    """Answer with a file that keeps its name: the icon, the manifest, the service worker."""
    return _serve(request, f"/{name}", ASK_AGAIN)


def _offer(path: str, answer: Callable[..., Awaitable[Response]]) -> None:
    router.add_api_route(path, answer, methods=["GET", "HEAD"])


for _path in PAGES:
    _offer(_path, page)
_offer("/assets/{name}", asset)
_offer("/{name}", file)


def missing_page(request: Request) -> Response | None:
    """Return the page for an address that does not exist, if a browser went there.

    It is the same document again: its script knows that there is no such page, and says so.
    """
    path = request.url.path
    is_for_programs = any(path == start or path.startswith(f"{start}/") for start in PLAIN)
    goes_there = request.method in ("GET", "HEAD") and "text/html" in request.headers.get(
        "accept", ""
    )
    if is_for_programs or not goes_there or DOCUMENT not in built():
        return None
    return _answer_with(request, built()[DOCUMENT], 404, {"cache-control": ASK_AGAIN})


def _serve(request: Request, path: str, caching: str) -> Response:
    """Answer with a file, or only that it has not changed."""
    found = built().get(path)
    if found is None:
        raise HTTPException(404)
    headers = {"cache-control": caching, "etag": found.tag, "vary": "accept-encoding"}
    if _has_already(request.headers.get("if-none-match", ""), found.tag):
        return Response(status_code=304, headers=headers)
    return _answer_with(request, found, 200, headers)


def _answer_with(request: Request, file: File, status: int, headers: dict[str, str]) -> Response:
    data = file.data
    if file.compressed and accepts_gzip(request.headers.get("accept-encoding", "")):
        data, headers = file.compressed, headers | {"content-encoding": "gzip"}
    headers = {"vary": "accept, accept-encoding"} | headers
    return Response(data, status, headers, file.kind)


def _has_already(asked: str, tag: str) -> bool:
    """Say whether a browser has the file with this tag.

    >>> _has_already('"a", W/"b"', 'W/"b"'), _has_already('"b"', 'W/"b"'), _has_already("", 'W/"b"')
    (True, True, False)
    """
    tags = {one.strip().removeprefix("W/") for one in asked.split(",")}
    return tag.removeprefix("W/") in tags or "*" in tags


def accepts_gzip(asked: str) -> bool:
    """Say whether a browser reads what is compressed.

    >>> accepts_gzip("br, gzip;q=0.5"), accepts_gzip("*"), accepts_gzip("gzip;q=0, *")
    (True, True, False)
    """
    wishes = {}
    for wish in asked.lower().split(","):
        name, _, rest = wish.partition(";")
        wishes[name.strip()] = rest.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return wishes.get("gzip", wishes.get("*", False))


def _unbuilt(request: Request) -> Response:
    """Say in the reader's language that the pages were not built, and what to do."""
    language = spoken(request.headers.get("accept-language", ""))
    words = Words.of("qlub.club", language)
    return HTMLResponse(
        f'<!doctype html><html lang="{language}"><meta charset="utf-8"><title>Qlub</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light dark"><h1>Qlub</h1>'
        f"<p>{escape(words('unbuilt.open'))}</p>"
        f"<p>{escape(words('unbuilt.build'))} <code>make web</code></p>"
        f"<p>{escape(words('unbuilt.terminal'))} <code>qlub play</code></p></html>",
        503,
    )


def spoken(accepted: str) -> str:
    """Return the first of our languages that a browser asks for, else English.

    >>> spoken("rm, fr-CH;q=0.9, en;q=0.8"), spoken("*")
    ('fr', 'en')
    """
    for part in accepted.split(","):
        language = part.strip()[:2].lower()
        if language in LANGUAGES:
            return language
    return "en"
