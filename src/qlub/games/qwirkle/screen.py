"""Qwirkle in a terminal: the board with its rulers, one's own hand, and the best lays by number."""

import re
from collections import deque
from collections.abc import Iterable, Mapping, Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from qlub.core.errors import IllegalMove
from qlub.core.game import Move
from qlub.drawing import Page
from qlub.games.qwirkle.board import LONGEST
from qlub.games.qwirkle.drawing import SYMBOLS, BoardDrawing, tile_text, tiles_text
from qlub.games.qwirkle.state import Lay, Placed, Swap, View
from qlub.games.qwirkle.tiles import COLOURS, NAMES, SHAPES
from qlub.games.qwirkle.window import ORIGIN, Cell
from qlub.words import Words

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
_BY_PLACES = re.compile(rf"((?:[1-6]\s+)+)@?\s*{_CELL}\s*([>v]?)", re.IGNORECASE)
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
        `1 4 3,2 v` does the same with tiles 1 and 4 of the hand.
        """
        text = " ".join(entry.split())
        if text.lower() in ("-", "pass", self.words("move.pass")):
            return "-"
        first, _, rest = text.partition(" ")
        if first.lower() in ("swap", self.words("move.swap")) and rest:
            tiles = sorted(self._named(view, rest), key=_order)
            return str(Swap(tuple(tiles)))
        if _PLACED_ALL.fullmatch(text):
            placed = [(_tile(c, s), int(x), int(y)) for c, s, x, y in _PLACED.findall(text)]
            return str(Lay.of(*placed))
        by_places = _BY_PLACES.fullmatch(text)
        if by_places:
            named = self._named(view, by_places[1].strip())
            start = int(by_places[2]), int(by_places[3])
            return str(_along(view, named, start, by_places[4].lower() == "v"))
        run = _RUN.fullmatch(text)
        if run:
            tiles = [_tile(*found) for found in re.findall(_TILE, run[1], re.IGNORECASE)]
            return str(_along(view, tiles, (int(run[4]), int(run[5])), run[6].lower() == "v"))
        return text

    def _named(self, view: View, text: str) -> tuple[str, ...]:
        """Return tiles that are named by their notation or by their place in the hand."""
        hand = view.hand(view.seat or 0)
        if text.lower() in ("all", self.words("move.all")):
            return hand
        tiles = []
        for word in re.split("[ ,]+", text):
            if word in PLACES[: len(hand)]:
                tiles.append(hand[PLACES.index(word)])
            else:
                tiles.append(word[:1].upper() + word[1:].lower())
        return tuple(tiles)

    def refusal(self, view: View, move: Move, error: IllegalMove) -> str:
        reason = error.reason
        if reason == "exchange-instead" and not view.board.tiles:
            reason = "first-swap"
        return self.words(f"refusal.{reason}", count=view.bag_size)

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
            ("1 4 3,2 v", self.words("help.places")),
            (f"{self.words('move.swap')} 1 3", self.words("help.swap")),
            ("▐R●▌  3", self.words("help.marks")),
        ]

    def ending(self, view: View) -> tuple[str, RenderableType]:
        table = Table.grid(padding=(0, 2))
        heads = (self.words("end.moves"), self.words("end.qwirkles"), self.words("end.best"))
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


def _order(tile: str) -> int:
    """Return where a tile stands in an exchange; what is no tile comes first."""
    return NAMES.index(tile) if tile in NAMES else 0


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
