"""Views hide: change what a seat cannot know, and what it is shown and told stays the same."""

import json
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest
import table

from qlub.cli.terminal.screen import PlainScreen
from qlub.core.errors import BadEvent, QlubError
from qlub.core.game import Game, Json, State
from qlub.core.record import Actor, Match, after
from qlub.core.registry import find_game
from qlub.words import Words

SEATS = 3


def states(game: Game, rng: Random, games: int, seats: int = SEATS) -> Iterator[State[Any]]:
    """Yield all states of some games; everybody mostly plays well, so that games get far."""
    for _ in range(games):
        options = {name: option.default_for(seats) for name, option in game.options.items()}
        state = game.new(seats, options)
        while not state.is_over:
            yield state
            if state.chance:
                state = state.resolve(state.chance.sample(rng.randrange))
                continue
            seat = rng.choice(state.to_act)
            greedy = game.bots["greedy"].choose(state.view(seat), rng, 1)
            state = state.apply(
                seat, greedy if rng.random() < 0.8 else rng.choice(state.legal(seat))
            )
        yield state


def other_decisions(game: Game, position: Json, viewer: int | None, rng: Random) -> Json:
    """Return a position in which the other seats have sealed something else."""
    copy: Json = json.loads(json.dumps(position))
    for key in copy["decided"]:
        if int(key) != viewer:
            without = {**position, "decided": {}}
            moves = game.read_position(without).legal(int(key))
            copy["decided"][key] = str(rng.choice(moves))
    return copy


def other_tiles(game: Game, position: Json, viewer: int | None, rng: Random) -> Json:
    """Return a position in which the hidden tiles lie elsewhere: other hands, the bag, set aside."""
    copy: Json = json.loads(json.dumps(position))
    hidden = [hand for seat, hand in enumerate(copy["hands"]) if seat != viewer]
    hidden.append(copy["bag"])
    if copy["drawing"] and copy["drawing"]["seat"] != viewer:
        hidden.append(copy["drawing"]["returning"])
    tiles = [tile for heap in hidden for tile in heap]
    rng.shuffle(tiles)
    for heap in hidden:
        heap[:] = [tiles.pop() for _ in heap]
    return copy


CHANGES = {"qwixx": other_decisions, "qwantum": other_decisions, "qwirkle": other_tiles}


@pytest.mark.parametrize("name", CHANGES)
def test_a_view_is_the_same_to_the_byte_whatever_is_hidden(name: str) -> None:
    game, rng = find_game(name), Random(name)
    changed: dict[str, int] = {}
    for state in states(game, rng, games=4):
        position = game.write_position(state)
        for viewer in (None, *range(SEATS)):
            other = CHANGES[name](game, position, viewer, rng)
            try:
                twin = game.read_position(other)
            except QlubError:
                continue  # dealt otherwise the game would be over: the table would know
            shown = json.dumps(game.write_view(state.view(viewer)))
            assert shown == json.dumps(game.write_view(twin.view(viewer)))
            assert state.view(viewer) == twin.view(viewer)  # what our own bots are given
            if viewer is not None:
                assert told(game, state, viewer, rng) == told(game, twin, viewer, rng)
            changed[state.phase] = changed.get(state.phase, 0) + (twin != state)
    hiding = {"qwixx": {"white"}, "qwantum": {"share"}, "qwirkle": {"deal", "turn", "draw"}}
    assert {phase for phase, count in changed.items() if count} >= hiding[name]


def told(game: Game, state: State[Any], seat: int, rng: Random) -> list[str]:
    """Return what a seat hears about a few attempts: its moves, or why it may not."""
    texts = ["r5", "y6", "b10", "-", "keep", "v9", "Ro@1,0", "Gx@0,1", "swap Ro", "swap Pc Pc", "?"]
    heard = [str(move) for move in state.legal(seat)]
    for text in texts:
        try:
            after(game, state, seat, text)
            heard.append("fine")
        except QlubError as refusal:
            heard.append(f"{refusal.word} {refusal}")
    return heard


def test_a_view_shows_what_it_may() -> None:
    game, rng = find_game("qwirkle"), Random(3)
    for state in states(game, rng, games=1):
        position = game.write_position(state)
        for seat in range(SEATS):
            view = game.write_view(state.view(seat))
            assert view["hands"][seat] == position["hands"][seat]
            assert view["bag"] == len(position["bag"])
            assert [size for other, size in enumerate(view["hands"]) if other != seat] == [
                len(hand) for other, hand in enumerate(position["hands"]) if other != seat
            ]
        assert game.write_view(state.view(None))["hands"] == [len(h) for h in position["hands"]]


def test_set_aside_tiles_are_shown_to_their_owner_only() -> None:
    game = find_game("qwirkle")
    state = game.read_position(
        {
            "game": "qwirkle",
            "options": {"seniority": [0, 1]},
            "phase": "turn",
            "active": 0,
            "board": {"0,0": "Ro"},
            "hands": [["Gx", "Gd"], ["Bs"]],
            "bag": ["Yo", "Pc"],
            "points": [1, 0],
            "drawing": None,
        }
    )
    state = state.apply(0, game.read_move("swap Gx"))
    returning = [game.write_view(state.view(seat))["drawing"]["returning"] for seat in (0, 1, None)]
    assert returning == [["Gx"], 1, 1]


@pytest.mark.parametrize(
    ("actor", "text", "told"),
    [
        ("*", "0: Ro Gx", ["0: Ro Gx", "0: 2", "0: 2"]),
        ("*", "1: Ro Ro Ro Gx Gd Pc", ["1: 6", "1: Ro Ro Ro Gx Gd Pc", "1: 6"]),
        ("*", "1: Pc", ["1: 1", "1: Pc", "1: 1"]),
        (0, "swap Ro Gx", ["swap Ro Gx", "swap 2", "swap 2"]),
        (1, "swap Pc", ["swap 1", "swap Pc", "swap 1"]),
        (0, "Ro@0,0 Rx@1,0", ["Ro@0,0 Rx@1,0"] * 3),
        (1, "-", ["-"] * 3),
    ],
)
def test_others_are_told_only_how_many_tiles_are_drawn_or_exchanged(
    actor: Actor, text: str, told: list[str]
) -> None:
    tell = find_game("qwirkle").tell
    assert [tell(actor, text, viewer) for viewer in (0, 1, None)] == told


def test_what_others_are_told_is_no_event() -> None:
    match = table.qwirkle({"0,0": "Ro"}, "Gx Gd", "Bs", bag="Yo Pc")
    table.refuse(match, "0 swap 2", BadEvent)
    table.play(match, "0 swap Gx Gd")
    table.refuse(match, "* 0: 2", BadEvent)


@pytest.mark.parametrize("name", ["qwixx", "qwantum"])
@pytest.mark.parametrize("viewer", [0, 1, None])
def test_dice_and_sheets_are_told_as_they_are(name: str, viewer: int | None) -> None:
    tell = find_game(name).tell
    events: list[tuple[Actor, str]] = [("*", "first 1"), ("*", "w4 w1 r2"), (0, "r5"), (1, "-")]
    assert [tell(actor, text, viewer) for actor, text in events] == [text for _, text in events]


def test_a_plain_screen_tells_what_may_be_known() -> None:
    match = table.qwirkle({"0,0": "Ro"}, "Gx Gd", "Bs", bag="Yo Pc")
    screen = PlainScreen(match.game, Words.of("qlub.cli", "en"), ("A", "B"))
    swap = match.game.read_move("swap Gx Gd")
    views = [match.state.view(viewer) for viewer in (0, 1, None)]
    told = [screen.tell(view, {0: swap}, view) for view in views]
    assert told == [[(0, "swap Gx Gd")], [(0, "swap 2")], [(0, "swap 2")]]


def white_phase() -> Match:
    return table.play(table.new("qwixx", 3), "* first 1", "* w4 w1 r2 y3 g5 b6")


def share_phase() -> Match:
    dice = "* w3 r1 r2 b4 v3 b6 y5"
    return table.play(table.new("qwantum", 3), "* first 1", dice, "1 keep", "1 v6")


@pytest.mark.parametrize(
    ("match", "phase", "decisions"),
    [
        (white_phase, "white", ["2 r5", "0 -", "1 b5"]),
        (white_phase, "white", ["0 r5", "1 r5", "2 -"]),
        (share_phase, "share", ["1 r6", "0 -", "2 b13"]),
        (share_phase, "share", ["2 -", "1 -", "0 y8"]),
    ],
)
def test_decisions_are_sealed_until_all_are_in(
    match: Callable[[], Match], phase: str, decisions: list[str]
) -> None:
    playing = match()
    assert playing.state.phase == phase
    for count, decision in enumerate(["", *decisions]):
        if decision:
            table.play(playing, decision)
        decided = sorted(int(decision[0]) for decision in decisions[:count])
        assert_sealed(playing, tuple(decided if count < SEATS else ()))
    assert playing.state.phase != phase


def assert_sealed(match: Match, seats: tuple[int, ...]) -> None:
    """Check who has a sealed decision, and that a view hides all of these but its own."""
    assert match.state.sealed == seats
    last = {seat: text for seat, text in match.events if seat in seats}
    for viewer in (None, *range(SEATS)):
        view = match.state.view(viewer)
        assert view.sealed == seats
        assert match.game.write_view(view)["decided"] == {
            str(seat): last[seat] if seat == viewer else True for seat in seats
        }


@pytest.mark.parametrize("name", ["qwixx", "qwantum"])
def test_alone_nothing_is_sealed(name: str) -> None:
    for state in states(find_game(name), Random(1), games=2, seats=1):
        assert state.sealed == state.view(0).sealed == ()


def test_nothing_is_sealed_where_one_seat_decides_after_another() -> None:
    for state in states(find_game("qwirkle"), Random(1), games=1):
        assert state.sealed == state.view(0).sealed == state.view(None).sealed == ()
