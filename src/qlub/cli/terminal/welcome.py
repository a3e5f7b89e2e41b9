"""The first page: which game is it to be."""

from rich.console import Group
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from qlub.cli.terminal.console import Leave, Terminal
from qlub.cli.terminal.screen import find_screen
from qlub.core.game import Game
from qlub.core.registry import all_games
from qlub.words import Words


def choose_game(words: Words, terminal: Terminal) -> Game:
    """Ask for a game by number or name until there is one, or raise `Leave`."""
    games = all_games()
    terminal.show(_page(words, games))
    while True:
        entry = terminal.ask().lower()
        if entry in ("quit", words("command.quit")):
            raise Leave
        if entry == "?":
            terminal.say(words("welcome.help"))
            continue
        for number, game in enumerate(games, 1):
            if entry == str(number) or (len(entry) > 2 and game.name.startswith(entry)):
                return game
        terminal.say(words("welcome.unknown", count=len(games)), "strong")


def _page(words: Words, games: tuple[Game, ...]) -> Group:
    grid = Table.grid(padding=(0, 2))
    for number, game in enumerate(games, 1):
        fewest, most = game.seats
        about = _about(game, words.language)
        grid.add_row(
            Text(f" {number} ", "brass"),
            find_screen(game, words, ()).emblem(),
            Group(
                Text.assemble(
                    (game.name.capitalize(), "strong"),
                    (f"   {words('welcome.seats', fewest=fewest, most=most)}", "muted"),
                ),
                Text(about),
                Text(),
            ),
        )
    heading = Text.assemble((" Qlub ", "bold reverse"), "  ", (words("welcome.ask"), "strong"))
    return Group(
        Text(), heading, Text(), Padding(grid, (0, 1)), Text(words("welcome.hint"), "muted")
    )


def _about(game: Game, language: str) -> str:
    """Return a game's own sentence about itself, if it has texts."""
    try:
        return Words.of(f"qlub.games.{game.name}", language)("about")
    except FileNotFoundError:
        return ""
