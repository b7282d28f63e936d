"""Photo finishes made by hand: one for each rule."""

from __future__ import annotations

from firmware_host.history.finish import Finish, finish_of
from firmware_host.history.story import Contest, contests
from firmware_host.model import effects as e
from firmware_host.model.effects import Verdict
from firmware_host.model.times import MS, US, S
from tests.history.stories import (
    ACCEPTED,
    CLOSE,
    RED_1,
    START_NS,
    TIED,
    TOO_LATE,
    Decided,
    judged,
    lost,
    started,
    told,
)

__all__ = ["ALL", "CLOSE", "EARLY", "FEWEST", "OVERLAP", "TIED", "finish", "only_contest"]

FEWEST: list[Decided] = [
    started(),
    lost(Verdict.DEAD_HEAT_LOST, 2, 2 * S, RED_1, (1, 2 * S + 50 * US)),
    (START_NS + 2 * S + 51 * MS, e.TieBroken(RED_1, (1, 2), (0, 3), False, 1)),
    judged(Verdict.DEAD_HEAT_WON, 1, 2 * S + 50 * US, RED_1),
    lost(TOO_LATE, 4, 2 * S + 43 * MS, RED_1, (1, 2 * S + 50 * US)),
]
"""Two tie, seat 2 had won three dead heats before, and a third one comes far behind."""
EARLY: list[Decided] = [
    started(),
    judged(ACCEPTED, 1, 2 * S, RED_1),
    lost(TOO_LATE, 2, 2 * S - 40 * MS, RED_1, (1, 2 * S)),
]
"""Seat 2 slaps while the die is in the air."""
OVERLAP: list[Decided] = [
    started(),
    judged(ACCEPTED, 1, 2 * S, RED_1, doubtful=True),
    lost(TOO_LATE, 2, 2 * S + 100 * US, RED_1, (1, 2 * S)),
]
"""Too late although the stamps overlap, and a doubtful winner."""
ALL = {"close": CLOSE, "tied": TIED, "fewest": FEWEST, "early": EARLY, "overlap": OVERLAP}


def only_contest(effects: list[Decided]) -> Contest:
    (contest,) = contests(told(effects).verdicts)
    return contest


def finish(effects: list[Decided], arrived: str = "", session: int = 3) -> Finish:
    """The photo finish of the only contest; `arrived` has the seats in the order of arrival."""
    contest = only_contest(effects)
    press = {given.judged.seat: (given.judged.seat, given.stamp.earliest_ns) for given in contest.all}
    arrivals = {press[int(seat)]: place for place, seat in enumerate(arrived, start=10)}
    return finish_of(contest, session, arrivals, 2, START_NS)
