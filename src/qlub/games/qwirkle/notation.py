"""Texts of Qwirkle to moves and back, who is told what, and how positions and views are written."""

import re

from qlub.core.errors import BadEvent, shown
from qlub.core.game import CHANCE, Actor, Json, Pass
from qlub.games.qwirkle import rules
from qlub.games.qwirkle.state import Lay, Move, Placed, Situation, State, Swap, View
from qlub.games.qwirkle.tiles import NAMES, NUMBERS

NUMBER = r"(0|-?[1-9][0-9]{0,3999})"  # Python reads no number of more than 4300 digits
_PLACED = re.compile(f"([ROYGBP][oxdstc])@{NUMBER},{NUMBER}")


def read_move(text: str) -> Move:
    """Read `Ro@0,0 Rx@1,0`, `swap Ro Gx` or `-`.

    >>> str(read_move("Ro@-1,0 Rx@0,0"))
    'Ro@-1,0 Rx@0,0'
    """
    if text == "-":
        return Pass()
    words = text.split(" ")
    if words[0] == "swap":
        return Swap(_read_swapped(words[1:]))
    if len(words) > rules.HAND_SIZE:
        raise BadEvent(f"a hand has {rules.HAND_SIZE} tiles, not {len(words)}")
    return Lay(_read_placed(words))


def _read_swapped(words: list[str]) -> tuple[str, ...]:
    if not 1 <= len(words) <= rules.HAND_SIZE:
        raise BadEvent(f"an exchange names 1 to {rules.HAND_SIZE} tiles, not {len(words)}")
    for word in words:
        if word not in NUMBERS:
            raise BadEvent(f"expected tiles such as Ro, not {shown(word)}")
    return tuple(words)


def _read_placed(words: list[str]) -> tuple[Placed, ...]:
    placed = []
    for word in words:
        match = _PLACED.fullmatch(word)
        if not match:
            raise BadEvent(f"expected Ro@0,0, swap Ro, or -; not {shown(word)}")
        placed.append(Placed(int(match[3]), int(match[2]), match[1]))
    cells = [(place.y, place.x) for place in placed]
    if cells != sorted(set(cells)):
        raise BadEvent(f"expected different cells by y, then x, not {shown(' '.join(words))}")
    return tuple(placed)


def tell(actor: Actor, text: str, viewer: int | None) -> str:
    """Return an event as a viewer may know it: what others draw or exchange is only counted.

    >>> tell("*", "0: Ro Gx", 1), tell(0, "swap Ro Gx", None), tell(0, "swap Ro Gx", 0)
    ('0: 2', 'swap 2', 'swap Ro Gx')
    """
    head, *tiles = text.split(" ")
    if actor == CHANCE:
        actor = int(head.removesuffix(":"))
    elif head != "swap":
        return text
    return text if actor == viewer else f"{head} {len(tiles)}"


def write_position(state: State) -> Json:
    """Write a state as a position."""
    hands = [list(state.hand(seat)) for seat in range(state.seats)]
    return _write(state, hands, list(state.bag), list(state.set_aside))


def write_view(view: View) -> Json:
    """Write a view: a position with counts in place of the tiles that it hides."""
    hands = [
        list(view.hand(seat)) if seat == view.seat else size
        for seat, size in enumerate(view.hand_sizes)
    ]
    own = view.seat is not None and view.seat == view.drawer
    aside = list(view.set_aside) if own else view.set_aside_size
    return _write(view, hands, view.bag_size, aside)


def _write(situation: Situation, hands: object, bag: object, aside: object) -> Json:
    drawing = None
    if situation.drawer is not None:
        drawing = {"seat": situation.drawer, "count": situation.draw_count, "returning": aside}
    cells = sorted(situation.board.tiles, key=lambda cell: (cell[1], cell[0]))
    position: Json = {
        "game": "qwirkle",
        "options": {"seniority": list(situation.seniority)},
        "phase": situation.phase,
        "active": situation.active,
        "board": {f"{x},{y}": NAMES[situation.board.tiles[x, y]] for x, y in cells},
        "hands": hands,
        "bag": bag,
        "points": list(situation.scores()),
        "drawing": drawing,
    }
    if situation.is_over:
        position["reason"] = situation.reason
    return position
