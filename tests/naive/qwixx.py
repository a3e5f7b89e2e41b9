"""The naive second opinion of Qwixx: plain JSON positions and event texts, rule by rule."""

from copy import deepcopy
from typing import Any

Position = dict[str, Any]
Sheet = dict[str, Any]

ROWS = {
    "r": [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
    "y": [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
    "g": [12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2],
    "b": [12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2],
}  # QX-1


def has_lock(sheet: Sheet, colour: str) -> bool:
    """Whoever crossed the last number of a row has crossed its lock too (QX-10)."""
    last_number = ROWS[colour][-1]
    return last_number in sheet[colour]


def closed_rows(position: Position) -> set[str]:
    """A row that anybody has locked is closed for everyone (QX-11)."""
    return {colour for colour in ROWS for sheet in position["sheets"] if has_lock(sheet, colour)}


def may_cross(sheet: Sheet, colour: str, number: int) -> bool:
    """Crosses go from left to right, and the last number needs five before it (QX-2, QX-9)."""
    numbers = ROWS[colour]
    if number == numbers[-1] and len(sheet[colour]) < 5:
        return False
    return all(numbers.index(crossed) < numbers.index(number) for crossed in sheet[colour])


def sums_on_offer(position: Position, colour: str) -> set[int]:
    """The white sum in action 1; one white die and the coloured one in action 2 (QX-6, QX-7)."""
    dice = position["dice"]
    if position["phase"] == "white":
        return {dice["w"][0] + dice["w"][1]}
    return {white + dice[colour] for white in dice["w"]}


def may_decide(position: Position, seat: int) -> bool:
    """Everyone decides once in action 1, only the active player in action 2 (QX-6, QX-7)."""
    if position["phase"] == "white":
        return str(seat) not in position["decided"]
    return bool(position["phase"] == "color" and seat == position["active"])


def is_allowed(position: Position, seat: int, text: str) -> bool:
    """Nobody has to cross, and nobody crosses in a closed row (QX-6, QX-7, QX-11)."""
    if not may_decide(position, seat):
        return False
    if text == "-":
        return True
    colour, number = text[0], int(text[1:])
    if colour in closed_rows(position):
        return False
    on_offer = number in sums_on_offer(position, colour)
    return on_offer and may_cross(position["sheets"][seat], colour, number)


def legal(position: Position, seat: int) -> set[str]:
    """Every conceivable text, held against the rules one by one (QX-6 to QX-12)."""
    conceivable = [f"{colour}{number}" for colour in ROWS for number in ROWS[colour]]
    return {text for text in [*conceivable, "-"] if is_allowed(position, seat, text)}


def sheet_score(sheet: Sheet) -> int:
    """1 + 2 + … + n for the n crosses of a row, lock included, minus 5 a penalty (QX-15)."""
    total = 0
    for colour in ROWS:
        crosses = len(sheet[colour])
        if has_lock(sheet, colour):
            crosses += 1
        total += sum(range(1, crosses + 1))
    return total - 5 * int(sheet["penalties"])


def scores(position: Position) -> list[int]:
    """What each seat would have if the game ended now (QX-15)."""
    return [sheet_score(sheet) for sheet in position["sheets"]]


def enough_rows_closed(position: Position) -> bool:
    """Two rows closed by anybody, or, as an option, two by one player or all four (QX-14)."""
    closed = len(closed_rows(position))
    if position["options"].get("end", "table") == "table":
        return closed >= 2
    own_locks = [sum(has_lock(sheet, colour) for colour in ROWS) for sheet in position["sheets"]]
    return max(own_locks) >= 2 or closed == 4


def is_over(position: Position) -> str | None:
    """The reason why these sheets end the game, or none (QX-13, QX-14)."""
    if enough_rows_closed(position):
        return "rows"
    if any(sheet["penalties"] >= 4 for sheet in position["sheets"]):
        return "penalties"
    return None


def read_dice(text: str) -> dict[str, Any]:
    """The dice of a roll: two whites, then one for each colour still in play (QX-5)."""
    dice: dict[str, Any] = {"w": []}
    for die in text.split():
        if die[0] == "w":
            dice["w"].append(int(die[1:]))
        else:
            dice[die[0]] = int(die[1:])
    return dice


def cross(position: Position, seat: int, text: str) -> None:
    """Put one cross on a sheet, or none for a pass (QX-2)."""
    if text != "-":
        colour, number = text[0], int(text[1:])
        position["sheets"][seat][colour].append(number)


def remove_dice_of_closed_rows(position: Position) -> None:
    """The die of a closed row leaves the game at once (QX-11)."""
    for colour in closed_rows(position):
        position["dice"].pop(colour, None)


def end_action(position: Position) -> None:
    """After either action the game may be over; nothing of the turn follows then (QX-18)."""
    remove_dice_of_closed_rows(position)
    position["decided"] = {}
    reason = is_over(position)
    if reason is not None:
        position["phase"] = "over"
        position["reason"] = reason
        position["crossed"] = False
    elif position["phase"] == "white":
        position["phase"] = "color"
    else:
        position["phase"] = "roll"
        position["active"] = (position["active"] + 1) % len(position["sheets"])
        position["dice"] = None
        position["crossed"] = False


def decide_white(position: Position, seat: int, text: str) -> None:
    """Decisions stay sealed until the last one is in, then all count at once (QX-12)."""
    decided = position["decided"]
    decided[str(seat)] = text
    if len(decided) == len(position["sheets"]):
        for each, decision in decided.items():
            cross(position, int(each), decision)
        position["crossed"] = decided[str(position["active"])] != "-"
        end_action(position)


def decide_color(position: Position, seat: int, text: str) -> None:
    """The active player crosses, or passes, with a penalty for a turn without a cross (QX-8)."""
    cross(position, seat, text)
    if text == "-" and not position["crossed"]:
        position["sheets"][seat]["penalties"] += 1
    end_action(position)


def apply(position: Position, actor: int | str, text: str) -> Position:
    """The position after one legal event; the given one stays as it was (QX-4 to QX-14)."""
    after = deepcopy(position)
    if after["phase"] == "first":
        after["active"] = int(text.removeprefix("first "))
        after["phase"] = "roll"
    elif after["phase"] == "roll":
        after["dice"] = read_dice(text)
        after["phase"] = "white"
    elif after["phase"] == "white":
        decide_white(after, int(actor), text)
    elif after["phase"] == "color":
        decide_color(after, int(actor), text)
    return after
