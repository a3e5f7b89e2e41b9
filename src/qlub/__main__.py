"""Runs the command line as `python -m qlub`."""

import sys

from qlub.cli import main

if __name__ == "__main__":
    sys.exit(main())
