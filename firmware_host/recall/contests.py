"""Who raced whom: a slap that won, and those that came too late for the same thing or tied for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from firmware_host.effects import WINNING
from firmware_host.recall.story import StampedVerdict
from firmware_host.stamps import Stamp


@dataclass(frozen=True, slots=True)
class Contest:
    """One thing that several seats wanted: who got it, and who did not, in the order of their stamps."""

    winner: StampedVerdict
    losers: tuple[StampedVerdict, ...]

    @property
    def all(self) -> tuple[StampedVerdict, ...]:
        """Everybody in it, the winner first."""
        return (self.winner, *self.losers)

    @property
    def hull(self) -> Stamp:
        """From the first moment that any of them may have been at to the last."""
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


def rival_of(loser: StampedVerdict, verdicts: Sequence[StampedVerdict]) -> StampedVerdict | None:
    """The winning verdict that a loser names by seat and stamp; None if it names none, or it is not here."""
    judged = loser.judged
    named = [
        given
        for given in verdicts
        if given.judged.verdict in WINNING
        and (given.judged.seat, given.stamp) == (judged.rival, judged.rival_stamp)
    ]
    # A seat may lay two cards in one moment; the rival is then the one that was raced for.
    return next((given for given in named if _face(given) == _face(loser)), named[0] if named else None)


def _face(given: StampedVerdict) -> tuple[object, ...]:
    """What all who race for one thing have in common: the place, or the card but for its owner."""
    what = given.judged.what
    return () if what is None else what[-2:]


def apart_ns(one: Stamp, other: Stamp) -> int:
    """How much time surely lies between two stamps; less than nothing by as much as they overlap."""
    first, second = sorted((one, other))
    return second.earliest_ns - first.latest_ns


def _moment(given: StampedVerdict) -> tuple[int, int]:
    return given.t_ns, given.n
