"""The first pages: which game is it to be, and against whom."""

from collections.abc import Sequence

from rich.console import Group
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from qlub.bots import bots_of
from qlub.cli.terminal.console import Leave, Terminal
from qlub.cli.terminal.screen import find_screen
from qlub.cli.terminal.seats import bot_name, usual_bot
from qlub.core.game import Game
from qlub.core.registry import all_games
from qlub.words import Words


def choose_game(words: Words, terminal: Terminal) -> Game:
    """Ask for a game by number or name until there is one, or raise `Leave`."""
    games = all_games()
    terminal.show(_page(words, games))
    return games[_pick(words, terminal, "welcome", [(game.name,) for game in games])]


def choose_bot(game: Game, words: Words, terminal: Terminal) -> str:
    """Ask for a bot of a game by number or name until there is one, or raise `Leave`."""
    bots = list(bots_of(game))
    terminal.show(_bots_page(game, words))
    names = [(bot, bot_name(words, bot).lower()) for bot in bots]
    return bots[_pick(words, terminal, "opponent", names, bots.index(usual_bot(game)))]


def _pick(
    words: Words,
    terminal: Terminal,
    page: str,
    names: Sequence[Sequence[str]],
    usual: int | None = None,
) -> int:
    """Ask until somebody picks one of a list; Enter picks the usual one, if there is one."""
    while True:
        entry = terminal.ask().lower()
        if entry in ("quit", words("command.quit")):
            raise Leave
        if entry == "?":
            terminal.say(words(f"{page}.help"))
            continue
        if not entry and usual is not None:
            return usual
        for number, called in enumerate(names):
            if entry == str(number + 1) or entry in called:
                return number
            if len(entry) > 2 and any(name.startswith(entry) for name in called):
                return number
        terminal.say(words(f"{page}.unknown", count=len(names)), "strong")


def _bots_page(game: Game, words: Words) -> Group:
    grid = Table.grid(padding=(0, 2))
    for number, (name, bot) in enumerate(bots_of(game).items(), 1):
        style = _text(game, f"style.{name}", words.language)
        if not style:
            style = words(f"style.{name}") if f"style.{name}" in words.texts else bot.about
        grid.add_row(Text(f" {number} ", "brass"), Text(bot_name(words, name), "strong"), style)
    heading = Text.assemble(
        (f" {game.name.capitalize()} ", "bold reverse"), "  ", (words("opponent.ask"), "strong")
    )
    hint = words("opponent.hint", name=bot_name(words, usual_bot(game)))
    return Group(Text(), heading, Text(), Padding(grid, (0, 1)), Text(), Text(hint, "muted"))


def _page(words: Words, games: tuple[Game, ...]) -> Group:
    grid = Table.grid(padding=(0, 2))
    for number, game in enumerate(games, 1):
        fewest, most = game.seats
        about = _text(game, "about", words.language)
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


def _text(game: Game, key: str, language: str) -> str:
    """Return one of a game's own texts, if it has any."""
    try:
        words = Words.of(f"qlub.games.{game.name}", language)
    except FileNotFoundError:
        return ""
    return words(key) if key in words.texts else ""
