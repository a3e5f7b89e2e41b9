"""The engine protocol: one JSON request in, one JSON answer out."""

import json
from collections.abc import Callable
from typing import NoReturn

from qlub.core.errors import BadRequest, NoGame, QlubError, shown
from qlub.core.fields import Fields
from qlub.core.game import Json, status
from qlub.core.record import Match, read_actor, read_names, read_text, replay
from qlub.core.registry import all_games, find_game


class Engine:
    """A table for one program: it remembers one match and answers requests about it.

    >>> Engine().answer('{"do": "legal", "seat": 0}')
    '{"ok": false, "error": "no-game", "message": "no game yet; begin with new, setup or replay"}'
    """

    def __init__(self) -> None:
        self.match: Match | None = None

    def answer(self, line: str | bytes) -> str:
        """Answer one line. Whatever the line is, the answer is one line of JSON."""
        try:
            answer = {"ok": True, **self._do(read_json(line))}
        except QlubError as error:
            answer = {"ok": False, "error": error.word, "message": str(error)}
        return json.dumps(answer)

    def _do(self, data: object) -> Json:
        request = Fields(data, "request", BadRequest)
        verbs: dict[str, Callable[[Fields], Json]] = {
            "games": self._games,
            "new": self._new,
            "setup": self._setup,
            "apply": self._apply,
            "legal": self._legal,
            "position": self._position,
            "view": self._view,
            "record": self._record,
            "replay": self._replay,
        }
        return verbs[request.word("do", verbs)](request)

    def _games(self, request: Fields) -> Json:
        return {
            "games": [
                {
                    "name": game.name,
                    "seats": list(game.seats),
                    "options": {name: option.describe() for name, option in game.options.items()},
                }
                for game in all_games()
            ]
        }

    def _new(self, request: Fields) -> Json:
        name = request.of("game", str)
        seats = request.get("seats")
        if type(seats) is not int:
            raise BadRequest(f"'seats' is a whole number, not {shown(seats)}")
        options = request.of("options", dict) if "options" in request.data else {}
        names = None
        if "names" in request.data:
            names = read_names(request.of("names", list), seats)
        self.match = Match.new(find_game(name), seats, options, names)
        return self._status()

    def _setup(self, request: Fields) -> Json:
        self.match = Match.from_position(request.of("position", dict))
        return self._status()

    def _apply(self, request: Fields) -> Json:
        actor, text = read_actor(request.get("actor")), read_text(request.get("event"))
        self._current().apply(actor, text)
        return self._status()

    def _legal(self, request: Fields) -> Json:
        seat = self._seat(request)
        moves = self._current().state.legal(seat)
        return {"moves": [str(move) for move in moves]}

    def _position(self, request: Fields) -> Json:
        match = self._current()
        return {"position": match.game.write_position(match.state)}

    def _view(self, request: Fields) -> Json:
        seat = None if request.get("seat") is None else self._seat(request)
        match = self._current()
        return {"view": match.game.write_view(match.state.view(seat))}

    def _record(self, request: Fields) -> Json:
        return {"record": self._current().record()}

    def _replay(self, request: Fields) -> Json:
        self.match = replay(request.get("record"))
        return self._status()

    def _current(self) -> Match:
        if self.match is None:
            raise NoGame("no game yet; begin with new, setup or replay")
        return self.match

    def _seat(self, request: Fields) -> int:
        seat = request.get("seat")  # what is never a seat is refused even before there is a game
        if type(seat) is not int or seat < 0:
            raise BadRequest(f"'seat' is a seat number, not {shown(seat)}")
        return request.seat("seat", self._current().state.seats)

    def _status(self) -> Json:
        return {"status": status(self._current().state)}


def read_json(line: str | bytes) -> object:
    """Read one line of JSON, strictly: NaN, broken UTF-8, and nests too deep are refused."""
    try:
        text = line.decode() if isinstance(line, bytes) else line
        return json.loads(text, parse_constant=_refuse_constant)
    except RecursionError:
        raise BadRequest("not JSON that can be read: nested too deep") from None
    except UnicodeDecodeError:
        raise BadRequest("not JSON: the line is not UTF-8") from None
    except ValueError as error:
        raise BadRequest(f"not JSON: {error}") from None


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON number")
