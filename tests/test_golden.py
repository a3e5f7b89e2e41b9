"""Golden records of all games replay to the end that their names promise, and leave no end out."""

import json
from collections.abc import Iterator
from importlib import import_module
from itertools import product
from pathlib import Path

import pytest
from golden import before_the_end, golden_files

from qlub.core.errors import BadRequest
from qlub.core.game import Game, Json
from qlub.core.options import Choice, Option
from qlub.core.record import replay
from qlub.core.registry import all_games

FILES = golden_files()
RECORDS: list[Json] = [json.loads(path.read_text(encoding="utf-8")) for path in FILES]


def name_of(path: Path) -> str:
    return f"{path.parts[-4]}/{path.name.removesuffix('.qlub.json')}"


golden_records = pytest.mark.parametrize(
    ("path", "record"),
    list(zip(FILES, RECORDS, strict=True)),
    ids=[name_of(path) for path in FILES],
)


@golden_records
def test_a_golden_record_replays_to_itself(path: Path, record: Json) -> None:
    """Its events lead to its result and to a position; recording them again gives the same record."""
    match = replay(record)
    assert json.loads(json.dumps(match.record())) == record
    assert match.game.name == path.parts[-4]
    end = match.game.write_position(match.state)
    assert match.game.read_position(end) == match.state


@golden_records
def test_a_golden_record_ends_as_its_name_says(path: Path, record: Json) -> None:
    """The name begins with the reason, and the game runs until the last event."""
    assert record["result"]["reason"] == path.name.split(".")[0].split("-")[0]
    assert not before_the_end(record).state.is_over


@golden_records
def test_a_golden_record_with_another_result_is_refused(path: Path, record: Json) -> None:
    """Nobody gets a point more than the events give."""
    first, *others = record["result"]["scores"]
    with pytest.raises(BadRequest):
        replay(record | {"result": record["result"] | {"scores": [first + 1, *others]}})


def choices(option: Option) -> tuple[object, ...]:
    """Return the values of an option that a record should show; where there are many, two kinds."""
    return option.choices if isinstance(option, Choice) else ("default", "chosen")


def chosen(option: Option, value: object, seats: int) -> object:
    """Say which of the `choices` a value is."""
    if isinstance(option, Choice):
        return value
    is_default = json.dumps(value) == json.dumps(option.default_for(seats))
    return "default" if is_default else "chosen"


def ways_to_end(game: Game) -> Iterator[tuple[object, ...]]:
    """Yield every reason to end with every choice of options."""
    reasons = import_module(f"qlub.games.{game.name}.rules").REASONS
    yield from product(filter(None, reasons), *map(choices, game.options.values()))


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_every_way_to_end_has_a_golden_record(game: Game) -> None:
    """Every reason comes with every choice of options."""
    shown = {
        (
            record["result"]["reason"],
            *(
                chosen(option, record["options"][name], len(record["seats"]))
                for name, option in game.options.items()
            ),
        )
        for record in RECORDS
        if record["game"] == game.name
    }
    assert set(ways_to_end(game)) - shown == set()
