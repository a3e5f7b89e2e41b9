"""What chance may supply: lots, dice and drawn tiles; how it is written, checked and sampled.

The rules never roll. A state says what it needs, as a `Lot`, a `Throw` or a `Draw`, and somebody
answers with an outcome: a random source, a record that is replayed, or a person with real dice.
"""

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from qlub.core.errors import BadEvent, shown

Below: TypeAlias = Callable[[int], int]
"""A source of chance: `below(n)` is one of 0, 1, …, n - 1, all equally likely."""


@dataclass(frozen=True, slots=True)
class First:
    """Lots were drawn: this seat begins."""

    seat: int

    def __str__(self) -> str:
        return f"first {self.seat}"


@dataclass(frozen=True, slots=True)
class Rolled:
    """Dice came to rest, each showing a face such as `w4`."""

    faces: tuple[str, ...]

    def __str__(self) -> str:
        return " ".join(self.faces)


@dataclass(frozen=True, slots=True)
class Drawn:
    """A seat drew tiles, listed in tile order."""

    seat: int
    tiles: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.seat}: {' '.join(self.tiles)}"


Outcome: TypeAlias = First | Rolled | Drawn


@dataclass(frozen=True, slots=True)
class Lot:
    """One of the seats is to be drawn by lot."""

    kind: str
    seats: int

    def sample(self, below: Below) -> First:
        return First(below(self.seats))

    def allows(self, outcome: Outcome) -> bool:
        return isinstance(outcome, First) and 0 <= outcome.seat < self.seats

    def parse(self, text: str) -> First:
        """Read `first 2`.

        >>> Lot("first", 3).parse("first 2")
        First(seat=2)
        """
        for seat in range(self.seats):
            if text == str(First(seat)):
                return First(seat)
        raise BadEvent(f"expected 'first' and a seat from 0 to {self.seats - 1}, not {shown(text)}")


@dataclass(frozen=True, slots=True)
class Throw:
    """Dice are to be thrown; a die that stays as it lies has only one face to show."""

    kind: str
    dice: tuple[tuple[str, ...], ...]

    def sample(self, below: Below) -> Rolled:
        return Rolled(tuple(faces[below(len(faces))] for faces in self.dice))

    def allows(self, outcome: Outcome) -> bool:
        return (
            isinstance(outcome, Rolled)
            and len(outcome.faces) == len(self.dice)
            and all(face in faces for face, faces in zip(outcome.faces, self.dice, strict=True))
        )

    def parse(self, text: str) -> Rolled:
        """Read the faces of all dice in their order.

        >>> Throw("roll", (("w1", "w2"), ("r1", "r2"))).parse("w2 r1")
        Rolled(faces=('w2', 'r1'))
        """
        faces = text.split(" ")
        if len(faces) != len(self.dice):
            raise BadEvent(f"expected {len(self.dice)} dice, not {shown(text)}")
        for face, possible in zip(faces, self.dice, strict=True):
            if face not in possible:
                raise BadEvent(f"{shown(face)} cannot be; expected one of {' '.join(possible)}")
        return Rolled(tuple(faces))


@dataclass(frozen=True, slots=True)
class Draw:
    """A seat is to draw so many tiles from a bag, whose tiles are listed in tile order."""

    kind: str
    seat: int
    count: int
    bag: tuple[str, ...]

    def sample(self, below: Below) -> Drawn:
        left = list(range(len(self.bag)))
        picked = sorted(left.pop(below(len(left))) for _ in range(self.count))
        return Drawn(self.seat, tuple(self.bag[index] for index in picked))

    def allows(self, outcome: Outcome) -> bool:
        return (
            isinstance(outcome, Drawn)
            and outcome.seat == self.seat
            and len(outcome.tiles) == self.count
            and Counter(outcome.tiles) <= Counter(self.bag)
            and outcome.tiles == self._in_tile_order(outcome.tiles)
        )

    def parse(self, text: str) -> Drawn:
        """Read who draws and what.

        >>> Draw("draw", 0, 2, ("Ro", "Ro", "Gx", "Pc")).parse("0: Ro Pc")
        Drawn(seat=0, tiles=('Ro', 'Pc'))
        """
        parts = re.fullmatch("([0-9]+): (.+)", text)
        if not parts or parts[1] != str(self.seat):
            raise BadEvent(f"expected '{self.seat}:' and {self.count} tiles, not {shown(text)}")
        tiles = tuple(parts[2].split(" "))
        if len(tiles) != self.count:
            raise BadEvent(f"seat {self.seat} draws {self.count}, not {len(tiles)}")
        lacking = Counter(tiles) - Counter(self.bag)
        if lacking:
            raise BadEvent(f"the bag does not hold {shown(' '.join(lacking.elements()))}")
        if tiles != self._in_tile_order(tiles):
            raise BadEvent(f"expected the tiles in tile order, not {shown(text)}")
        return Drawn(self.seat, tiles)

    def _in_tile_order(self, tiles: tuple[str, ...]) -> tuple[str, ...]:
        order = {tile: place for place, tile in enumerate(self.bag)}
        return tuple(sorted(tiles, key=order.__getitem__))


Chance: TypeAlias = Lot | Throw | Draw
