"""Qwirkle in a terminal: the board with its rulers, one's own hand, and the best lays by number."""

import re
from collections import deque
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from qlub.core.errors import IllegalMove
from qlub.core.game import Move
from qlub.drawing import Page
from qlub.games.qwirkle.board import LONGEST
from qlub.games.qwirkle.state import Lay, Placed, Swap, View
from qlub.games.qwirkle.tiles import COLOURS, NAMES, SHAPES
from qlub.games.qwirkle.window import ORIGIN, Cell
from qlub.words import Words

PIGMENTS = {
    "R": "#ff6b50",
    "O": "#fba234",
    "Y": "#fcee8e",
    "G": "#35c2b3",
    "B": "#86a3ff",
    "P": "#cb93f4",
}
"""The colours of the tiles, lighter than on paper where a thin shape must be seen on black."""
TILE = "#232d2b"
FRESH = "#6b4f14"
BRASS = "#e8ae45"
RULER, RULER_GAP = 6, 4
SYMBOLS = dict(zip(SHAPES, "●✖◆■★♣", strict=True))
PANEL = 34
"""Columns for what stands beside the board."""
AROUND = 8
"""Lines of a page that are not the board."""
PLACES = ("1", "2", "3", "4", "5", "6")
"""How the tiles of a hand are named in an exchange."""

_TILE = "([roygbp])([oxdstc])"
_CELL = r"(-?\d{1,4})\s*[,;]\s*(-?\d{1,4})"
_PLACED = re.compile(rf"{_TILE}\s*@?\s*{_CELL}\s*", re.IGNORECASE)
_PLACED_ALL = re.compile(f"(?:{_PLACED.pattern})+", re.IGNORECASE)
_RUN = re.compile(rf"((?:{_TILE}[\s,]*)+)@?\s*{_CELL}\s*([>v]?)", re.IGNORECASE)


class Screen:
    """How Qwirkle is shown and spoken to."""

    def __init__(self, words: Words, names: Sequence[str]) -> None:
        self.words = words
        self.names = names
        self.recent: deque[Lay] = deque(maxlen=max(1, len(names) - 1))
        """What the others laid last, to be marked on the board."""
        self.points: list[list[int]] = [[] for _ in names]
        """What everybody's lays scored."""
        self.qwirkles = [0] * len(names)
        self._offered: tuple[View | None, Sequence[Move]] = (None, ())

    @staticmethod
    def emblem() -> Text:
        tiles = [colour + shape for colour, shape in zip(COLOURS, SHAPES, strict=True)]
        return tiles_text(tiles[:3]).append("\n").append_text(tiles_text(tiles[3:]))

    def draw(self, view: View, page: Page) -> RenderableType:
        lays = {number: move for number, move in page.listed.items() if isinstance(move, Lay)}
        width, height = page.width - PANEL - 2, page.height - AROUND
        board = self._board(view, lays, width, height, page.has_colour)
        table = Table.grid(padding=(0, 2))
        table.add_column(no_wrap=True)
        table.add_column(max_width=PANEL + 6)
        table.add_row(board, Group(page.choices, Text(), page.news))
        return Group(Text(), table, Text(), *self._hand(view))

    def _board(
        self, view: View, lays: Mapping[int, Lay], columns: int, lines: int, has_colour: bool
    ) -> RenderableType:
        """Draw the tiles, what was laid last framed, and the numbers of the lays on offer."""
        marks: dict[Cell, int] = {}
        for number, lay in lays.items():
            free = [cell for cell in _cells(lay) if cell not in marks]
            marks.setdefault(free[0] if free else _cells(lay)[0], number)
        recent = {cell for lay in self.recent for cell in _cells(lay)}
        around = [(x + dx, y + dy) for x, y in view.board.tiles for dx in (-1, 1) for dy in (-1, 1)]
        return BoardDrawing(
            {cell: NAMES[tile] for cell, tile in view.board.tiles.items()},
            marks,
            recent,
            [*around, *marks, ORIGIN],
            self.words("table.cut"),
        ).draw(columns, lines, has_colour)

    def _hand(self, view: View) -> list[RenderableType]:
        sizes = ", ".join(map(str, view.hand_sizes))
        facts = Text(self.words("table.facts", bag=view.bag_size, hands=sizes), "muted")
        if view.seat is None or view.is_over:
            return [facts]
        top = Text.assemble((f"{self.words('table.hand')}  ", "strong"))
        below = Text(" " * top.cell_len)
        for number, tile in enumerate(view.hand(view.seat), 1):
            top.append_text(tile_text(tile, 1)).append("  ")
            below.append(f"{number} ", "strong").append(f"{tile}  ", "muted")
        return [top.append_text(facts), below]

    def prompt(self, view: View) -> tuple[str, str, str]:
        words = self.words
        hint = words("prompt.hint_swap") if view.bag_size else words("prompt.hint_empty")
        if not view.board.tiles:
            return words("prompt.step"), words("prompt.first"), words("prompt.hint_first")
        if any(isinstance(move, Lay) for move in self.moves(view)):
            return words("prompt.step"), words("prompt.lay"), hint
        return words("prompt.step"), words("prompt.stuck"), hint

    def moves(self, view: View) -> Sequence[Move]:
        """Offer lays by their points, first one for each place; then exchanges, the largest first.

        There may be thousands, so those of the last view are kept.
        """
        if self._offered[0] is not view:
            self._offered = view, _ordered(view, view.legal())
        return self._offered[1]

    def label(self, view: View, move: Move) -> tuple[Text, str]:
        if isinstance(move, Lay):
            label = tiles_text(place.tile for place in move.placed)
            return label.append(f" {_where(move)}"), f"+{view.points_of(move)}"
        if isinstance(move, Swap):
            label = Text(f"{self.words('move.swap')} ")
            return label.append_text(tiles_text(move.tiles)), ""
        return Text(self.words("move.pass")), ""

    def read(self, view: View, entry: str) -> str:
        """Read tiles with their cells in any order, a run of tiles, and an exchange by places.

        `Ro Rx 3,2 v` lays downwards from 3,2, past the tiles on the way; > or nothing to the right.
        """
        text = " ".join(entry.split())
        if text.lower() in ("-", "pass", self.words("move.pass")):
            return "-"
        first, _, rest = text.partition(" ")
        if first.lower() in ("swap", self.words("move.swap")) and rest:
            return str(Swap(self._swapped(view, rest)))
        if _PLACED_ALL.fullmatch(text):
            placed = [(_tile(c, s), int(x), int(y)) for c, s, x, y in _PLACED.findall(text)]
            return str(Lay.of(*placed))
        run = _RUN.fullmatch(text)
        if run:
            tiles = [_tile(*found) for found in re.findall(_TILE, run[1], re.IGNORECASE)]
            return str(_along(view, tiles, (int(run[4]), int(run[5])), run[6].lower() == "v"))
        return text

    def _swapped(self, view: View, text: str) -> tuple[str, ...]:
        """Return the tiles of an exchange, named by their notation or their place in the hand."""
        hand = view.hand(view.seat or 0)
        if text.lower() in ("all", self.words("move.all")):
            return hand
        tiles = []
        for word in re.split("[ ,]+", text):
            if word in PLACES[: len(hand)]:
                tiles.append(hand[PLACES.index(word)])
            else:
                tiles.append(word[:1].upper() + word[1:].lower())
        return tuple(sorted(tiles, key=lambda tile: NAMES.index(tile) if tile in NAMES else 0))

    def refusal(self, view: View, move: Move, error: IllegalMove) -> str:
        return self.words(f"refusal.{error.reason}", count=view.bag_size)

    def tell(
        self, before: View, decisions: Mapping[int, Move], after: View
    ) -> list[tuple[int | None, str]]:
        if before.phase == "deal" and after.phase == "turn":
            return [(after.active, self.words("news.begins"))]
        if before.phase == "draw" and before.drawer is not None and before.drawer == before.seat:
            drawn = list(after.hand(before.seat))
            for tile in before.hand(before.seat):
                drawn.remove(tile)
            return [(before.seat, self.words("news.drawn", tiles=_plain(drawn)))]
        return [(seat, self._told(before, after, seat, move)) for seat, move in decisions.items()]

    def _told(self, before: View, after: View, seat: int, move: Move) -> str:
        if isinstance(move, Lay):
            self.recent.append(move)
            points = after.scores()[seat] - before.scores()[seat]
            tiles = _plain(place.tile for place in move.placed)
            self.points[seat].append(points)
            if _makes_qwirkle(after, move):
                self.qwirkles[seat] += 1
                return self.words("news.qwirkle", tiles=tiles, where=_where(move), points=points)
            return self.words("news.lay", tiles=tiles, where=_where(move), points=points)
        if isinstance(move, Swap):
            return self.words("news.swap", count=len(move.tiles))
        return self.words("news.pass")

    def notation(self) -> str:
        return self.words("help.notation")

    def explain(self, view: View) -> list[tuple[str, str]]:
        letters = ", ".join(f"{colour} {self.words(f'colour.{colour}')}" for colour in COLOURS)
        shapes = ", ".join(
            f"{shape} {SYMBOLS[shape]} {self.words(f'shape.{shape}')}" for shape in SHAPES
        )
        return [
            (self.words("help.now"), self.words("help.turn")),
            (self.words("help.points_term"), self.words("help.points")),
            ("Ro Rx", self.words("help.tiles", letters=letters, shapes=shapes)),
            ("Ro@3,2 Rx@4,2", self.words("help.lay")),
            ("Ro Rx 3,2 v", self.words("help.run")),
            ("swap 1 3", self.words("help.swap")),
            ("▐R●▌  3", self.words("help.marks")),
        ]

    def ending(self, view: View) -> tuple[str, RenderableType]:
        table = Table.grid(padding=(0, 2))
        heads = (self.words("end.lays"), self.words("end.qwirkles"), self.words("end.best"))
        table.add_row("", *(Text(head, "muted", justify="right") for head in heads))
        for seat, points in enumerate(self.points):
            facts = (len(points), self.qwirkles[seat], max(points, default=0))
            cells = [Text(str(fact), justify="right") for fact in facts]
            table.add_row(Text(self.names[seat]), *cells)
        return self.words(f"reason.{view.reason}"), table


def _ordered(view: View, legal: Sequence[Move]) -> list[Move]:
    lays = [move for move in legal if isinstance(move, Lay)]
    lays.sort(key=view.points_of, reverse=True)
    best: dict[tuple[Cell, ...], Lay] = {}
    for lay in lays:
        best.setdefault(_cells(lay), lay)
    chosen = set(best.values())
    rest: list[Move] = [move for move in legal if not isinstance(move, Lay)]
    rest.sort(key=lambda move: -len(move.tiles) if isinstance(move, Swap) else 0)
    return [*best.values(), *(lay for lay in lays if lay not in chosen), *rest]


def _plain(tiles: Iterable[str]) -> str:
    return " ".join(f"{tile[0]}{SYMBOLS[tile[1]]}" for tile in tiles)


def _tile(colour: str, shape: str) -> str:
    return colour.upper() + shape.lower()


def _cells(lay: Lay) -> tuple[Cell, ...]:
    return tuple((place.x, place.y) for place in lay.placed)


def _where(lay: Lay) -> str:
    """Say where a lay begins and in which direction it goes."""
    first, last = lay.placed[0], lay.placed[-1]
    direction = "" if first == last else ("↓" if first.x == last.x else "→")
    return f"{first.x},{first.y} {direction}".strip()


def _along(view: View, tiles: Sequence[str], start: Cell, is_down: bool) -> Lay:
    """Return the lay of tiles one after the other from a cell on, past those that lie on the way."""
    x, y = start
    placed = [Placed(y, x, tiles[0])]
    for tile in tiles[1:]:
        x, y = (x, y + 1) if is_down else (x + 1, y)
        while (x, y) in view.board.tiles:
            x, y = (x, y + 1) if is_down else (x + 1, y)
        placed.append(Placed(y, x, tile))
    return Lay(tuple(placed))


def _makes_qwirkle(view: View, lay: Lay) -> bool:
    """Say whether a lay has completed a line of six (QK-12)."""
    tiles = view.board.tiles
    for x, y in _cells(lay):
        for dx, dy in ((1, 0), (0, 1)):
            length = 1
            for sign in (-1, 1):
                at = (x + sign * dx, y + sign * dy)
                while at in tiles:
                    length += 1
                    at = (at[0] + sign * dx, at[1] + sign * dy)
            if length == LONGEST:
                return True
    return False


def tile_text(tile: str, around: int = 0, ground: str = TILE) -> Text:
    """Draw a tile: the letter of its colour and its shape."""
    blank = " " * around
    style = f"bold {PIGMENTS[tile[0]]} on {ground}"
    return Text.assemble((f"{blank}{tile[0]}{SYMBOLS[tile[1]]}{blank}", style))


def tiles_text(tiles: Iterable[str]) -> Text:
    """Draw tiles side by side."""
    drawn = Text()
    for tile in tiles:
        drawn.append_text(tile_text(tile))
    return drawn


@dataclass(frozen=True)
class BoardDrawing:
    """Tiles by their cells, numbers to choose by, the tiles laid last, and what should be seen."""

    tiles: Mapping[Cell, str]
    marks: Mapping[Cell, int]
    recent: Collection[Cell]
    cells: Sequence[Cell]
    cut: str
    """What to say when the board goes on beyond what is shown."""

    def draw(self, columns: int, lines: int, has_colour: bool) -> RenderableType:
        """Draw large tiles if they all fit, else smaller ones, else a part of the board."""
        across = max(x for x, _ in self.cells) - min(x for x, _ in self.cells) + 1
        down = max(y for _, y in self.cells) - min(y for _, y in self.cells) + 1
        if has_colour and across * 5 + RULER <= columns and down * 2 + 2 <= lines:
            return self._drawn(4, 1, columns, lines)
        return self._drawn(2, 1 if across * 3 + RULER <= columns else 0, columns, lines)

    def _drawn(self, wide: int, gap: int, columns: int, lines: int) -> RenderableType:
        """Draw tiles that are so wide, with such a gap between them; wide ones are also higher."""
        step, high = wide + gap, wide // 2
        centre = next(iter(self.recent), (0, 0))
        xs = _window([x for x, _ in self.cells], centre[0], (columns - RULER) // step)
        ys = _window([y for _, y in self.cells], centre[1], max(5, (lines - 2) // high))
        drawn = [_ruler(xs, step)]
        for y in ys:
            drawn.append(self._line(y, xs, wide, gap))
            if high == 2:
                drawn.append(self._edge(y, xs))
        arrows = _cut([x for x, _ in self.cells], xs, "◂▸")
        arrows += _cut([y for _, y in self.cells], ys, "▴▾")
        if arrows:
            drawn.append(Text(f"{self.cut} {' '.join(arrows)}", "muted"))
        return Group(*drawn)

    def _line(self, y: int, xs: range, wide: int, gap: int) -> Text:
        line = Text.assemble((f"{y:>3} ", "muted"))
        around = wide // 2 - 1
        for x in xs:
            line.append(self._frame(x, y)[:gap], BRASS)
            if (x, y) in self.tiles:
                fresh = not gap and (x, y) in self.recent
                ground = f"{FRESH} underline" if fresh else TILE
                line.append_text(tile_text(self.tiles[x, y], around, ground))
            elif (x, y) in self.marks:
                line.append(f"{self.marks[x, y]:>2}{' ' * around}".rjust(wide), "brass")
            else:
                line.append(f"·{' ' * around}".rjust(wide), "muted")
        return line.append(self._frame(xs.stop, y)[:gap], BRASS)

    def _edge(self, y: int, xs: range) -> Text:
        """Draw the lower halves of large tiles; the upper halves belong to their line."""
        line = Text(" " * RULER_GAP)
        for x in xs:
            frame = "▝" if (x, y) in self.recent else ("▘" if (x - 1, y) in self.recent else " ")
            line.append(frame, BRASS)
            if (x, y) in self.tiles:
                line.append("▀" * 4, TILE)
            elif (x, y) in self.marks:
                line.append("▀" * 4, BRASS)
            else:
                line.append(" " * 4)
        return line.append("▘" if (xs[-1], y) in self.recent else "", BRASS)

    def _frame(self, x: int, y: int) -> str:
        """Return what stands left of a cell: its frame, that of its neighbour, or nothing."""
        if (x, y) in self.recent:
            return "▐"
        return "▌" if (x - 1, y) in self.recent else " "


def _ruler(xs: range, step: int) -> Text:
    ruler = Text(" " * RULER_GAP)
    for x in xs:
        ruler.append(f"{x if step > 2 or x % 2 == 0 else '':>{min(step, 4)}}".ljust(step), "muted")
    return ruler


def _window(values: Sequence[int], centre: int, room: int) -> range:
    """Return the part of an axis that is shown: all of it, or as much as fits around the centre.

    >>> _window([-3, 9], 8, 6)
    range(4, 10)
    """
    low, high = min(values), max(values)
    if high - low + 1 <= room:
        return range(low, high + 1)
    start = max(low, min(centre - room // 2, high - room + 1))
    return range(start, start + room)


def _cut(values: Sequence[int], shown: range, arrows: str) -> list[str]:
    """Return arrows to where a board goes on."""
    before = [arrows[0]] if min(values) < shown.start else []
    return before + ([arrows[1]] if max(values) >= shown.stop else [])
