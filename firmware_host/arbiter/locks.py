"""Which seats are locked, and until when.

A lock begins at the stamp of the slap that it is for, so a slap that the seat made meanwhile is
locked as well. Each slap while locked restarts the lock, so that hammering never gets through by chance.
"""

from __future__ import annotations

from collections import Counter

from firmware_host.stamps import Stamp


class Locks:
    """The locks of one round; each further one of a seat is twice as long, up to `most_doublings`."""

    def __init__(self, lock_ns: int, most_doublings: int) -> None:
        self._lock_ns = lock_ns
        self._most_doublings = most_doublings
        self._until_ns: dict[int, int] = {}
        self._count: Counter[int] = Counter()

    def until_ns(self, seat: int) -> int:
        """When the last lock of this seat ends; 0 if it never had one."""
        return self._until_ns.get(seat, 0)

    def holds(self, seat: int, stamp: Stamp) -> bool:
        """Whether its seat is locked at the stamp of a slap."""
        return stamp.earliest_ns < self.until_ns(seat)

    def begin(self, seat: int, stamp: Stamp) -> None:
        """Lock a seat for what it did at that stamp."""
        self._count[seat] += 1
        self.restart(seat, stamp)

    def restart(self, seat: int, stamp: Stamp) -> None:
        """Restart the lock of a seat that has slapped while locked."""
        doublings = min(self._count[seat] - 1, self._most_doublings)
        self._until_ns[seat] = stamp.latest_ns + (self._lock_ns << doublings)
