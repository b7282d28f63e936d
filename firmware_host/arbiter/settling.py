"""A queue that hands things out in the order of their stamps, not of their arrival."""

from __future__ import annotations

from heapq import heappop, heappush
from typing import Generic, TypeVar

from firmware_host.stamps import Stamp

T = TypeVar("T")


class SettlingQueue(Generic[T]):
    """Holds each item until nothing with an earlier stamp can still arrive.

    The promise behind it: an item comes at most `settle_ns` after its earliest stamp.
    One that breaks the promise is refused, since what follows it may be decided already.
    """

    def __init__(self, settle_ns: int) -> None:
        self.settle_ns = settle_ns
        self.settled_ns = -1
        self._heap: list[tuple[int, int, tuple[int, ...], T]] = []

    def put(self, stamp: Stamp, key: tuple[int, ...], item: T) -> bool:
        """Take an item; False if it came too late to be put in order.

        `key` is a fixed order for equal stamps, so that arrival never shows.
        """
        if stamp.earliest_ns <= self.settled_ns:
            return False
        heappush(self._heap, (stamp.earliest_ns, stamp.latest_ns, key, item))
        return True

    @property
    def due_ns(self) -> int | None:
        """When the first item is settled in full: all that may have come before it is out too."""
        return self._heap[0][1] + self.settle_ns if self._heap else None

    def release(self, now_ns: int) -> list[T]:
        """All items that are settled by now, in order."""
        self.settled_ns = max(self.settled_ns, now_ns - self.settle_ns)
        released: list[T] = []
        heap = self._heap
        while heap and heap[0][0] <= self.settled_ns:
            released.append(heappop(heap)[3])
        return released
