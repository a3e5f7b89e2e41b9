"""The door: looks at every request before anything else does, and at every answer after it."""

import ipaddress
import socket
import time
from collections.abc import MutableMapping
from typing import Any, TypeAlias
from urllib.parse import urlsplit

import structlog
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from qlub.club.errors import TooLarge, WrongOrigin, status_of, told
from qlub.club.limits import Addresses
from qlub.club.metrics import REFUSED
from qlub.club.settings import Settings
from qlub.core.errors import BadRequest, QlubError

LARGEST_BODY = 1 << 15
SAFE = {"GET", "HEAD", "OPTIONS"}
QUIET = {"/healthz", "/metrics"}
FILES = "/assets/"
"""Where the files of the pages are: one visit asks for dozens, so they are not logged."""

HEADERS = {
    "cache-control": "no-store",  # but for the pages, which say themselves how long they are good
    "content-security-policy": (
        "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; "
        "form-action 'self'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}

Site: TypeAlias = tuple[str, str, int | None]
"""A scheme, a name and a port: pages of the same site may do what they like to each other."""

log = structlog.get_logger("qlub.requests")


class Guard:
    """Refuses what comes from other sites, too fast or too large, and dresses every answer.

    A refusal is an ordinary answer: a word, a sentence, and a status that fits.
    """

    def __init__(self, app: ASGIApp, settings: Settings, addresses: Addresses) -> None:
        self.app = app
        self.settings = settings
        self.addresses = addresses
        self.names = _own_names(settings)
        self.site = _site(settings.url)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        began = time.perf_counter()
        answer = _Answer(send, self._headers())
        try:
            self._check(scope)
            if scope["type"] == "websocket":
                await self.app(scope, receive, send)
            else:
                await self.app(scope, _bounded(receive), answer.send)
        except QlubError as error:
            await self._refuse(error, scope, receive, answer)
        finally:
            is_quiet = scope["path"] in QUIET or scope["path"].startswith(FILES)
            if scope["type"] == "http" and not is_quiet:
                milliseconds = round(1000 * (time.perf_counter() - began), 1)
                log.info(
                    "request",
                    method=scope["method"],
                    path=scope["raw_path"].decode("ascii", "replace")[:200],
                    status=answer.status,
                    ms=milliseconds,
                )

    async def _refuse(
        self, error: QlubError, scope: Scope, receive: Receive, answer: "_Answer"
    ) -> None:
        REFUSED.labels(error.word).inc()
        response = JSONResponse(told(error), status_of(error))
        if not answer.has_begun:
            await response(scope, receive, answer.send)

    def _check(self, scope: Scope) -> None:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if not self._is_ours(host):
            raise WrongOrigin("this name is not the club's; the host can add it with QLUB_URL")
        if scope["type"] == "websocket" or scope["method"] not in SAFE:
            self._check_origin(headers, _site(f"{scope['scheme'].replace('ws', 'http')}://{host}"))
        self._count(scope["path"], address_of(scope))
        length = headers.get("content-length", "0")
        if not (length.isascii() and length.isdigit()):
            raise BadRequest("content-length is a number")
        if len(length) > 9 or int(length) > LARGEST_BODY:
            raise TooLarge(f"a request has at most {LARGEST_BODY} bytes")

    def _count(self, path: str, address: str) -> None:
        """Count a request, or refuse it if too many came from an address.

        Monitors count apart, so that nobody can crowd them out. Pages do not count: a browser asks
        for many files at once, they lie in memory, and to refuse one costs as much as to send it.
        """
        if path in QUIET:
            self.addresses.request(f"monitor {address}")
        elif path.startswith("/api"):
            self.addresses.request(address)

    def _is_ours(self, host: str) -> bool:
        """Say whether a request names this club, so that no other site can point here."""
        name = _hostname(f"//{host}")
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return name in self.names
        return True

    def _check_origin(self, headers: Headers, asked: Site | None) -> None:
        """Refuse what a browser sends from a page of another site.

        Programs that are no browsers send no Origin, and have no cookies that could be abused.
        """
        origin = headers.get("origin")
        if origin is None:
            is_ours = headers.get("sec-fetch-site", "none") in ("same-origin", "none")
        else:
            site = _site(origin)
            is_ours = site is not None and site in (self.site, self._as_browsers_see(asked))
        if not is_ours:
            raise WrongOrigin("this came from a page of another site; see QLUB_URL")

    def _as_browsers_see(self, asked: Site | None) -> Site | None:
        """Return the site that was asked; under our own name it is ours, whatever a proxy made of it."""
        is_own_name = self.site and asked and self.site[1] == asked[1]
        return self.site if is_own_name else asked

    def _headers(self) -> dict[str, str]:
        headers = dict(HEADERS)
        if self.settings.is_secure:
            headers["strict-transport-security"] = "max-age=31536000"
        return headers


class _Answer:
    """Adds the headers to an answer and remembers its status."""

    def __init__(self, send: Send, headers: dict[str, str]) -> None:
        self._send = send
        self._headers = headers
        self.status = 0
        self.has_begun = False

    async def send(self, message: Message) -> None:
        if message["type"] in ("http.response.start", "websocket.http.response.start"):
            self.status = message["status"]
            self._dress(message)
        self.has_begun = self.has_begun or message["type"] != "http.response.debug"
        await self._send(message)

    def _dress(self, message: MutableMapping[str, Any]) -> None:
        headers = MutableHeaders(scope=message)
        for name, value in self._headers.items():
            headers.setdefault(name, value)


def _bounded(receive: Receive) -> Receive:
    """Refuse a body that turns out to be larger than it said."""
    total = 0

    async def bounded() -> Message:
        nonlocal total
        message = await receive()
        if message["type"] == "http.request":
            total += len(message.get("body", b""))
            if total > LARGEST_BODY:
                raise TooLarge(f"a request has at most {LARGEST_BODY} bytes")
        return message

    return bounded


def address_of(scope: Scope) -> str:
    """Return the address that a request came from, as far as proxies are believed."""
    client = scope.get("client")
    return str(client[0]) if client else "unknown"


def _own_names(settings: Settings) -> set[str]:
    machine = socket.gethostname().lower()
    names = {"localhost", machine, f"{machine}.local", settings.host.lower()}
    return names | {_hostname(settings.url)} if settings.url else names


def _hostname(address: str) -> str:
    site = _site(address)
    return site[1] if site else ""


def _site(address: str) -> Site | None:
    """Return the site of an address, or None for what is no address.

    >>> _site("https://Club.example.org"), _site("null")
    (('https', 'club.example.org', 443), None)
    """
    try:
        parts = urlsplit(address)
        port = parts.port or {"http": 80, "https": 443}.get(parts.scheme)
    except ValueError:
        return None
    return (parts.scheme, parts.hostname, port) if parts.hostname else None
