"""A guest's evening: the club over HTTP and over the socket, from the invitation to the rematch."""

import sqlite3
from pathlib import Path

from clubhouse import Club


def test_two_guests_play_by_invitation(club: Club) -> None:
    ann, ben = club.guest("Ann"), club.guest("Ben")
    table = ann.open("qwixx", 2)
    ann.do(table, "sit", seat=0)
    ben.enter(table, ann)
    ben.do(table, "sit", seat=1, entropy="Ben was here")
    ann.do(table, "start")
    assert ben.look(table)["you"] == {"seats": [1], "host": False}
    assert ben.look(table)["state"]["fair"]["entropy"] == ["", "Ben was here"]
    with ann.socket() as at_ann, ben.socket() as at_ben:
        at_ben.watch(table)
        assert at_ann.command(table, "move", seat=0, move="-", id="one")["type"] == "ack"
        assert at_ben.receive_until("update")["entries"][-1]["events"] == [[0, None]]


def test_a_log_that_cannot_be_read_does_not_hide_the_others(club: Club, tmp_path: Path) -> None:
    ann = club.guest("Ann")
    broken, whole = (ann.open("qwixx", 2, visibility="open") for _ in range(2))
    club.stop()
    with sqlite3.connect(tmp_path / "club.db") as database:
        database.execute("UPDATE entries SET body = '{}' WHERE table_id = ?", (broken,))
    database.close()
    club.start()
    listed = ann.ask("GET", "/api/tables")["tables"]
    assert [one["table"] for one in listed] == [whole]
    answer = ann.http.get(f"/api/tables/{broken}")
    assert (answer.status_code, answer.json()["error"]) == (500, "fault")
