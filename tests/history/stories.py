"""Rounds made by hand, whose pictures can be told in advance."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from firmware_host.history.round_account import story_of
from firmware_host.history.story import Story, tell_story
from firmware_host.model import effects as e
from firmware_host.model.effects import Effect, Verdict
from firmware_host.model.places import Card, Colour, Slot
from firmware_host.model.states import Phase
from firmware_host.model.times import MS, US, S, Stamp
from firmware_host.store.store_reader import reading

Decided = tuple[int, Effect]
"""An effect and when it was decided."""
START_NS = 100 * S
HALF_NS = 100 * US
RED_1, RED_2 = Slot(Colour.RED, 1), Slot(Colour.RED, 2)


def stamp(t_ns: int, half_ns: int = HALF_NS) -> Stamp:
    """The stamp of a slap so long after the start call."""
    return Stamp(START_NS + t_ns - half_ns, START_NS + t_ns + half_ns)


def judged(
    verdict: Verdict,
    seat: int,
    t_ns: int,
    what: Slot | Card | None = None,
    *,
    half_ns: int = HALF_NS,
    late_ns: int = 50 * MS,
    **more: object,
) -> Decided:
    """A verdict that is given a little after its slap."""
    decided_ns = START_NS + t_ns + late_ns
    plain = e.Judged(verdict, seat, stamp(t_ns, half_ns), decided_ns, what)
    return decided_ns, replace(plain, **more)  # type: ignore[arg-type]


def lost(
    verdict: Verdict,
    seat: int,
    t_ns: int,
    what: Slot | Card,
    to: tuple[int, int],
    *,
    half_ns: int = HALF_NS,
) -> Decided:
    """The verdict of a slap that lost to that seat's, which came so long after the start call."""
    rival, won_ns = to
    margin_ns, rival_stamp = abs(t_ns - won_ns), stamp(won_ns, half_ns)
    return judged(
        verdict, seat, t_ns, what, half_ns=half_ns, margin_ns=margin_ns, rival=rival, rival_stamp=rival_stamp
    )


def entered(phase: Phase, t_ns: int) -> Decided:
    return START_NS + t_ns, e.PhaseEntered(phase, START_NS + t_ns)


def started(t_ns: int = 0, *, again: bool = False, hands: tuple[int, ...] = (6, 6, 0, 6)) -> Decided:
    return START_NS + t_ns, e.RoundStarted(1, hands, START_NS + t_ns, again)


def finished(seat: int, t_ns: int) -> Decided:
    return START_NS + t_ns + 50 * MS, e.RoundFinished(seat, stamp(t_ns))


def scored(t_ns: int) -> Decided:
    return START_NS + t_ns, e.RoundScored(1, (1, 2, 4), 1, (0, 1, 0, 2), (3, -1, 0, -2), (3, -1, 0, -2))


ACCEPTED, TOO_LATE = Verdict.ACCEPTED, Verdict.TOO_LATE

CLOSE: list[Decided] = [
    started(),
    judged(ACCEPTED, 1, 1 * S, RED_1),
    lost(TOO_LATE, 2, 1 * S + 400 * US, RED_1, (1, 1 * S)),
    lost(TOO_LATE, 4, 1 * S + 2 * MS, RED_1, (1, 1 * S)),
    judged(ACCEPTED, 4, 5 * S, RED_2),
    finished(4, 9 * S),
    scored(12 * S),
]
"""Seat 1 beats two others by a little, and long after that seat 4 is alone."""

TIED: list[Decided] = [
    started(),
    lost(Verdict.DEAD_HEAT_LOST, 2, 2 * S, RED_1, (1, 2 * S + 50 * US)),
    (START_NS + 2 * S + 51 * MS, e.TieBroken(RED_1, (1, 2), (0, 0), True, 1)),
    judged(Verdict.DEAD_HEAT_WON, 1, 2 * S + 50 * US, RED_1),
]
"""Two stamps overlap."""


def told(effects: list[Decided], first: int = 0) -> Story:
    """The story of these effects."""
    story = tell_story([(first + i, *each) for i, each in enumerate(effects)])
    assert story is not None
    return story


def real_stories(store: Path) -> list[Story]:
    """The stories of all rounds of a store, the last one first."""
    with reading(str(store)) as book:
        found = [story_of(book, row) for row in book.rounds()]
    assert found and all(found)
    return [story for story in found if story is not None]
