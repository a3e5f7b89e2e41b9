"""How a game of Qwirkle goes: the deal, the first move, laying and exchanging (QK-1 to QK-10)."""

from collections import Counter

import pytest
from table import moves, new, play, position, qwirkle, refuse, rows

from qlub.core.errors import BadEvent, BadPosition, IllegalMove, NotYourTurn
from qlub.core.record import Match

MIXED = "Ro Ox Yd Gs Bt Pc"  # no two of them share anything
OTHER = "Rx Od Ys Gt Bc Po"
TWO_REDS = rows("Ro Rx")


def deal(*hands: str, seniority: list[int] | None = None) -> Match:
    """Deal these hands from the full bag."""
    match = new("qwirkle", len(hands), seniority=seniority)
    return play(match, *(f"* {seat}: {hand}" for seat, hand in enumerate(hands)))


@pytest.mark.clause("QK-1")
def test_there_are_108_tiles() -> None:
    """Six colours and six shapes, every tile three times."""
    bag: Counter[str] = Counter(position(new("qwirkle", 2))["bag"])
    assert bag == {colour + shape: 3 for colour in "ROYGBP" for shape in "oxdstc"}
    assert bag.total() == 108


@pytest.mark.clause("QK-1")
def test_a_fourth_copy_of_a_tile_cannot_be() -> None:
    """Nobody draws a fourth red circle, and no position has one."""
    refuse(new("qwirkle", 2), "* 0: Ro Ro Ro Ro Rx Rd", BadEvent)
    with pytest.raises(BadPosition):
        qwirkle(rows("Ro Rx"), "Ro Ro", "Ro", bag="")


@pytest.mark.clause("QK-2")
def test_everyone_draws_six_tiles() -> None:
    """Seat 0 draws first, then seat 1; the bag has the rest."""
    match = new("qwirkle", 2)
    for wrong in ("0: Ro Ox Yd Gs Bt", f"1: {OTHER}", "0: Ox Ro Yd Gs Bt Pc", f"0: {MIXED} Pc"):
        refuse(match, f"* {wrong}", BadEvent)
    play(match, f"* 0: {MIXED}")
    refuse(match, f"* 0: {MIXED}", BadEvent)
    play(match, f"* 1: {OTHER}")
    assert position(match)["hands"] == [MIXED.split(), OTHER.split()]
    assert len(position(match)["bag"]) == 96


@pytest.mark.clause("QK-2")
def test_hands_are_hidden_from_the_others() -> None:
    """A view shows one's own tiles and only counts of all others."""
    match = deal(MIXED, OTHER)
    assert match.game.write_view(match.state.view(1))["hands"] == [6, OTHER.split()]
    spectator = match.game.write_view(match.state.view(None))
    assert (spectator["hands"], spectator["bag"]) == ([6, 6], 96)


@pytest.mark.clause("QK-3")
def test_the_largest_set_begins_and_duplicates_do_not_count() -> None:
    """Three red circles and a red cross are a set of two; three crosses beat them."""
    assert deal("Ro Ro Ro Rx Gd Bs", "Ox Yx Gx Bd Pc Pc").state.active == 1
    assert deal("Ro Rx Rd Gs Bt Pc", "Ro Rx Gd Gs Bt Pc").state.active == 0


@pytest.mark.clause("QK-3")
def test_in_a_tie_the_oldest_begins() -> None:
    """The option names the oldest first; without it seat 0 is the oldest. Age alone is not enough."""
    tie = MIXED, "Ro Rx Rd Gs Bt Pc", "Oo Yo Go Bd Bs Pt"
    assert deal(*tie).state.active == 1
    assert deal(*tie, seniority=[0, 1, 2]).state.active == 1
    assert deal(*tie, seniority=[0, 2, 1]).state.active == 2
    assert deal(*tie, seniority=[2, 0, 1]).state.active == 2


@pytest.mark.clause("QK-4")
def test_the_first_move_has_exactly_the_announced_size() -> None:
    """With three reds and three greens the starter chooses the set, but not another size."""
    match = deal("Ro Rx Rd Gs Gt Gc", MIXED)
    assert len(moves(match, 0)) == 12
    assert {"Ro@0,0 Rx@1,0 Rd@2,0", "Gc@0,0 Gs@1,0 Gt@2,0"} <= set(moves(match, 0))
    for text, reason in (
        ("Ro@0,0", "first-size"),
        ("Ro@0,0 Rx@1,0", "first-size"),
        ("Ro@0,0 Rx@1,0 Rd@2,0 Gs@3,0", "first-size"),
        ("Ro@0,0 Rx@1,0 Gs@2,0", "no-fit"),
        ("Ro@0,0 Rx@1,0 Rs@2,0", "not-held"),
        ("Ro@1,0 Rx@2,0 Rd@3,0", "first-place"),
        ("Ro@0,0 Rx@0,1 Rd@0,2", "first-place"),
        ("Ro@0,0 Rx@1,0 Rd@3,0", "first-place"),
    ):
        refuse(match, f"0 {text}", IllegalMove, reason)


@pytest.mark.clause("QK-4")
def test_the_starter_lays_and_neither_exchanges_nor_passes() -> None:
    """There is always something to lay."""
    match = deal(MIXED, OTHER)
    refuse(match, "0 swap Ro", IllegalMove, "first-swap")
    refuse(match, "0 -", IllegalMove, "exchange-instead")
    refuse(match, "1 Rx@0,0", NotYourTurn)
    assert moves(match, 0) == [f"{tile}@0,0" for tile in MIXED.split()]


@pytest.mark.clause("QK-5")
def test_a_turn_is_one_lay_or_one_exchange() -> None:
    """Lay one tile, lay several or exchange: after one of these it is the next player's turn."""
    for turn, drawn in (
        ("Rd@2,0", "Oo Oo Oo Ox"),
        ("Rd@2,0 Rs@3,0", "Oo Oo Oo Ox Ox"),
        ("swap Rd", "Oo"),
    ):
        match = qwirkle(TWO_REDS, "Rd Rs Gd", "Bt")
        assert turn in moves(match, 0)
        refuse(match, "0 Rd@2,0 swap Rs", BadEvent)
        play(match, f"0 {turn}")
        refuse(match, "0 swap Gd", NotYourTurn)
        play(match, f"* 0: {drawn}")
        assert (match.state.active, match.state.to_act) == (1, (1,))


@pytest.mark.clause("QK-6")
def test_tiles_of_one_turn_stand_in_one_line() -> None:
    """Not around a corner, not with an empty cell between, and not without something shared."""
    match = qwirkle(TWO_REDS, "Rd Rs Rt Gx Gs Bx", "Bt")
    for text, reason in (
        ("Rd@2,0 Gx@1,1", "not-a-line"),
        ("Rd@2,0 Rs@2,1 Rt@3,1", "not-a-line"),
        ("Rd@2,0 Rs@4,0", "gap"),
        ("Rd@-2,0 Rs@2,0", "gap"),
        ("Bx@1,-1 Gx@1,2", "gap"),
        ("Rd@2,0 Gs@3,0", "no-fit"),
        ("Rd@0,-1 Bx@1,-1", "no-fit"),
    ):
        refuse(match, f"0 {text}", IllegalMove, reason)
        assert text not in moves(match, 0)
    for text in ("Rd@2,0 Rs@3,0", "Rd@2,0 Rs@2,1 Rt@2,2", "Bx@1,-1 Gx@1,1"):
        assert text in moves(match, 0)


@pytest.mark.clause("QK-6")
def test_tiles_may_be_laid_at_both_ends_of_a_line() -> None:
    """They need not touch each other if tiles that already lie there fill the space between."""
    match = play(qwirkle(TWO_REDS, "Rd Rs Gd Gs Gt Gc", "Bt"), "0 Rd@-1,0 Rs@2,0")
    assert match.state.scores() == (4, 0)
    assert position(match)["board"] == rows("Rd Ro Rx Rs", x=-1)


@pytest.mark.clause("QK-7")
def test_everything_touches_what_already_lies_there() -> None:
    """A corner is not enough, nor is lying far away or on top of another tile."""
    match = qwirkle(TWO_REDS, "Rd Rs", "Bt")
    for text in ("Rd@2,1", "Rd@-1,-1", "Rd@3,0", "Rd@5000,0", "Rd@2,1 Rs@3,1"):
        refuse(match, f"0 {text}", IllegalMove, "no-touch")
    refuse(match, "0 Rd@1,0", IllegalMove, "taken")
    for text in ("Rd@0,1", "Rd@0,-1", "Rd@-1,0", "Rd@2,0", "Rd@2,0 Rs@2,1", "Rd@-2,0 Rs@-1,0"):
        assert text in moves(match, 0)


@pytest.mark.clause("QK-8")
def test_a_line_is_one_colour_or_one_shape_without_doubles() -> None:
    """Red circle, cross and diamond take another red shape and nothing else."""
    match = qwirkle(rows("Ro Rx Rd"), "Ro Rd Rs Gd Gs", "Bt")
    for wrong in ("Ro", "Rd", "Gd", "Gs"):
        refuse(match, f"0 {wrong}@3,0", IllegalMove, "no-fit")
        refuse(match, f"0 {wrong}@-1,0", IllegalMove, "no-fit")
    assert {"Rs@3,0", "Rs@-1,0"} <= set(moves(match, 0))
    circles = qwirkle(rows("Ro", "Oo"), "Ro Rx Yo", "Bt")
    refuse(circles, "0 Ro@0,2", IllegalMove, "no-fit")
    refuse(circles, "0 Rx@0,2", IllegalMove, "no-fit")
    assert "Yo@0,2" in moves(circles, 0)


@pytest.mark.clause("QK-8")
def test_a_tile_must_fit_both_of_its_lines() -> None:
    """Under a red cross and beside a green circle only a green cross or a red circle fits."""
    match = qwirkle(rows("Ro Rx", "Go ."), "Ro Rd Gx Gd Bx Bo", "Bt")
    assert {move for move in moves(match, 0) if move[2:] == "@1,1"} == {"Ro@1,1", "Gx@1,1"}
    for wrong in ("Rd", "Gd", "Bx", "Bo"):
        refuse(match, f"0 {wrong}@1,1", IllegalMove, "no-fit")


@pytest.mark.clause("QK-8")
def test_a_line_has_six_tiles_at_most() -> None:
    """Nothing fits at the ends of six, nor between three and three."""
    six = qwirkle(rows("Ro Rx Rd Rs Rt Rc"), "Ro Rc Gc Go", "Bt")
    assert not {move for move in moves(six, 0) if move[2:] in ("@-1,0", "@6,0")}
    between = rows("Ro Rx Rd .  Rs Rt Rc", ".  .  Gd Gx Gs .  .")
    match = qwirkle(between, "Rx Gx Ox", "Bt")
    for tile in ("Rx", "Ox"):
        refuse(match, f"0 {tile}@3,0", IllegalMove, "no-fit")


@pytest.mark.clause("QK-8")
def test_a_tile_may_join_two_lines_over_a_gap() -> None:
    """The red diamond joins two and two reds to five, and makes two diamonds."""
    board = rows("Ro Rx .  Rs Rt", ".  Gx Gd Gs .")
    match = qwirkle(board, "Rd Rc Od", "Bt")
    for wrong in ("Rc", "Od"):
        refuse(match, f"0 {wrong}@2,0", IllegalMove, "no-fit")
    assert "Rd@2,0" in moves(match, 0)
    assert play(match, "0 Rd@2,0").state.scores() == (5 + 2, 0)


@pytest.mark.clause("QK-8")
@pytest.mark.parametrize(
    "board",
    [rows("Rs Rx .  Rs Rt", ".  Gx Gd Gs ."), rows("Ro Rx .  Bs Bt", ".  Gx Gd Gs .")],
)
def test_lines_that_are_not_one_line_together_cannot_be_joined(board: dict[str, str]) -> None:
    """A red square on both sides, or reds and blues, leave the gap between them empty."""
    match = qwirkle(board, "Rd Bd Od", "Po")
    for tile in ("Rd", "Bd", "Od"):
        refuse(match, f"0 {tile}@2,0", IllegalMove, "no-fit")
    assert not [move for move in moves(match, 0) if "@2,0" in move]


@pytest.mark.clause("QK-8")
def test_the_same_tile_twice_in_hand_is_laid_once() -> None:
    """Two red diamonds cannot stand in one line, and having two does not double the choices."""
    match = qwirkle(TWO_REDS, "Rd Rd Rs", "Bt")
    refuse(match, "0 Rd@-1,0 Rd@2,0", IllegalMove, "no-fit")
    refuse(match, "0 Rs@-1,0 Rs@2,0", IllegalMove, "not-held")
    assert len(moves(match, 0)) == len(set(moves(match, 0)))
    assert position(play(match, "0 Rd@2,0"))["hands"][0] == ["Rd", "Rs"]


@pytest.mark.clause("QK-9")
def test_exchanged_tiles_return_only_after_the_draw() -> None:
    """Both green crosses are set aside: they cannot be drawn now, but by the next player."""
    match = qwirkle(rows("Ro"), "Gx Gx Gd Bs Pt Pc", "Yx", bag="Rx Rd")
    play(match, "0 swap Gx Gx")
    assert position(match)["drawing"] == {"seat": 0, "count": 2, "returning": ["Gx", "Gx"]}
    for wrong in ("0: Gx Gx", "0: Rx Gx", "0: Rx", "1: Rx Rd"):
        refuse(match, f"* {wrong}", BadEvent)
    play(match, "* 0: Rx Rd")
    assert (position(match)["bag"], match.state.active) == (["Gx", "Gx"], 1)
    assert position(match)["hands"][0] == ["Rx", "Rd", "Gd", "Bs", "Pt", "Pc"]
    assert match.state.scores() == (0, 0)
    play(match, "1 swap Yx", "* 1: Gx")


@pytest.mark.clause("QK-9")
def test_an_exchange_takes_one_to_six_tiles_and_not_more_than_the_bag_holds() -> None:
    """A bag of two allows an exchange of two; a full bag one of all six."""
    small = qwirkle(rows("Ro"), "Gx Gx Gd Bs Pt Pc", "Rx", bag="Oo Ox")
    refuse(small, "0 swap Gx Gx Gd", IllegalMove, "bag")
    assert max(len(move.split()) - 1 for move in moves(small, 0)) == 2
    refuse(small, "0 swap Gx Gx Gx", IllegalMove, "not-held")
    refuse(small, "0 swap Rx", IllegalMove, "not-held")
    for wrong in ("swap", "swap Gd Gx", "swap Gx,Gd", "swap Gx Gx Gx Gd Gd Gd Bs"):
        refuse(small, f"0 {wrong}", BadEvent)
    full = qwirkle(rows("Ro"), "Gx Gx Gd Bs Pt Pc", "Rx")
    play(full, "0 swap Gx Gx Gd Bs Pt Pc", "* 0: Oo Oo Oo Ox Ox Ox")
    assert position(full)["hands"][0] == ["Oo", "Oo", "Oo", "Ox", "Ox", "Ox"]


@pytest.mark.clause("QK-10")
def test_who_cannot_lay_must_exchange() -> None:
    """Nothing fits, but the bag holds a tile: there is no pass."""
    match = qwirkle(rows("Ro"), "Gd Bs", "Rx", bag="Pt")
    assert moves(match, 0) == ["swap Gd", "swap Bs"]
    refuse(match, "0 -", IllegalMove, "exchange-instead")


@pytest.mark.clause("QK-10")
def test_who_can_lay_may_exchange_while_the_bag_holds_tiles() -> None:
    """Laying is a duty only with an empty bag."""
    match = qwirkle(rows("Ro"), "Rx", "Rd", bag="Pt")
    assert "swap Rx" in moves(match, 0)
    refuse(match, "0 -", IllegalMove, "exchange-instead")


@pytest.mark.clause("QK-10")
def test_with_an_empty_bag_who_cannot_lay_passes() -> None:
    """Seat 0 passes and draws nothing; what seat 1 lays makes room for it again."""
    match = qwirkle(rows("Ro"), "Gx Gd", "Rx Rd Bt", bag="")
    assert moves(match, 0) == ["-"]
    refuse(match, "0 swap Gd", IllegalMove, "bag")
    play(match, "0 -", "1 Rx@1,0")
    assert (match.state.active, match.state.scores()) == (0, (0, 2))
    assert "-" not in moves(match, 0)
    assert play(match, "0 Gx@1,1 Gd@2,1").state.scores() == (2 + 2 + 6, 2)


@pytest.mark.clause("QK-10")
def test_with_an_empty_bag_who_can_lay_must() -> None:
    """Neither a pass nor an exchange saves the tile that fits."""
    match = qwirkle(rows("Ro"), "Rx Gd", "Bt", bag="")
    assert moves(match, 0) == ["Rx@0,-1", "Rx@-1,0", "Rx@1,0", "Rx@0,1"]
    refuse(match, "0 -", IllegalMove, "lay-instead")
    refuse(match, "0 swap Gd", IllegalMove, "bag")
