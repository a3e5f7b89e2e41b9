"""Who sits at the table: people at the keyboard, our bots, and other people's programs.

A record keeps only names, so a bot's name in it says what plays there: `Greedy 2 (bot greedy)`.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePath

from qlub.bots import COMMAND, bots_of, find_bot
from qlub.cli.arguments import split_bots
from qlub.core.errors import BadRequest, shown
from qlub.core.game import Game
from qlub.words import Words

LONGEST_NAME = 16
USUAL_BOT, ANY_BOT = "greedy", "random"
"""Who plays where nobody says who: the first one, or the second in a game without it."""
INTERPRETERS = re.compile(r"(?:python|pypy|node|ruby|perl|java|bash|sh|uv|run|env)[\d.]*(?:\.exe)?")
"""Programs that say nothing about a bot; what they run does."""

_LABEL = re.compile(r"(?P<name>.*) \(bot (?P<bot>.+)\)", re.DOTALL)


@dataclass(frozen=True)
class Player:
    """A name and what decides for it: a bot, or a person where there is none."""

    name: str
    bot: str | None = None

    @property
    def label(self) -> str:
        """The name as a record keeps it.

        >>> Player("Greedy 2", "greedy").label
        'Greedy 2 (bot greedy)'
        """
        return self.name if self.bot is None else f"{self.name} (bot {self.bot})"

    @property
    def is_person(self) -> bool:
        return self.bot is None


def read_label(label: str) -> Player:
    """Return the player of a name in a record; what a terminal cannot print is left out.

    >>> read_label("Emma"), read_label("mybot (bot cmd:./mybot --strong)")
    (Player(name='Emma', bot=None), Player(name='mybot', bot='cmd:./mybot --strong'))
    """
    parts = _LABEL.fullmatch(label)
    return Player(_printable(parts["name"]), parts["bot"]) if parts else Player(_printable(label))


def seat_players(
    game: Game,
    words: Words,
    players: int | None,
    people: int | None,
    bots: str | None,
    names: str | None,
) -> list[Player]:
    """Seat people first, then bots: two players, or as many as are named."""
    listed = split_bots(bots) if bots else [usual_bot(game)]
    humans = 1 if people is None else people
    seats = max(2, humans, humans + len(listed) if bots else 0) if players is None else players
    if humans > seats:
        raise BadRequest(f"{humans} people do not fit on {seats} seats")
    chosen = assign_bots(game, listed, seats - humans)
    given = read_names(names, seats)
    unnamed = chosen[max(0, len(given) - humans) :]
    names_left = [*_people_names(words, humans)[len(given) :], *_bot_names(words, unnamed)]
    kinds = [None] * humans + chosen
    return [Player(*seated) for seated in zip((*given, *names_left), kinds, strict=True)]


def reseat(
    game: Game, seated: Sequence[Player], people: int | None, bots: str | None
) -> list[Player]:
    """Seat the players of a record again, or others in their place if the command line says so.

    A program that only the record names is not run: a file may come from anybody.
    """
    if people is not None and not 0 <= people <= len(seated):
        raise BadRequest(f"{people} people do not fit on {len(seated)} seats")
    again = list(seated)
    for seat, player in enumerate(seated):
        if people is not None:
            is_person = seat < people
            again[seat] = Player(player.name, None if is_person else player.bot or usual_bot(game))
    vacant = [seat for seat, player in enumerate(again) if not player.is_person]
    if bots:
        for seat, bot in zip(vacant, assign_bots(game, split_bots(bots), len(vacant)), strict=True):
            again[seat] = Player(again[seat].name, bot)
    for player in again:
        if player.bot and player.bot.startswith(COMMAND) and not bots:
            raise BadRequest(
                f"the record would run a program; allow it with --bots {shown(player.bot)}"
            )
        if player.bot:
            find_bot(game, player.bot)
    return again


def usual_bot(game: Game) -> str:
    """Return who plays where nobody says who."""
    return USUAL_BOT if USUAL_BOT in bots_of(game) else ANY_BOT


def assign_bots(game: Game, listed: list[str], seats: int) -> list[str]:
    """Give every bot seat its bot: one for all, or one for each."""
    for bot in listed:
        find_bot(game, bot)
    if len(listed) == 1:
        return listed * seats
    if len(listed) != seats:
        raise BadRequest(f"{seats} bot seats need 1 or {seats} bots, not {len(listed)}")
    return listed


def read_names(text: str | None, seats: int) -> list[str]:
    """Read the names given for the first seats."""
    names = [name.strip() for name in text.split(",")] if text else []
    if len(names) > seats:
        raise BadRequest(f"{len(names)} names do not fit on {seats} seats")
    for name in names:
        if not 1 <= len(name) <= LONGEST_NAME or not name.isprintable() or _LABEL.fullmatch(name):
            raise BadRequest(f"a name has 1 to {LONGEST_NAME} letters, not {shown(name)}")
    if len(set(names)) < len(names):
        raise BadRequest("every name can be given only once")
    return names


def _printable(name: str) -> str:
    shown_name = "".join(letter for letter in name if letter.isprintable())[:LONGEST_NAME]
    return shown_name.strip() or "?"


def _people_names(words: Words, people: int) -> list[str]:
    if people == 1:
        return [words("seat.you")]
    return [words("seat.player", number=seat + 1) for seat in range(people)]


def _bot_names(words: Words, bots: list[str]) -> list[str]:
    """Return a name for every bot, with a number where two would be called the same."""
    names = [bot_name(words, bot) for bot in bots]
    again = {name for name, count in Counter(names).items() if count > 1}
    numbers: Counter[str] = Counter()
    numbered = []
    for name in names:
        numbers[name] += 1
        numbered.append(f"{name} {numbers[name]}" if name in again else name)
    return numbered


def bot_name(words: Words, bot: str) -> str:
    """Return what to call a bot: `cmd:python3 -u bots/mybot.py` is mybot.

    >>> words = Words.of("qlub.cli", "de")
    >>> [bot_name(words, bot) for bot in ("master", "careful", "cmd:python3 -u bots/mybot.py")]
    ['Meister', 'Careful', 'mybot']
    """
    if f"level.{bot}" in words.texts:
        return words(f"level.{bot}")
    if not bot.startswith(COMMAND):
        return bot.capitalize()
    programs = [
        PurePath(word.strip("'\"")).name
        for word in bot.removeprefix(COMMAND).split()
        if not word.startswith("-")
    ]
    telling = [name for name in programs if not INTERPRETERS.fullmatch(name)] or programs
    return _printable(PurePath(telling[0]).stem)[: LONGEST_NAME - 2]
