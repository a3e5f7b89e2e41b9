"""A guest's evening: the club over HTTP and over the socket, from the invitation to the rematch."""

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
