"""What a lay of Qwirkle scores, what is drawn, and how a game ends (QK-11 to QK-17)."""

import pytest
from table import moves, new, play, position, qwirkle, refuse, rows

from qlub.core.errors import BadEvent, BadPosition, GameOver, IllegalMove
from qlub.core.game import Json

SHAPES = "oxdstc"


@pytest.mark.clause("QK-11")
@pytest.mark.parametrize(
    ("board", "lay", "points"),
    [
        (rows("Ro Rx"), "Rd@2,0", 3),
        (rows("Ro Rx"), "Rd@2,0 Rs@3,0", 4),
        (rows("Ro Rx"), "Rd@-1,0 Rs@2,0", 4),
        (rows("Ro Rx"), "Go@0,1", 2),
        (rows("Ro Rx"), "Go@0,1 Gx@1,1", 2 + 2 + 2),
        (rows("Ro Rx"), "Rd@2,0 Rs@2,1", 3 + 2),
        (rows("Ro Rx"), "Go@0,1 Bo@0,2", 3),
        (rows("Ro Rx", "Go ."), "Gx@1,1", 2 + 2),
        (rows("Ro Rx .  Rs", ".  Gx Gd Gs"), "Rd@2,0", 4 + 2),
        (rows("Ro Rx Rd", "Go .  Gd"), "Gx@1,1", 3 + 2),
    ],
)
def test_every_line_made_or_extended_scores_all_its_tiles(
    board: Json, lay: str, points: int
) -> None:
    """Old tiles count as well, and a tile in two lines counts in both; untouched lines do not."""
    tiles = " ".join(placed[:2] for placed in lay.split())
    match = qwirkle(board, tiles, "Bt", points=[10, 20])
    assert lay in moves(match, 0)
    play(match, f"0 {lay}")
    assert match.state.scores() == (10 + points, 20)


@pytest.mark.clause("QK-11")
def test_a_first_move_of_one_tile_scores_one() -> None:
    """When nobody has two tiles that go together, a single tile is the first move."""
    match = play(new("qwirkle", 2), "* 0: Ro Ox Yd Gs Bt Pc", "* 1: Rx Od Ys Gt Bc Po")
    assert play(match, "0 Bt@0,0").state.scores() == (1, 0)


@pytest.mark.clause("QK-12")
@pytest.mark.parametrize(
    ("board", "lay", "points"),
    [
        (rows("Ro Rx Rd Rs Rt"), "Rc@5,0", 12),
        (rows("Ro Oo Yo Go Bo"), "Po@-1,0", 12),
        (rows("Ro Rx Rd Rs"), "Rt@4,0", 5),
        (rows("Ro Rx Rd .  Rt Rc", ".  .  Gd Gs Gt ."), "Rs@3,0", 12 + 2),
        (rows("Ro Rx Rd Rs"), "Rt@-1,0 Rc@4,0", 12),
        (rows("Ro"), "Rx@1,0 Rd@2,0 Rs@3,0 Rt@4,0 Rc@5,0", 12),
        (rows("Ro"), "Rx@-5,0 Rd@-4,0 Rs@-3,0 Rt@-2,0 Rc@-1,0", 12),
        (rows("Ro"), "Rx@1,0 Rd@1,1 Rs@1,2 Rt@1,3 Rc@1,4 Ro@1,5", 12 + 2),
        (rows("Ro"), "Ro@1,-5 Rc@1,-4 Rt@1,-3 Rs@1,-2 Rd@1,-1 Rx@1,0", 12 + 2),
        (
            rows(
                ".  Rx Rd Rs Rt Rc",
                "Oo Ox .  .  .  .",
                "Yo .  .  .  .  .",
                "Go .  .  .  .  .",
                "Bo .  .  .  .  .",
                "Po .  .  .  .  .",
            ),
            "Ro@0,0",
            12 + 12,
        ),
    ],
)
def test_a_line_of_six_scores_six_more(board: Json, lay: str, points: int) -> None:
    """A Qwirkle is worth twelve, two at once twice that, and five tiles only five."""
    tiles = " ".join(placed[:2] for placed in lay.split())
    match = qwirkle(board, tiles, "Bt")
    assert lay in moves(match, 0)
    play(match, f"0 {lay}")
    assert match.state.scores() == (points, 0)


@pytest.mark.clause("QK-12")
def test_a_qwirkle_as_first_move() -> None:
    """Six tiles of one colour at once are announced, laid, and worth twelve."""
    match = play(new("qwirkle", 2), "* 0: Ro Ox Yd Gs Bt Pc", "* 1: Ro Rx Rd Rs Rt Rc")
    refuse(match, "1 Ro@0,0 Rx@1,0 Rd@2,0 Rs@3,0 Rt@4,0", IllegalMove, "first-size")
    play(match, "1 Rt@0,0 Ro@1,0 Rc@2,0 Rx@3,0 Rd@4,0 Rs@5,0")
    assert match.state.scores() == (0, 12)


@pytest.mark.clause("QK-13")
def test_after_laying_one_draws_back_up_to_six() -> None:
    """Two tiles laid, two drawn, neither more nor fewer."""
    match = play(qwirkle(rows("Ro"), "Rx Rd Gs Gt Bc Pc", "Bt"), "0 Rx@1,0 Rd@2,0")
    assert position(match)["drawing"] == {"seat": 0, "count": 2, "returning": []}
    for wrong in ("0: Oo", "0: Oo Oo Oo", "1: Oo Oo"):
        refuse(match, f"* {wrong}", BadEvent)
    play(match, "* 0: Oo Ox")
    assert position(match)["hands"][0] == ["Oo", "Ox", "Gs", "Gt", "Bc", "Pc"]


@pytest.mark.clause("QK-13")
def test_one_draws_only_while_the_bag_lasts() -> None:
    """A bag of one gives one tile for two; an empty bag gives nothing, and play goes on."""
    match = play(qwirkle(rows("Ro"), "Rx Rd Gs", "Rt Bt", bag="Oo"), "0 Rx@1,0 Rd@2,0")
    assert position(match)["drawing"]["count"] == 1
    play(match, "* 0: Oo", "1 Rt@3,0")
    assert (match.state.phase, match.state.active) == ("turn", 0)
    assert position(match)["hands"] == [["Oo", "Gs"], ["Bt"]]


@pytest.mark.clause("QK-14")
def test_the_first_to_lay_the_last_tile_ends_the_game_with_six_more() -> None:
    """Three for the line and six for the end; the others lose nothing and lay nothing."""
    match = qwirkle(rows("Ro Rx"), "Rd", "Rs Rt", "Bt", bag="", points=[0, 30, 5])
    play(match, "0 Rd@2,0")
    assert (match.state.phase, match.state.reason) == ("over", "finished")
    assert match.state.scores() == (3 + 6, 30, 5)
    assert match.state.winners == (1,)
    refuse(match, "1 Rs@3,0", GameOver)


@pytest.mark.clause("QK-14")
def test_a_game_may_end_with_a_qwirkle() -> None:
    """Twelve for the line of six and six for the end, also with two last tiles."""
    one = play(qwirkle(rows("Ro Rx Rd Rs Rt"), "Rc", "Bt", bag=""), "0 Rc@5,0")
    two = play(qwirkle(rows("Ro Rx Rd Rs"), "Rt Rc", "Bt", bag=""), "0 Rt@-1,0 Rc@4,0")
    for match in (one, two):
        assert (match.state.reason, match.state.scores()) == ("finished", (12 + 6, 0))


@pytest.mark.clause("QK-14")
def test_an_empty_hand_ends_nothing_while_the_bag_holds_tiles() -> None:
    """The last tile of a hand with a tile in the bag brings no bonus: one draws and plays on."""
    match = play(qwirkle(rows("Ro Rx"), "Rd", "Bt", bag="Rs"), "0 Rd@2,0", "* 0: Rs")
    assert (match.state.phase, match.state.active, match.state.scores()) == ("turn", 1, (3, 0))


@pytest.mark.clause("QK-15")
def test_with_an_empty_bag_the_game_ends_when_nobody_can_lay() -> None:
    """After red circle and cross neither the blue square nor the green diamond fits: no bonus."""
    match = play(qwirkle(rows("Ro"), "Rx Bs", "Gd", bag=""), "0 Rx@1,0")
    assert (match.state.phase, match.state.reason) == ("over", "blocked")
    assert match.state.scores() == (2, 0)
    refuse(match, "1 -", GameOver)


@pytest.mark.clause("QK-15")
def test_one_fitting_tile_in_any_hand_keeps_the_game_going() -> None:
    """Seat 2 has a green cross: the others pass until it is laid."""
    match = play(qwirkle(rows("Ro"), "Rx Bs", "Gd", "Yt Gx", bag=""), "0 Rx@1,0")
    assert moves(match, 1) == ["-"]
    play(match, "1 -", "2 Gx@1,1")
    assert moves(match, 0) == ["-"]
    assert moves(play(match, "0 -"), 1) == ["Gd@2,1"]


def red_rows(*shifts: int) -> Json:
    """Return rows of six reds, each shifted so that no column has a shape twice."""
    lines = (" ".join("R" + SHAPES[(at + shift) % 6] for at in range(6)) for shift in shifts)
    return rows(*lines)


@pytest.mark.clause("QK-15")
def test_a_closed_board_ends_the_game_with_tiles_in_the_bag() -> None:
    """All eighteen reds lie in three rows of six: no other tile fits anywhere, ever.

    It shows after the draw, with 78 tiles left in the bag.
    """
    reds, others = "Ro Rx Rd Rs Rt Rc", "Oo Ox Od Yo Yx Yd"
    match = qwirkle(red_rows(0, 1), reds, others)
    play(match, "0 Rd@0,2 Rs@1,2 Rt@2,2 Rc@3,2 Ro@4,2 Rx@5,2")
    assert (match.state.phase, match.state.scores()) == ("draw", (12 + 6 * 3, 0))
    play(match, "* 0: Go Gx Gd Bo Bx Bd")
    assert (match.state.phase, match.state.reason) == ("over", "blocked")
    assert match.state.scores() == (30, 0)
    assert position(match)["board"] == red_rows(0, 1, 2)
    assert len(position(match)["bag"]) == 78
    refuse(match, "1 swap Oo", GameOver)


@pytest.mark.clause("QK-15")
def test_a_board_is_not_closed_while_a_fitting_tile_is_left() -> None:
    """With one red cell open and its tile in the bag, play goes on; a closed board is no position."""
    board = red_rows(0, 1, 2)
    missing = board.pop("5,2")
    match = qwirkle(board, "Oo", "Yo")
    assert missing in position(match)["bag"]
    assert moves(match, 0) == ["swap Oo"]
    with pytest.raises(BadPosition):
        qwirkle(red_rows(0, 1, 2), "Oo", "Yo")


@pytest.mark.clause("QK-16")
def test_most_points_win_and_a_tie_is_a_shared_win() -> None:
    """The bonus for the end counts: nine points may lose, tie or win."""
    for others, winners in (((10, 0), (1,)), ((9, 9), (0, 1, 2)), ((9, 8), (0, 1)), ((8, 0), (0,))):
        match = qwirkle(rows("Ro Rx"), "Rd", "Rs", "Bt", bag="", points=[0, *others])
        assert match.state.winners is None
        assert play(match, "0 Rd@2,0").state.winners == winners


@pytest.mark.clause("QK-17")
def test_the_examples_of_the_rulebook() -> None:
    """Sonia, Cédric, Elvire and Bernard score 3 7 4 6 and again 7 and 6, figures A to F."""
    match = play(
        new("qwirkle", 4),
        "* 0: Ro Rd Rc Go Gx Bt",
        "* 1: Rs Yx Bd Bs Ps Pt",
        "* 2: Ox Yd Yt Gc Bo Pc",
        "* 3: Ot Ys Gd Gc Px Pd",
    )
    play(match, "0 Rd@0,0 Rc@1,0 Ro@2,0")  # A: three red tiles
    assert match.state.scores() == (3, 0, 0, 0)
    play(match, "* 0: Oo Yx Pt", "1 Rs@3,0 Bs@3,1 Ps@3,2")  # B: three squares, 4 + 3
    assert match.state.scores() == (3, 7, 0, 0)
    play(match, "* 1: Rs Os Yc", "2 Bo@2,1")  # C: two circles and two blues, 2 + 2
    assert match.state.scores() == (3, 7, 4, 0)
    play(match, "* 2: Rx", "3 Gd@0,-1 Gc@1,-1")  # D: diamonds, clovers, greens, 2 + 2 + 2
    assert match.state.scores() == (3, 7, 4, 6)
    play(match, "* 3: Ro Rt", "0 Gx@-1,-1 Go@2,-1")  # E: both ends of the green line, 4 + 3
    assert match.state.scores() == (3 + 7, 7, 4, 6)
    play(match, "* 0: Rd Rc")
    refuse(match, "1 Os@3,3 Rs@3,4", IllegalMove, "no-fit")  # two red squares in one line
    play(match, "1 Os@3,3 Rs@4,3")  # F: the old line of squares and a new one, 4 + 2
    assert match.state.scores() == (10, 7 + 6, 4, 6)


SNAKE = [
    colour + shape
    for turn, colour in enumerate("ROYGBP")
    for shape in (SHAPES if turn % 2 == 0 else reversed(SHAPES))
]
"""All 36 tiles in a ring in which neighbours share a colour or a shape."""


@pytest.mark.clause("QK-7")
@pytest.mark.clause("QK-11")
@pytest.mark.parametrize(("right", "down"), [(1, 1), (1, -1), (-1, 1), (-1, -1)])
@pytest.mark.parametrize("start", [(0, 0), (5000, -5000)])
def test_the_table_has_no_edge(right: int, down: int, start: tuple[int, int]) -> None:
    """A staircase of eighty tiles runs forty cells far in any direction, two points a step."""
    steps = [SNAKE[step % 36] for step in range(93)]
    hands = (" ".join(steps[1 + seat : 13 + seat : 2]) for seat in (0, 1))
    x, y = start
    match = qwirkle(rows("Ro", x=x, y=y), *hands)
    for step in range(1, 81):
        x, y = (x + right, y) if step % 2 else (x, y + down)
        seat = (step + 1) % 2
        play(match, f"{seat} {steps[step]}@{x},{y}", f"* {seat}: {steps[step + 12]}")
    assert match.state.scores() == (80, 80)
    assert position(match)["board"][f"{x},{y}"] == steps[80]
    assert (x, y) == (start[0] + 40 * right, start[1] + 40 * down)


@pytest.mark.clause("QK-7")
@pytest.mark.clause("QK-8")
def test_a_board_far_from_the_origin_is_a_board_like_any_other() -> None:
    """The same moves are legal around 5000,-5000 as around 0,0."""
    tiles = "Ro Rx .  Rs Rt", ".  Gx Gd Gs ."
    hand = "Rd Rc Gc Bx Od Go"
    near = moves(qwirkle(rows(*tiles), hand, "Bt", bag=""), 0)
    far = moves(qwirkle(rows(*tiles, x=5000, y=-5000), hand, "Bt", bag=""), 0)

    def moved(placed: str) -> str:
        tile, cell = placed.split("@")
        x, y = cell.split(",")
        return f"{tile}@{int(x) + 5000},{int(y) - 5000}"

    assert far == [" ".join(map(moved, lay.split())) for lay in near]
