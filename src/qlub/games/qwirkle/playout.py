"""Kernel: whole games of Qwirkle from first deal to last tile, for players that can be compiled."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from qlub.core.game import Pass
from qlub.core.luck import choice as choose_number
from qlub.core.luck import event_fraction, next_event, scale
from qlub.games.qwirkle.board import MARGIN, Grid, clear, new_grid, tidy
from qlub.games.qwirkle.bots import Choice, take_lay
from qlub.games.qwirkle.rules import (
    ACTIVE,
    BAG,
    COUNT,
    HAND_SIZE,
    OVER,
    PHASE,
    POINTS,
    SEATS,
    SIZE,
    TURN,
    draw,
    ending,
    hand_of,
    lay,
    may_swap,
    next_turn,
    swap,
)
from qlub.games.qwirkle.search import WALK_SIZE, begin, next_lay
from qlub.games.qwirkle.state import Lay, Move, Swap
from qlub.games.qwirkle.tiles import COPIES, NAMES, TILES, heap_size, put, take, tile_at
from qlub.kernel import Ints, Slots, count_bits, jitable, note

REACH = COPIES * TILES + MARGIN
"""How far from the first tile a board can come, and the margin that a window needs."""
WIDTH = 2 * REACH + 1


class Room(NamedTuple):
    """All that a game takes place in."""

    table: Slots
    grid: Grid
    walk: Slots
    choice: Choice
    occupied: Slots
    """How many cells have tiles, then these cells."""


def new_room(array: Callable[[list[int]], Slots]) -> Room:
    """Return room for a game, kept in whatever `array` makes of a list."""
    return Room(
        array([0] * SIZE),
        new_grid(WIDTH, WIDTH * WIDTH, WIDTH * REACH + REACH, array),
        array([0] * WALK_SIZE),
        Choice(array([0] * HAND_SIZE), array([0] * HAND_SIZE)),
        array([0] * (1 + COPIES * TILES)),
    )


@jitable
def take_swap(table: Ints, hand: int, size: int, places: int, choice: Choice) -> int:
    """Take an exchange of the tiles at some places of a hand, a bit each, the first place highest.

    Returns how many they are, or 0 if an earlier place holds the same tile: then it is the same
    exchange as one with that place.
    """
    count = 0
    places <<= 1  # so that the last place has one behind it, too
    for place in range(size):
        tile = tile_at(table, hand, place)
        if places >> size - place & 1:
            choice.tiles[count] = tile
            count += 1
        elif places >> size - 1 - place & 1 and tile == tile_at(table, hand, place + 1):
            return 0
    return count


@jitable
def choose_any(
    table: Ints, grid: Grid, seat: int, in_bag: int, walk: Slots, choice: Choice, luck: Slots
) -> int:
    """Take any legal move, all equally likely: a lay, an exchange, or a pass if there is no other."""
    hand = hand_of(seat)
    size = heap_size(table, hand)
    lays = 0
    begin(grid, table[hand], walk)
    while next_lay(grid, walk) > 0:
        lays += 1
    swaps = 0
    for places in range(1, 1 << size):
        if may_swap(grid, in_bag, count_bits(places)):
            swaps += take_swap(table, hand, size, places, choice) > 0
    if lays + swaps == 0:
        choose_number(luck, seat, 1)
        return 0
    number = choose_number(luck, seat, lays + swaps)
    if number < lays:
        begin(grid, table[hand], walk)
        count = 0
        for _ in range(number + 1):
            count = next_lay(grid, walk)
        take_lay(walk, count, choice)
        return count
    number -= lays
    for count in range(1, size + 1):
        for places in range((1 << size) - 1, 0, -1):
            is_legal = count_bits(places) == count and may_swap(grid, in_bag, count)
            if is_legal and take_swap(table, hand, size, places, choice) > 0:
                if number == 0:
                    return -count
                number -= 1
    return 0


@jitable
def draw_tiles(room: Room, luck: Slots) -> None:
    """Draw as many tiles as are due from the bag."""
    table, drawn = room.table, room.choice.tiles
    next_event(luck)
    in_bag = heap_size(table, BAG)
    for index in range(table[COUNT]):
        drawn[index] = tile_at(table, BAG, scale(event_fraction(luck, index), in_bag - index))
        take(table, BAG, drawn[index])
    for index in range(table[COUNT]):
        put(table, BAG, drawn[index])
    draw(table, room.grid, drawn)


def choose(
    player: int,
    minds: Any,
    table: Ints,
    grid: Grid,
    seat: int,
    in_bag: int,
    walk: Slots,
    choice: Choice,
    luck: Slots,
) -> int:
    """Ask a player, who thinks with a mind; `qlub.sim` puts those at the table in the place of this."""
    return choose_any(table, grid, seat, in_bag, walk, choice, luck)


def play(players: Ints, minds: Any, start: Ints, room: Room, luck: Slots, log: Slots) -> int:
    """Play a game from its start to its end and return how many turns it took.

    A lay is logged as how many tiles, then cell and tile of each; an exchange as minus how many, then
    the tiles; a pass as 0.
    """
    table, grid, choice = room.table, room.grid, room.choice
    clear(grid, room.occupied[1:], room.occupied[0])
    room.occupied[0] = 0
    for place in range(SIZE):
        table[place] = start[place]
    turns = 0
    while table[PHASE] != OVER:
        if table[PHASE] != TURN:
            draw_tiles(room, luck)
            continue
        turns += 1
        seat = table[ACTIVE]
        tidy(grid)
        in_bag = heap_size(table, BAG)
        count = choose(players[seat], minds, table, grid, seat, in_bag, room.walk, choice, luck)
        note(log, count)
        if count > 0:
            for index in range(count):
                note(log, choice.cells[index] - grid.origin)
                note(log, choice.tiles[index])
                room.occupied[0] += 1
                room.occupied[room.occupied[0]] = choice.cells[index]
            lay(table, grid, choice.cells, choice.tiles, count)
        elif count < 0:
            for index in range(-count):
                note(log, choice.tiles[index])
            swap(table, choice.tiles, -count)
        else:
            next_turn(table, grid)
    return turns


@jitable
def finish(room: Room, scores: Slots) -> int:
    """Write the scores of a game that is over and return which of the reasons ended it."""
    for seat in range(room.table[SEATS]):
        scores[seat] = room.table[POINTS + seat]
    return ending(room.table, room.grid) - 1


def moves_of(log: Sequence[int]) -> Iterator[Move]:
    """Return the decisions of a game in the order in which they were logged."""
    numbers = iter(log)
    for count in numbers:
        if count > 0:
            laid = [(next(numbers), next(numbers)) for _ in range(count)]
            yield Lay.of(*((NAMES[tile], *cell_of(place)) for place, tile in laid))
        elif count < 0:
            yield Swap(tuple(NAMES[next(numbers)] for _ in range(-count)))
        else:
            yield Pass()


def cell_of(place: int) -> tuple[int, int]:
    """Return x and y of a place that is counted from the origin of a grid."""
    down, across = divmod(place + REACH, WIDTH)
    return across - REACH, down
