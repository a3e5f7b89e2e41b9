"""The console that all commands print with."""

from typing import NoReturn

import rich.console


class Console(rich.console.Console):
    """A console that lets the command line deal with a reader who has gone."""

    def on_broken_pipe(self) -> NoReturn:
        raise BrokenPipeError
