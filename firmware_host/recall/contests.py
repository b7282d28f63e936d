"""Who raced whom: a slap that won, and those that came too late for the same thing or tied for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from firmware_host.effects import WINNING
from firmware_host.recall.story import Given
from firmware_host.stamps import Stamp, margin_ns


@dataclass(frozen=True, slots=True)
class Contest:
    """One thing that several seats wanted: who got it, and who did not, in the order of their stamps."""

    winner: Given
    losers: tuple[Given, ...]

    @property
    def all(self) -> tuple[Given, ...]:
        """Everybody in it, the winner first."""
        return (self.winner, *self.losers)

    @property
    def hull(self) -> Stamp:
        """From the first moment that any of them may have been at to the last."""
        stamps = [given.stamp for given in self.all]
        return Stamp(min(stamp.earliest_ns for stamp in stamps), max(stamp.latest_ns for stamp in stamps))


def contests(verdicts: Sequence[Given]) -> tuple[Contest, ...]:
    """All contests among these verdicts, in the order of the winners' stamps."""
    losers: dict[int, list[Given]] = {}
    winners: dict[int, Given] = {}
    for given in verdicts:
        winner = rival_of(given, verdicts)
        if winner is not None:
            winners[winner.n] = winner
            losers.setdefault(winner.n, []).append(given)
    found = [Contest(winners[n], tuple(sorted(lost, key=_moment))) for n, lost in losers.items()]
    return tuple(sorted(found, key=lambda contest: _moment(contest.winner)))


def rival_of(loser: Given, verdicts: Sequence[Given]) -> Given | None:
    """The verdict of the rival that a loser was told of; None if there is none, or it is not here."""
    judged = loser.judged
    if judged.rival is None or judged.margin_ns is None or judged.what is None:
        return None
    for given in verdicts:
        won = given.judged
        if (
            won.verdict in WINNING
            and won.seat == judged.rival
            and won.what is not None
            and won.what[-2:] == judged.what[-2:]
            and abs(margin_ns(given.stamp, loser.stamp)) == judged.margin_ns
        ):
            return given
    return None


def apart_ns(one: Stamp, other: Stamp) -> int:
    """How much time surely lies between two stamps; less than nothing by as much as they overlap."""
    first, second = sorted((one, other))
    return second.earliest_ns - first.latest_ns


def _moment(given: Given) -> tuple[int, int]:
    return given.t_ns, given.n
