"""Kernel: a small source of chance that any game can be played with again.

The state of a stream only counts, in steps of one odd number, and each word is mixed from the state
alone (the generator wyrand by Wang Yi), so nothing has to be drawn before it. A game of a seed has one
stream for chance and one for each seat: dice and tiles do not depend on how often somebody tosses a coin
over a decision, and when two players change seats, chance stays the same.
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
def ahead(state: int, words: int) -> int:
    """Return the state of a stream some words later."""
    return (state + 0xA0761D6478BD642F * words) & _ALL_BITS


@jitable
def word_of(state: int) -> int:
    """Return the word that a stream gives in this state: 63 bits.

    >>> word_of(ahead(42, 1)) == 12558987674375533620 >> 1  # the first number of wyrand with seed 42
    True
    """
    product = state * (state ^ 0xE7037ED1A0B428DB)
    return ((product >> 64) ^ product & _ALL_BITS) >> 1


@jitable
def luck_size(seats: int) -> int:
    """Return how many places the streams of a game take: a state each."""
    return seats + 1


@jitable
def start_luck(luck: Slots, seed: int, deal: int, seats: int) -> None:
    """Lay out the streams of one game, that of chance first, then those of the seats."""
    base = word_of(ahead(word_of(ahead(seed, 1)), deal))
    for stream in range(seats + 1):
        luck[stream] = word_of(ahead(base, stream))


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
    luck[0] = ahead(luck[0], WORDS)
    return fraction(word_of(luck[0]))


@jitable
def event_fraction(luck: Ints, number: int) -> int:
    """Return a later word of the same chance event as a fraction."""
    return fraction(word_of(ahead(luck[0], number)))


@jitable
def next_word(luck: Slots, seat: int) -> int:
    """Return the next word of a seat's own stream."""
    luck[1 + seat] = ahead(luck[1 + seat], 1)
    return word_of(luck[1 + seat])


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
