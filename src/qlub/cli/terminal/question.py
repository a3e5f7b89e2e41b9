"""One decision of a person: the page is shown, and asked about until the answer is a legal move."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from rich.console import Group, RenderableType
from rich.text import Text

from qlub.cli.terminal import page
from qlub.cli.terminal.console import Leave
from qlub.core.errors import IllegalMove, QlubError
from qlub.core.game import Move, View
from qlub.words import Words

if TYPE_CHECKING:
    from qlub.cli.terminal.host import Host

LISTED = 9
"""How many moves are offered at once."""
LONGEST_ENTRY = 200
COMMANDS = ("?", "more", "log", "quit")


class Question:
    """One decision of one person: shown, asked, explained and asked again until it is legal."""

    def __init__(self, host: "Host", view: View[Any], moves: Sequence[Move]) -> None:
        self.host = host
        self.words = host.words
        self.view = view
        self.moves = moves
        self.first = 0
        self.commands = {
            **{host.words(f"command.{name}"): name for name in COMMANDS[1:]},
            **{name: name for name in COMMANDS},
        }

    def answer(self) -> Move:
        """Return a legal move; a wrong entry costs nothing but a line that says why."""
        self._show()
        entry = self.host.terminal.ask(self._show)
        while True:
            command = self.commands.get(entry.lower())
            if command:
                entry = self._obey(command)
                continue
            move, said = self._read(entry)
            if move is not None:
                return move
            if self.host.terminal.is_live:
                self._show(said)
            else:
                self.host.terminal.say(said)
            entry = self.host.terminal.ask(partial(self._show, said))

    def _read(self, entry: str) -> tuple[Move | None, str]:
        """Return the move that an entry means, or why it means none."""
        number = int(entry) if entry.isdecimal() and len(entry) < 6 else 0
        if 1 <= number <= min(len(self.moves), self.first + LISTED):
            return self.moves[number - 1], ""
        if not entry:
            if len(self.moves) == 1:
                return self.moves[0], ""
            return None, self.words("entry.empty")
        move: Move | None = None
        try:
            text = self.host.screen.read(self.view, entry[:LONGEST_ENTRY])
            move = self.host.match.game.read_move(text)
            self.host.match.state.apply(self.view.seat or 0, move)
        except IllegalMove as error:
            if not entry.isdecimal() and move:
                return None, self.host.screen.refusal(self.view, move, error)
        except QlubError:
            if not entry.isdecimal():
                how = self.host.screen.notation()
                return None, self.words("entry.unknown", entry=entry[:40], how=how)
        else:
            return move, ""
        return None, self.words("entry.range", last=min(len(self.moves), self.first + LISTED))

    def _obey(self, command: str) -> str:
        """Do what a command says, and return what is entered next."""
        if command == "quit":
            raise Leave
        entry = ""
        if command == "more":
            self.first = self.first + LISTED if self.first + LISTED < len(self.moves) else 0
        else:
            aside = self._help() if command == "?" else self._log()
            entry = self.host.terminal.leaf_through(aside, self.words("help.back"))
        if not entry:
            self._show()
        return entry or self.host.terminal.ask(self._show)

    def _show(self, said: str = "") -> None:
        chosen = self.moves[self.first : self.first + LISTED]
        listed = dict(enumerate(chosen, self.first + 1))
        note = ""
        if len(chosen) < len(self.moves):
            note = self.words(
                "entry.more",
                first=self.first + 1,
                last=self.first + len(chosen),
                count=len(self.moves),
            )
        if len(self.moves) == 1:
            note = self.words("entry.only")
        self.host.show(self.view, listed, note, said)

    def _help(self) -> RenderableType:
        commands = [
            (_names(self.words, name), self.words(f"help.{_key(name)}")) for name in COMMANDS
        ]
        explained = [
            *self.host.screen.explain(self.view),
            (self.words("help.number_term"), self.words("help.number")),
        ]
        return page.help_page(self.words, commands, explained)

    def _log(self) -> RenderableType:
        heading = Text(f" {self.words('log.title')} ", "step")
        items = self.host.narrator.news
        return Group(heading, Text(), page.news(self.words, items, self.host.players, len(items)))


def _key(command: str) -> str:
    return "help" if command == "?" else command


def _names(words: Words, command: str) -> str:
    """Return how a command may be typed: in English, and in one's own language."""
    own = command if command == "?" else words(f"command.{command}")
    return command if own == command else f"{own}, {command}"
