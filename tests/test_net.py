"""The small network: it learns what it is told, and computes the same compiled and plain."""

import numpy as np
import pytest

from qlub.compiler import compile_kernel
from qlub.core import net
from qlub.core.luck import new_luck

FEATURES = 5
SEEN = [([0, 2], 1.0, 0.5), ([0, 3], 0.0, -0.5), ([1, 2], 0.0, -0.5), ([1, 3, 4], 1.0, 0.5)]
"""What is there, and then the chance to win and the margin: no single feature tells."""


def new_net() -> list[float]:
    weights = [0.0] * net.net_size(FEATURES)
    net.new_weights(weights, FEATURES, new_luck(1, 0, 1))
    return weights


def judged(weights: list[float], there: list[int]) -> list[float]:
    layers = [0.0] * net.LAYERS
    net.judge(weights, FEATURES, there, len(there), layers)
    return layers


def teach(weights: list[float], rounds: int) -> None:
    for _ in range(rounds):
        for there, win, margin in SEEN:
            layers, errors = judged(weights, there), [0.0] * net.LAYERS
            net.learn(weights, FEATURES, there, len(there), layers, errors, win, margin, rate=0.1)


def test_a_network_learns_what_no_single_feature_tells() -> None:
    weights = new_net()
    teach(weights, 300)
    for there, win, margin in SEEN:
        layers = judged(weights, there)
        assert layers[net.WIN] == pytest.approx(win, abs=0.1)
        assert layers[net.MARGIN] == pytest.approx(margin, abs=0.1)


def test_what_is_learnt_follows_the_slope() -> None:
    """Each weight moves as far as a little change of it would lessen the error."""
    there, win, margin = SEEN[3]
    weights = new_net()
    teach(weights, 3)

    def error(weights: list[float]) -> float:
        layers = judged(weights, there)
        off = -win * np.log(layers[net.WIN]) - (1 - win) * np.log(1 - layers[net.WIN])
        return float(off + (margin - layers[net.MARGIN]) ** 2 / 2)

    moved = weights.copy()
    layers, errors = judged(weights, there), [0.0] * net.LAYERS
    net.learn(moved, FEATURES, there, len(there), layers, errors, win, margin, rate=1e-6)
    for place in range(0, len(weights), 7):
        nudged = weights.copy()
        nudged[place] += 1e-6
        slope = (error(weights) - error(nudged)) / 1e-6
        assert (moved[place] - weights[place]) / 1e-6 == pytest.approx(slope, abs=2e-3)


def test_compiled_and_plain_networks_are_the_same() -> None:
    weights = new_net()
    teach(weights, 2)
    for there, *_ in SEEN:
        arrays = (np.array(weights), FEATURES, np.array(there), len(there), np.zeros(net.LAYERS))
        compile_kernel(net.judge, *arrays, vectors=True)(*arrays)
        assert arrays[4].tolist() == pytest.approx(judged(weights, there), abs=1e-12)
