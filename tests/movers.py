"""Guests who play at random: several at a table, and the same guest at several servers."""

from random import Random

from clubhouse import Club, Guest


class Party:
    """Guests who sit at one table, each in a seat of their own."""

    def __init__(self, club: Club, game: str, seats: int, **wish: object) -> None:
        self.guests = [club.guest(f"Guest {seat}") for seat in range(seats)]
        self.table = self.guests[0].open(game, seats, visibility="open", **wish)
        for seat, guest in enumerate(self.guests):
            guest.do(self.table, "sit", seat=seat)
        self.guests[0].do(self.table, "start")
        self.last = 0
        """The number of the last entry that was acknowledged."""
        self._rng = Random(self.table)

    def move(self) -> bool:
        """Let one of those decide who may; False if the game is over."""
        for seat, guest in enumerate(self.guests):
            if moves := guest.look(self.table)["views"][0]["legal"]:
                move = self._rng.choice(moves)
                self.last = guest.do(self.table, "move", seat=seat, move=move)
                return True
        return False

    def give_up(self) -> None:
        """Bring the game to an end at once."""
        for seat, guest in enumerate(self.guests[1:], 1):
            guest.do(self.table, "resign", seat=seat)

    def go_to(self, club: Club) -> None:
        """Go on at another club that knows the same guests."""
        self.guests = [known_at(club, guest) for guest in self.guests]


def known_at(club: Club, guest: Guest) -> Guest:
    """Return the same guest, by the same cookie, at another server."""
    same = club.guest("Nobody")
    same.http.cookies = guest.http.cookies
    return same
