"""Who is let in: cookies that we signed, pages of our own, names that are ours; and our headers."""

import base64
import secrets
import socket
from collections.abc import Iterator, Mapping

import pytest
from clubhouse import Club, Refused
from wire import Answer, Wire, cookie_of

from qlub.club.tokens import Tokens

OWN_URL = "https://club.example.org"


@pytest.fixture(scope="module")
def proxied(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Club]:
    """A club with an address of its own, behind a proxy on this machine that it believes."""
    folder = tmp_path_factory.mktemp("proxied")
    database, log = f"sqlite:///{folder / 'club.db'}", folder / "club.log"
    with Club(database, log, url=OWN_URL, proxies="127.0.0.1") as club:
        yield club


def fetch(club: Club, path: str, **headers: str) -> Answer:
    """Ask for a page with headers of one's own."""
    with Wire(club) as wire:
        return wire.request(f"GET {path} HTTP/1.1", headers)


def put_guest(club: Club, headers: Mapping[str, str] = {}) -> Answer:
    """Introduce somebody, with headers of one's own."""
    with Wire(club) as wire:
        kind = {"Content-Type": "application/json"}
        return wire.request("PUT /api/guest HTTP/1.1", {**kind, **headers}, b'{"name": "Ann"}')


def host_of(club: Club) -> str:
    return club.url.removeprefix("http://")


# Cookies


def attributes(answer: Answer) -> set[str]:
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith("qlub_guest=")
    return {part.strip() for part in cookie.split(";")[1:]}


def test_the_cookie_is_for_this_club_and_for_no_script(house: Club) -> None:
    assert attributes(put_guest(house)) == {
        "HttpOnly",
        "SameSite=lax",
        "Path=/",
        f"Max-Age={365 * 24 * 3600}",
    }


def test_the_cookie_is_secure_where_browsers_come_by_https(house: Club, proxied: Club) -> None:
    assert "Secure" in attributes(put_guest(proxied))
    assert "Secure" not in attributes(put_guest(house, {"X-Forwarded-Proto": "https"}))
    assert put_guest(proxied).headers["strict-transport-security"] == "max-age=31536000"
    assert "strict-transport-security" not in put_guest(house).headers


def test_a_cookie_that_we_did_not_sign_is_nobodys(house: Club) -> None:
    ann = house.guest("Ann")
    table = ann.open("qwixx", 2, people=["Ann"])
    cookie = ann.http.cookies["qlub_guest"]
    guest, _, signature = cookie.rpartition(".")
    other = house.guest("Ben").http.cookies["qlub_guest"]
    key = ann.ask("POST", f"/api/tables/{table}/seats/0/key")["key"]
    for forged in (
        guest,
        f"{guest}.",
        f".{signature}",
        cookie[:-1],
        cookie[1:],
        f"{cookie}x",
        f"{guest}.{signature.swapcase()}",
        f"{guest}.{other.rpartition('.')[2]}",
        f"{other.rpartition('.')[0]}.{signature}",
        f"{guest[:-1]}{'0' if guest[-1] != '0' else '1'}.{signature}",
        Tokens(secrets.token_bytes(32)).cookie(guest),
        Tokens(bytes(32)).cookie(guest),
        key,
    ):
        answer = fetch(house, "/api/tables/mine", Cookie=f"qlub_guest={forged}")
        assert (answer.status, answer.error) == (401, "no-guest"), forged
    with pytest.raises(Refused) as refused:
        house.guest("Eve").do(table, "claim", key=cookie)
    assert refused.value.status in (403, 404), "a cookie is no key of a seat"


def test_guests_and_invitations_cannot_be_guessed(house: Club) -> None:
    """All are different, and have at least 128 bits that come from the system."""
    ann = house.guest("Ann")
    cookies = {
        put_guest(house).headers["set-cookie"].removeprefix("qlub_guest=").partition(".")[0]
        for _ in range(20)
    }
    invites = {
        str(ann.ask("POST", "/api/tables", {"game": "qwixx", "seats": 2})["invite"])
        for _ in range(20)
    }
    assert len(cookies) == len(invites) == 20
    assert {len(bytes.fromhex(cookie)) for cookie in cookies} == {16}
    assert {len(base64.urlsafe_b64decode(invite + "==")) for invite in invites} == {16}


# Origins and names

FOREIGN = {
    "another site": {"Origin": "http://evil.example"},
    "nowhere": {"Origin": "null"},
    "nothing": {"Origin": ""},
    "another port": {"Origin": "http://127.0.0.1:1"},
    "the usual port": {"Origin": "http://127.0.0.1"},
    "another scheme": {"Origin": "https://{host}"},
    "no scheme": {"Origin": "{host}"},
    "a name that begins like ours": {"Origin": "http://{host}.evil.example"},
    "a name that is no name": {"Origin": "http://[{host}"},
    "a file": {"Origin": "file://"},
    "an extension": {"Origin": "chrome-extension://{host}"},
    "a page elsewhere": {"Sec-Fetch-Site": "cross-site"},
    "a neighbour's page": {"Sec-Fetch-Site": "same-site"},
}
OWN = {
    "no browser": {},
    "our page": {"Origin": "http://{host}"},
    "our page, fetched": {"Origin": "http://{host}", "Sec-Fetch-Site": "same-origin"},
    "the address line": {"Sec-Fetch-Site": "none"},
}


@pytest.mark.parametrize("name", [*FOREIGN, *OWN])
def test_only_our_own_pages_may_change_anything(house: Club, name: str) -> None:
    headers = {
        header: value.replace("{host}", host_of(house))
        for header, value in (FOREIGN | OWN)[name].items()
    }
    guest = house.guest("Ann")
    changing = [
        guest.http.put("/api/guest", json={"name": "Eve"}, headers=headers),
        guest.http.post("/api/tables", json={"game": "qwixx", "seats": 2}, headers=headers),
    ]
    with Wire(house) as wire:
        handshake = wire.shake_hands(headers | cookie_of(guest))
    if name in OWN:
        assert [answer.status_code for answer in changing] == [200, 201]
        assert handshake.status == 101
        return
    for answer in changing:
        assert (answer.status_code, answer.json()["error"]) == (403, "wrong-origin")
    assert handshake.status == 403
    assert b"wrong-origin" in handshake.body
    assert guest.ask("GET", "/api/guest") == {"name": "Ann"}
    assert guest.ask("GET", "/api/tables/mine") == {"tables": []}
    seen = guest.http.get("/api/guest", headers=headers)
    assert "access-control-allow-origin" not in seen.headers, "its page may not read it"


def test_a_club_with_an_address_of_its_own(proxied: Club) -> None:
    """Its pages have that origin, whatever name and scheme the proxy uses to reach it."""
    own = OWN_URL.removeprefix("https://")
    for origin, host, status in (
        (OWN_URL, own, 200),
        (OWN_URL, host_of(proxied), 200),
        (f"{OWN_URL}:443", own, 200),
        (OWN_URL.upper(), own, 200),
        (f"http://{own}", own, 403),
        (f"{OWN_URL}:8443", own, 403),
        ("https://evil.example", own, 403),
        (f"http://{host_of(proxied)}", host_of(proxied), 200),
    ):
        for forwarded in ("http", "https"):
            if host != own and forwarded == "https":
                continue
            headers = {"Origin": origin, "Host": host, "X-Forwarded-Proto": forwarded}
            assert put_guest(proxied, headers).status == status, headers


def test_no_other_name_may_point_here(house: Club, proxied: Club) -> None:
    """A page of another site could otherwise give its own name our address, and read everything."""
    port = host_of(house).partition(":")[2]
    for host in (
        "evil.example",
        f"evil.example:{port}",
        "127.0.0.1.evil.example",
        "x@evil.example",
    ):
        for path in ("/", "/api/games", "/api/openapi.json", "/healthz", "/metrics", "/nowhere"):
            answer = fetch(house, path, Host=host)
            assert (answer.status, answer.error) == (403, "wrong-origin")
        with Wire(house) as wire:
            assert wire.shake_hands({"Host": host}).status == 403
    machine = socket.gethostname()
    for host in ("localhost", f"LOCALHOST:{port}", f"[::1]:{port}", "192.168.0.7", machine):
        assert fetch(house, "/api/games", Host=host).status == 200, host
    for club, status in ((house, 403), (proxied, 200)):
        assert fetch(club, "/api/games", Host=OWN_URL.removeprefix("https://")).status == status


# Headers

DRESS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
POLICY = {
    "default-src": "'self'",
    "object-src": "'none'",
    "base-uri": "'none'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
}


def test_every_answer_is_dressed(house: Club) -> None:
    guest = house.guest("Ann")
    requests = {
        ("GET", "/"): 200,
        ("GET", "/api/openapi.json"): 200,
        ("GET", "/api/games"): 200,
        ("GET", "/healthz"): 200,
        ("GET", "/metrics"): 200,
        ("GET", "/nowhere"): 404,
        ("GET", "/api/nowhere"): 404,
        ("GET", "/api/tables/nowhere"): 404,
        ("GET", "/api/tables?limit=x"): 400,
        ("DELETE", "/"): 405,
        ("HEAD", "/"): 200,
        ("POST", "/sw.js"): 405,
        ("DELETE", "/api/guest"): 405,
        ("POST", "/api/tables"): 400,
        ("PUT", "/api/guest"): 400,
    }
    answers = {key: guest.http.request(*key) for key in requests}
    assert {key: answer.status_code for key, answer in answers.items()} == requests
    large = guest.http.put("/api/guest", content=b"x" * 40_000)
    foreign = guest.http.put("/api/guest", headers={"Origin": "null"})
    assert [large.status_code, foreign.status_code] == [413, 403]
    for answer in (*answers.values(), large, foreign):
        check_dress(dict(answer.headers))
        is_page = answer.url.path == "/" and answer.status_code == 200
        assert answer.headers["cache-control"] == ("no-cache" if is_page else "no-store")
    for path, origin, status in (("/api/socket", "null", 403), ("/nowhere", house.url, 404)):
        with Wire(house) as wire:
            handshake = wire.shake_hands({"Origin": origin}, path)
            assert handshake.status == status
            check_dress({name.lower(): value for name, value in handshake.headers.items()})


def check_dress(headers: dict[str, str]) -> None:
    assert DRESS.items() <= headers.items()
    policy = headers["content-security-policy"]
    directives = dict(part.strip().split(" ", 1) for part in policy.split(";"))
    assert POLICY.items() <= directives.items()
    assert "unsafe" not in policy
    assert "server" not in headers
