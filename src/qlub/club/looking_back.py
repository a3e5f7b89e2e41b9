"""Looking back: how a game lay after each of its events, as a guest may know it."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from qlub.club import telling
from qlub.club.entries import Entry, Moved, Started
from qlub.club.table import OVER, Table
from qlub.core.game import CHANCE, Json, State, status
from qlub.core.record import after


def history(table: Table, seats: tuple[int, ...]) -> bytes:
    """Return all moments of a game in order, as the guest with these seats may know them now.

    A spectator looks with nobody's eyes, and so do several people who share a device while the game
    runs: each of them could be looking. A view of the past hides what it hid then, even afterwards.
    """
    is_shared = len(seats) > 1 and table.status != OVER
    return telling.encode({"steps": list(_steps(table, () if is_shared else seats))})


def _steps(table: Table, seats: tuple[int, ...]) -> Iterator[Json]:
    match, seat = table.playing(), seats[0] if seats else None
    state = match.game.new(len(match.names), match.options)

    def step(entry: Entry, event: object, chance: Json | None) -> Json:
        view = state.view(seat)
        return {
            "seq": entry.seq,
            "at": entry.at,
            "event": event,
            "turn": status(state),
            "view": match.game.write_view(view),
            "guide": match.game.guide(view, ""),
            "chance": chance,
        }

    for entry in table.entries:
        if not isinstance(entry.what, Started | Moved):
            continue
        if isinstance(entry.what, Started):
            yield step(entry, None, None)
        told = telling.told_entry(table, entry, seats)["events"]
        for (actor, text), event in zip(entry.what.events, told, strict=True):
            chance = _possible(state) if actor == CHANCE and table.status == OVER else None
            state, _ = after(match.game, state, actor, text)
            yield step(entry, event, chance)


def _possible(state: State[Any]) -> Json:
    """Describe what chance may supply: seats for a lot, faces for dice, the bag for a draw.

    With it and the secret, whoever has no rules at hand can work out what chance had to supply.
    """
    return asdict(state.awaited_chance())
