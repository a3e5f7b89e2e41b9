"""The naive second opinion of Qwirkle: plain JSON positions and event texts, rule by rule."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from copy import deepcopy
from itertools import combinations, permutations, product
from typing import Any

Position = dict[str, Any]
Cell = tuple[int, int]
Tiles = dict[Cell, str]
Line = list[Cell]

TILES = [colour + shape for colour in "ROYGBP" for shape in "oxdstc"]  # QK-1
HAND_SIZE = 6  # QK-2
RIGHT, DOWN = (1, 0), (0, 1)


def in_tile_order(tiles: Iterable[str]) -> list[str]:
    """Tiles sorted by colour, then shape (QK-1)."""
    return sorted(tiles, key=TILES.index)


def without(tiles: Iterable[str], taken: Iterable[str]) -> list[str]:
    """What is left in a hand or in the bag after taking some tiles out of it (QK-9, QK-13)."""
    return in_tile_order((Counter(tiles) - Counter(taken)).elements())


def spread_out(board: dict[str, str]) -> Tiles:
    """The board with its cells as pairs of numbers (QK-8)."""
    return {(int(x), int(y)): board[f"{x},{y}"] for x, y in (cell.split(",") for cell in board)}


def placements(text: str) -> dict[str, str]:
    """What the text of a move lays where, written like a board (QK-5)."""
    pairs = [placement.split("@") for placement in text.split()]
    return {cell: tile for tile, cell in pairs}


def move_text(laid: Tiles) -> str:
    """The one text of a move: ordered by y, then x (QK-5)."""
    cells = sorted(laid, key=lambda cell: (cell[1], cell[0]))
    return " ".join(f"{laid[x, y]}@{x},{y}" for x, y in cells)


def go_together(tiles: Sequence[str]) -> bool:
    """One shape in different colours or one colour in different shapes, no tile twice (QK-8)."""
    colours = {tile[0] for tile in tiles}
    shapes = {tile[1] for tile in tiles}
    return len(set(tiles)) == len(tiles) and (len(colours) == 1 or len(shapes) == 1)


def lines(tiles: Tiles) -> list[Line]:
    """All rows and columns of two or more touching tiles (QK-8)."""
    found = []
    for x, y in tiles:
        for right, down in (RIGHT, DOWN):
            if (x - right, y - down) not in tiles:  # here begins a line
                length = 1
                while (x + length * right, y + length * down) in tiles:
                    length += 1
                found.append([(x + n * right, y + n * down) for n in range(length)])
    return [line for line in found if len(line) >= 2]


def faulty_lines(tiles: Tiles) -> list[Line]:
    """The lines that no table would accept (QK-8)."""
    return [line for line in lines(tiles) if not go_together([tiles[cell] for cell in line])]


def line_faults(board: dict[str, str]) -> list[str]:
    """The slow line checker: the tiles of every line that breaks the rule (QK-8)."""
    tiles = spread_out(board)
    return [move_text({cell: tiles[cell] for cell in line}) for line in faulty_lines(tiles)]


def points(board: dict[str, str], laid: dict[str, str]) -> int:
    """A point a tile for every line made or extended, twelve for a Qwirkle (QK-11, QK-12)."""
    if not board and len(laid) == 1:
        return 1
    new_cells = spread_out(laid).keys()
    scoring = [line for line in lines(spread_out(board | laid)) if not new_cells.isdisjoint(line)]
    return sum(12 if len(line) == 6 else len(line) for line in scoring)


def largest_set(hand: list[str]) -> int:
    """The size of the largest set sharing a colour or a shape, duplicates aside (QK-3)."""
    sizes = range(1, len(hand) + 1)
    sets = [tiles for size in sizes for tiles in combinations(hand, size) if go_together(tiles)]
    return max([0, *map(len, sets)])


def starter(position: Position) -> int:
    """The seat with the largest set begins, in a tie the oldest player (QK-3)."""
    sizes = [largest_set(hand) for hand in position["hands"]]
    oldest_first = position["options"].get("seniority", range(len(sizes)))
    return next(int(seat) for seat in oldest_first if sizes[seat] == max(sizes))


def first_moves(hand: list[str]) -> set[str]:
    """Every set of exactly the announced size, in every order, from the origin (QK-4)."""
    orders = permutations(hand, largest_set(hand))
    together = [order for order in orders if order and go_together(order)]
    return {move_text({(x, 0): tile for x, tile in enumerate(order)}) for order in together}


def touches(tiles: Tiles, cell: Cell) -> bool:
    """There is a tile left, right, above or below (QK-7)."""
    x, y = cell
    return any(near in tiles for near in ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)))


def empty_cells_near(tiles: Tiles) -> list[Cell]:
    """The empty cells that a hand laid in one line could reach (QK-7)."""
    xs, ys = [x for x, _ in tiles], [y for _, y in tiles]
    columns = range(min(xs) - HAND_SIZE, max(xs) + HAND_SIZE + 1)
    rows = range(min(ys) - HAND_SIZE, max(ys) + HAND_SIZE + 1)
    return [(x, y) for x in columns for y in rows if (x, y) not in tiles]


def straight_run(tiles: Tiles, start: Cell, direction: Cell, size: int) -> Line:
    """So many empty cells in a direction, stepping over tiles: no gap in between (QK-6)."""
    x, y = start
    run: Line = []
    while len(run) < size:
        if (x, y) not in tiles:
            run.append((x, y))
        x, y = x + direction[0], y + direction[1]
    return run


def lays_on(run: Line, tiles: Tiles, hand: list[str], laid: Tiles) -> Iterator[Tiles]:
    """Fill the cells of a run in every way, giving up at the first faulty line (QK-6, QK-8)."""
    if not run:
        yield laid
        return
    for tile in set(hand):
        trial = laid | {run[0]: tile}
        if go_together(list(trial.values())) and not faulty_lines(tiles | trial):
            yield from lays_on(run[1:], tiles, without(hand, [tile]), trial)


def later_moves(tiles: Tiles, hand: list[str]) -> set[str]:
    """Every way of laying tiles in one line that touches the board (QK-5 to QK-8)."""
    moves = set()
    sizes = range(1, len(hand) + 1)
    for size, start, direction in product(sizes, empty_cells_near(tiles), (RIGHT, DOWN)):
        run = straight_run(tiles, start, direction, size)
        if any(touches(tiles, cell) for cell in run):
            run.sort(key=lambda cell: not touches(tiles, cell))  # soonest refused first
            moves |= {move_text(laid) for laid in lays_on(run, tiles, hand, {})}
    return moves


def exchanges(hand: list[str], bag: list[str]) -> set[str]:
    """Any tiles of the hand, but never more than the bag holds (QK-9)."""
    sizes = range(1, min(len(hand), len(bag)) + 1)
    choices = [choice for size in sizes for choice in combinations(in_tile_order(hand), size)]
    return {"swap " + " ".join(choice) for choice in choices}


def legal(position: Position, seat: int) -> set[str]:
    """Lay, exchange, or, with an empty bag and nothing to lay, pass (QK-4, QK-5, QK-10)."""
    if position["phase"] != "turn" or seat != position["active"]:
        return set()
    hand, bag = position["hands"][seat], position["bag"]
    if not position["board"]:
        return first_moves(hand)
    lays = later_moves(spread_out(position["board"]), hand)
    if not bag and not lays:
        return {"-"}
    return lays | exchanges(hand, bag)


def scores(position: Position) -> list[int]:
    """What each seat would have if the game ended now (QK-16)."""
    return list(position["points"])


def is_over(position: Position) -> str | None:
    """Somebody has laid their last tile, or no tile fits; not before the draw (QK-14, QK-15)."""
    if position["phase"] in ("deal", "draw") or not position["board"]:
        return None
    if not position["bag"] and not all(position["hands"]):
        return "finished"
    tiles = spread_out(position["board"])
    remaining = set(position["bag"]).union(*position["hands"])
    # A tile at a time is enough: where several can be laid, so can one of them.
    return None if any(later_moves(tiles, [tile]) for tile in remaining) else "blocked"


def end_turn(position: Position) -> None:
    """The next player's turn, unless the game is over (QK-14, QK-15)."""
    position["phase"], position["drawing"] = "turn", None
    reason = is_over(position)
    if reason is None:
        position["active"] = (position["active"] + 1) % len(position["hands"])
    else:
        position["phase"], position["reason"] = "over", reason


def draw(position: Position, tiles: list[str]) -> None:
    """Tiles set aside go back in the bag only after the draw (QK-2, QK-9, QK-13)."""
    seat, aside = position["drawing"]["seat"], position["drawing"]["returning"]
    position["hands"][seat] = in_tile_order(position["hands"][seat] + tiles)
    position["bag"] = in_tile_order(without(position["bag"], tiles) + aside)
    if position["phase"] == "draw":
        end_turn(position)
    elif seat + 1 < len(position["hands"]):
        position["drawing"] = {"seat": seat + 1, "count": HAND_SIZE, "returning": []}
    else:
        position["phase"], position["drawing"] = "turn", None
        position["active"] = starter(position)


def lay(position: Position, seat: int, laid: dict[str, str]) -> None:
    """Score, then draw up to six; the last tile of all scores six more (QK-11 to QK-14)."""
    position["points"][seat] += points(position["board"], laid)
    position["board"].update(laid)
    hand = without(position["hands"][seat], laid.values())
    position["hands"][seat] = hand
    missing = min(HAND_SIZE - len(hand), len(position["bag"]))
    if missing > 0:
        position["phase"] = "draw"
        position["drawing"] = {"seat": seat, "count": missing, "returning": []}
    else:
        position["points"][seat] += 0 if hand else 6
        end_turn(position)


def exchange(position: Position, seat: int, aside: list[str]) -> None:
    """Set tiles aside and wait for as many from the bag (QK-9)."""
    position["hands"][seat] = without(position["hands"][seat], aside)
    position["phase"] = "draw"
    position["drawing"] = {"seat": seat, "count": len(aside), "returning": aside}


def apply(position: Position, actor: int | str, text: str) -> Position:
    """The position after one legal event; the given one stays as it was (QK-2 to QK-15)."""
    after = deepcopy(position)
    if actor == "*":
        draw(after, text.split()[1:])
    elif text == "-":
        end_turn(after)
    elif text.startswith("swap "):
        exchange(after, int(actor), text.split()[1:])
    else:
        lay(after, int(actor), placements(text))
    return after
