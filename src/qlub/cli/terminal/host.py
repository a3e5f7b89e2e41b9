"""The host: leads people and bots through a game, asks, refuses kindly, and tells the news."""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from random import Random, SystemRandom
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from qlub.bots import find_bot
from qlub.bots.program import Program
from qlub.cli.terminal import page
from qlub.cli.terminal.console import Leave, Terminal
from qlub.cli.terminal.narrator import Narrator
from qlub.cli.terminal.question import Question
from qlub.cli.terminal.screen import find_screen
from qlub.cli.terminal.seats import Player
from qlub.core.game import Bot, Move, View
from qlub.core.record import CHANCE, Match
from qlub.drawing import Page
from qlub.words import Words

PACE = 0.9
"""Seconds between what bots do, for those who watch."""
GLANCE = 0.5
"""The same for those who play."""
LOADING = 3.0
"""Seconds after which a bot is not being loaded but compiled."""
TALL = 30
"""From how many lines a page has room for some air."""
COLUMNS, LINES = 80, 24
"""How large a window must be for every page."""
USUAL_HEAD = 3
"""How many lines stand above a table that has its full height: the title, the prompt and a hint."""
MOST_NEWS, FEW_NEWS = 9, 2
RECALLED = 4
"""How much of the news is told again after a break."""


class Host:
    """One game at one terminal."""

    def __init__(
        self,
        match: Match,
        players: Sequence[Player],
        words: Words,
        terminal: Terminal,
        seed: int | None,
        seconds: float,
    ) -> None:
        self.match = match
        self.players = players
        self.words = words
        self.terminal = terminal
        self.seconds = seconds
        self.screen = find_screen(match.game, words, [player.name for player in players])
        self.bots: list[Bot | None] = [
            find_bot(match.game, player.bot) if player.bot else None for player in players
        ]
        self.are_bots_ready = False
        self.dice, self.whims = _chances(seed, len(match.events))
        people = [seat for seat, player in enumerate(players) if player.is_person]
        self.people = people
        self.narrator = Narrator(self.screen, people[0] if len(people) == 1 else None)
        self.narrator.catch_up(match)
        self.seen = dict.fromkeys((*people, None), max(0, len(self.narrator.news) - RECALLED))
        self.looking: int | None = people[0] if len(people) == 1 else None

    def play(self) -> None:
        """Play to the end, or until somebody leaves."""
        try:
            with self.terminal.full_screen():
                while not self.match.state.is_over:
                    self._step()
        finally:
            for bot in self.bots:
                if isinstance(bot, Program):
                    bot.close()
        self._finish()

    def _step(self) -> None:
        state = self.match.state
        if state.chance:
            outcome = state.chance.sample(self.dice.randrange)
            self.match.apply(CHANCE, str(outcome))
            self.narrator.follow(state, CHANCE, outcome, self.match.state)
            return
        if not self.are_bots_ready:
            self._prepare_bots(state.view(state.to_act[0]))
        people = [seat for seat in state.to_act if self.players[seat].is_person]
        if people:
            self._ask_person(people[0])
            return
        told = len(self.narrator.news)
        self._ask_bot(state.to_act[0])
        if len(self.narrator.news) > told:
            self._let_watch()

    def _prepare_bots(self, view: View[Any]) -> None:
        """Compile what bots need before the first decision, and say so where that was never done."""
        with self.terminal.thinking(self.words("bot.prepares"), LOADING):
            for bot in self.bots:
                if bot and hasattr(bot, "prepare"):
                    bot.prepare(view)
        self.are_bots_ready = True

    def _decide(self, seat: int, move: Move) -> None:
        before = self.match.state
        self.match.decide(seat, move)
        self.narrator.follow(before, seat, move, self.match.state)

    def _ask_bot(self, seat: int) -> None:
        bot, name = self.bots[seat], self.players[seat].name
        if bot is None:
            return
        failures = len(bot.failures) if isinstance(bot, Program) else 0
        with self.terminal.thinking(self.words("bot.thinks", name=name)):
            move = bot.choose(self.match.state.view(seat), self.whims, self.seconds)
        if isinstance(bot, Program) and len(bot.failures) > failures:
            self.narrator.add(seat, self.words("bot.failed", why=bot.failures[-1]))
        self._decide(seat, move)

    def _let_watch(self) -> None:
        """Show for a moment what a bot did; to a pipe only if nobody plays, and only the news."""
        if self.terminal.is_live and len(self.people) <= 1:
            seat, text = self.narrator.news[-1]
            name = "" if seat is None else self.players[seat].name
            view = self.match.state.view(self.narrator.looker)
            self.terminal.show(self._page(view, {}, "", (name, text, "")))
            self.terminal.pause(GLANCE if self.people else PACE)
            if not self.people:
                self._heed(self.terminal.drain())
        elif not self.people:
            for seat, text in self.narrator.news[self.seen[None] :]:
                who = "" if seat is None else self.words("news.who", name=self.players[seat].name)
                self.terminal.say(f"{who} {text}".strip())
            self.seen[None] = len(self.narrator.news)

    def _ask_person(self, seat: int) -> None:
        view = self.match.state.view(seat)
        moves = self.screen.moves(view)
        if len(moves) == 1 and view.active != seat:
            self._decide(seat, moves[0])
            return
        self._hand_over(seat)
        move = Question(self, view, moves).answer()
        self.seen[seat] = len(self.narrator.news)
        self._decide(seat, move)

    def _hand_over(self, seat: int) -> None:
        """Let another person sit down, unless everything there is to see lies open anyway."""
        before, self.looking = self.looking, seat
        if before == seat or not self._is_hiding():
            return
        name = self.players[seat].name
        self.terminal.show(
            Group(
                Text(),
                page.prompt(
                    self.words("pass.step"),
                    self.words("pass.to", name=name),
                    "",
                    self.terminal.size[0],
                ),
                Text(self.words("pass.enter", name=name), "muted"),
            )
        )
        self._heed([self.terminal.ask()])

    def _heed(self, entries: Sequence[str]) -> None:
        """Let somebody leave where nothing else is asked."""
        if any(entry.lower() in ("quit", self.words("command.quit")) for entry in entries):
            raise Leave

    def _is_hiding(self) -> bool:
        """Say whether some person sees what a spectator does not."""
        game, state = self.match.game, self.match.state
        open_view = game.write_view(state.view(None))
        return any(game.write_view(state.view(seat)) != open_view for seat in self.people)

    def show(self, view: View[Any], listed: Mapping[int, Move], note: str, said: str) -> None:
        """Show a person the table, the moves on offer, and what is to be said about an entry."""
        step, sentence, hint = self.screen.prompt(view)
        if len(self.people) > 1:
            step = f"{self.players[view.seat or 0].name} · {step}"
        hint = "" if said else hint
        self.terminal.show(self._page(view, listed, note, (step, sentence, hint), said))

    def _page(
        self,
        view: View[Any],
        listed: Mapping[int, Move],
        note: str,
        prompt: tuple[str, str, str] | None,
        said: str = "",
    ) -> RenderableType:
        """Return the game, what to do, the table, the moves on offer, and what news there is room for."""
        size, has_colour = self.terminal.size, self.terminal.has_colour
        choices = [(number, *self.screen.label(view, move)) for number, move in listed.items()]
        listing = page.Listing(choices, note)
        fresh = self.narrator.news[self.seen[view.seat if view.seat in self.people else None] :]
        below: list[RenderableType] = [Text(said, "strong")] if said else []

        def built(hints: bool, most: int) -> RenderableType:
            above = self._head(view, size)
            if prompt:
                step, sentence, hint = prompt
                above.append(page.prompt(step, sentence, hint if hints else "", size[0]))
            taken = self.terminal.count_lines(Group(*above, *below)) - USUAL_HEAD
            room = size[1] - max(0, taken if size[1] < TALL else 0)
            news = page.news(self.words, fresh, self.players, most)
            body = self.screen.draw(view, Page(listed, listing, news, size[0], room, has_colour))
            return Group(*above, body, *below)

        trials = _trials(len(fresh))
        fullest = bisect_left(
            trials[:-1], x=True, key=lambda trial: self.terminal.fits(built(*trial))
        )
        return built(*trials[fullest])

    def _head(self, view: View[Any], size: tuple[int, int]) -> list[RenderableType]:
        """Return the title, and a word about a window that is too small."""
        width, height = size
        lines: list[RenderableType] = [
            page.title(self.match.game.name, self.players, view.scores(), view.seat, width)
        ]
        if self.terminal.is_live and (width < COLUMNS or height < LINES):
            small = self.words(
                "page.small", columns=COLUMNS, lines=LINES, width=width, height=height
            )
            lines.append(Text(small, "muted"))
        return [*lines, Text()] if height >= TALL else lines

    def _finish(self) -> None:
        """Show the end: why, who is where, and where the points come from."""
        view = self.match.state.view(self.people[0] if len(self.people) == 1 else None)
        reason, points = self.screen.ending(view)
        self.terminal.console.print(self._page(view, {}, "", None))
        winners = [self.players[seat].name for seat in view.winners or ()]
        names = f" {self.words('end.and')} ".join(winners)
        won = "won" if len(winners) == 1 else "shared"
        sentence = self.words(f"end.{won}", names=names)
        heading = page.ending(self.words("end.step"), sentence, reason)
        standing = page.places(self.words, self.players, view.scores())
        self.terminal.console.print(Group(Text(), heading, Text(), standing, Text(), points))
        for player, bot in zip(self.players, self.bots, strict=True):
            if isinstance(bot, Program) and bot.failures:
                count = len(bot.failures)
                self.terminal.say(self.words("bot.failures", name=player.name, count=count))


def _trials(news: int) -> list[tuple[bool, int]]:
    """Return whether a page has hints and how much news, the fullest first.

    >>> _trials(3)
    [(True, 3), (True, 2), (False, 2), (False, 1), (False, 0)]
    """
    most = min(MOST_NEWS, news)
    few = min(FEW_NEWS, most)
    with_hints = [(True, shown) for shown in range(most, few - 1, -1)]
    return with_hints + [(False, shown) for shown in range(few, -1, -1)]


def _chances(seed: int | None, events: int) -> tuple[Random, Random]:
    """Return the dice and the bots' own chance; a seed gives the same game again.

    A game that goes on with a seed does not repeat the dice of its beginning.
    """
    if seed is None:
        return SystemRandom(), Random()
    return Random(f"dice {seed} {events}"), Random(f"bots {seed} {events}")
