"""Qwantum in a terminal: seven dice, the sums of the colours, one's own sheet and the others'."""

import re
from collections.abc import Mapping, Sequence

from rich.cells import set_cell_size
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from qlub.core.errors import IllegalMove
from qlub.core.game import Move
from qlub.drawing import BONE, CROSS, PIPS, Page, Pigment, boxed_die, chip, painted_die, signed
from qlub.games.qwantum.guide import (
    bound,
    column,
    completes,
    fails_cost,
    is_pressed,
    parts_of,
)
from qlub.games.qwantum.sheet import BEFORE_LINE, CELLS, COLOURS, MOST_FAILS
from qlub.games.qwantum.state import DIE_NAMES, Keep, Reroll, Sheet, Situation, View, Write
from qlub.words import Words

PIGMENTS = {
    "v": Pigment("#ffffff", "#5a2f96", "#7b5dab", "#3c2068"),
    "b": Pigment("#14201d", "#4c9cdc", "#82bae6", "#2f73a8"),
    "r": Pigment("#ffffff", "#b52f2c", "#c45d56", "#7c211b"),
    "y": Pigment("#14201d", "#f5cb45", "#f8da7c", "#bd951a"),
    "w": BONE,
}
"""Red and violet are a hair off the club's, so that terminals of 256 colours do not take them for
brown and grey.
"""
COLOUR_NAMES = {"v": "violet", "b": "blue", "r": "red", "y": "yellow"}
"""Names that are understood in every language."""
HEAD, CELL = 19, 8
MOST_BESIDE = 2
"""How many sheets of others leave room for the news beside them."""
USUAL_LINES, MANY_LINES = 24, 28
"""How many lines it takes to draw the dice high, also with many sheets of others."""
WIDE, TALL = 112, 34
"""From how many columns the others sit beside one's own sheet, and from how many lines it is tall."""


class Screen:
    """How Qwantum is shown and spoken to."""

    def __init__(self, words: Words, names: Sequence[str]) -> None:
        self.words = words
        self.names = names

    @staticmethod
    def emblem() -> Text:
        return Text("\n").join(
            Text.assemble(*(chip(colour, PIGMENTS[colour]) for colour in pair))
            for pair in ("vb", "ry")
        )

    def draw(self, view: View, page: Page) -> RenderableType:
        own = view.seat if view.seat is not None else view.active or 0
        others = [(own + step) % view.seats for step in range(1, view.seats)]
        is_tall = page.height >= TALL
        air = [Text()] if is_tall else []
        is_low = page.height < (MANY_LINES if len(others) > MOST_BESIDE else USUAL_LINES)
        dice = _dice(view, page.has_colour, is_tall, is_low)
        sheet = self._sheet(view, own, is_tall, page.has_colour)
        small = [self._small(view, seat) for seat in others]
        if page.width >= WIDE:
            table = Table.grid(padding=(0, 4))
            table.add_row(
                Group(*dice, *air, sheet, *air, page.news),
                Group(*(Padding(sheet, (0, 0, 1, 0)) for sheet in small)),
            )
            return Group(*air, table, *air, page.choices)
        beside = Table.grid(padding=(0, 3))
        beside.add_row(*small, *([page.news] if len(small) <= MOST_BESIDE else []))
        below = [*air, page.news] if len(small) > MOST_BESIDE else []
        return Group(*air, *dice, *air, sheet, *air, beside, *below, *air, page.choices)

    def _sheet(self, view: View, seat: int, is_tall: bool, has_colour: bool) -> RenderableType:
        """Draw a sheet large, with what each sum of the dice would be in its row."""
        sheet = view.sheet(seat)
        head = Text(" " * HEAD)
        head.append(f"{self.words('sheet.higher'):>{CELL * BEFORE_LINE}}", "muted")
        head.append("  ┃ ", "strong").append(self.words("sheet.lower"), "muted")
        lines = [head] if is_tall else []
        for colour in COLOURS:
            row = self._row(view, sheet, colour, seat == view.seat)
            if is_tall and has_colour:
                lines += [_edge("▄", colour), row, _edge("▀", colour)]
            else:
                lines.append(row)
        return Group(*lines, self._columns(sheet), self._fails(view, seat))

    def _row(self, view: View, sheet: Sheet, colour: str, is_own: bool) -> Text:
        numbers = sheet.rows[colour]
        on, pigment, veil, _ = PIGMENTS[colour]
        row = Text.assemble((self._sum(view, colour), f"bold {on} on {pigment}"))
        writes = {move.colour for move in view.legal() if isinstance(move, Write)}
        fits = colour in writes or (
            view.phase == "keep" and view.fits(view.seat or 0, colour, view.sums[colour])
        )
        for cell in range(CELLS):
            if cell == BEFORE_LINE:
                row.append(" ┃ ", f"bold {on} on {pigment}")
            if cell < len(numbers):
                row.append(f"{f'{numbers[cell]:>2}':^{CELL - 1}}", "paper")
            elif cell == len(numbers) and view.dice and fits and is_own:
                shown = f"[{view.sums[colour]:>2}]{_bound(numbers)}"
                align = "<" if numbers else "^"
                row.append(f"{shown:{align}{CELL - 1}}", "paper" if colour in writes else "brass")
            elif cell == len(numbers) and numbers:
                row.append(f"{_bound(numbers):^{CELL - 1}}", f"{on} on {veil}")
            else:
                row.append(f"{'·':^{CELL - 1}}", f"{on} on {veil}")
            row.append(" ", f"on {pigment}")
        return row

    def _sum(self, view: View, colour: str) -> str:
        """Spell out the sum of a colour, the white die first: 4+6+4 = 14, or 4+15 = 19 if long."""
        letter = f"  {colour.upper()} "
        if view.dice is None:
            return f"{letter:<{HEAD}}"
        parts = parts_of(view.dice, colour)
        total, room = view.sums[colour], HEAD - len(letter) - 2
        spelled = f"{'+'.join(map(str, parts))} = {total}"
        if len(spelled) > room:
            spelled = f"{parts[0]}+{total - parts[0]} = {total}"
        return f"{letter}{spelled:>{room}}  "

    def _columns(self, sheet: Sheet) -> Text:
        line = Text.assemble((f"{self.words('sheet.columns'):>{HEAD - 2}}  ", "muted"))
        for cell in range(CELLS):
            if cell == BEFORE_LINE:
                line.append(" ┃ ", "strong")
            points = column(sheet, cell)
            line.append(f"{points or '·':^{CELL - 1}}", "brass" if points else "muted").append(" ")
        return line

    def _fails(self, view: Situation, seat: int) -> Text:
        fails = view.sheet(seat).fails
        line = Text.assemble((f"{self.words('sheet.fails'):>{HEAD - 2}}  ", "muted"))
        for box in range(MOST_FAILS):
            line.append(f"[{CROSS}] " if box < fails else f"[−{box + 1}]", "strong").append(" ")
        total = Text.assemble((f"{self.words('sheet.points')}  ", "muted"))
        if not isinstance(view, View) or view.seat != seat:
            total = Text.assemble((f"{set_cell_size(self.names[seat], 12)} ", "strong"), total)
        total.append(f"{signed(view.scores()[seat]):>3}", "strong")
        width = HEAD + CELL * CELLS + 2
        line.append(" " * max(2, width - line.cell_len - total.cell_len))
        return line.append_text(total)

    def _small(self, view: Situation, seat: int) -> RenderableType:
        """Draw another's sheet small."""
        sheet = view.sheet(seat)
        fails = CROSS * sheet.fails
        lines = [
            Text(
                f"{set_cell_size(self.names[seat], 12)} {fails:<5}{signed(view.scores()[seat]):>4}",
                "strong",
            )
        ]
        for colour in COLOURS:
            on, pigment, *_ = PIGMENTS[colour]
            row = Text(f"{colour.upper()} ", f"bold {on} on {pigment}")
            for cell in range(CELLS):
                row.append(" ┃" if cell == BEFORE_LINE else "")
                numbers = sheet.rows[colour]
                row.append(f"{numbers[cell] if cell < len(numbers) else '·':>3}")
            lines.append(row)
        return Group(*lines)

    def prompt(self, view: View) -> tuple[str, str, str]:
        words = self.words
        name = self.names[view.active or 0]
        mine = view.active == view.seat
        if view.phase == "keep":
            return words("prompt.step_a"), words("prompt.keep"), words("prompt.keep_hint")
        if view.phase == "pick":
            hint = words("prompt.pick_alone") if view.seats == 1 else words("prompt.pick_hint")
            return words("prompt.step_b"), words("prompt.pick"), hint
        step = words("prompt.step_c") if mine else words("prompt.step_c_other", name=name)
        if view.picked:
            colour = words(f"colour.{view.picked}")
            sentence = words("prompt.share_three", colour=colour)
        else:
            sentence = words("prompt.share_four")
        hint = words("prompt.share_alone") if view.seats == 1 else words("prompt.share_hint")
        return step, sentence, words("prompt.fail") if mine and view.picked is None else hint

    def moves(self, view: View) -> Sequence[Move]:
        """Offer the sums as they come; in A first to keep, to serve one colour, and to roll all."""
        if view.phase != "keep" or view.dice is None:
            return view.legal()
        sensible: list[Move] = [Keep()]
        shown = {face[0] for face in view.dice}
        sensible += [_serving(view.dice, colour) for colour in COLOURS if colour in shown]
        sensible += [Reroll(("w",)), Reroll(tuple(DIE_NAMES[1:])), Reroll(tuple(DIE_NAMES))]
        return list(dict.fromkeys((*sensible, *view.legal())))

    def label(self, view: View, move: Move) -> tuple[Text, str]:
        match move:
            case Write(colour, number):
                label = chip(colour, PIGMENTS[colour]).append(
                    f" {self.words(f'colour.{colour}')} {number}"
                )
                points = completes(view.sheet(view.seat or 0), colour, number)
                return label, self.words("move.column", points=points) if points else ""
            case Keep():
                return Text(self.words("move.keep")), ""
            case Reroll(dice):
                return self._reroll_label(view, dice), ""
        fails = view.sheet(view.seat or 0).fails
        is_failing = is_pressed(view, view.seat or 0)
        return Text(self.words("move.pass")), f"−{fails + 1}" if is_failing else ""

    def _reroll_label(self, view: View, dice: tuple[str, ...]) -> Text:
        """Say what a reroll keeps, where it serves one colour, else which dice it rolls."""
        if len(dice) == len(DIE_NAMES):
            return Text(self.words("move.roll_all"))
        for colour in {face[0] for face in view.dice or ()} - {"w"}:
            if _serving(view.dice or (), colour) == Reroll(dice):
                return Text(f"{self.words('move.serve')} w + ").append_text(
                    chip(colour, PIGMENTS[colour])
                )
        return Text(self.words("move.roll", dice="".join(dice)))

    def read(self, view: View, entry: str) -> str:
        """Read `V6`, `w14`, `roll w 1 4`, `keep y`, moves as the list names them, and a pass.

        >>> screen = Screen(Words.of("qlub.games.qwantum", "fr"), ())
        >>> [screen.read(None, entry) for entry in ("41w", "roll 1 2", "relancer w1", "Jaune 14")]
        ['reroll w,1,4', 'reroll 1,2', 'reroll w,1', 'y14']
        """
        text, words = " ".join(entry.lower().split()), self.words
        if text in ("-", "pass", words("move.pass")):
            return "-"
        serve = words("move.serve").rstrip(":")
        if text in ("k", "keep", "keep all", serve, words("move.keep")):
            return "keep"
        if text in ("all", "roll all", "roll all seven", words("move.roll_all")):
            return f"reroll {','.join(DIE_NAMES)}"
        text = self._with_letters(text)
        verb, _, rest = text.rpartition(" ")
        served = re.match(f"(?:keep|{serve})\\b", verb)
        if served and rest in COLOURS and view.dice:
            return str(_serving(view.dice, rest))
        roll = words("move.roll", dice="").strip(" :")
        dice = re.fullmatch(f"(?:(?:reroll|roll|{roll})[ :]+)?([w1-6][w1-6 ,]*)", text)
        if dice:
            return f"reroll {','.join(name for name in DIE_NAMES if name in dice[1])}"
        return text.replace(" ", "")

    def _with_letters(self, text: str) -> str:
        """Write the letters of colours for their names."""
        for colour in COLOURS:
            names = f"{COLOUR_NAMES[colour]}|{self.words(f'colour.{colour}').lower()}"
            text = re.sub(rf"\b(?:{names})(?=\b|\d)", colour, text)
        return text

    def refusal(self, view: View, move: Move, error: IllegalMove) -> str:
        if not isinstance(move, Write):
            return self.words(f"refusal.{error.reason}")
        name = self.words(f"colour.{move.colour}")
        numbers = view.sheet(view.seat or 0).rows[move.colour]
        return self.words(
            f"refusal.{error.reason}",
            name=name[0].upper() + name[1:],
            number=move.number,
            total=view.sums[move.colour] if view.dice else 0,
            last=numbers[-1] if numbers else 0,
        )

    def tell(
        self, before: View, decisions: Mapping[int, Move], after: View
    ) -> list[tuple[int | None, str]]:
        told: list[tuple[int | None, str]] = []
        if before.phase == "first":
            told.append((after.active, self.words("news.begins")))
        elif before.phase in ("roll", "reroll"):
            dice = " ".join(after.dice or ())
            told.append((after.active, self.words(f"news.{before.phase}", dice=dice)))
        for seat, move in sorted(decisions.items()):
            told += [(seat, text) for text in self._told(before, after, seat, move)]
        return told

    def _told(self, before: View, after: View, seat: int, move: Move) -> list[str]:
        if isinstance(move, Write):
            name = f"{self.words(f'colour.{move.colour}')} {move.number}"
            points = completes(before.sheet(seat), move.colour, move.number)
            if points:
                return [self.words("news.column", name=name, points=points)]
            return [self.words("news.write", name=name)]
        fails = after.sheet(seat).fails
        if fails > before.sheet(seat).fails:
            return [self.words("news.fail", points=fails)]
        return [self.words("news.pass")] if before.phase == "share" else []

    def notation(self) -> str:
        return self.words("help.notation")

    def explain(self, view: View) -> list[tuple[str, str]]:
        letters = ", ".join(f"{colour} {self.words(f'colour.{colour}')}" for colour in COLOURS)
        return [
            (self.words("help.now"), self.words(f"help.{view.phase}")),
            (self.words("move.serve").rstrip(":"), self.words("help.keep_term")),
            (self.words("move.roll", dice="w 1 4"), self.words("help.reroll")),
            ("v14", self.words("help.write", letters=letters)),
            ("-", self.words("help.pass")),
            ("[14] > 12", self.words("help.cells")),
            ("┃", self.words("help.line")),
        ]

    def ending(self, view: View) -> tuple[str, RenderableType]:
        table = Table.grid(padding=(0, 2))
        heads = [Text(str(cell + 1), "muted", justify="right") for cell in range(CELLS)]
        first = Text(self.words("sheet.columns"), "muted")
        table.add_row(first, *heads, Text(self.words("sheet.fails"), "muted", justify="right"))
        for seat in range(view.seats):
            sheet = view.sheet(seat)
            points = [
                Text(str(column(sheet, cell) or "–"), justify="right") for cell in range(CELLS)
            ]
            lost = fails_cost(sheet.fails)
            fails = Text(f"−{lost}" if lost else "0", justify="right")
            total = Text(f"= {signed(view.scores()[seat])}", "strong", justify="right")
            table.add_row(Text(self.names[seat]), *points, fails, total)
        return self.words(f"reason.{view.reason}"), table


def _serving(dice: Sequence[str], colour: str) -> Move:
    """Return the reroll that keeps the white die and those of a colour.

    >>> str(_serving(("w6", "r1", "y1", "y4", "v3", "r3", "v2"), "y"))
    'reroll 1,4,5,6'
    """
    names = zip(DIE_NAMES, dice, strict=True)
    rolling = tuple(name for name, face in names if face[0] not in ("w", colour))
    return Reroll(rolling) if rolling else Keep()


def _edge(half: str, colour: str) -> Text:
    return Text(half * (HEAD + CELL * CELLS + 3), PIGMENTS[colour].paint)


def _bound(numbers: Sequence[int]) -> str:
    """Write what the next number of a row must be: >12, or <24 behind the thick line."""
    relation, limit = bound(numbers) or ("", "")
    return f"{relation}{limit}"


def _dice(view: View, has_colour: bool, is_tall: bool, is_low: bool) -> list[RenderableType]:
    """Draw the seven dice, the names by which they are rolled again below."""
    if view.dice is None:
        return []
    table = Table.grid(padding=(0, 2))
    table.add_row(*(_die(face, has_colour, is_tall, is_low) for face in view.dice))
    captions = []
    for name, face in zip(DIE_NAMES, view.dice, strict=True):
        caption = Text.assemble((name, "strong"), justify="center")
        captions.append(caption if name == "w" else caption.append(f"  {face.upper()}", "muted"))
    table.add_row(*captions)
    return [table]


def _die(face: str, has_colour: bool, is_tall: bool, is_low: bool) -> Text:
    """Draw a die: pips on the white one, a numeral on the others; as a box where there is no colour."""
    flat = (f"  {face[1]}  " if has_colour else f" {face.upper()}  ",)
    lines = flat if is_low else ("     ", *flat, "     ")
    if face[0] == "w" and not is_low:
        lines = PIPS[int(face[1])]
    if has_colour:
        return painted_die(lines, PIGMENTS[face[0]], is_tall)
    if is_low:
        return Text(f"[ {flat[0]} ]")
    return boxed_die(lines if is_tall else flat)
