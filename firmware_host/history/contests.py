"""Races in a round: a slap that won, and those that came too late for the same thing or tied for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from firmware_host.history.story import StampedVerdict
from firmware_host.model.effects import WINNING
from firmware_host.model.times import Stamp


@dataclass(frozen=True, slots=True)
class Contest:
    """A race of several seats for one thing: the winner, and the losers in the order of their stamps."""

    winner: StampedVerdict
    losers: tuple[StampedVerdict, ...]

    @property
    def all(self) -> tuple[StampedVerdict, ...]:
        """All verdicts in it, the winner's first."""
        return (self.winner, *self.losers)

    @property
    def hull(self) -> Stamp:
        """The time from the earliest to the latest stamp of any of them."""
        stamps = [given.stamp for given in self.all]
        return Stamp(min(stamp.earliest_ns for stamp in stamps), max(stamp.latest_ns for stamp in stamps))


def contests(verdicts: Sequence[StampedVerdict]) -> tuple[Contest, ...]:
    """All contests among these verdicts, in the order of the winners' stamps."""
    losers: dict[int, list[StampedVerdict]] = {}
    winners: dict[int, StampedVerdict] = {}
    for given in verdicts:
        winner = rival_of(given, verdicts)
        if winner is not None:
            winners[winner.n] = winner
            losers.setdefault(winner.n, []).append(given)
    found = [Contest(winners[n], tuple(sorted(lost, key=_moment))) for n, lost in losers.items()]
    return tuple(sorted(found, key=lambda contest: _moment(contest.winner)))


def contest_with(contest: Contest, loser: StampedVerdict) -> Contest:
    """The contest with one more loser."""
    return Contest(contest.winner, tuple(sorted((*contest.losers, loser), key=_moment)))


def rival_of(loser: StampedVerdict, verdicts: Sequence[StampedVerdict]) -> StampedVerdict | None:
    """The winning verdict that a loser names by seat and stamp; None if it names none that is here."""
    judged = loser.judged
    named = [
        given
        for given in verdicts
        if given.judged.verdict in WINNING
        and (given.judged.seat, given.stamp) == (judged.rival, judged.rival_stamp)
    ]
    # A seat may lay two cards at the same time. The rival is the one that the loser raced for.
    return next((given for given in named if _face(given) == _face(loser)), named[0] if named else None)


def _face(given: StampedVerdict) -> tuple[object, ...]:
    """What all verdicts of a race have in common: the place, or the card without its owner."""
    what = given.judged.what
    return () if what is None else what[-2:]


def apart_ns(one: Stamp, other: Stamp) -> int:
    """The time that is surely between two stamps; negative by as much as they overlap."""
    first, second = sorted((one, other))
    return second.earliest_ns - first.latest_ns


def _moment(given: StampedVerdict) -> tuple[int, int]:
    return given.t_ns, given.n
