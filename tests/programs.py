"""Programs that sit at tables in tests: good ones, and all kinds of bad ones."""

from pathlib import Path

PASSES = """echo '{"move": "-"}'"""

SCRIPTS = {
    "passes": f"while read -r line; do {PASSES}; done",
    "crashes": "exit 3",
    "talks": "while read -r line; do echo 'a secret plan'; done",
    "lists": "while read -r line; do echo '[\"a secret plan\"]'; done",
    "cheats": """while read -r line; do echo '{"move": "a secret plan"}'; done""",
    "numbers": """while read -r line; do echo '{"move": 5}'; done""",
    "floods": "cat /dev/zero",
    "babbles": "yes 'a secret plan'",
    "hangs": 'sleep 1000 & echo $$ $! >> "$0.pids"; wait',
    "waits": f'while read -r line; do echo $$ >> "$0.pids"; '
    f'while [ ! -e "$0.go" ]; do sleep 0.02; done; {PASSES}; done',
    "tells": f'env > "$0.env"; while read -r line; do {PASSES}; done',
    "counts": f'echo $$ >> "$0.pids"; while read -r line; do {PASSES}; done',
}

FAILURES = {
    "crashes": "died",
    "talks": "nonsense",
    "lists": "nonsense",
    "cheats": "illegal",
    "numbers": "illegal",
    "floods": "died",
    "babbles": "nonsense",
    "missing": "missing",
    "garbled": "missing",
}
"""The word for what goes wrong with each of the bad ones."""


def commands(folder: Path) -> dict[str, str]:
    """Write all programs into a folder and return how a host names them."""
    for name, script in SCRIPTS.items():
        (folder / name).write_text(script + "\n")
    return {
        **{name: f"sh {folder / name}" for name in SCRIPTS},
        "missing": str(folder / "nothing"),
        "garbled": "sh 'no end",
    }


def setting(named: dict[str, str]) -> str:
    """Return programs as the setting `bots` has them."""
    return "; ".join(f"{name}={command}" for name, command in named.items())


def pids(folder: Path, name: str) -> list[int]:
    """Return the processes that a program has noted."""
    file = folder / f"{name}.pids"
    return [int(word) for word in file.read_text().split()] if file.exists() else []


def is_running(pid: int) -> bool:
    """Say whether a process lives; one that nobody has buried does not."""
    try:
        status = Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
    return status.rpartition(")")[2].split()[0] != "Z"
