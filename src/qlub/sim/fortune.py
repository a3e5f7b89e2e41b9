"""How lucky the dice of a game were for each seat, by the judgement of the game's own network.

The luck of a throw is the chance to win with the dice as they fell, less the mean over dice as they might
have fallen, when everybody plays the turn to its end as `master` does. Of Qwantum only the dice that were
rolled again count. Whoever plays, and however good that judgement is, luck is nothing on average; so a
result less its luck is as true as the result, and between good players much less of it is chance. (The idea
is known from backgammon, and as AIVAT from poker: Burch, Schmid, Moravčík, Morrill, Bowling, 2018.)
"""

from threading import local
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qlub.core.contest import PLAIN
from qlub.core.luck import new_luck, next_word, start_luck
from qlub.core.net import WIN, judge, net_size
from qlub.core.outcome import win_share
from qlub.core.record import Match
from qlub.kernel import Floats, Ints, Slots
from qlub.sim.adapted import Function, can_learn, compile_for, learning_of
from qlub.thinker import learnt_weights

Luck = NDArray[np.float64]

_here = local()
"""What tells luck in each thread: nobody shares a mind while thinking."""


def luck_teller(its: Any) -> Function:
    """Return the kernel that tells the luck of a throw, given what the game's `learning` knows."""

    def throw_luck(
        before: Ints, after: Ints, word: int, future: Slots, wins: Floats, lucky: Floats, mind: Any
    ) -> None:
        """Add to each seat how lucky a throw was; a word of chance decides with what it is compared."""
        seats = before[its.SEATS]
        turns = 1 if before[its.PHASE] == its.ROLL else 0
        for throw in range(-1, its.THROWS):
            has_fallen = throw < 0
            for place in range(its.SIZE):
                future[place] = after[place] if has_fallen else before[place]
            start_luck(mind.luck, word, throw, seats)
            its.play_turns(future, 0 if has_fallen else turns, mind.luck, mind)
            its.finish(future, mind.scores)
            total = 0.0
            for seat in range(seats):
                if future[its.PHASE] == its.OVER:
                    wins[seat] = win_share(mind.scores, seats, seat)
                else:
                    count = its.find_features(future, seat, future[its.ACTIVE], mind.there)
                    judge(mind.weights, its.FEATURES, mind.there, count, mind.layers)
                    wins[seat] = mind.layers[WIN]
                total += wins[seat]
            for seat in range(seats):  # together they win one game, whatever the network says
                part = wins[seat] / total
                lucky[seat] += part if has_fallen else -part / its.THROWS

    return throw_luck


def luck_of(match: Match, seed: int, deal: int) -> Luck:
    """Return how lucky each seat was in a game, in wins: below nothing if its dice were bad."""
    seats = match.state.seats
    weigh, lucky_phase, room, mind = prepare_luck(match.game.name, seats)
    words = new_luck(seed, deal, seats + 1)  # one stream more than the game has
    lucky = np.zeros(seats)
    again = Match.new(match.game, seats, match.options)
    for actor, text in match.events:
        before: Any = again.state
        again.apply(actor, text)
        if before.phase == lucky_phase:
            after: Any = again.state
            tables = np.array(before.table), np.array(after.table)
            weigh(*tables, next_word(words, seats), *room, lucky, mind)
    return lucky


def can_tell_luck(game: str) -> bool:
    """Say whether the luck of a game can be told: whether it has dice, and a network that judges."""
    return can_learn(game) and hasattr(learning_of(game), "LUCKY_PHASE")


def prepare_luck(game: str, seats: int) -> tuple[Any, str, Any, Any]:
    """Return what tells the luck of a throw, in which phase, where, and with which mind."""
    ready: dict[tuple[str, int], Any] = _here.__dict__.setdefault("by_table", {})
    if (game, seats) not in ready:
        ready[game, seats] = _prepare(game, seats)
    return ready[game, seats]  # type: ignore[no-any-return]


def _prepare(game: str, seats: int) -> tuple[Any, str, Any, Any]:
    learning = learning_of(game)
    weights = learnt_weights(game, seats, net_size(learning.FEATURES))
    mind = learning.new_mind(weights, PLAIN, np.array)
    table, wins = np.zeros(learning.SIZE, np.int64), np.zeros(seats)
    example = (table, table, 0, table, wins, wins, mind)
    return compile_for(luck_teller, game, example), learning.LUCKY_PHASE, (table, wins), mind
