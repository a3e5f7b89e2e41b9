"""What the club counts, for Prometheus."""

import os
from pathlib import Path

from prometheus_client import (
    CONTENT_TYPE_LATEST,
    REGISTRY,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
)
from prometheus_client.multiprocess import MultiProcessCollector

FOLDER = "PROMETHEUS_MULTIPROC_DIR"
"""Where several workers put their counts together."""

ENTRIES = Counter("qlub_entries", "Entries stored in logs, by what happened", ["what"])
GAMES = Counter("qlub_games_finished", "Games that came to their end", ["game"])
NOT_SAVED = Counter("qlub_not_saved", "Commands that the database did not confirm")
REFUSED = Counter("qlub_refused", "Requests and commands that were refused", ["error"])
BOT_FAILURES = Counter("qlub_bot_failures", "Decisions that a bot failed to make", ["why"])
SOCKETS = Gauge("qlub_sockets", "Open sockets", multiprocess_mode="livesum")
ROOMS = Gauge("qlub_tables_at_hand", "Tables kept in memory", multiprocess_mode="livesum")
COMMANDS = Histogram(
    "qlub_command_seconds",
    "Seconds from a command to its durable answer",
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10),
)


def exposition() -> tuple[bytes, str]:
    """Return all counts, of all workers of this machine, and their content type."""
    registry: CollectorRegistry = REGISTRY
    if FOLDER in os.environ:
        _forget_the_dead(Path(os.environ[FOLDER]))
        registry = CollectorRegistry()
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return generate_latest(registry), CONTENT_TYPE_LATEST


def _forget_the_dead(folder: Path) -> None:
    """Take away what workers that have ended had open."""
    for file in folder.glob("gauge_live*_*.db"):
        process = file.stem.rpartition("_")[2]
        if not Path(f"/proc/{process}").exists() and Path("/proc/self").exists():
            file.unlink(missing_ok=True)
