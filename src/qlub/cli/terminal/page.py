"""The parts of a page that are the same in every game: title, news, choices, help, places."""

from collections.abc import Sequence

from rich.cells import cell_len, set_cell_size
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from qlub.cli.terminal.narrator import News
from qlub.cli.terminal.seats import LONGEST_NAME, Player
from qlub.drawing import MINUS, signed
from qlub.words import Words

GAP = 3
"""Columns between two choices."""


def title(
    game: str, players: Sequence[Player], scores: Sequence[int], seat: int | None, width: int
) -> Text:
    """Return the first line: the game and how everybody stands; people are round, bots square.

    Names are cut where the line would be too long, so that nobody's points are.
    """
    for longest in range(LONGEST_NAME, 0, -1):
        line = Text.assemble((f" {game.capitalize()} ", "bold reverse"), " ")
        for other, (player, score) in enumerate(zip(players, scores, strict=True)):
            mark = "▸" if other == seat else ("○" if player.is_person else "□")
            name = set_cell_size(player.name, min(longest, cell_len(player.name)))
            line.append(f"  {mark} {name} ", "strong" if other == seat else "")
            line.append(signed(score), "strong")
        if line.cell_len <= width:
            break
    return line


def prompt(step: str, sentence: str, hint: str, width: int) -> RenderableType:
    """Return where we are, what to do, and a hint; a long sentence has the hint's line."""
    place, sentence_line = Text.assemble((f" {step} ", "step")), Text(sentence, "strong")
    if not step:
        return sentence_line
    if place.cell_len + 2 + sentence_line.cell_len > width:
        return Group(place, sentence_line)
    line = Text.assemble(place, "  ", sentence_line)
    return Group(line, Text(hint, "muted")) if hint else line


def ending(step: str, sentence: str, reason: str) -> RenderableType:
    """Return that it is over, who won, and why it ended."""
    return Group(
        Text.assemble((f" {step} ", "step"), "  ", (sentence, "strong")), Text(reason, "muted")
    )


class Listing:
    """Numbered choices, in as many columns as fit."""

    def __init__(self, choices: Sequence[tuple[int, Text, str]], note: str = "") -> None:
        self.choices = choices
        self.note = note

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        numbers = max((len(str(number)) for number, _, _ in self.choices), default=1)
        widest = max((label.cell_len for _, label, _ in self.choices), default=1)
        gains = max((len(gain) for _, _, gain in self.choices), default=0)
        column = numbers + 4 + widest + (gains + 2 if gains else 0) + GAP
        columns = max(1, min(len(self.choices), (options.max_width + GAP) // column))
        lines = -(-len(self.choices) // columns)
        for index in range(lines):
            line = Text()
            for number, label, gain in self.choices[index::lines]:
                line.append(f" {number:>{numbers}} ", "brass").append(" ")
                line.append_text(label).append(" " * (widest - label.cell_len))
                line.append(f"  {gain:>{gains}}" if gains else "", "strong")
                line.append(" " * GAP)
            line.rstrip()
            yield line
        if self.note:
            yield Text(self.note, "muted")


def news(
    words: Words, items: Sequence[News], players: Sequence[Player], most: int
) -> RenderableType:
    """Return the last things that happened, each with its name."""
    if not most:
        return Group()
    grid = Table.grid(padding=(0, 1))
    for seat, text in items[-most:]:
        name = "" if seat is None else words("news.who", name=players[seat].name)
        grid.add_row(Text(name, "muted"), Text(text))
    return grid


def help_page(
    words: Words, commands: Sequence[tuple[str, str]], explained: Sequence[tuple[str, str]]
) -> RenderableType:
    """Return the commands and what the game has to explain now."""
    grid = Table.grid(padding=(0, 2))
    grid.add_column(no_wrap=True)
    for term, text in (*explained, ("", ""), *commands):
        grid.add_row(Text(term, "strong"), Text(text))
    heading = Text(f" {words('help.title')} ", "step")
    return Group(heading, Padding(grid, (1, 0)))


def places(words: Words, players: Sequence[Player], scores: Sequence[int]) -> RenderableType:
    """Return everybody by points; those with equal points share a place."""
    grid = Table.grid(padding=(0, 2))
    for seat in sorted(range(len(players)), key=lambda seat: -scores[seat]):
        place = 1 + sum(score > scores[seat] for score in scores)
        style = "brass" if place == 1 else ""
        points = words("end.points", count=scores[seat])
        grid.add_row(
            Text(f" {words('end.place', place=place)} ", style),
            Text(players[seat].name, "strong" if place == 1 else ""),
            Text(points.replace("-", MINUS), "strong", justify="right"),
        )
    return grid
