"""Requests that no client would send: broken lines, lengths that lie, odd bodies and cookies."""

import gzip
import json
from collections.abc import Iterator

import pytest
from clubhouse import Club
from hypothesis import given, settings
from hypothesis import strategies as st
from mallory import REPEATABLE, Company, assert_plays_on, assert_refused_in_order
from wire import Wire, cookie_of, head


@pytest.fixture(autouse=True)
def plays_on(house: Club) -> Iterator[None]:
    """Whatever a test sent, the club is as well as before."""
    yield
    assert_plays_on(house)


def ask(line: str, *headers: str, body: str = "") -> str:
    """Write a request to the club, to be sent as it is."""
    return "\r\n".join([line, "Host: {host}", *headers, "", body])


PUT, POST = "PUT /api/guest HTTP/1.1", "POST /api/tables HTTP/1.1"
JSON, IN_PARTS = "Content-Type: application/json", "Transfer-Encoding: chunked"

BROKEN: dict[str, tuple[str, int]] = {
    "no method": (ask(" / HTTP/1.1"), 400),
    "an unknown method": (ask("PLAY / HTTP/1.1"), 400),
    "another protocol": (ask("GET / FTP/1.1"), 400),
    "a later version": (ask("GET / HTTP/3.0"), 400),
    "the preface of HTTP/2": ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400),
    "no host": ("GET / HTTP/1.1\r\n\r\n", 403),
    "an empty host": ("GET / HTTP/1.1\r\nHost:\r\n\r\n", 403),
    "a host that is none": ("GET / HTTP/1.1\r\nHost: [::1\r\n\r\n", 403),
    "a port that is none": ("GET / HTTP/1.1\r\nHost: localhost:port\r\n\r\n", 403),
    "a header without a colon": (ask("GET / HTTP/1.1", "nonsense"), 400),
    "a header with a nul": (ask("GET / HTTP/1.1", "X: \0"), 400),
    "a path with a nul": (ask("GET /\0 HTTP/1.1"), 400),
    "a path with bytes": (ask("GET /\xff\xfe HTTP/1.1"), 400),
    "a long path": (ask(f"GET /{'x' * 70_000} HTTP/1.1"), 400),
    "a coded nul": (ask("GET /api/tables/%00 HTTP/1.1"), 400),
    "a coded line": (ask("GET /api/tables/a%0d%0ab HTTP/1.1"), 400),
    "coded dots": (ask("GET /api/tables/%2e%2e HTTP/1.1"), 400),
    "a coded slash": (ask("GET /api/tables/a%2fb HTTP/1.1"), 404),
    "codes that are none": (ask("GET /api/%zz%f%ff HTTP/1.1"), 404),
    "another tree": (ask("GET /../../etc/passwd HTTP/1.1"), 404),
    "two slashes": (ask("GET //evil.example/ HTTP/1.1"), 404),
    "a query of bytes": (ask("GET /api/tables?game=%ff%00 HTTP/1.1"), 404),
    "a query twice": (ask("GET /api/tables?limit=1&limit=x HTTP/1.1"), 400),
    "another site": (ask("GET http://evil.example/nowhere HTTP/1.1"), 404),
    "a tunnel": (ask("CONNECT evil.example:443 HTTP/1.1"), 400),
    "HEAD": (ask("HEAD /api/games HTTP/1.0"), 405),
    "OPTIONS": (ask("OPTIONS /api/tables HTTP/1.1"), 405),
    "OPTIONS for all": (ask("OPTIONS * HTTP/1.1"), 404),
    "TRACE": (ask("TRACE / HTTP/1.1"), 405),
    "DELETE": (ask("DELETE /api/guest HTTP/1.1"), 405),
    "a socket by POST": (ask("POST /api/socket HTTP/1.1"), 404),
    "no number of bytes": (ask(POST, "Content-Length: x", body="{}"), 400),
    "fewer than no bytes": (ask(POST, "Content-Length: -1", body="{}"), 400),
    "too many bytes": (ask(POST, "Content-Length: 99999", body="{}"), 413),
    "far too many bytes": (ask(POST, f"Content-Length: {10**30}", body="{}"), 400),
    "two lengths": (ask(PUT, "Content-Length: 2", "Content-Length: 3", body="{}"), 400),
    "a length and parts": (ask(PUT, "Content-Length: 2", IN_PARTS, body="0\r\n\r\n"), 400),
    "parts that are none": (ask(PUT, IN_PARTS, body="x\r\n\r\n"), 400),
    "parts that are too many": (
        ask(PUT, JSON, IN_PARTS, body=f"1000\r\n{' ' * 4096}\r\n" * 9),
        413,
    ),
    "an upgrade to something else": (
        ask("DELETE / HTTP/1.1", "Connection: upgrade", "Upgrade: h2c"),
        405,
    ),
}


def test_broken_requests_are_refused(house: Club, company: Company) -> None:
    for name, (text, status) in BROKEN.items():
        with Wire(house) as wire:
            wire.send(text.replace("{host}", wire.host).encode("latin-1"))
            answer = wire.answer()
            assert answer.status == status, name
            company.assert_sees_nothing(answer.body)


BODIES: dict[str, tuple[bytes, str]] = {
    "nothing": (b"", "application/json"),
    "no JSON": (b"name=Eve", "application/json"),
    "a form": (b"name=Eve", "application/x-www-form-urlencoded"),
    "a form in parts": (b"--x\r\n\r\nEve\r\n--x--", "multipart/form-data; boundary=x"),
    "text": (b'{"name": "Eve"}', "text/plain"),
    "another kind": (b'{"name": "Eve"}', "application/xml"),
    "no kind": (b'{"name": "Eve"}', "nonsense"),
    "bytes": (b'{"name": "\xff"}', "application/json"),
    "compressed": (gzip.compress(b'{"name": "Eve"}'), "application/json"),
    "half a letter": (b'{"name": "\\ud800"}', "application/json"),
    "another field": (b'{"name": "Eve", "\\n\\u001b[31m": 1}', "application/json"),
    "half a letter for a field": (b'{"name": "Eve", "\\ud800": 1}', "application/json"),
    "a list": (b'["Eve"]', "application/json"),
    "a deep nest": (b'{"name":' + b"[" * 9000, "application/json"),
    "a nest that is closed": (b"[" * 900 + b"]" * 900, "application/json"),
    "a long number": (b'{"name": ' + b"9" * 9000 + b"}", "application/json"),
    "no number": (b'{"name": NaN}', "application/json"),
}


def test_bodies_that_are_not_meant_for_it(house: Club, company: Company) -> None:
    before = company.mallory.ask("GET", "/api/guest")
    for name, (body, kind) in BODIES.items():
        headers = {"Content-Type": kind, **cookie_of(company.mallory)}
        headers |= {"Content-Encoding": "gzip"} if name == "compressed" else {}
        with Wire(house) as wire:
            answer = wire.request("PUT /api/guest HTTP/1.1", headers, body)
            assert answer.status == 400, name
            assert_refused_in_order(json.loads(answer.body))
    assert company.mallory.ask("GET", "/api/guest") == before


def test_cookies_that_nobody_baked(house: Club, company: Company) -> None:
    right = cookie_of(company.mallory)["Cookie"]
    value = right.partition("=")[2]
    for cookie in (
        "",
        "=",
        ";;;",
        "qlub_guest",
        "qlub_guest=",
        'qlub_guest="',
        "qlub_guest=\xff\xfe",
        f"qlub_guest={'x' * 9000}",
        f"qlub_guest={'.' * 9000}",
        f"other={value}",
        "; ".join(f"c{number}=x" for number in range(1000)),
        f"{right}; qlub_guest=forged",
    ):
        with Wire(house) as wire:
            answer = wire.request("GET /api/tables/mine HTTP/1.1", {"Cookie": cookie})
            assert (answer.status, json.loads(answer.body)["error"]) == (401, "no-guest"), cookie


def test_requests_with_bytes_changed(house: Club, company: Company) -> None:
    """Requests that were right until some bytes were lost, doubled or replaced."""
    body = b'{"do": "sit", "seat": 1, "name": "Eve"}'
    headers = {"Content-Type": "application/json", "Content-Length": str(len(body))}
    headers |= {"Host": house.url.removeprefix("http://"), **cookie_of(company.mallory)}
    request = head(f"POST /api/tables/{company.private}?since=1 HTTP/1.1", headers) + body

    @given(
        changes=st.lists(
            st.tuples(st.integers(0, len(request)), st.integers(0, 3), st.binary(max_size=3)),
            min_size=1,
            max_size=4,
        )
    )
    @settings(REPEATABLE, max_examples=200)
    def send(changes: list[tuple[int, int, bytes]]) -> None:
        data = request
        for at, lost, new in changes:
            data = data[:at] + new + data[at + lost :]
        with Wire(house) as wire:
            wire.send(data)
            company.assert_sees_nothing(wire.finish())

    send()
