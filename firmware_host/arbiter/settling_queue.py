"""A queue that hands things out in the order of their stamps, not of their arrival."""

from __future__ import annotations

from heapq import heappop, heappush
from typing import Generic, TypeVar

from firmware_host.stamps import Stamp

T = TypeVar("T")


class SettlingQueue(Generic[T]):
    """Holds each item until nothing with an earlier stamp can still arrive.

    It relies on each item coming less than `settle_ns` after its earliest stamp. Ask `is_late`
    before putting in one that may have come later.
    """

    def __init__(self, settle_ns: int) -> None:
        self.settle_ns = settle_ns
        self._heap: list[tuple[int, int, tuple[int, ...], T]] = []

    def is_late(self, stamp: Stamp, now_ns: int) -> bool:
        """Whether something may have been decided already that an item with that stamp comes before."""
        return now_ns - stamp.earliest_ns >= self.settle_ns

    def put(self, stamp: Stamp, key: tuple[int, ...], item: T) -> None:
        """Take an item. `key` orders equal stamps, so that the order of arrival has no effect."""
        heappush(self._heap, (stamp.earliest_ns, stamp.latest_ns, key, item))

    @property
    def first_ns(self) -> int | None:
        """The latest stamp of the item that will come out first."""
        return self._heap[0][1] if self._heap else None

    def release(self, now_ns: int) -> list[T]:
        """All items that are settled by now, in order."""
        settled_ns = now_ns - self.settle_ns
        released: list[T] = []
        heap = self._heap
        while heap and heap[0][0] <= settled_ns:
            released.append(heappop(heap)[3])
        return released
