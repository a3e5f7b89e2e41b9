"""What people type into `qlub play`, and what terminals and pipes get to see."""

import re
import subprocess
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playing import (
    ALWAYS_FIRST,
    ENVIRONMENT,
    GAMES,
    PATIENCE,
    QLUB,
    Terminal,
    play,
    replayed,
    saved,
)

from qlub.cli.terminal import screen
from qlub.core.errors import IllegalMove
from qlub.core.record import Match
from qlub.core.registry import find_game
from qlub.words import Words

# Entries


@pytest.mark.parametrize(
    ("entry", "move"),
    [
        ("Rx@0,1", "Rx@0,1"),
        ("rx 0,1", "Rx@0,1"),
        ("RX 0 , 1 v", "Rx@0,1"),
        ("Gx@1,1 Rx@0,1", "Rx@0,1 Gx@1,1"),
        ("Rx Gx 0,1 v", "Rx@0,1 Gx@0,3"),
        ("Rx Gx -1,1", "Rx@-1,1 Gx@0,1"),
        ("swap 2 1", "swap Rx Gx"),
        ("SWAP gx,rx", "swap Rx Gx"),
        ("swap all", "swap Rx Gx Pc"),
        ("pass", "-"),
        ("1 2 -1,1", "Rx@-1,1 Gx@0,1"),
        ("2 1 0,1 v", "Gx@0,1 Rx@0,3"),
    ],
)
def test_lays_are_read_in_easy_forms(entry: str, move: str) -> None:
    position = {
        "game": "qwirkle",
        "options": {"seniority": [0, 1]},
        "phase": "turn",
        "active": 0,
        "board": {"0,0": "Ro", "1,0": "Yo", "1,1": "Yx", "0,2": "Rd", "1,2": "Yd"},
        "hands": [["Rx", "Gx", "Pc"], ["Bs"]],
        "points": [0, 0],
        "drawing": None,
    }
    match = Match.from_position(position)
    shown = screen.find_screen(match.game, Words.of("qlub.cli", "en"), ("A", "B"))
    assert shown.read(match.state.view(0), entry) == move


@pytest.mark.parametrize(
    ("game", "seed", "entries", "answers"),
    [
        (
            "qwixx",
            "1",
            ["", "zz", "r99", "R 3", "y12", "b 12"],
            [
                "Type a number",
                "“zz” is not a move",
                "“r99” is",
                "Action 1 takes the white sum",
                "Yellow 12 needs five",
            ],
        ),
        (
            "qwantum",
            "8",
            ["v33", "w77", "9" * 5000, "keep", "w1", "v33", "r 2"],
            [
                "First keep the dice",
                "“w77” is not",
                "The list goes from 1 to 9",
                "The dice stay",
                "Violet is worth",
                "Red is worth",
            ],
        ),
        (
            "qwirkle",
            "3",
            ["swap 1", "-", "1", "swap Zz", "Ro@90,90", "swap 9", "-", "swap 2 1"],
            [
                "does not exchange",
                "does not exchange",
                "swap Zz",
                "hand does not hold",
                "swap 9",
                "lay or exchange",
                "exchange of 2",
            ],
        ),
    ],
)
def test_a_wrong_entry_costs_one_line(
    game: str, seed: str, entries: list[str], answers: list[str], tmp_path: Path
) -> None:
    done = play(
        game, "--seed", seed, entries="\n".join((*entries, "1", "quit", "")), folder=tmp_path
    )
    assert (done.returncode, done.stderr) == (0, "")
    at = 0
    for answer in answers:
        at = done.stdout.find(answer, at)
        assert at >= 0, f"{answer!r} is missing in {done.stdout}"
    assert any(actor == 0 for actor, _ in replayed(saved(tmp_path)).events)


@pytest.mark.parametrize(
    "arguments",
    [
        ("chess",),
        ("qwixx", "--players", "9"),
        ("qwixx", "--players", "x"),
        ("qwixx", "--players", "0"),
        ("qwixx", "--seed", "x"),
        ("qwirkle", "--players", "1"),
        ("qwixx", "--people", "3", "--players", "2"),
        ("qwixx", "--people", "-1"),
        ("qwixx", "--bots", "nobody"),
        ("qwixx", "--bots", "greedy,random", "--players", "2"),
        ("qwixx", "--bots", "cmd:"),
        ("qwixx", "--names", "A,B,C"),
        ("qwixx", "--names", "A,A"),
        ("qwixx", "--names", "A (bot greedy)"),
        ("qwixx", "--seconds", "nan"),
        ("qwixx", "--language", "tlh"),
        ("qwixx", "--save", "no/such/folder.json"),
    ],
)
def test_wrong_use_is_told_in_one_line(arguments: tuple[str, ...], tmp_path: Path) -> None:
    done = play(*arguments, folder=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("language", ["en", "fr", "de", "it"])
@pytest.mark.parametrize("game", GAMES[::2])
def test_what_the_list_shows_can_be_typed(game: str, language: str) -> None:
    match = Match.new(find_game(game), 2)
    shown = screen.find_screen(match.game, Words.of("qlub.cli", language), ("A", "B"))
    chance = Random(6)
    checked = 0
    while not match.state.is_over:
        if match.state.chance:
            match.apply("*", str(match.state.chance.sample(chance.randrange)))
            continue
        seat = match.state.to_act[0]
        view: Any = match.state.view(seat)
        moves = shown.moves(view)
        for move in moves:
            text = re.sub("^ [A-Z]  ", "", shown.label(view, move)[0].plain)
            assert shown.read(view, text) == str(move), text
            checked += 1
        match.decide(seat, chance.choice(moves))
    assert checked > 100


@pytest.mark.parametrize(
    ("entry", "seat", "answer"),
    [
        ("r4", 0, "Action 1 takes the white sum, 7; red 4 can come in action 2."),
        ("r4", 1, "colour sums are only for the one who rolls."),
        ("r9", 0, "Action 1 takes the white sum, 7, in a row of your choice."),
        ("r9", 1, "Action 1 takes the white sum, 7, in a row of your choice."),
    ],
)
def test_a_sum_that_is_not_the_white_one_is_explained(entry: str, seat: int, answer: str) -> None:
    match = Match.new(find_game("qwixx"), 2)
    match.apply("*", "first 0")
    match.apply("*", "w3 w4 r1 y2 g5 b6")
    shown = screen.find_screen(match.game, Words.of("qlub.cli", "en"), ("A", "B"))
    view = match.state.view(seat)
    move = match.game.read_move(shown.read(view, entry))
    with pytest.raises(IllegalMove) as refused:
        match.state.apply(seat, move)
    assert shown.refusal(view, move, refused.value).endswith(answer)


@pytest.mark.parametrize("game", GAMES[::2])
def test_nobody_else_is_named_to_one_who_practises(game: str, tmp_path: Path) -> None:
    done = play(game, "--players", "1", "--seed", "1", entries=ALWAYS_FIRST, folder=tmp_path)
    assert "The end" in done.stdout
    assert "Everyone chooses" not in done.stdout
    assert "The others" not in done.stdout


@pytest.mark.parametrize(
    ("end", "rows", "reason"),
    [
        ("table", ({"r": 12}, {"y": 12}), "Two rows are closed."),
        ("player", ({"r": 12, "y": 12}, {}), "Somebody has locked two rows."),
        ("player", ({"r": 12, "g": 2}, {"y": 12, "b": 2}), "Somebody has locked two rows."),
        ("player", ({"r": 12}, {"y": 12}, {"g": 2}, {"b": 2}), "All four rows are closed."),
    ],
)
def test_why_rows_ended_a_game(end: str, rows: tuple[dict[str, int], ...], reason: str) -> None:
    before = {"r": [2, 3, 4, 5, 6], "y": [2, 3, 4, 5, 6], "g": [12, 11, 10, 9, 8]}
    before["b"] = before["g"]
    sheets = [
        {c: [*before[c], crossed[c]] if c in crossed else [] for c in "rygb"} | {"penalties": 0}
        for crossed in rows
    ]
    closed = {c for crossed in rows for c in crossed}
    game = find_game("qwixx")
    state = game.read_position(
        {
            "game": "qwixx",
            "options": {"end": end},
            "phase": "over",
            "active": 0,
            "dice": {"w": [6, 6]} | {c: 6 for c in "rygb" if c not in closed},
            "sheets": sheets,
            "crossed": False,
            "decided": {},
            "reason": "rows",
        }
    )
    view = state.view(None)
    names = tuple("ABCD"[: len(rows)])
    shown = screen.find_screen(game, Words.of("qlub.cli", "en"), names)
    assert shown.ending(view)[0] == reason


def test_the_first_page_explains_itself(tmp_path: Path) -> None:
    assert "the beginning of a name" in play(entries="?\nquit\n", folder=tmp_path).stdout


def test_watchers_are_told_whose_sheet_is_large(tmp_path: Path) -> None:
    names = ("--people", "0", "--names", "Ida,Max")
    terminal = Terminal(tmp_path, "qwixx", "--seed", "1", *names)
    terminal.expect("penalties")
    assert re.search(r"(Ida|Max)\s", re.sub(r"\x1b\[[0-9;]*m", "", terminal.expect("points")))
    terminal.send("quit\n")
    terminal.end()


def test_a_move_typed_on_the_help_page_counts(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, "qwixx", "--seed", "1")
    terminal.expect("› ")
    terminal.send("?\n")
    terminal.expect("Enter goes back")
    terminal.expect("› ")
    terminal.send("1\n")
    terminal.expect("› ")
    terminal.send("quit\n")
    assert terminal.end()[0] == 0
    assert any(actor == 0 for actor, _ in replayed(saved(tmp_path)).events)


def test_bytes_that_are_no_text_are_only_a_wrong_entry(tmp_path: Path) -> None:
    done = subprocess.run(
        [*QLUB, "play", "qwixx", "--seed", "1"],
        input=b"\xff\xfe\x00\n1\n",
        capture_output=True,
        cwd=tmp_path,
        env=ENVIRONMENT,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"is not a move" in done.stdout


# Terminals and pipes


def test_a_pipe_gets_no_escape_codes(tmp_path: Path) -> None:
    assert "\x1b" not in play("qwixx", entries="1\n", folder=tmp_path).stdout
    assert "\x1b" not in play("qwirkle", entries="1\n", folder=tmp_path, NO_COLOR="1").stdout


@pytest.mark.parametrize("game", GAMES)
def test_no_color_is_respected_on_a_terminal(game: str, tmp_path: Path) -> None:
    colourful = Terminal(tmp_path, game, "--seed", "1")
    assert "48;2;" in colourful.expect("› ")
    plain = Terminal(tmp_path, game, "--seed", "1", NO_COLOR="1")
    simple = Terminal(tmp_path, game, "--seed", "1", COLORTERM="", TERM="vt220")
    for terminal in (plain, simple):
        assert not re.search(r"\x1b\[[0-9;]*\b[34][0-9]\b", terminal.expect("› "))
    for terminal in (colourful, plain, simple):
        terminal.send("quit\n")
        assert terminal.end()[0] == 0


@pytest.mark.parametrize("game", GAMES)
def test_pages_fit_a_small_terminal(game: str, tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, game, "--seed", "1", "--players", "4", "--language", "fr")
    terminal.expect("› ")
    terminal.send("zzz\n" + "1\n" * 20 + "quitter\n")  # typed ahead, so that no bot makes us wait
    status, shown = terminal.end()
    assert status == 0
    pages = shown.split("\x1b[?1049l")[0].split("\x1b[2J")[1:]
    assert len(pages) > 20
    for page in pages:
        assert page.split("› ")[0].count("\n") <= 23, page


def test_a_page_is_drawn_again_for_another_window(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, "qwixx", "--seed", "1")
    terminal.expect("› ")
    terminal.insist("Qlub likes 80 × 24; this window has", terminal.shrink)
    terminal.expect("› ")
    terminal.send("quit\n")
    assert terminal.end()[0] == 0


def test_a_reader_who_leaves_ends_the_game_quietly(tmp_path: Path) -> None:
    with subprocess.Popen(
        [*QLUB, "play", "qwixx", "--people", "0", "--bots", "random"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=tmp_path,
        env=ENVIRONMENT,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(PATIENCE) == 0
