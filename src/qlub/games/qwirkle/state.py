"""States, views and moves of Qwirkle over the kernel."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random
from typing import NamedTuple, TypeAlias

from qlub.core import game
from qlub.core.chance import Chance, Draw, Drawn, Outcome
from qlub.core.errors import BadEvent, BadPosition, IllegalMove
from qlub.core.game import Pass
from qlub.games.qwirkle import rules
from qlub.games.qwirkle.board import (
    FITS,
    GAP,
    NO_FIT,
    NO_TOUCH,
    NOT_A_LINE,
    TAKEN,
    lay_fault,
    lay_points,
)
from qlub.games.qwirkle.tiles import (
    COPIES,
    NAMES,
    NUMBERS,
    TILES,
    copies,
    heap_size,
    largest_set,
    put,
)
from qlub.games.qwirkle.window import Board


class Placed(NamedTuple):
    """A tile in a cell, ordered as the notation orders them: by y, then x."""

    y: int
    x: int
    tile: str

    def __str__(self) -> str:
        return f"{self.tile}@{self.x},{self.y}"


@dataclass(frozen=True, slots=True)
class Lay:
    """Lay tiles, listed by y and then x: `Lay.of(("Ro", 0, 0), ("Rx", 1, 0))`."""

    placed: tuple[Placed, ...]

    @classmethod
    def of(cls, *placed: tuple[str, int, int]) -> "Lay":
        """Return the lay of tiles with their x and y, given in any order."""
        return cls(tuple(sorted(Placed(y, x, tile) for tile, x, y in placed)))

    def __str__(self) -> str:
        return " ".join(map(str, self.placed))


@dataclass(frozen=True, slots=True)
class Swap:
    """Exchange tiles, listed in tile order: `Swap(("Ro", "Gx"))`."""

    tiles: tuple[str, ...]

    def __post_init__(self) -> None:
        if self.tiles != tuple(sorted(self.tiles, key=_tile_order)):
            raise BadEvent("tiles to exchange are named in tile order")

    def __str__(self) -> str:
        return f"swap {' '.join(self.tiles)}"


def _tile_order(tile: str) -> int:
    """Return the place of a tile in tile order; what is not a tile comes last."""
    return NUMBERS.get(tile, TILES)


Move: TypeAlias = Lay | Swap | Pass

MOST_DEALS = 1000
"""How often a view deals hidden tiles before it gives up."""

_FAULTS = {
    NOT_A_LINE: ("the tiles do not stand in one line", "not-a-line"),
    TAKEN: ("a tile already lies there", "taken"),
    GAP: ("there is an empty cell between the tiles", "gap"),
    NO_TOUCH: ("the tiles touch nothing on the board", "no-touch"),
    NO_FIT: ("a line would not be one colour or one shape without doubles", "no-fit"),
}


def heap(table: tuple[int, ...], at: int) -> tuple[str, ...]:
    """Return the tiles of a heap in tile order."""
    held = [tile for tile in range(TILES) if table[at] >> tile & 1]
    return tuple(NAMES[tile] for tile in held for _ in range(copies(table, at, tile)))


@dataclass(frozen=True)
class Situation(game.Situation):
    """What a state and a view have in common. `table` is the kernel's; a view's lacks what is hidden."""

    table: tuple[int, ...]
    board: Board

    @property
    def seats(self) -> int:
        return self.table[rules.SEATS]

    @property
    def phase(self) -> str:
        return rules.PHASES[self.table[rules.PHASE]]

    @property
    def active(self) -> int | None:
        return None if self.phase == "deal" else self.table[rules.ACTIVE]

    @property
    def to_act(self) -> tuple[int, ...]:
        return (self.table[rules.ACTIVE],) if self.phase == "turn" else ()

    def scores(self) -> tuple[int, ...]:
        return self.table[rules.POINTS : rules.POINTS + self.seats]

    @property
    def seniority(self) -> tuple[int, ...]:
        """The seats, oldest first."""
        return self.table[rules.SENIORITY : rules.SENIORITY + self.seats]

    @property
    def drawer(self) -> int | None:
        """The seat that draws now."""
        return self.table[rules.ACTIVE] if self.phase in ("deal", "draw") else None

    @property
    def draw_count(self) -> int:
        """How many tiles it draws."""
        return self.table[rules.COUNT]

    def hand(self, seat: int) -> tuple[str, ...]:
        """Return the tiles of a hand; in a view only one's own can be seen."""
        return heap(self.table, rules.hand_of(seat))

    @property
    def set_aside(self) -> tuple[str, ...]:
        """The tiles set aside in an exchange, before they go back into the bag."""
        return heap(self.table, rules.ASIDE)

    def points_of(self, lay: Lay) -> int:
        """Return what a legal lay scores, without the bonus for ending the game (QK-11, QK-12)."""
        cells = [self.board.index((place.x, place.y)) for place in lay.placed]
        return lay_points(self.board.grid, cells, len(cells))

    def _moves(self, in_bag: int) -> Iterator[Move]:
        """Yield the active seat's moves: lays in reading order, then exchanges, then pass."""
        hand = rules.hand_of(self.table[rules.ACTIVE])
        for laid in self.board.lays(self.table[hand]):
            yield Lay(tuple(Placed(y, x, NAMES[tile]) for (x, y), tile in laid))
        tiles = heap(self.table, hand)
        for count in range(1, len(tiles) + 1):
            if rules.may_swap(self.board.grid, in_bag, count):
                yield from map(Swap, dict.fromkeys(combinations(tiles, count)))
        if rules.may_pass(self.table, self.board.grid, in_bag):
            yield Pass()


@dataclass(frozen=True)
class State(Situation, game.State[Move]):
    """Everything about a game of Qwirkle at one moment."""

    @classmethod
    def new(cls, seats: int, seniority: Sequence[int]) -> "State":
        table = [0] * rules.SIZE
        rules.start(table, seats, seniority)
        return cls(tuple(table), Board({}))

    @property
    def reason(self) -> str | None:
        if not self.is_over:
            return None
        return rules.REASONS[rules.ending(self.table, self.board.grid)]

    @property
    def bag(self) -> tuple[str, ...]:
        """The tiles in the bag, in tile order."""
        return heap(self.table, rules.BAG)

    @property
    def chance(self) -> Chance | None:
        if self.drawer is None:
            return None
        return Draw(self.phase, self.drawer, self.draw_count, self.bag)

    def legal(self, seat: int) -> tuple[Move, ...]:
        if seat not in self.to_act:
            return ()
        return tuple(self._moves(heap_size(self.table, rules.BAG)))

    def view(self, seat: int | None) -> "View":
        table = list(self.table)
        hidden = [rules.hand_of(other) for other in range(self.seats) if other != seat]
        hidden.append(rules.BAG)
        if seat is None or seat != self.drawer:
            hidden.append(rules.ASIDE)
        for place in hidden:
            table[place : place + COPIES] = [0] * COPIES
        return View(
            tuple(table),
            self.board,
            seat,
            tuple(heap_size(self.table, rules.hand_of(other)) for other in range(self.seats)),
            heap_size(self.table, rules.BAG),
            heap_size(self.table, rules.ASIDE),
            self.reason,
        )

    def _apply(self, seat: int, move: Move) -> "State":
        table = list(self.table)
        if isinstance(move, Lay):
            self._check_lay(seat, move)
            laid = {(place.x, place.y): NUMBERS[place.tile] for place in move.placed}
            board = self.board.about_to_get(laid)
            cells = [board.index(cell) for cell in laid]
            rules.lay(table, board.grid, cells, list(laid.values()), len(laid))
            return State(tuple(table), board)
        if isinstance(move, Swap):
            self._check_swap(seat, move)
            rules.swap(table, [NUMBERS[tile] for tile in move.tiles], len(move.tiles))
        else:
            self._check_pass()
            rules.next_turn(table, self.board.grid)
        return State(tuple(table), self.board)

    def _check_lay(self, seat: int, move: Lay) -> None:
        self._check_held(seat, [place.tile for place in move.placed])
        if not self.board.tiles:
            self._check_first(seat, move)
            return
        cells = [(place.x, place.y) for place in move.placed]
        near = list(map(self.board.is_near, cells))
        fault = GAP if any(near) else NO_TOUCH
        if near and all(near):
            indexes = [self.board.index(cell) for cell in cells]
            tiles = [NUMBERS[place.tile] for place in move.placed]
            fault = lay_fault(self.board.grid, indexes, tiles, len(cells))
        if fault != FITS:
            raise IllegalMove(*_FAULTS[fault])

    def _check_first(self, seat: int, move: Lay) -> None:
        """Check the first move: a largest set, on y = 0 from x = 0 to the right (QK-4)."""
        size = largest_set(self.table[rules.hand_of(seat)])
        if len(move.placed) != size:
            raise IllegalMove(f"the first move lays the largest set: {size} tiles", "first-size")
        if [(place.x, place.y) for place in move.placed] != [(x, 0) for x in range(size)]:
            raise IllegalMove("the first move lies on y = 0 from x = 0 to the right", "first-place")
        tiles = 0
        for place in move.placed:
            tiles |= 1 << NUMBERS[place.tile]
        if largest_set(tiles) != size:
            raise IllegalMove(*_FAULTS[NO_FIT])

    def _check_swap(self, seat: int, move: Swap) -> None:
        self._check_held(seat, move.tiles)
        if not self.board.tiles:
            raise IllegalMove("the one who begins lays tiles, and does not exchange", "first-swap")
        in_bag = heap_size(self.table, rules.BAG)
        if not rules.may_swap(self.board.grid, in_bag, len(move.tiles)):
            raise IllegalMove(f"the bag holds only {in_bag} tiles", "bag")

    def _check_held(self, seat: int, tiles: Iterable[str]) -> None:
        hand = list(self.hand(seat))
        for tile in tiles:
            if tile not in hand:
                raise IllegalMove(f"{tile} is not in your hand, or not so often", "not-held")
            hand.remove(tile)

    def _check_pass(self) -> None:
        if self.table[rules.BAG]:
            raise IllegalMove("while the bag holds tiles, lay or exchange", "exchange-instead")
        if not rules.may_pass(self.table, self.board.grid, in_bag=0):
            raise IllegalMove("you can lay a tile, so you must", "lay-instead")

    def _resolve(self, outcome: Outcome) -> "State":
        table = list(self.table)
        if isinstance(outcome, Drawn):
            rules.draw(table, self.board.grid, [NUMBERS[tile] for tile in outcome.tiles])
        return State(tuple(table), self.board)


@dataclass(frozen=True)
class View(Situation, game.View[Move]):
    """A game of Qwirkle as a seat may see it: other hands and the bag are only counted."""

    seat: int | None
    hand_sizes: tuple[int, ...]
    bag_size: int
    set_aside_size: int
    ending: str | None

    @property
    def reason(self) -> str | None:
        return self.ending

    def legal(self) -> tuple[Move, ...]:
        return tuple(self._moves(self.bag_size)) if self.seat in self.to_act else ()

    def unseen(self) -> tuple[str, ...]:
        """Return the tiles of the 108 that are neither on the board nor in one's own hand."""
        seen = [0] * TILES
        for tile in self.board.tiles.values():
            seen[tile] += 1
        for place in (rules.ASIDE, *map(rules.hand_of, range(self.seats))):
            for tile in range(TILES):
                seen[tile] += copies(self.table, place, tile)
        return tuple(NAMES[tile] for tile in range(TILES) for _ in range(COPIES - seen[tile]))

    def determinize(self, rng: Random) -> State:
        """Deal the unseen tiles to where the hidden ones are, until the game is over or not as here."""
        for _ in range(MOST_DEALS):
            state = self._deal(rng)
            is_over = rules.ending(state.table, state.board.grid) != rules.RUNNING
            if self.drawer is not None or is_over == self.is_over:
                return state
        raise BadPosition("no hidden tiles fit what can be seen")

    def _deal(self, rng: Random) -> State:
        table = list(self.table)
        tiles = [NUMBERS[tile] for tile in self.unseen()]
        rng.shuffle(tiles)
        heaps = [(rules.hand_of(seat), size) for seat, size in enumerate(self.hand_sizes)]
        heaps += [(rules.BAG, self.bag_size), (rules.ASIDE, self.set_aside_size)]
        for place, size in heaps:
            for _ in range(size - heap_size(table, place)):
                put(table, place, tiles.pop())
        return State(tuple(table), self.board)
