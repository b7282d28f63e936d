"""When something happened: an interval, never a point.

A clock reading taken in an interrupt is late by the interrupt's latency, and that
latency differs from pin to pin in a fixed order. A reading taken by a poll is only
known to lie between two polls. So a stamp is as wide as its uncertainty, and one
event comes before another only if the intervals do not overlap. Where they do,
nobody was first: that is a dead heat, and the tie-break settles it,
not the order in which the software happened to read them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple, TypeVar


class Stamp(NamedTuple):
    """The interval of CLOCK_MONOTONIC nanoseconds in which something happened."""

    earliest_ns: int
    latest_ns: int

    @property
    def middle_ns(self) -> int:
        return (self.earliest_ns + self.latest_ns) // 2

    def surely_before(self, other: Stamp) -> bool:
        return self.latest_ns < other.earliest_ns


def exactly(t_ns: int) -> Stamp:
    """The stamp of something whose time is known exactly, such as what the table does itself."""
    return Stamp(t_ns, t_ns)


T = TypeVar("T")


def contenders(rivals: Iterable[T], stamp_of: Callable[[T], Stamp]) -> list[T]:
    """The rivals that may have been first: all that are not surely after another one."""
    entries = [(rival, stamp_of(rival)) for rival in rivals]
    if not entries:
        return []
    horizon_ns = min(stamp.latest_ns for _, stamp in entries)
    return [rival for rival, stamp in entries if stamp.earliest_ns <= horizon_ns]


def margin_ns(winner: Stamp, loser: Stamp) -> int:
    """How much later the loser came, from middle to middle."""
    return loser.middle_ns - winner.middle_ns
