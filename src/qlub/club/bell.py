"""The bell: tells workers on the same PostgreSQL that a log has grown, and by how much.

It rings after the commit, on a connection of its own, for all logs that have grown since the last
time at once: inside the transaction it would make all commits wait for each other.
"""

import asyncio
import contextlib
from collections.abc import Callable

import psycopg
import structlog
from sqlalchemy import URL

CHANNEL = "qlub"
LONGEST_PAYLOAD = 7900
RETRY = 1.0

log = structlog.get_logger("qlub.bell")


class Bell:
    """Rings for this worker's entries and hears those of the others.

    A bell that was not heard is no harm: the next entry or the slow poll tells the same.
    """

    def __init__(self, url: URL) -> None:
        plain = url.set(drivername="postgresql")
        self._address = plain.render_as_string(hide_password=False)
        self._pending: dict[str, int] = {}
        self._wanted = asyncio.Event()
        self._tasks = [asyncio.create_task(self._ring_all())]

    def ring(self, table: str, seq: int) -> None:
        """Tell the others soon that a log has grown."""
        self._pending[table] = seq
        self._wanted.set()

    def listen(self, hear: Callable[[str, int], None]) -> None:
        """Call `hear` for every log that grows."""
        self._tasks.append(asyncio.create_task(self._listen(hear)))

    async def close(self) -> None:
        """Stop; what was not told yet is found by the others' poll."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _ring_all(self) -> None:
        while True:
            with contextlib.suppress(psycopg.Error, OSError):
                async with await self._connect() as connection:
                    while True:
                        await self._wanted.wait()
                        self._wanted.clear()
                        for payload in self._payloads():
                            await connection.execute("SELECT pg_notify(%s, %s)", (CHANNEL, payload))
            await asyncio.sleep(RETRY)

    def _payloads(self) -> list[str]:
        words = [f"{table}:{seq}" for table, seq in self._pending.items()]
        self._pending.clear()
        payloads = [""]
        for word in words:
            if len(payloads[-1]) + len(word) > LONGEST_PAYLOAD:
                payloads.append("")
            payloads[-1] += f" {word}"
        return payloads

    async def _listen(self, hear: Callable[[str, int], None]) -> None:
        while True:
            try:
                async with await self._connect() as connection:
                    await connection.execute(f"LISTEN {CHANNEL}".encode())
                    async for notice in connection.notifies():
                        for word in notice.payload.split():
                            table, _, seq = word.partition(":")
                            hear(table, int(seq))
            except (psycopg.Error, OSError, ValueError) as error:
                log.warning("the bell is out of order", why=type(error).__name__)
            await asyncio.sleep(RETRY)

    async def _connect(self) -> psycopg.AsyncConnection[tuple[object, ...]]:
        return await psycopg.AsyncConnection.connect(
            self._address, autocommit=True, connect_timeout=5
        )
