"""Reads positions and views of Qwirkle, and refuses what could not lie on a table."""

import re
from collections import Counter
from collections.abc import Iterable
from typing import cast

from qlub.core.errors import BadOption, BadPosition, shown
from qlub.core.fields import Fields, whole
from qlub.core.options import SeatOrder, read_options
from qlub.games.qwirkle import rules
from qlub.games.qwirkle.notation import NUMBER
from qlub.games.qwirkle.rules import HAND_SIZE
from qlub.games.qwirkle.state import State, View
from qlub.games.qwirkle.tiles import COPIES, NAMES, NUMBERS, TILES, heap_size, put
from qlub.games.qwirkle.window import Board, Cell, is_connected

OPTIONS = {"seniority": SeatOrder("the seats, oldest first, for who begins in a tie")}
FIELDS = ("game", "options", "phase", "active", "board", "hands", "points", "drawing")

MOST_POINTS = 10**9
ALL_TILES = TILES * COPIES

_CELL = re.compile(f"{NUMBER},{NUMBER}")


def read_position(data: object) -> State:
    """Read a position that could lie on a table, or raise `BadPosition`.

    A bag that is left out holds what the 108 tiles still hold.
    """
    position, table, board = _read_frame(data)
    used = list(board.tiles.values())
    for seat, hand in enumerate(position.of("hands", list)):
        used += _read_hand(table, seat, hand)
    if table[rules.COUNT]:
        used += _read_heap(table, rules.ASIDE, _returning(position), "'returning'", HAND_SIZE)
    if "bag" in position.data:
        used += _read_heap(table, rules.BAG, position.get("bag"), "the bag", ALL_TILES)
    counts = _count(used)
    if "bag" not in position.data:
        for tile in range(TILES):
            for _ in range(COPIES - counts[tile]):
                put(table, rules.BAG, tile)
    state = State(tuple(table), board)
    sizes = [heap_size(table, rules.hand_of(seat)) for seat in range(state.seats)]
    _check_phase(state, sizes, heap_size(table, rules.BAG), heap_size(table, rules.ASIDE))
    _check_end(position, state)
    return state


def read_view(data: object, seat: int | None) -> View:
    """Read a view: a position with counts in place of the tiles that it hides."""
    position, table, board = _read_frame(data)
    used = list(board.tiles.values())
    sizes: list[int] = []
    for other, hand in enumerate(position.of("hands", list)):
        if other == seat:
            used += _read_hand(table, other, hand)
            sizes.append(len(hand))
        else:
            sizes.append(whole(hand, f"the hand of seat {other}", 0, HAND_SIZE, BadPosition))
    bag = position.whole("bag", 0, ALL_TILES)
    aside = 0
    if table[rules.COUNT]:
        returning = _returning(position)
        if seat == table[rules.ACTIVE]:
            used += _read_heap(table, rules.ASIDE, returning, "'returning'", HAND_SIZE)
            aside = heap_size(table, rules.ASIDE)
        else:
            aside = whole(returning, "'returning'", 0, HAND_SIZE, BadPosition)
    _count(used)
    if len(board.tiles) + sum(sizes) + bag + aside > ALL_TILES:
        raise BadPosition(f"there are more than {ALL_TILES} tiles")
    reason = None
    if table[rules.PHASE] == rules.OVER:
        reason = position.word("reason", [reason for reason in rules.REASONS if reason])
    return View(tuple(table), board, seat, tuple(sizes), bag, aside, reason)


def _read_frame(data: object) -> tuple[Fields, list[int], Board]:
    """Read what lies open in a position and in every view of it."""
    position = Fields(data, "position", BadPosition)
    phase = position.word("phase", rules.PHASES)
    position.expect((*FIELDS, "reason") if phase == "over" else FIELDS, ("bag",))
    position.word("game", ("qwirkle",))
    seats = len(position.of("hands", list))
    if not 2 <= seats <= rules.MOST_SEATS:
        raise BadPosition(f"'hands' has 2 to {rules.MOST_SEATS} hands, not {seats}")
    table = [0] * rules.SIZE
    rules.start(table, seats, _read_seniority(position, seats))
    table[rules.BAG : rules.BAG + COPIES] = [0] * COPIES
    table[rules.PHASE] = rules.PHASES.index(phase)
    points = position.of("points", list)
    if len(points) != seats:
        raise BadPosition(f"'points' has {seats} numbers, not {len(points)}")
    for seat, value in enumerate(points):
        table[rules.POINTS + seat] = whole(
            value, "a number of points", -MOST_POINTS, MOST_POINTS, BadPosition
        )
    _read_turn(position, table, phase)
    return position, table, _read_board(position)


def _read_seniority(position: Fields, seats: int) -> tuple[int, ...]:
    try:
        options = read_options(OPTIONS, position.of("options", dict), seats)
    except BadOption as error:
        raise BadPosition(str(error)) from None
    return cast(tuple[int, ...], options["seniority"])


def _read_turn(position: Fields, table: list[int], phase: str) -> None:
    """Read whose turn it is, and who draws how many."""
    seats = table[rules.SEATS]
    table[rules.COUNT] = 0
    if phase == "deal":
        position.null("active", phase)
    else:
        table[rules.ACTIVE] = position.seat("active", seats)
    if phase not in ("deal", "draw"):
        position.null("drawing", phase)
        return
    drawing = Fields(position.get("drawing"), "'drawing'", BadPosition)
    drawing.expect(("seat", "count", "returning"))
    seat = drawing.seat("seat", seats)
    if phase == "draw" and seat != table[rules.ACTIVE]:
        raise BadPosition(f"the active seat draws, not seat {seat}")
    table[rules.ACTIVE] = seat
    table[rules.COUNT] = drawing.whole("count", 1, HAND_SIZE)


def _returning(position: Fields) -> object:
    return Fields(position.get("drawing"), "'drawing'", BadPosition).get("returning")


def _read_board(position: Fields) -> Board:
    tiles: dict[Cell, int] = {}
    for key, name in position.of("board", dict).items():
        match = _CELL.fullmatch(key)
        if not match:
            raise BadPosition(f"a cell is written as 0,-1, not {shown(key)}")
        tiles[int(match[1]), int(match[2])] = _read_tile(name, f"the tile at {key}")
    _count(tiles.values())
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


def _read_hand(table: list[int], seat: int, hand: object) -> list[int]:
    return _read_heap(table, rules.hand_of(seat), hand, f"the hand of seat {seat}", HAND_SIZE)


def _read_heap(table: list[int], at: int, data: object, name: str, most: int) -> list[int]:
    """Read tiles in any order into a heap, and return them."""
    if not isinstance(data, list) or len(data) > most:
        raise BadPosition(f"{name} is a list of at most {most} tiles, not {shown(data)}")
    tiles = [_read_tile(tile, f"a tile in {name}") for tile in data]
    _count(tiles)
    for tile in tiles:
        put(table, at, tile)
    return tiles


def _count(tiles: Iterable[int]) -> Counter[int]:
    """Count tiles, and refuse a fourth copy of one."""
    counts = Counter(tiles)
    for tile, count in counts.items():
        if count > COPIES:
            raise BadPosition(f"there are {count} tiles {NAMES[tile]}, not at most {COPIES}")
    return counts


def _check_phase(state: State, hands: list[int], bag: int, aside: int) -> None:
    """Check that hands, bag and board are what they can be in the phase."""
    drawer = state.drawer
    if state.phase == "deal":
        _check_deal(state, hands, bag, aside)
        return
    for seat, size in enumerate(hands):
        if size == 0 and bag and seat != drawer:
            raise BadPosition(f"the hand of seat {seat} is empty while the bag holds tiles")
    if drawer is not None:
        if not state.board.tiles:
            raise BadPosition("nobody draws again before the first move")
        due = aside or min(HAND_SIZE - hands[drawer], bag)
        count = state.draw_count
        if count != due or count > bag or hands[drawer] + count > HAND_SIZE:
            raise BadPosition(f"seat {drawer} cannot draw {count} now")


def _check_deal(state: State, hands: list[int], bag: int, aside: int) -> None:
    if state.board.tiles or aside:
        raise BadPosition("in phase deal nothing is on the board or set aside yet")
    dealt = state.drawer or 0
    if not all(hands[:dealt]) or any(hands[dealt:]):
        raise BadPosition("in phase deal the seats before the one that draws have tiles, no others")
    if state.draw_count != HAND_SIZE or bag < HAND_SIZE * (state.seats - dealt):
        raise BadPosition("in phase deal everyone draws six, and the bag holds enough for all")


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
