"""Draws the tiles and the board of Qwirkle for a terminal."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from rich.console import Group, RenderableType
from rich.text import Text

from qlub.games.qwirkle.tiles import SHAPES
from qlub.games.qwirkle.window import Cell

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
