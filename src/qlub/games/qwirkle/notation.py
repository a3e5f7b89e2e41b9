"""Texts and positions of Qwirkle to moves and states, and back."""

import re
from collections import Counter
from collections.abc import Iterable
from typing import cast

from qlub.core.errors import BadEvent, BadOption, BadPosition, shown
from qlub.core.fields import Fields, whole
from qlub.core.game import Json, Pass
from qlub.core.options import SeatOrder, read_options
from qlub.games.qwirkle import rules
from qlub.games.qwirkle.state import Lay, Move, Placed, Situation, State, Swap, View
from qlub.games.qwirkle.tiles import COPIES, NAMES, NUMBERS, heap_size, put
from qlub.games.qwirkle.window import Board, Cell, is_connected

OPTIONS = {"seniority": SeatOrder("the seats, oldest first, for who begins in a tie")}
FIELDS = ("game", "options", "phase", "active", "board", "hands", "points", "drawing")

MOST_POINTS = 1_000_000

_NUMBER = "(0|-?[1-9][0-9]{0,8})"
_CELL = re.compile(f"{_NUMBER},{_NUMBER}")
_PLACED = re.compile(f"([ROYGBP][oxdstc])@{_NUMBER},{_NUMBER}")


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
    if words != sorted(words, key=NAMES.index):
        raise BadEvent(f"expected the tiles in tile order, not {shown(' '.join(words))}")
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


def read_position(data: object) -> State:
    """Read a position that could lie on a table, or raise `BadPosition`.

    A bag that is left out holds what the 108 tiles still hold.
    """
    position, table, board = _read_frame(data)
    used = list(board.tiles.values())
    for seat, hand in enumerate(position.of("hands", list)):
        used += _read_heap(table, rules.hand_of(seat), hand, f"the hand of seat {seat}", 6)
    used += _read_drawing(position, table)
    if "bag" in position.data:
        used += _read_heap(table, rules.BAG, position.get("bag"), "the bag", 108)
    _check_copies(used)
    if "bag" not in position.data:
        counts = Counter(used)
        for tile in range(len(NAMES)):
            for _ in range(COPIES - counts[tile]):
                put(table, rules.BAG, tile)
    state = State(tuple(table), board)
    sizes = [heap_size(table, rules.hand_of(seat)) for seat in range(state.seats)]
    aside = heap_size(table, rules.ASIDE)
    _check_phase(state, sizes, heap_size(table, rules.BAG), aside)
    _check_end(position, state)
    return state


def read_view(data: object, seat: int | None) -> View:
    """Read a view: a position with counts in place of the tiles that it hides."""
    position, table, board = _read_frame(data)
    used = list(board.tiles.values())
    sizes = []
    for other, hand in enumerate(position.of("hands", list)):
        name = f"the hand of seat {other}"
        if other == seat:
            used += _read_heap(table, rules.hand_of(other), hand, name, 6)
            sizes.append(len(hand))
        else:
            sizes.append(whole(hand, name, 0, 6, BadPosition))
    bag_size = position.whole("bag", 0, 108)
    aside_size = 0
    if table[rules.PHASE] in (rules.DEAL, rules.DRAW):
        returning = Fields(position.get("drawing"), "'drawing'", BadPosition).get("returning")
        if seat is not None and seat == table[rules.ACTIVE]:
            used += _read_drawing(position, table)
            aside_size = heap_size(table, rules.ASIDE)
        else:
            aside_size = whole(returning, "'returning'", 0, 6, BadPosition)
            _read_draw(position, table)
    _check_copies(used)
    if (
        len(used) + sum(sizes) + bag_size + aside_size - (0 if seat is None else sizes[seat])
        > len(NAMES) * COPIES
    ):
        raise BadPosition("there are more than 108 tiles")
    reason = None
    if rules.PHASES[table[rules.PHASE]] == "over":
        reason = position.word("reason", ("finished", "blocked"))
    return View(tuple(table), board, seat, tuple(sizes), bag_size, aside_size, reason)


def _read_frame(data: object) -> tuple[Fields, list[int], Board]:
    """Read what a position and a view share."""
    position = Fields(data, "position", BadPosition)
    phase = position.word("phase", rules.PHASES)
    position.expect((*FIELDS, "reason") if phase == "over" else FIELDS, ("bag",))
    position.word("game", ("qwirkle",))
    hands = position.of("hands", list)
    if not 2 <= len(hands) <= rules.MOST_SEATS:
        raise BadPosition(f"'hands' has 2 to {rules.MOST_SEATS} hands, not {len(hands)}")
    try:
        options = read_options(OPTIONS, position.of("options", dict), len(hands))
    except BadOption as error:
        raise BadPosition(str(error)) from None
    table = [0] * rules.SIZE
    seniority = cast(tuple[int, ...], options["seniority"])
    table[rules.SEATS : rules.SEATS + 2] = len(hands), rules.PHASES.index(phase)
    for rank in range(rules.MOST_SEATS):
        table[rules.SENIORITY + rank] = seniority[rank] if rank < len(hands) else rank
    points = position.of("points", list)
    if len(points) != len(hands):
        raise BadPosition(f"'points' has {len(hands)} numbers, not {len(points)}")
    for seat, value in enumerate(points):
        table[rules.POINTS + seat] = whole(value, "a number of points", 0, MOST_POINTS, BadPosition)
    if phase == "deal":
        position.null("active", phase)
    else:
        table[rules.ACTIVE] = position.seat("active", len(hands))
    if phase not in ("deal", "draw"):
        position.null("drawing", phase)
    return position, table, _read_board(position)


def _read_board(position: Fields) -> Board:
    tiles: dict[Cell, int] = {}
    for key, name in position.of("board", dict).items():
        match = _CELL.fullmatch(key)
        if not match:
            raise BadPosition(f"a cell is written as 0,-1, not {shown(key)}")
        tiles[int(match[1]), int(match[2])] = _read_tile(name, f"the tile at {key}")
    _check_copies(tiles.values())
    if not is_connected(tiles):
        raise BadPosition("the tiles on the board do not all touch")
    board = Board(tiles)
    if faults := board.faults():
        raise BadPosition(f"the tiles at {faults[0]} cannot stand in one line")
    return board


def _read_tile(name: object, where: str) -> int:
    if not isinstance(name, str) or name not in NUMBERS:
        raise BadPosition(f"{where} is a tile such as Ro, not {shown(name)}")
    return NUMBERS[name]


def _read_heap(table: list[int], at: int, data: object, name: str, most: int) -> list[int]:
    """Read tiles in any order into a heap, and return them."""
    if not isinstance(data, list) or len(data) > most:
        raise BadPosition(f"{name} is a list of at most {most} tiles, not {shown(data)}")
    tiles = [_read_tile(tile, f"a tile in {name}") for tile in data]
    _check_copies(tiles)
    for tile in tiles:
        put(table, at, tile)
    return tiles


def _read_drawing(position: Fields, table: list[int]) -> list[int]:
    """Read who draws and what is set aside; return the tiles set aside."""
    if position.get("drawing") is None and table[rules.PHASE] in (rules.TURN, rules.OVER):
        return []
    drawing = _read_draw(position, table)
    return _read_heap(table, rules.ASIDE, drawing.get("returning"), "'returning'", 6)


def _read_draw(position: Fields, table: list[int]) -> Fields:
    drawing = Fields(position.get("drawing"), "'drawing'", BadPosition)
    drawing.expect(("seat", "count", "returning"))
    seat = drawing.seat("seat", table[rules.SEATS])
    if table[rules.PHASE] == rules.DRAW and seat != table[rules.ACTIVE]:
        raise BadPosition(f"the active seat draws, not seat {seat}")
    table[rules.ACTIVE] = seat
    table[rules.COUNT] = drawing.whole("count", 1, 6)
    return drawing


def _check_copies(tiles: Iterable[int]) -> None:
    for tile, count in Counter(tiles).items():
        if count > COPIES:
            raise BadPosition(f"there are {count} tiles {NAMES[tile]}, not at most {COPIES}")


def _check_phase(state: State, hands: list[int], bag: int, aside: int) -> None:
    """Check that hands, bag and board are what they can be in the phase."""
    drawer, count = state.drawer, state.draw_count
    if state.phase == "deal":
        if state.board.tiles or any(state.scores()) or aside:
            raise BadPosition("in phase deal nothing is on the board, set aside, or scored yet")
        for seat, size in enumerate(hands):
            if (size == 0) != (drawer is not None and seat >= drawer):
                raise BadPosition(
                    "in phase deal hands are full before the seat that draws, then empty"
                )
        if count != 6 or drawer is None or bag < 6 * (state.seats - drawer):
            raise BadPosition("in phase deal everyone draws six, and the bag holds enough for all")
        return
    for seat, size in enumerate(hands):
        if size == 0 and bag and seat != drawer:
            raise BadPosition(f"the hand of seat {seat} is empty while the bag holds tiles")
    if state.phase == "draw" and drawer is not None:
        if not state.board.tiles:
            raise BadPosition("nobody draws again before the first move")
        due = aside or min(6 - hands[drawer], bag)
        if count != due or count > bag or hands[drawer] + count > 6:
            raise BadPosition(f"seat {drawer} cannot draw {count} now")


def _check_end(position: Fields, state: State) -> None:
    """Check that the game is over exactly when it says so, and for that reason."""
    reason = rules.REASONS[rules.ending(state.table, state.board.grid)]
    if state.phase == "turn" and reason:
        raise BadPosition(f"this game should already be over ({reason})")
    if state.phase == "over":
        if reason is None:
            raise BadPosition("this game is not over: somebody can still lay a tile")
        if position.get("reason") != reason:
            raise BadPosition(f"'reason' is {reason}, not {shown(position.get('reason'))}")
