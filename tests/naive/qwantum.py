"""The naive second opinion of Qwantum: plain JSON positions and event texts, rule by rule."""

from copy import deepcopy
from itertools import combinations
from typing import Any

Position = dict[str, Any]
Sheet = dict[str, Any]

COLOURS = ["v", "b", "r", "y"]  # QN-2
DICE = ["w", "1", "2", "3", "4", "5", "6"]  # QN-1
COLUMNS = 6
HIGHEST_CONCEIVABLE_SUM = 7 * 6  # seven sixes of one colour


def colour_sum(dice: list[str], colour: str) -> int:
    """The white die and every die that shows the colour (QN-9)."""
    return sum(int(die[1:]) for die in dice if die[0] in ("w", colour))


def may_write(row: list[int], number: int) -> bool:
    """Four rising numbers, then two falling ones, without gaps, never equal (QN-3, QN-4)."""
    filled = len(row)
    if filled == COLUMNS:
        return False
    if filled == 0:
        return True
    if filled < 4:
        return number > row[-1]
    return number < row[-1]


def may_decide(position: Position, seat: int) -> bool:
    """Everyone decides once in C, only the active player in A and B (QN-8, QN-10, QN-11)."""
    if position["phase"] == "share":
        return str(seat) not in position["decided"]
    return bool(position["phase"] in ("keep", "pick") and seat == position["active"])


def is_allowed(position: Position, seat: int, text: str) -> bool:
    """A colour's sum goes in that row, but in C not the colour written in B (QN-10, QN-11)."""
    if text == "-":
        return True
    colour, number = text[0], int(text[1:])
    if position["phase"] == "share" and colour == position["picked"]:
        return False
    on_offer = number == colour_sum(position["dice"], colour)
    return on_offer and may_write(position["sheets"][seat][colour], number)


def rerolls() -> set[str]:
    """Any of the seven dice may be rolled again, white included (QN-8)."""
    choices = [choice for size in range(1, 8) for choice in combinations(DICE, size)]
    return {"reroll " + ",".join(choice) for choice in choices}


def legal(position: Position, seat: int) -> set[str]:
    """Every conceivable text, held against the rules one by one (QN-8, QN-10, QN-11)."""
    if not may_decide(position, seat):
        return set()
    if position["phase"] == "keep":
        return {"keep"} | rerolls()
    numbers = range(1, HIGHEST_CONCEIVABLE_SUM + 1)
    conceivable = [f"{colour}{number}" for colour in COLOURS for number in numbers]
    return {text for text in [*conceivable, "-"] if is_allowed(position, seat, text)}


def column_score(sheet: Sheet, column: int) -> int:
    """The second lowest different value of a complete column; four equal: that value (QN-6)."""
    if any(len(sheet[colour]) <= column for colour in COLOURS):
        return 0
    different = sorted({sheet[colour][column] for colour in COLOURS})
    if len(different) == 1:
        return int(different[0])
    return int(different[1])


def sheet_score(sheet: Sheet) -> int:
    """The complete columns, minus 1, 2, 3, 4, 5 for the failed throws (QN-12, QN-15)."""
    columns = sum(column_score(sheet, column) for column in range(COLUMNS))
    return columns - sum(range(1, sheet["fails"] + 1))


def scores(position: Position) -> list[int]:
    """What each seat would have if the game ended now (QN-15)."""
    return [sheet_score(sheet) for sheet in position["sheets"]]


def is_full(sheet: Sheet) -> bool:
    """All four rows are filled (QN-13)."""
    return all(len(sheet[colour]) == COLUMNS for colour in COLOURS)


def is_over(position: Position) -> str | None:
    """The reason why these sheets end the game, or none (QN-13, QN-14)."""
    if any(is_full(sheet) for sheet in position["sheets"]):
        return "sheet"
    if any(sheet["fails"] >= 5 for sheet in position["sheets"]):
        return "fails"
    return None


def write(position: Position, seat: int, text: str) -> None:
    """Write one number at the end of its row, or nothing for a pass (QN-3)."""
    if text != "-":
        colour, number = text[0], int(text[1:])
        position["sheets"][seat][colour].append(number)


def end_game(position: Position, reason: str) -> None:
    """The dice and the active player stay as they lie (QN-13, QN-14)."""
    position["phase"] = "over"
    position["reason"] = reason
    position["picked"] = None
    position["decided"] = {}


def roll(position: Position, text: str) -> None:
    """All seven dice are rolled (QN-8)."""
    position["dice"] = text.split()
    position["phase"] = "keep"


def keep_or_reroll(position: Position, text: str) -> None:
    """The active player keeps the throw or names the dice of the second one (QN-8)."""
    if text == "keep":
        position["phase"] = "pick"
    else:
        position["phase"] = "reroll"
        position["rerolling"] = text.removeprefix("reroll ").split(",")


def reroll(position: Position, text: str) -> None:
    """The second result stands (QN-8)."""
    position["dice"] = text.split()
    position["rerolling"] = []
    position["phase"] = "pick"


def pick(position: Position, seat: int, text: str) -> None:
    """B: one colour for the active player; a full sheet ends the game without C (QN-10, QN-13)."""
    write(position, seat, text)
    position["picked"] = None if text == "-" else text[0]
    reason = is_over(position)
    if reason is not None:
        end_game(position, reason)
    else:
        position["phase"] = "share"


def share(position: Position, seat: int, text: str) -> None:
    """C: decisions stay sealed until the last one is in, then all count at once (QN-11)."""
    position["decided"][str(seat)] = text
    if len(position["decided"]) == len(position["sheets"]):
        end_turn(position)


def end_turn(position: Position) -> None:
    """Everyone writes, the active player may have failed, and the turn passes on (QN-12)."""
    active = position["active"]
    decided = position["decided"]
    for each, decision in decided.items():
        write(position, int(each), decision)
    if position["picked"] is None and decided[str(active)] == "-":
        position["sheets"][active]["fails"] += 1
    reason = is_over(position)
    if reason is not None:
        end_game(position, reason)
    else:
        position["phase"] = "roll"
        position["active"] = (active + 1) % len(position["sheets"])
        position["dice"] = None
        position["picked"] = None
        position["decided"] = {}


def apply(position: Position, actor: int | str, text: str) -> Position:
    """The position after one legal event; the given one stays as it was (QN-7 to QN-14)."""
    after = deepcopy(position)
    if after["phase"] == "first":
        after["active"] = int(text.removeprefix("first "))
        after["phase"] = "roll"
    elif after["phase"] == "roll":
        roll(after, text)
    elif after["phase"] == "keep":
        keep_or_reroll(after, text)
    elif after["phase"] == "reroll":
        reroll(after, text)
    elif after["phase"] == "pick":
        pick(after, int(actor), text)
    elif after["phase"] == "share":
        share(after, int(actor), text)
    return after
