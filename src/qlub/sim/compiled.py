"""Plays games of a table in compiled code, by the same rules and with the same chance as plain play."""

import time
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np

from qlub.bots import bots_of
from qlub.core.luck import luck_size, new_luck, supply
from qlub.core.record import Match
from qlub.core.registry import find_game
from qlub.sim.compiler import NO_MIND, build
from qlub.sim.table import Numbers, Policy, Results, Table

NO_LOG = np.zeros(1, np.int64)
LOG_SIZE = 1 << 12


def play_compiled(
    table: Table, deals: Numbers, seatings: Numbers, log: Numbers = NO_LOG
) -> Results:
    """Play games of a table whose players can all be compiled."""
    run, room, minds = _ready(table.game, different(table), table.seats)
    count = len(deals)
    scores = np.zeros((count, table.seats), np.int32)
    reasons = np.zeros(count, np.int8)
    turns = np.zeros(count, np.int32)
    began = time.perf_counter()
    run(*_inputs(table, deals, seatings), room, minds, _luck(table), log, scores, reasons, turns)
    seconds = time.perf_counter() - began
    return Results(deals, seatings.astype(np.int8), scores, reasons, turns, seconds)


def tell_compiled(
    table: Table, deals: Numbers, seatings: Numbers
) -> Iterator[tuple[Results, Match]]:
    """Play games of a table and tell, through states, all that happened in each.

    Chance is supplied again; the decisions are those that the compiled game noted.
    """
    for game in range(len(deals)):
        results, log = _logged(table, deals[game : game + 1], seatings[game : game + 1])
        yield results, _told(table, int(deals[game]), seatings[game], log)


def compile_table(table: Table) -> None:
    """Compile what a table needs, or load it if that was done before."""
    _ready(table.game, different(table), table.seats)


def _inputs(table: Table, deals: Numbers, seatings: Numbers) -> tuple[Any, ...]:
    start: Any = table.sit_down().state
    players = np.array([different(table).index(policy) for policy in table.policies or ()])
    return table.seed, deals, np.ascontiguousarray(players[seatings]), np.array(start.table)


def _luck(table: Table) -> Numbers:
    return np.zeros(luck_size(table.seats), np.int64)


def _logged(table: Table, deal: Numbers, seating: Numbers) -> tuple[Results, list[int]]:
    """Play one game; return how it went, and its log."""
    log = np.zeros(LOG_SIZE, np.int64)
    while True:
        results = play_compiled(table, deal, seating, log)
        if log[0] < len(log):
            return results, list(map(int, log[1 : log[0] + 1]))
        log = np.zeros(log[0] + 1, np.int64)


def _told(table: Table, deal: int, seating: Numbers, log: list[int]) -> Match:
    match = table.sit_down(seating.tolist())
    luck = new_luck(table.seed, deal, table.seats)
    playout: Any = table.playout
    moves = playout.moves_of(log)
    while not match.state.is_over:
        if match.state.chance:
            match.resolve(supply(luck, match.state.chance))
        for seat in match.state.to_act:
            match.decide(seat, next(moves))
    return match


def different(table: Table) -> tuple[Policy, ...]:
    """Return the different policies at a table in an order of their own, so that they compile once.

    Where only beginners of the house play, all of them are there: what was compiled for one serves all.
    """
    policies, beginners = frozenset(table.policies or ()), _beginners(table.game)
    return tuple(sorted(beginners if policies <= beginners else policies, key=lambda one: one.name))


@cache
def _beginners(game: str) -> frozenset[Policy]:
    """Return the policies of the bots of the house that need no mind."""
    rules = find_game(game)
    house = Table(game, rules.seats[0], tuple(bots_of(rules))).policies or ()
    return frozenset(policy for policy in house if policy.mind is None)


@cache
def _ready(game: str, policies: tuple[Policy, ...], seats: int) -> tuple[Any, Any, Any]:
    """Return the compiled loop of a game with these players, a room to play in, and their minds."""
    playout = import_module(f"qlub.games.{game}.playout")
    room = playout.new_room(lambda numbers: np.array(numbers, np.int64))
    minds = tuple(NO_MIND if one.mind is None else one.mind(np.array, seats) for one in policies)
    return build(game, [one.choose for one in policies], minds, room), room, minds
