"""Qwixx in a terminal: dice with pips, one's own sheet large, the others' small."""

from collections.abc import Mapping, Sequence
from string import digits

from rich.cells import set_cell_size
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from qlub.core.errors import IllegalMove
from qlub.core.game import Move
from qlub.drawing import BONE, CROSS, PIPS, Page, Pigment, boxed_die, chip, painted_die, signed
from qlub.games.qwixx.guide import explain_end, is_lost
from qlub.games.qwixx.rules import MOST_PENALTIES
from qlub.games.qwixx.sheet import (
    CELLS,
    COLOURS,
    LAST,
    PENALTY_POINTS,
    number_at,
)
from qlub.games.qwixx.state import ROW_NAMES, Cross, Situation, View
from qlub.words import Words

PIGMENTS = {
    "r": Pigment("#ffffff", "#a82f2b", "#b95955", "#6d1f1c"),
    "y": Pigment("#14201d", "#f5cb45", "#f8db7d", "#d3a51d"),
    "g": Pigment("#14201d", "#52ae98", "#86c6b7", "#2f8470"),
    "b": Pigment("#ffffff", "#2a55b5", "#5577c4", "#1b3775"),
}
"""The red is a hair off the club's, so that terminals of 256 colours do not take it for brown."""
CLOSED = Pigment("#c9d0cc", "#4a5753", "#4a5753", "#333d3a")
GONE = "╭ ─ ─ ╮\n│     │\n╰ ─ ─ ╯"
OPEN_LOCK, LOCK = "○", "●"
ROW_WIDTH = 71
WIDE, TALL = 112, 34
"""From how many columns the others sit beside one's own sheet, and from how many lines it is tall."""


class Screen:
    """How Qwixx is shown and spoken to."""

    def __init__(self, words: Words, names: Sequence[str]) -> None:
        self.words = words
        self.names = names

    @staticmethod
    def emblem() -> Text:
        return Text("\n").join(
            Text.assemble(*(chip(colour, PIGMENTS[colour]) for colour in pair))
            for pair in ("ry", "gb")
        )

    def draw(self, view: View, page: Page) -> RenderableType:
        own = view.seat if view.seat is not None else view.active or 0
        others = [(own + step) % view.seats for step in range(1, view.seats)]
        air = [Text()] if page.height >= TALL else []
        sheet = self._sheet(view, own, page.height >= TALL and page.has_colour)
        dice = self._dice(view, page.has_colour, page.height >= TALL)
        if page.width >= WIDE:
            side = [self._small(view, seat) for seat in others]
            table = Table.grid(padding=(0, 4))
            table.add_row(Group(*dice, *air, sheet, *air, page.news), Group(*side))
            return Group(*air, table, *air, page.choices)
        rest = Group(*(self._line(view, seat) for seat in others))
        return Group(*air, *dice, *air, sheet, *air, rest, *air, page.news, *air, page.choices)

    def _dice(self, view: View, has_colour: bool, is_tall: bool) -> list[RenderableType]:
        """Draw the dice side by side, the sums that they make below."""
        white = view.white_dice
        if white is None:
            return []
        dice = Table.grid(padding=(0, 2))
        drawn: list[RenderableType] = [_die(die, BONE, has_colour, is_tall) for die in white]
        total = Text(f"{white[0]} + {white[1]} = ", justify="center")
        total.append(str(sum(white)), "strong")
        captions: list[RenderableType] = [total]
        for colour in COLOURS:
            die = view.color_dice.get(colour)
            pigment = PIGMENTS[colour]
            drawn.append(_die(die, pigment, has_colour, is_tall) if die else Text(GONE, "muted"))
            captions.append(self._sums(view, colour))
        pair = Table.grid(padding=(0, 2))
        pair.add_row(*drawn[:2])
        dice.add_row(pair, *drawn[2:])
        dice.add_row(*captions)
        return [dice]

    def _sums(self, view: View, colour: str) -> Text:
        """Say which sums the die of a colour makes with one white die."""
        die = view.color_dice.get(colour)
        caption = Text.assemble((colour.upper(), "strong"), justify="center")
        if not die:
            return caption.append(f" {self.words('die.gone')}", "muted")
        sums = sorted({white + die for white in view.white_dice or ()})
        return caption.append(f" {self.words('die.or').join(map(str, sums))}")

    def _sheet(self, view: Situation, seat: int, is_tall: bool) -> RenderableType:
        """Draw a sheet large, with what may be crossed now in brackets."""
        legal = {
            (move.colour, move.number) for move in view.moves_of(seat) if isinstance(move, Cross)
        }
        if not isinstance(view, View) or view.seat is None:
            legal = set()
        lines = []
        for colour in COLOURS:
            row = self._row(view, seat, colour, legal)
            pigment = CLOSED.paint if colour in view.closed else PIGMENTS[colour].paint
            if is_tall:
                lines += [Text("▄" * ROW_WIDTH, pigment), row, Text("▀" * ROW_WIDTH, pigment)]
            else:
                lines.append(row)
        return Group(*lines, self._penalties(view, seat))

    def _row(self, view: Situation, seat: int, colour: str, legal: set[tuple[str, int]]) -> Text:
        numbers = view.sheet(seat).rows[colour]
        index = COLOURS.index(colour)
        is_closed = colour in view.closed
        on, pigment, veil, _ = CLOSED if is_closed else PIGMENTS[colour]
        row = Text.assemble((f"  {colour.upper()}  ", f"bold {on} on {pigment}"))
        for cell in range(CELLS):
            number = number_at(index, cell)
            if number in numbers:
                row.append(f"  {CROSS} ", f"bold {PIGMENTS[colour].ink} on {PIGMENTS[colour].edge}")
            elif (colour, number) in legal:
                row.append(f"[{number:>2}]", "paper")
            elif is_closed or is_lost(numbers, index, cell):
                row.append("  – ", f"{on} on {pigment}")
            else:
                row.append(f" {number:>2} ", f"{on} on {veil}")
            row.append(" ", f"on {pigment}")
        lock = CROSS if LAST_NUMBERS[colour] in numbers else (LOCK if is_closed else OPEN_LOCK)
        points = view.row_points(seat, colour)
        return row.append(f" {lock} {points:>6}  ", f"bold {on} on {pigment}")

    def _penalties(self, view: Situation, seat: int) -> Text:
        penalties = view.sheet(seat).penalties
        line = Text.assemble((f"  {self.words('sheet.penalties')}  ", "muted"))
        for box in range(MOST_PENALTIES):
            line.append(f"[{CROSS}] " if box < penalties else "[ ] ", "strong")
        line.append(f" −{PENALTY_POINTS * penalties}" if penalties else "", "strong")
        whose = "" if isinstance(view, View) and view.seat == seat else f"{self.names[seat]}  "
        total = Text.assemble((whose, "strong"), (f"{self.words('sheet.points')}  ", "muted"))
        total.append(f"{signed(view.scores()[seat]):>3}  ", "strong")
        line.append(" " * max(2, ROW_WIDTH - line.cell_len - total.cell_len))
        return line.append_text(total)

    def _line(self, view: Situation, seat: int) -> Text:
        """Draw another's sheet in one line."""
        line = Text(f"{set_cell_size(self.names[seat], 11)} ")
        line.append(f"{signed(view.scores()[seat]):>4}  ", "strong")
        for colour in COLOURS:
            line.append_text(self._strip(view, seat, colour, 1)).append(" ")
        return line.append(_boxes(view.sheet(seat).penalties))

    def _small(self, view: Situation, seat: int) -> RenderableType:
        """Draw another's sheet small."""
        head = Text(
            f"{set_cell_size(self.names[seat], 16)}{signed(view.scores()[seat]):>9}", "strong"
        )
        rows = [self._strip(view, seat, colour, 2) for colour in COLOURS]
        count = view.sheet(seat).penalties
        foot = Text(f"{_boxes(count)}  {self.words('sheet.count', count=count)}", "muted")
        return Group(head, *rows, foot, Text())

    def _strip(self, view: Situation, seat: int, colour: str, step: int) -> Text:
        """Draw a row in as few columns as possible: crosses, dots for what is open, nothing for lost."""
        numbers = view.sheet(seat).rows[colour]
        index = COLOURS.index(colour)
        is_closed = colour in view.closed
        on, pigment, *_ = CLOSED if is_closed else PIGMENTS[colour]
        strip = Text(colour.upper() + " " * (step - 1), f"bold {on} on {pigment}")
        for cell in range(CELLS):
            crossed = number_at(index, cell) in numbers
            is_gone = is_closed or is_lost(numbers, index, cell)
            mark = CROSS if crossed else (" " if is_gone else "·")
            strip.append(mark + " " * (step - 1))
        lock = CROSS if LAST_NUMBERS[colour] in numbers else (LOCK if is_closed else OPEN_LOCK)
        return strip.append(lock + " " * (step - 1))

    def prompt(self, view: View) -> tuple[str, str, str]:
        words, white = self.words, sum(view.white_dice or ())
        mine = view.active == view.seat
        if view.phase == "white":
            name = self.names[view.active or 0]
            step = words("prompt.white_mine") if mine else words("prompt.white_other", name=name)
            hint = words("prompt.hint_mine") if mine else words("prompt.hint_other")
            if view.seats == 1:
                hint = words("prompt.hint_alone")
            return step, words("prompt.white", total=white), hint
        hint = words("prompt.crossed") if view.has_crossed else words("prompt.penalty")
        return words("prompt.color_mine"), words("prompt.color"), hint

    def moves(self, view: View) -> Sequence[Move]:
        return view.legal()

    def label(self, view: View, move: Move) -> tuple[Text, str]:
        if not isinstance(move, Cross):
            cost = f"−{PENALTY_POINTS}" if view.pass_costs_penalty else ""
            return Text(self.words("move.pass")), cost
        label = chip(move.colour, PIGMENTS[move.colour]).append(f" {self._named(move)}")
        return label, f"+{view.points_of(view.seat or 0, move)}"

    def _named(self, move: Cross) -> str:
        """Return a cross in words: red 8, or red 12 and the lock."""
        name = f"{self.words(f'colour.{move.colour}')} {move.number}"
        return self.words("move.lock", name=name) if _is_last(move) else name

    def read(self, view: View, entry: str) -> str:
        """Read `R8`, `r 8`, a cross as the list names it, and a pass in words like the notation.

        >>> screen = Screen(Words.of("qlub.games.qwixx", "fr"), ())
        >>> [screen.read(None, entry) for entry in ("R 8", "red 8", "Rouge 12 et le cadenas", "passer")]
        ['r8', 'r8', 'r12', '-']
        """
        text = _squeezed(entry)
        if text in ("-", "pass", self.words("move.pass")):
            return "-"
        for words in (" and the lock", self.words("move.lock", name="")):
            text = text.removesuffix(_squeezed(words))
        name = text.rstrip(digits)
        for colour in COLOURS:
            if name in (ROW_NAMES[colour], self.words(f"colour.{colour}").lower()):
                return colour + text[len(name) :]
        return text

    def refusal(self, view: View, move: Move, error: IllegalMove) -> str:
        if not isinstance(move, Cross):
            return str(error)
        row = self.words(f"row.{move.colour}")
        name = f"{self.words(f'colour.{move.colour}')} {move.number}"
        if error.reason == "not-rolled" and view.phase == "white":
            return self._only_white(view, move, name)
        return self.words(f"refusal.{error.reason}", row=row, name=name[0].upper() + name[1:])

    def _only_white(self, view: View, move: Cross, name: str) -> str:
        """Say that action 1 takes the white sum, and when a sum with a coloured die comes."""
        white, die = view.white_dice or (), view.color_dice.get(move.colour, 0)
        total = sum(white)
        if move.number not in {one + die for one in white}:
            return self.words("white.sum", total=total)
        if view.active == view.seat:
            return self.words("white.later", total=total, name=name)
        return self.words("white.theirs", total=total)

    def tell(
        self, before: View, decisions: Mapping[int, Move], after: View
    ) -> list[tuple[int | None, str]]:
        told: list[tuple[int | None, str]] = []
        if before.phase == "first":
            told.append((after.active, self.words("news.begins")))
        elif before.phase == "roll":
            first, second = after.white_dice or (0, 0)
            told.append((after.active, self.words("news.rolls", first=first, second=second)))
        for seat, move in sorted(decisions.items()):
            if isinstance(move, Cross):
                gain = before.points_of(seat, move)
                told.append((seat, self.words("news.cross", name=self._named(move), gain=gain)))
            elif after.sheet(seat).penalties > before.sheet(seat).penalties:
                told.append((seat, self.words("news.penalty", points=PENALTY_POINTS)))
            elif before.phase == "white":
                told.append((seat, self.words("news.pass")))
        closed = [colour for colour in after.closed if colour not in before.closed]
        rows = [self.words(f"row.{colour}") for colour in closed]
        return told + [(None, self.words("news.closed", row=row)) for row in rows]

    def notation(self) -> str:
        return self.words("help.notation")

    def explain(self, view: View) -> list[tuple[str, str]]:
        letters = ", ".join(f"{colour} {self.words(f'colour.{colour}')}" for colour in COLOURS)
        return [
            (self.words("help.now"), self.words(f"help.{view.phase}")),
            ("r8", self.words("help.cross", letters=letters)),
            ("-", self.words("help.pass")),
            (f"[ 8] {CROSS} –", self.words("help.cells")),
            (f"{OPEN_LOCK} {LOCK}", self.words("help.lock")),
        ]

    def ending(self, view: View) -> tuple[str, RenderableType]:
        table = Table.grid(padding=(0, 2))
        heads = [self.words(f"colour.{colour}") for colour in COLOURS]
        heads.append(self.words("sheet.penalties"))
        table.add_row("", *(Text(head, "muted", justify="right") for head in heads))
        for seat in range(view.seats):
            sheet = view.sheet(seat)
            cells = []
            for colour in COLOURS:
                points = view.row_points(seat, colour)
                cells.append(Text(str(points), justify="right"))
            lost = f"−{PENALTY_POINTS * sheet.penalties}" if sheet.penalties else "0"
            total = Text(f"= {signed(view.scores()[seat])}", "strong", justify="right")
            table.add_row(Text(self.names[seat]), *cells, Text(lost, justify="right"), total)
        return self._reason(view), table

    def _reason(self, view: View) -> str:
        return self.words(f"reason.{explain_end(view)}")


LAST_NUMBERS = {colour: number_at(index, LAST) for index, colour in enumerate(COLOURS)}


def _is_last(move: Cross) -> bool:
    return move.number == LAST_NUMBERS[move.colour]


def _squeezed(text: str) -> str:
    return "".join(text.split()).lower()


def _boxes(penalties: int) -> str:
    return CROSS * penalties + "□" * (MOST_PENALTIES - penalties)


def _die(number: int, pigment: Pigment, has_colour: bool, is_tall: bool) -> Text:
    """Draw a die: in its colour, else as a box, a low one where there is no room."""
    if has_colour:
        return painted_die(PIPS[number], pigment, has_edge=True)
    return boxed_die(PIPS[number] if is_tall else (f"  {number}  ",))
