"""Texts and positions of Qwixx to moves and states, and back."""

import re

from qlub.core.errors import BadEvent, BadPosition, shown
from qlub.core.fields import Fields, whole
from qlub.core.game import Json, Pass
from qlub.core.options import Choice
from qlub.core.sheets import read_decisions, read_frame, read_turn, write_decisions
from qlub.games.qwixx import rules
from qlub.games.qwixx.sheet import CELLS, COLOURS, cell_of, open_among
from qlub.games.qwixx.state import Cross, Move, Situation, State, View

OPTIONS = {"end": Choice("table", rules.ENDS)}
FIELDS = ("game", "options", "phase", "active", "dice", "sheets", "decided", "crossed")

_CROSS = re.compile("([rygb])([2-9]|1[0-2])")


def read_move(text: str) -> Move:
    """Read `r5` or `-`.

    >>> read_move("b10")
    Cross(colour='b', number=10)
    """
    if text == "-":
        return Pass()
    match = _CROSS.fullmatch(text)
    if not match:
        raise BadEvent(
            f"expected a colour of r y g b with a number 2 to 12, or -; not {shown(text)}"
        )
    return Cross(match[1], int(match[2]))


def write(situation: Situation) -> Json:
    """Write a state as a position, or a view with `true` for every decision that it hides."""
    white = situation.white_dice
    position: Json = {
        "game": "qwixx",
        "options": {"end": situation.end},
        "phase": situation.phase,
        "active": situation.active,
        "dice": None if white is None else {"w": list(white), **situation.color_dice},
        "sheets": [_write_sheet(situation, seat) for seat in range(situation.seats)],
        "decided": write_decisions(situation),
        "crossed": situation.has_crossed,
    }
    if situation.is_over:
        position["reason"] = situation.reason
    return position


def _write_sheet(situation: Situation, seat: int) -> Json:
    sheet = situation.sheet(seat)
    rows = {colour: list(numbers) for colour, numbers in sheet.rows.items()}
    return {**rows, "penalties": sheet.penalties}


def read_position(data: object) -> State:
    """Read a position that could lie on a table, or raise `BadPosition`."""
    return State(_read(data, None, is_view=False))


def read_view(data: object, seat: int | None) -> View:
    """Read a view: a position in which the decisions of others may be `true`."""
    return View(_read(data, seat, is_view=True), seat)


def _read(data: object, seat: int | None, is_view: bool) -> tuple[int, ...]:
    position, sheets, options = read_frame(data, "qwixx", rules, FIELDS, OPTIONS)
    table = [0] * rules.SIZE
    rules.start(table, len(sheets), rules.ENDS.index(str(options["end"])))
    for index, sheet in enumerate(sheets):
        table[rules.SHEET + index], table[rules.PENALTIES + index] = _read_sheet(sheet, index)
    rules.close_rows(table, rules.locked_by_anybody(table))
    read_turn(position, rules, table)
    _read_dice(position, table)
    _read_crossed(position, table)
    situation = Situation(tuple(table))
    return read_decisions(position, situation, "white", read_move, seat, is_view)


def _read_sheet(data: object, seat: int) -> tuple[int, int]:
    """Read the crosses and penalties of a sheet, refusing any that could not have been made."""
    name = f"the sheet of seat {seat}"
    fields = Fields(data, name, BadPosition)
    fields.expect((*COLOURS, "penalties"))
    sheet = 0
    for colour, letter in enumerate(COLOURS):
        for number in fields.of(letter, list):
            number = whole(number, f"a number in {letter} of {name}", 2, 12, BadPosition)
            cell = cell_of(colour, number)
            if not open_among(sheet, 1 << CELLS * colour + cell):
                raise BadPosition(
                    f"{letter}{number} of {name} is not to the right of the cross before it, "
                    "or is a last number without five crosses"
                )
            sheet |= 1 << (CELLS * colour + cell)
    return sheet, fields.whole("penalties", 0, rules.MOST_PENALTIES)


def _read_dice(position: Fields, table: list[int]) -> None:
    phase = rules.PHASES[table[rules.PHASE]]
    if phase in ("first", "roll"):
        position.null("dice", phase)
        return
    dice = Fields(position.get("dice"), "'dice'", BadPosition)
    letters = [letter for index, letter in enumerate(COLOURS) if not rules.is_closed(table, index)]
    for letter in dice.data:
        if letter in COLOURS and letter not in letters:
            raise BadPosition(f"'dice' has the die {letter} of a closed row")
    dice.expect(("w", *letters))
    white = dice.of("w", list)
    if len(white) != 2:
        raise BadPosition(f"there are two white dice, not {len(white)}")
    for index, die in enumerate(white):
        table[rules.DIE + index] = whole(die, "a white die", 1, 6, BadPosition)
    for letter in letters:
        table[rules.DIE + 2 + COLOURS.index(letter)] = dice.whole(letter, 1, 6)


def _read_crossed(position: Fields, table: list[int]) -> None:
    if position.of("crossed", bool):
        if table[rules.PHASE] != rules.COLOR:
            raise BadPosition("'crossed' is true in phase color only")
        table[rules.CROSSED] = 1
