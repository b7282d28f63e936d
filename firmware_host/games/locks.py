"""Which seats are locked, and until when.

A lock begins at the stamp of the slap that it is for, so a slap that the seat made meanwhile is
locked as well. Each slap while locked restarts the lock, so that hammering never gets through by chance.
How soon a seat is locked, and how fast its locks grow, is a setting.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from firmware_host.model.times import Stamp


class LockScale(NamedTuple):
    """How hard a table is on false claims."""

    warnings: int
    """So many false claims of a round are only warned about."""
    most_doublings: int
    """Each further lock of a round is twice as long, so many times."""


LOCK_SCALES = {
    "children": LockScale(warnings=2, most_doublings=0),
    "usual": LockScale(warnings=1, most_doublings=3),
    "strict": LockScale(warnings=0, most_doublings=3),
}


class Locks:
    """The locks of one round."""

    def __init__(self, lock_ns: int, scale: str) -> None:
        self._lock_ns = lock_ns
        self._scale = LOCK_SCALES[scale]
        self._until_ns: dict[int, int] = {}
        self._count: Counter[int] = Counter()

    def until_ns(self, seat: int) -> int:
        """When the last lock of this seat ends; 0 if it never had one."""
        return self._until_ns.get(seat, 0)

    def holds(self, seat: int, stamp: Stamp) -> bool:
        """Whether its seat is locked at the stamp of a slap."""
        return stamp.earliest_ns < self._until_ns.get(seat, 0)

    def begin(self, seat: int, stamp: Stamp) -> None:
        """Lock a seat for what it did at that stamp, or only warn it."""
        self._count[seat] += 1
        if self._count[seat] > self._scale.warnings:
            self.restart(seat, stamp)

    def restart(self, seat: int, stamp: Stamp) -> None:
        """Lock a seat for a moment from that stamp on, for instance because it has slapped while locked."""
        doublings = max(0, min(self._count[seat] - 1 - self._scale.warnings, self._scale.most_doublings))
        self._until_ns[seat] = stamp.latest_ns + (self._lock_ns << doublings)
