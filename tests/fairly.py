"""Plays games with provably fair chance, from secrets that are the same in every run."""

from random import Random
from typing import Any

from qlub.core.fair import Fair, chances
from qlub.core.game import CHANCE, Json
from qlub.core.record import Match
from qlub.core.registry import all_games, find_game

TEXTS = ("blue sky", "", "Zoë 🎲", "x" * 64, "\x00\n")

TABLES = [
    (game.name, seats)
    for game in all_games()
    for seats in range(1 if game.practice else game.seats[0], game.seats[1] + 1)
]


def fair_for(seats: int, seed: int = 1) -> Fair:
    return Fair(Random(seed).randbytes(32), TEXTS[:seats])


def begun(game: str, seats: int, seed: int = 1) -> tuple[Match, Fair]:
    """Sit down to a game whose record will carry its proof."""
    match, fair = Match.new(find_game(game), seats), fair_for(seats, seed)
    match.fair = fair.proof()
    return match, fair


def step(match: Match, fair: Fair, rng: Random) -> None:
    """Let chance act, or a random move be made."""
    if match.state.chance:
        match.apply(CHANCE, str(fair.outcome(match.state.chance, chances(match))))
    else:
        seat = rng.choice(match.state.to_act)
        match.decide(seat, rng.choice(match.state.legal(seat)))


def played(game: str, seats: int, seed: int = 1) -> Match:
    """Play a whole game between random players."""
    (match, fair), rng = begun(game, seats, seed), Random(seed)
    while not match.state.is_over:
        step(match, fair, rng)
    return match


def passed(turns: int) -> Json:
    """Return a record of Qwixx in which both always pass, so that any rolls would be legal."""
    match, fair = begun("qwixx", 2)
    for _ in range(1 + 4 * turns):
        if match.state.chance:
            step(match, fair, Random(0))
        else:
            match.apply(match.state.to_act[0], "-")
    return match.record()


def chance_events(record: Json) -> list[int]:
    """Return where the chance events of a record are."""
    return [index for index, (actor, _) in enumerate(record["events"]) if actor == CHANCE]


def with_event(record: Json, index: int, text: str) -> Json:
    """Return a record in which one event has another text."""
    events: list[Any] = list(record["events"])
    events[index] = [events[index][0], text]
    return {**record, "events": events}


def with_proof(record: Json, **fields: object) -> Json:
    """Return a record in whose proof some fields are others."""
    return {**record, "fair": {**record["fair"], **fields}}
