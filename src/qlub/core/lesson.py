"""Lessons: moments of a game, played through its rules, for a page that teaches by doing.

A game is taught by `LESSON` in its folder's `lesson.py`. What a page shows of it is worked out here
once and kept with the pages, so that a lesson needs no club.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from qlub.core.game import Actor, Game, Json, State, View, status
from qlub.core.record import after

LEARNER = 0
"""The seat of who learns."""

Events = tuple[tuple[Actor, str], ...]


def no_drafts(view: View[Any]) -> Iterable[str]:
    """Return nothing, for a game whose moves are made at once."""
    return ()


@dataclass(frozen=True)
class Step:
    """A moment of the lesson: what is said, and the move that goes on from it."""

    say: str
    """The name of the text."""
    expect: str | None = None
    """The learner's move, or None if there is only something to read."""
    position: Json | None = None
    """Where the lesson goes on, if not from the step before."""
    before: Events = ()
    """What happens before it can be read, beginning after the learner's last move or the position."""


@dataclass(frozen=True)
class Lesson:
    """Steps to play, and positions for the pictures of the rules."""

    steps: tuple[Step, ...]
    drafts: Callable[[Any], Iterable[str]] = no_drafts
    """Returns the unfinished moves that a page may ask about in a view."""
    pictures: Mapping[str, Json] = field(default_factory=dict)


def tell_lesson(game: Game, lesson: Lesson) -> Json:
    """Play a lesson and return it as the pages have it, or raise what the rules say against it."""
    return {"steps": list(_steps(game, lesson))}


def tell_pictures(game: Game, lesson: Lesson) -> Json:
    """Return view and guide of every picture, as its learner sees it."""
    views = {
        name: game.read_position(position).view(LEARNER)
        for name, position in lesson.pictures.items()
    }
    return {
        name: {"view": game.write_view(view), "guide": game.guide(view, "")}
        for name, view in views.items()
    }


def _steps(game: Game, lesson: Lesson) -> Iterator[Json]:
    state: State[Any] | None = None
    events: list[tuple[Actor, str]] = []
    for step in lesson.steps:
        if step.position is not None:
            state, events = game.read_position(step.position), []
        if state is None:
            raise ValueError("a lesson begins with a position")
        for actor, text in step.before:
            state, _ = after(game, state, actor, text)
        events += step.before
        yield _step(game, lesson, step, state, events)
        events = []
        if step.expect is not None:
            state, _ = after(game, state, LEARNER, step.expect)
            events.append((LEARNER, step.expect))


def _step(
    game: Game, lesson: Lesson, step: Step, state: State[Any], events: list[tuple[Actor, str]]
) -> Json:
    view = state.view(LEARNER)
    told: Json = {
        "say": step.say,
        "expect": [] if step.expect is None else [step.expect],
        "me": LEARNER,
        "turn": status(state),
        "view": game.write_view(view),
        "guide": game.guide(view, ""),
        "events": [[actor, game.tell(actor, text, LEARNER)] for actor, text in events],
    }
    if step.expect is not None:
        drafts = {draft: game.guide(view, draft) for draft in lesson.drafts(view)}
        if drafts:
            told["drafts"] = drafts
    return told
