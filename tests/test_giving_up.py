"""Seats change hands: resigning, handing a seat to a bot, and taking it to another device."""

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from logbook import ANN, BEN, CLEO, DAN, INVITE, SECRET, TOKENS, Logbook
from pydantic import ValidationError

from qlub.club.commands import REACTIONS
from qlub.club.entries import Moved
from qlub.club.errors import NotAllowed, NotFound, NotNow, TooMany
from qlub.club.ruling import MOST_REACTIONS
from qlub.club.table import OVER, PLAYING
from qlub.club.telling import results_of, told_record
from qlub.core.errors import BadRequest, GameOver, NoGame, QlubError
from qlub.core.fair import verify


def begun(*sitters: str, game: str = "qwixx", **wish: Any) -> Logbook:
    """Return a game that has just begun; whoever is no guest is a bot."""
    book = Logbook(game, len(sitters), **wish)
    for seat, sitter in enumerate(sitters):
        if sitter in (ANN, BEN, CLEO):
            book.do(sitter, "enter", invite=INVITE)
            book.do(sitter, "sit", seat=seat, name=f"Person {seat}")
        else:
            book.do(ANN, "bot", seat=seat, bot=sitter)
    book.do(ANN, "start")
    return book


def play_to_the_end(book: Logbook) -> None:
    for _ in book.play_on(Random(1)):
        pass


def test_of_two_the_other_wins_when_one_resigns() -> None:
    book = begun(ANN, BEN)
    book.decide(0, "-")
    book.do(ANN, "resign", seat=0)
    assert book.table.status == OVER
    assert book.table.places() == [2, 1]
    assert [row["gave_up"] for row in results_of(book.table)] == [True, False]
    with pytest.raises(GameOver):
        book.do(BEN, "move", seat=1, move="-")
    record = told_record(book.table, (), SECRET)
    assert record["result"] is None
    assert verify(record).events == book.table.playing().events


def test_of_three_two_play_on_and_a_bot_in_the_third_seat() -> None:
    book = begun(ANN, BEN, CLEO)
    book.do(CLEO, "resign", seat=2)
    assert book.table.status == PLAYING
    assert [seat for seat, _ in book.table.bots_to_act()] == [2]
    for command in ("resign", "resume", "hand"):
        with pytest.raises(GameOver, match="you resigned"):
            book.do(CLEO, command, seat=2)
    with pytest.raises(GameOver, match="you resigned"):
        book.do(CLEO, "move", seat=2, move="-")
    play_to_the_end(book)
    moves = [entry.what for entry in book.table.entries if isinstance(entry.what, Moved)]
    assert {move.by for move in moves if move.seat == 2} == {"bot"}
    assert book.table.status == OVER
    assert book.table.places()[2] == 3


@pytest.mark.parametrize(
    ("sitters", "resigning"),
    [
        ((ANN, BEN, CLEO), (0, 1)),
        ((ANN, "greedy", "greedy"), (0,)),
        ((ANN, BEN, "greedy", "random"), (0, 1)),
        ((ANN, ANN, BEN), (0, 1)),
        ((ANN,), (0,)),
    ],
)
def test_it_is_over_when_one_is_left_or_only_bots(
    sitters: Sequence[str], resigning: Sequence[int]
) -> None:
    book = begun(*sitters)
    for seat in resigning:
        assert book.table.status == PLAYING
        book.do(sitters[seat], "resign", seat=seat)
    assert book.table.status == OVER
    stayed = len(sitters) - len(resigning)
    assert {book.table.places()[seat] for seat in resigning} == {stayed + 1}


def test_what_was_sealed_lies_open_when_somebody_resigns_for_good() -> None:
    book = begun(ANN, BEN)
    sealed = book.decide(0, "-")
    opening = book.do(BEN, "resign", seat=1)
    assert book.table.openings == {opening.seq: (sealed.seq,)}


def test_a_bot_plays_until_one_is_back() -> None:
    book = begun(ANN, BEN, clock=60)
    clocks = book.table.deadlines()
    with pytest.raises(NotNow, match="no bot plays"):
        book.do(ANN, "resume", seat=0)
    with pytest.raises(BadRequest, match="unknown bot"):
        book.do(ANN, "hand", seat=0, bot="nobody")
    with pytest.raises(NotAllowed):
        book.do(BEN, "hand", seat=0)
    book.do(ANN, "hand", seat=0)
    assert list(book.table.bots_to_act()) == [(0, "greedy")]
    assert list(book.table.deadlines()) == [1]
    with pytest.raises(NotNow, match="take the seat back"):
        book.do(ANN, "move", seat=0, move="-")
    with pytest.raises(NotNow, match="already"):
        book.do(ANN, "hand", seat=0)
    with pytest.raises(NotAllowed):
        book.do(BEN, "resume", seat=0)
    book.do(ANN, "resume", seat=0)
    assert list(book.table.bots_to_act()) == []
    assert book.table.deadlines() == clocks
    book.do(ANN, "move", seat=0, move="-")


def test_who_left_the_end_to_a_bot_comes_last_and_who_came_back_does_not() -> None:
    away, back = begun(ANN, BEN), begun(ANN, BEN)
    for book in (away, back):
        book.do(ANN, "hand", seat=0)
    back.do(ANN, "resume", seat=0)
    for book in (away, back):
        play_to_the_end(book)
    assert away.table.places() == [2, 1]
    assert [row["gave_up"] for row in results_of(back.table)] == [False, False]


def key_of(book: Logbook, seat: int) -> str:
    return TOKENS.seat_key(book.table.id, book.table.chair(seat).came)


def test_a_key_takes_a_seat_to_another_device() -> None:
    book = begun(ANN, BEN, visibility="open")
    key = key_of(book, 1)
    with pytest.raises(NotNow, match="yours already"):
        book.do(BEN, "claim", key=key)
    book.do(CLEO, "claim", key=key)
    assert (book.table.seats_of(CLEO), book.table.seats_of(BEN)) == ((1,), ())
    with pytest.raises(NotAllowed):
        book.do(BEN, "move", seat=1, move="-")
    book.do(CLEO, "move", seat=1, move="-")
    for guest in (BEN, CLEO, DAN):
        with pytest.raises(NotAllowed, match="not good any more"):
            book.do(guest, "claim", key=key)


def test_a_key_is_good_once_even_if_the_seat_comes_back() -> None:
    book = begun(ANN, BEN)
    first = key_of(book, 1)
    book.do(CLEO, "claim", key=first)
    book.do(BEN, "claim", key=key_of(book, 1))
    with pytest.raises(NotAllowed):
        book.do(CLEO, "claim", key=first)


def test_a_key_lets_one_in_who_had_no_invitation() -> None:
    book = begun(ANN, ANN, visibility="link")
    key = key_of(book, 0)
    with pytest.raises(NotFound):
        book.do(DAN, "react", seat=0, reaction="wow")
    book.do(DAN, "claim", key=key)
    book.do(DAN, "react", seat=0, reaction="wow")


def test_a_key_of_another_table_or_a_forged_one_opens_nothing() -> None:
    book, link = begun(ANN, BEN), begun(ANN, BEN, visibility="link")
    came = book.table.chair(1).came
    good = key_of(book, 1)
    bad = [TOKENS.seat_key("3333333333", came), good[:-1] + "x", good + "x", "", "x.y.z", "[1]"]
    for key in bad:
        with pytest.raises(NotAllowed):
            book.do(DAN, "claim", key=key)
        with pytest.raises(NotFound):
            link.do(DAN, "claim", key=key)
    book.do(BEN, "resign", seat=1)
    with pytest.raises(NotAllowed):
        book.do(DAN, "claim", key=good)


def test_a_key_made_before_the_game_opens_the_same_persons_seat_in_it() -> None:
    book = Logbook("qwixx", 3)
    book.do(BEN, "sit", seat=1, name="Ben")
    book.do(BEN, "sit", seat=2, name="Bea")
    key = key_of(book, 1)
    book.do(ANN, "start")
    book.do(CLEO, "claim", key=key)
    assert [(chair.name, chair.guest) for chair in book.table.chairs if chair] == [
        ("Ben", CLEO),
        ("Bea", BEN),
    ]


def test_reactions_are_a_few_words_and_not_too_many() -> None:
    book = begun(ANN, BEN, visibility="link")
    book.do(DAN, "enter", invite=INVITE)
    with pytest.raises(ValidationError):
        book.do(ANN, "react", seat=0, reaction="you cheat")
    for guest in (BEN, DAN):
        with pytest.raises(NotAllowed):
            book.do(guest, "react", seat=0, reaction="wow")
    for _ in range(3):
        for count in range(MOST_REACTIONS):
            seat = count % 2
            reaction = REACTIONS[count % len(REACTIONS)]
            book.do((ANN, BEN)[seat], "react", seat=seat, reaction=reaction)
        with pytest.raises(TooMany):
            book.do(ANN, "react", seat=0, reaction="sorry")
        seat = book.table.playing().state.to_act[0]
        book.decide(seat, "-")


def test_before_the_game_there_is_nothing_to_give_up() -> None:
    book = Logbook("qwixx", 2)
    book.do(ANN, "sit", seat=0, name="Ann")
    for command in ("resign", "hand", "resume"):
        with pytest.raises(NoGame):
            book.do(ANN, command, seat=0)
        with pytest.raises(QlubError):
            book.do(ANN, command, seat=1)
