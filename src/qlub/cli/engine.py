"""`qlub engine`: the engine protocol on standard input and output."""

import argparse
import sys

from qlub.core.protocol import Engine


def configure(parser: argparse.ArgumentParser) -> None:
    """Say what the command does; it has no options."""
    parser.description = (
        "Read one JSON request a line and answer one JSON object a line, until the end of the "
        "input. docs/protocol.md lists the requests."
    )


def run(options: argparse.Namespace) -> int:
    """Answer line by line; a line that is not a request is answered with a refusal."""
    engine = Engine()
    for line in sys.stdin.buffer:
        if line.strip():
            sys.stdout.write(engine.answer(line) + "\n")
            sys.stdout.flush()
    return 0
