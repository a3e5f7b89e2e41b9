"""Limits: how fast somebody may send, and how many connections one address may hold."""

import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from qlub.club.errors import TooMany

BURST = 3
"""Seconds' worth of messages that may come at once."""
MOST_ADDRESSES = 10_000


class Bucket:
    """Lets so many messages a second through, and a burst after a pause.

    >>> now = iter([0.0, 0.0, 0.0, 0.0, 1.0])
    >>> bucket = Bucket(1, lambda: next(now))
    >>> [bucket.take() for _ in range(4)]
    [True, True, True, False]
    """

    def __init__(self, rate: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate = rate
        self._clock = clock
        self._left = float(rate * BURST)
        self._last: float | None = None

    def take(self) -> bool:
        """Say whether one more message is allowed now."""
        now = self._clock()
        passed = 0.0 if self._last is None else now - self._last
        self._last = now
        self._left = min(self._rate * BURST, self._left + passed * self._rate)
        if self._left < 1:
            return False
        self._left -= 1
        return True


class Addresses:
    """What each address may do: requests a second, and sockets at the same time."""

    def __init__(self, rate: int, most_sockets: int) -> None:
        self._rate = rate
        self._most = most_sockets
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()
        self._sockets: Counter[str] = Counter()

    def request(self, address: str) -> None:
        """Count a request, or refuse it."""
        bucket = self._buckets.setdefault(address, Bucket(self._rate))
        self._buckets.move_to_end(address)
        if len(self._buckets) > MOST_ADDRESSES:
            self._buckets.popitem(last=False)
        if not bucket.take():
            raise TooMany("too many requests; wait a moment")

    @contextmanager
    def socket(self, address: str) -> Iterator[None]:
        """Count a socket while it is open, or refuse it."""
        if self._sockets[address] >= self._most:
            raise TooMany("too many connections from your address")
        self._sockets[address] += 1
        try:
            yield
        finally:
            self._sockets[address] -= 1
            if not self._sockets[address]:
                del self._sockets[address]
