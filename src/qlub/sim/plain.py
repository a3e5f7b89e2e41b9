"""Plays games of a table with any bots, through the same states that the club plays by."""

import atexit
import time
from collections import Counter
from collections.abc import Sequence

import numpy as np

from qlub.bots.program import Program, end_programs
from qlub.core.game import Bot
from qlub.core.luck import SeatRandom, new_luck, supply
from qlub.core.record import Match
from qlub.sim.table import Numbers, Results, Table

_programs: dict[tuple[str, str, int], Program] = {}
"""The programs that play in this process, by game, command and place among the bots."""
atexit.register(end_programs)


def play_plainly(
    table: Table, deals: Numbers, seatings: Numbers, played: list[Match] | None = None
) -> Results:
    """Play games of a table, one after the other; all that happened in them is added to `played`."""
    reasons = table.rules.reasons
    scores, ends, turns = [], [], []
    began = time.perf_counter()
    bots = _seat(table)
    for deal, seating in zip(deals.tolist(), seatings.tolist(), strict=True):
        match, taken = play_game(table, deal, seating, bots)
        scores.append(match.state.scores())
        ends.append(reasons.index(str(match.state.reason)))
        turns.append(taken)
        if played is not None:
            played.append(match)
    return Results(
        deals,
        seatings.astype(np.int8),
        np.array(scores, np.int32).reshape(len(deals), table.seats),
        np.array(ends, np.int8),
        np.array(turns, np.int32),
        time.perf_counter() - began,
        _failures(table, bots),
    )


def play_game(
    table: Table, deal: int, seating: Sequence[int], bots: Sequence[Bot]
) -> tuple[Match, int]:
    """Play one game to its end; return it and how many turns it took."""
    luck = new_luck(table.seed, deal, table.seats)
    chances = [SeatRandom(luck, seat) for seat in range(table.seats)]
    match = table.sit_down(seating)
    turns = 0
    while not match.state.is_over:
        turns += match.state.phase == table.rules.turn
        if match.state.chance:
            match.resolve(supply(luck, match.state.chance))
            continue
        for seat in match.state.to_act:
            view = match.state.view(seat)
            match.decide(seat, bots[seating[seat]].choose(view, chances[seat], table.seconds))
    return match, turns


def _seat(table: Table) -> list[Bot]:
    """Return the bots of a table; programs stay alive from one piece of work to the next."""
    bots = table.players
    for number, bot in enumerate(bots):
        if isinstance(bot, Program):
            bots[number] = program = _programs.setdefault(
                (table.game, str(table.bots[number]), number), bot
            )
            program.failures.clear()
    return bots


def _failures(table: Table, bots: Sequence[Bot]) -> Counter[tuple[str, str]]:
    return Counter(
        (name, failure)
        for name, bot in zip(table.names, bots, strict=True)
        if isinstance(bot, Program)
        for failure in bot.failures
    )
