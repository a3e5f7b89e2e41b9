"""Kernel: a small source of chance that any game can be played with again.

Word number n of a stream is a number mixed from the stream's key and n alone (the output function of
SplitMix64), so nothing has to be drawn before it. A game of a seed has one stream for chance and one
for each seat: dice and tiles do not depend on how often somebody tosses a coin over a decision, and
when two players change seats, chance stays the same.
"""

from random import Random
from typing import Any

from qlub.core.chance import Chance, Draw, Outcome
from qlub.kernel import Ints, Slots, jitable

FRACTION_BITS = 40
MOST_CHOICES = 1 << 20
"""More than these are not chosen from by one fraction."""
_FRACTION = (1 << FRACTION_BITS) - 1
_WORD_BITS = 63
_ALL_BITS = (1 << 64) - 1

WORDS = 64
"""How many words there are for one chance event: tiles take one each, eight dice share one."""
DICE_A_WORD = 8


@jitable
def word_at(key: int, count: int) -> int:
    """Return word number `count` of the stream with this key: 63 bits.

    >>> word_at(0, 1) == 0xE220A8397B1DCDAF >> 1  # the first number of SplitMix64 with seed 0
    True
    """
    word = (key + 0x9E3779B97F4A7C15 * count) & _ALL_BITS
    word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & _ALL_BITS
    word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & _ALL_BITS
    return (word ^ (word >> 31)) >> 1


@jitable
def luck_size(seats: int) -> int:
    """Return how many places the streams of a game take: a key and a count for each."""
    return 2 * (seats + 1)


@jitable
def start_luck(luck: Slots, seed: int, deal: int, seats: int) -> None:
    """Lay out the streams of one game, that of chance first, then those of the seats."""
    base = word_at(word_at(seed, 1), deal)
    for stream in range(seats + 1):
        luck[2 * stream] = word_at(base, stream)
        luck[2 * stream + 1] = 0


@jitable
def fraction(word: int) -> int:
    """Return a word as a fraction of 40 bits."""
    return word >> (_WORD_BITS - FRACTION_BITS)


@jitable
def scale(part: int, count: int) -> int:
    """Return the one of 0, 1, …, count - 1 in which a fraction lies."""
    return (part * count) >> FRACTION_BITS


@jitable
def rest(part: int, count: int) -> int:
    """Return how far into it the fraction lies, again as a fraction."""
    return (part * count) & _FRACTION


@jitable
def next_event(luck: Slots) -> int:
    """Go on to the next chance event and return its first word as a fraction."""
    luck[1] += WORDS
    return fraction(word_at(luck[0], luck[1]))


@jitable
def event_fraction(luck: Ints, number: int) -> int:
    """Return a later word of the same chance event as a fraction."""
    return fraction(word_at(luck[0], luck[1] + number))


@jitable
def next_word(luck: Slots, seat: int) -> int:
    """Return the next word of a seat's own stream."""
    place = 2 * (seat + 1)
    luck[place + 1] += 1
    return word_at(luck[place], luck[place + 1])


@jitable
def choice(luck: Slots, seat: int, count: int) -> int:
    """Return one of 0, 1, …, count - 1 from the stream of a seat."""
    return scale(fraction(next_word(luck, seat)), count)


def new_luck(seed: int, deal: int, seats: int) -> list[int]:
    """Return the streams of one game for plain play."""
    luck = [0] * luck_size(seats)
    start_luck(luck, seed, deal, seats)
    return luck


def supply(luck: Slots, chance: Chance) -> Outcome:
    """Answer what chance must supply next."""
    part = next_event(luck)
    taken = 0

    def tile(count: int) -> int:
        nonlocal taken
        taken += 1
        return scale(event_fraction(luck, taken - 1), count)

    def die(faces: int) -> int:
        nonlocal part, taken
        if faces == 1:
            return 0  # it stays as it lies
        if taken and taken % DICE_A_WORD == 0:
            part = event_fraction(luck, taken // DICE_A_WORD)
        taken += 1
        face, part = scale(part, faces), rest(part, faces)
        return face

    return chance.sample(tile if isinstance(chance, Draw) else die)


class SeatRandom(Random):
    """The stream of a seat as a bot is given it: it chooses as a compiled player does.

    >>> luck = new_luck(seed=1, deal=0, seats=2)
    >>> SeatRandom(luck, 1).choice("abc") == "abc"[choice(new_luck(1, 0, 2), 1, 3)]
    True
    """

    def __init__(self, luck: Slots, seat: int) -> None:
        self._luck, self._seat = luck, seat
        super().__init__()

    def seed(self, *_: Any, **__: Any) -> None:
        """Do nothing: the stream has its seed."""

    def _randbelow(self, n: int) -> int:
        if n < MOST_CHOICES:
            return choice(self._luck, self._seat, n)
        bits = n.bit_length()
        number = self.getrandbits(bits)
        while number >= n:
            number = self.getrandbits(bits)
        return number

    def getrandbits(self, k: int, /) -> int:
        number = 0
        for _ in range(0, k, _WORD_BITS):
            number = number << _WORD_BITS | next_word(self._luck, self._seat)
        return number & ((1 << k) - 1)

    def random(self) -> float:
        return self.getrandbits(53) / (1 << 53)
