"""What learning by games against oneself needs to know of Qwantum."""

from qlub.games.qwantum.features import FEATURES, MOST_THERE, find_features
from qlub.games.qwantum.master import play_turns
from qlub.games.qwantum.mind import new_mind
from qlub.games.qwantum.playout import finish
from qlub.games.qwantum.rules import ACTIVE, MOST_SEATS, OVER, PHASE, ROLL, SEATS, SIZE, begin
from qlub.games.qwantum.sheet import CELLS, MOST_FAILS, ROWS

MOST_TURNS = MOST_SEATS * (ROWS * CELLS + MOST_FAILS)
"""In every turn the active player writes something or crosses a failed throw."""

TRUST = 0.8
"""λ: how much the end of a game counts in comparison with later judgements."""
RATE = {1: 0.03, 2: 0.03, 3: 0.03, 4: 0.03}
"""How far the network moves at first, by seats; less and less later."""
GAMES = {1: 40_000, 2: 120_000, 3: 120_000, 4: 100_000}
"""How many games are learnt from, by seats."""

LUCKY_PHASE = "reroll"
"""In which phase the dice fall that tell who was lucky. Those of the first roll tell much less."""
THROWS = 32
"""With how many throws those that fell are compared."""

__all__ = [
    "ACTIVE",
    "FEATURES",
    "GAMES",
    "LUCKY_PHASE",
    "MOST_THERE",
    "MOST_TURNS",
    "OVER",
    "PHASE",
    "RATE",
    "ROLL",
    "SEATS",
    "SIZE",
    "THROWS",
    "TRUST",
    "begin",
    "find_features",
    "finish",
    "new_mind",
    "play_turns",
]
