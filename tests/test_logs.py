"""What the club says about itself: a log without secrets, counts, and whether it is well."""

import base64
import json
import sqlite3
import time
from contextlib import ExitStack, closing
from pathlib import Path
from urllib.parse import quote

import httpx
import pytest
from clubhouse import PATIENCE, Club
from postgres import Postgres
from prometheus_client.parser import text_string_to_metric_families
from wire import TEXT, Wire, cookie_of, frame

PASSWORD = "correct-horse"  # noqa: S105
QUERY = "battery-staple"


def counts(club: Club) -> dict[str, float]:
    """Return what the club counts, as in `qlub_entries_total{what="sat"}`."""
    answer = httpx.get(f"{club.url}/metrics", timeout=PATIENCE)
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/plain")
    found = {}
    for family in text_string_to_metric_families(answer.text):
        for sample in family.samples:
            labels = ",".join(f'{name}="{value}"' for name, value in sample.labels.items())
            found[f"{sample.name}{{{labels}}}" if labels else sample.name] = sample.value
    return found


@pytest.mark.parametrize("form", ["text", "json"])
def test_the_log_has_no_secrets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str) -> None:
    monkeypatch.setenv("QLUB_LOG", form)
    log = tmp_path / "club.log"
    with Club(f"sqlite:///{tmp_path / 'club.db'}", log) as club:
        ann, ben, eve = (club.guest(name) for name in ("Ann", "Ben", "Eve"))
        table = ann.open("qwixx", 2, people=["Ann", "Zoe"])
        invite = ann.ask("GET", f"/api/tables/{table}/invite")["invite"]
        key = ann.ask("POST", f"/api/tables/{table}/seats/1/key")["key"]
        ben.do(table, "enter", invite=invite)
        with eve.socket() as socket:
            assert socket.command(table, "enter", invite=invite)["type"] == "ack"
            assert socket.command(table, "claim", key=f"{key}x")["type"] == "error"
            assert socket.command(table, "claim", key=key)["type"] == "ack"
        ann.http.get(f"/api/tables/{table}?since=0&secret={QUERY}")
        ann.http.get(f"/nowhere?{QUERY}", headers={"X-Forwarded-For": "203.0.113.7"})
        with Wire(club) as wire:
            assert wire.shake_hands(cookie_of(ann), f"/api/socket?{QUERY}").status == 101
            wire.send(frame(TEXT, b"\xff"))
            assert wire.answers()[-1] == {"type": "close", "code": 1007}
        with Wire(club) as wire:
            assert wire.shake_hands({"Origin": "null"}, f"/api/socket?{QUERY}").status == 403
        with Wire(club) as wire:
            wire.send(f"GET /?{QUERY} HTTP/9\r\nCookie: {invite}\r\n\r\n".encode())
            assert wire.answer().status == 400
        assert club.stop() == 0
    with closing(sqlite3.connect(tmp_path / "club.db")) as database:
        rows = [*database.execute("SELECT value FROM keys UNION SELECT secret FROM tables")]
    hidden = [guest.http.cookies["qlub_guest"] for guest in (ann, ben, eve)]
    hidden += [cookie.partition(".")[0] for cookie in hidden]
    hidden += [value.hex() for (value,) in rows]
    hidden += [base64.b64encode(value).decode() for (value,) in rows]
    text = log.read_text(encoding="utf-8")
    for secret in (*hidden, invite, key, key.partition(".")[0], QUERY, "203.0.113.7"):
        assert secret not in text
    assert "Traceback" not in text
    banner, *lines = text.splitlines()
    assert banner.startswith("Qlub is open at ")
    assert len([line for line in lines if f"/api/tables/{table}" in line]) >= 4
    if form == "json":
        assert {"event", "level", "logger", "timestamp"} <= json.loads(lines[0]).keys()
        assert {json.loads(line)["event"] for line in lines} >= {"open", "request", "closed"}


def test_nobody_writes_lines_into_the_log(club: Club) -> None:
    """Whatever a path is made of, its request is one line, without letters that move a cursor."""
    for path in ("/\n2026-01-01 [error] FAKE", "/\x1b[2J\x1b[31m", "/\0\x07\x9b", "/" + "x" * 5000):
        with Wire(club) as wire:
            assert wire.request(f"GET {quote(path)} HTTP/1.1").status == 404
    assert club.stop() == 0
    text = club.log.read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if "status=404" in line]
    assert len(lines) == 4
    for line in lines:
        assert line.isprintable()
        assert len(line) < 400
    assert not [line for line in text.splitlines() if line.startswith("2026-01-01 ")]


def test_the_club_is_well_and_counts(club: Club) -> None:
    health = httpx.get(f"{club.url}/healthz", timeout=PATIENCE)
    assert (health.status_code, health.json()) == (200, {"ok": True})
    ann = club.guest("Ann")
    table = ann.open("qwixx", 2)
    ann.do(table, "sit", seat=0)
    ann.do(table, "sit", seat=1, name="Ben")
    ann.do(table, "start")
    with Wire(club) as wire:
        assert wire.shake_hands(cookie_of(ann)).status == 101
        for do in ("nonsense", "resign", "resign"):
            command = {"do": do, "seat": 0}
            wire.send_text({"do": "command", "table": table, "command": command})
        assert len(wire.answers()) == 4
        assert ann.http.get("/api/tables/nowhere").status_code == 404
        found = counts(club)
        assert found["qlub_sockets"] == 1
    expected = {
        'qlub_entries_total{what="sat"}': 2,
        'qlub_entries_total{what="started"}': 1,
        'qlub_entries_total{what="resigned"}': 1,
        'qlub_games_finished_total{game="qwixx"}': 1,
        'qlub_refused_total{error="bad-request"}': 1,
        'qlub_refused_total{error="game-over"}': 1,
        'qlub_refused_total{error="not-found"}': 1,
        "qlub_not_saved_total": 0,
        "qlub_tables_at_hand": 1,
    }
    assert {name: found[name] for name in expected} == expected
    assert found["qlub_command_seconds_count"] == 5, "those that were no commands are not timed"
    end = time.monotonic() + PATIENCE
    while counts(club)["qlub_sockets"] and time.monotonic() < end:
        time.sleep(0.05)
    assert counts(club)["qlub_sockets"] == 0


def test_several_workers_count_together_and_tell_no_password(
    postgres: Postgres, postgres_url: str, tmp_path: Path
) -> None:
    """Each answers for all; and when the database is gone, all say so without its address."""
    url = postgres_url.replace("qlub@", f"qlub:{PASSWORD}@")
    with ExitStack() as cleanup, Club(url, tmp_path / "club.log", workers="2") as club:
        ann = club.guest("Ann")
        table = ann.open("qwixx", 2, people=["Ann"])
        for number in range(20):
            stir = {"do": "stir", "seat": 0, "entropy": str(number)}
            done = httpx.post(
                f"{club.url}/api/tables/{table}",
                json=stir,
                headers=cookie_of(ann),
                timeout=PATIENCE,
            )
            assert done.status_code == 200
        for _ in range(6):
            wire = cleanup.enter_context(Wire(club))
            assert wire.shake_hands(cookie_of(ann)).status == 101
        for _ in range(6):
            found = counts(club)
            assert found['qlub_entries_total{what="stirred"}'] == 20
            assert found["qlub_sockets"] == 6
        postgres.stop()
        answers = [httpx.get(f"{club.url}/healthz", timeout=PATIENCE) for _ in range(4)]
        answers.append(ann.http.post(f"/api/tables/{table}", json=stir))
        assert {answer.status_code for answer in answers} == {503}
        assert {answer.json()["error"] for answer in answers} == {"not-saved"}
        told = "".join(answer.text for answer in answers)
    text = (tmp_path / "club.log").read_text(encoding="utf-8")
    assert "postgresql" in text
    assert PASSWORD not in text + told
