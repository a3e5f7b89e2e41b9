"""Whole evenings for tests: guests at one table of a real club, from the invitation to the end."""

import time
from collections.abc import Callable

from clubhouse import PATIENCE, Club, Guest


def begun(club: Club, *names: str, game: str = "qwixx", **wish: object) -> tuple[str, list[Guest]]:
    """Let guests come in by the host's invitation, sit down and begin."""
    guests = [club.guest(name) for name in names]
    table = guests[0].open(game, len(guests), **wish)
    for seat, guest in enumerate(guests):
        guest.enter(table, guests[0])
        guest.do(table, "sit", seat=seat)
    guests[0].do(table, "start")
    return table, guests


def pass_on(table: str, *guests: Guest) -> None:
    """Let everybody pass until the game is over."""
    while guests[0].look(table)["state"]["status"] == "playing":
        for guest in guests:
            for view in guest.look(table)["views"]:
                if "-" in view["legal"]:
                    guest.do(table, "move", seat=view["seat"], move="-")


def wait_for(happened: Callable[[], bool]) -> None:
    """Wait until something has happened that the club does on its own."""
    end = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < end, "it never happened"
        time.sleep(0.02)
