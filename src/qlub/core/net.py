"""Kernel: a small network that judges positions by what is there, and learns from how games went on.

A position is a handful of features out of thousands. Each one that is there adds its row of weights to
the first layer, so most of the network is never touched. Two outputs: the chance to win, and the margin.
"""

from math import exp

from qlub.core.luck import fraction, next_word
from qlub.kernel import Floats, Ints, Slots, jitable

FIRST, SECOND, OUT = 32, 16, 2
HEAD = FIRST + FIRST * SECOND + SECOND + SECOND * OUT + OUT
"""How many weights there are behind those of the features."""
LAYERS = FIRST + SECOND + OUT
"""How many numbers a network works with: its layers, the outputs last."""
WIN, MARGIN = FIRST + SECOND, FIRST + SECOND + 1
"""Where the outputs are among them."""

_SCALE = 1 << 39
_SECOND_SPREAD, _OUT_SPREAD = 0.25, 0.35


@jitable
def net_size(features: int) -> int:
    """Return how many weights a network for so many features has."""
    return features * FIRST + HEAD


@jitable
def new_weights(weights: Floats, features: int, luck: Slots) -> None:
    """Fill a network with small random weights; those of the features begin with nothing."""
    second = features * FIRST + FIRST
    out = second + FIRST * SECOND + SECOND
    for place in range(features * FIRST, len(weights)):
        spread = _SECOND_SPREAD if place < out else _OUT_SPREAD
        weights[place] = spread * (fraction(next_word(luck, 0)) / _SCALE - 1.0)
    for place in range(FIRST):
        weights[features * FIRST + place] = 0.1
    for place in range(SECOND):
        weights[second + FIRST * SECOND + place] = 0.1


@jitable
def judge(weights: Floats, features: int, there: Ints, count: int, layers: Floats) -> None:
    """Work out a network for the features that are there."""
    look(weights, features, there, count, layers)
    conclude(weights, features, layers)


@jitable
def look(weights: Floats, features: int, there: Ints, count: int, layers: Floats) -> None:
    """Work out the first layer of a network."""
    bias = features * FIRST
    for place in range(FIRST):
        layers[place] = weights[bias + place]
    for index in range(count):
        row = there[index] * FIRST
        for place in range(FIRST):
            layers[place] += weights[row + place]


@jitable
def look_again(
    weights: Floats, known: Ints, first: Floats, there: Ints, count: int, layers: Floats
) -> None:
    """Work out the first layer from that of a position with almost the same features."""
    for place in range(FIRST):
        layers[place] = first[place]
    for index in range(count):
        if there[index] != known[index]:
            row, old = there[index] * FIRST, known[index] * FIRST
            for place in range(FIRST):
                layers[place] += weights[row + place] - weights[old + place]


@jitable
def conclude(weights: Floats, features: int, layers: Floats) -> None:
    """Work out the rest of a network from its first layer."""
    second = features * FIRST + FIRST
    for place in range(SECOND):
        layers[FIRST + place] = weights[second + FIRST * SECOND + place]
    for first in range(FIRST):
        if layers[first] > 0.0:
            row = second + first * SECOND
            for place in range(SECOND):
                layers[FIRST + place] += layers[first] * weights[row + place]
    out = second + FIRST * SECOND + SECOND
    win, margin = weights[out + 2 * SECOND], weights[out + 2 * SECOND + 1]
    for place in range(SECOND):
        if layers[FIRST + place] > 0.0:
            win += layers[FIRST + place] * weights[out + 2 * place]
            margin += layers[FIRST + place] * weights[out + 2 * place + 1]
    layers[WIN] = 1.0 / (1.0 + exp(-win))
    layers[MARGIN] = margin


@jitable
def learn(
    weights: Floats,
    features: int,
    there: Ints,
    count: int,
    layers: Floats,
    errors: Floats,
    win: float,
    margin: float,
    rate: float,
) -> None:
    """Move a network a little towards what it should have said; `layers` are as it was judged.

    `errors` is room for as many numbers as there are layers.
    """
    bias = features * FIRST
    second = bias + FIRST
    out = second + FIRST * SECOND + SECOND
    wrong_win = rate * (win - layers[WIN])
    wrong_margin = rate * (margin - layers[MARGIN])
    for place in range(SECOND):
        errors[FIRST + place] = 0.0
        if layers[FIRST + place] > 0.0:
            at = out + 2 * place
            errors[FIRST + place] = wrong_win * weights[at] + wrong_margin * weights[at + 1]
            weights[at] += wrong_win * layers[FIRST + place]
            weights[at + 1] += wrong_margin * layers[FIRST + place]
    weights[out + 2 * SECOND] += wrong_win
    weights[out + 2 * SECOND + 1] += wrong_margin
    for first in range(FIRST):
        errors[first] = 0.0
        if layers[first] > 0.0:
            row = second + first * SECOND
            error = 0.0
            for place in range(SECOND):
                error += errors[FIRST + place] * weights[row + place]
                weights[row + place] += errors[FIRST + place] * layers[first]
            errors[first] = error
    for place in range(SECOND):
        weights[second + FIRST * SECOND + place] += errors[FIRST + place]
    for place in range(FIRST):
        weights[bias + place] += errors[place]
    for index in range(count):
        row = there[index] * FIRST
        for place in range(FIRST):
            weights[row + place] += errors[place]
