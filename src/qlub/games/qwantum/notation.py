"""Texts and positions of Qwantum to moves and states, and back."""

import re

from qlub.core.errors import BadEvent, BadPosition, shown
from qlub.core.fields import Fields, whole
from qlub.core.game import Json, Pass
from qlub.core.options import Option
from qlub.core.sheets import read_decisions, read_frame, read_turn, write_decisions
from qlub.games.qwantum import rules
from qlub.games.qwantum.dice import DICE, FACES, encode_face
from qlub.games.qwantum.sheet import COLOURS, MOST_FAILS, MOST_SUM, can_write
from qlub.games.qwantum.sheet import write as write_number
from qlub.games.qwantum.state import (
    DIE_NAMES,
    Keep,
    Move,
    Reroll,
    Situation,
    State,
    View,
    Write,
)

OPTIONS: dict[str, Option] = {}
FIELDS = (
    "game",
    "options",
    "phase",
    "active",
    "dice",
    "sheets",
    "picked",
    "rerolling",
    "decided",
)

_WRITE = re.compile("([vbry])([1-9][0-9]?)")


def read_move(text: str) -> Move:
    """Read `keep`, `reroll w,1,4`, `v6` or `-`.

    >>> read_move("reroll w,1,4")
    Reroll(dice=('w', '1', '4'))
    """
    if text == "-":
        return Pass()
    if text == "keep":
        return Keep()
    if text.startswith("reroll "):
        return Reroll(tuple(text.removeprefix("reroll ").split(",")))
    written = _WRITE.fullmatch(text)
    if not written:
        raise BadEvent(
            f"expected keep, reroll w,1,4, a colour of v b r y with its sum, or -; not {shown(text)}"
        )
    return Write(written[1], int(written[2]))


def write(situation: Situation) -> Json:
    """Write a state as a position, or a view with `true` for every decision that it hides."""
    position: Json = {
        "game": "qwantum",
        "options": {},
        "phase": situation.phase,
        "active": situation.active,
        "dice": None if situation.dice is None else list(situation.dice),
        "sheets": [_write_sheet(situation, seat) for seat in range(situation.seats)],
        "picked": situation.picked,
        "rerolling": list(situation.rerolling),
        "decided": write_decisions(situation),
    }
    if situation.is_over:
        position["reason"] = situation.reason
    return position


def _write_sheet(situation: Situation, seat: int) -> Json:
    sheet = situation.sheet(seat)
    rows = {colour: list(numbers) for colour, numbers in sheet.rows.items()}
    return {**rows, "fails": sheet.fails}


def read_position(data: object) -> State:
    """Read a position that could lie on a table, or raise `BadPosition`."""
    return State(_read(data, None, is_view=False))


def read_view(data: object, seat: int | None) -> View:
    """Read a view: a position in which the decisions of others may be `true`."""
    return View(_read(data, seat, is_view=True), seat)


def _read(data: object, seat: int | None, is_view: bool) -> tuple[int, ...]:
    position, sheets, _ = read_frame(data, "qwantum", rules, FIELDS, OPTIONS)
    table = [0] * rules.SIZE
    rules.start(table, len(sheets))
    for index, sheet in enumerate(sheets):
        _read_sheet(table, sheet, index)
    read_turn(position, rules, table)
    _read_dice(position, table)
    _read_rerolling(position, table)
    _read_picked(position, table)
    situation = Situation(tuple(table))
    return read_decisions(position, situation, "share", read_move, seat, is_view)


def _read_sheet(table: list[int], data: object, seat: int) -> None:
    """Read the numbers and fails of a sheet, refusing any that could not have been written."""
    name = f"the sheet of seat {seat}"
    fields = Fields(data, name, BadPosition)
    fields.expect((*COLOURS, "fails"))
    for colour, letter in enumerate(COLOURS):
        row = 0
        for number in fields.of(letter, list):
            number = whole(number, f"a number in {letter} of {name}", 1, MOST_SUM, BadPosition)
            if not can_write(row, number):
                raise BadPosition(
                    f"{letter}{number} of {name} does not fit after what is before it"
                )
            row = write_number(row, number)
        table[rules.row_place(seat, colour)] = row
    table[rules.FAILS + seat] = fields.whole("fails", 0, MOST_FAILS)


def _read_dice(position: Fields, table: list[int]) -> None:
    phase = rules.PHASES[table[rules.PHASE]]
    if phase in ("first", "roll"):
        position.null("dice", phase)
        return
    faces = position.of("dice", list)
    if len(faces) != DICE:
        raise BadPosition(f"there are {DICE} dice, not {len(faces)}")
    for die, (face, possible) in enumerate(zip(faces, FACES, strict=True)):
        if not isinstance(face, str) or face not in possible:
            raise BadPosition(
                f"die {DIE_NAMES[die]} shows one of {', '.join(possible)}, not {shown(face)}"
            )
        table[rules.DIE + die] = encode_face(face)
    rules.add_up(table)


def _read_rerolling(position: Fields, table: list[int]) -> None:
    names = position.of("rerolling", list)
    if (table[rules.PHASE] == rules.REROLL) != bool(names):
        raise BadPosition("'rerolling' lists dice in phase reroll and is empty in all others")
    if any(not isinstance(name, str) for name in names) or names != [
        name for name in DIE_NAMES if name in names
    ]:
        raise BadPosition(
            f"'rerolling' lists some of w 1 2 3 4 5 6 in this order, not {shown(names)}"
        )
    table[rules.ROLLING] = sum(1 << DIE_NAMES.index(name) for name in names)


def _read_picked(position: Fields, table: list[int]) -> None:
    picked = position.get("picked")
    if picked is None:
        return
    if table[rules.PHASE] != rules.SHARE:
        raise BadPosition("'picked' is null except in phase share")
    table[rules.PICKED] = COLOURS.index(position.word("picked", tuple(COLOURS)))
