"""A queue that hands things out in the order of their stamps, not of their arrival."""

from __future__ import annotations

from heapq import heappop, heappush
from typing import Generic, TypeVar

from firmware_host.stamps import Stamp

T = TypeVar("T")


class StampQueue(Generic[T]):
    """Holds each item until everything that may have come before it is in the queue as well."""

    def __init__(self) -> None:
        self._heap: list[tuple[int, int, tuple[int, ...], T]] = []

    def put(self, stamp: Stamp, key: tuple[int, ...], item: T) -> None:
        """Take an item. `key` orders equal stamps, so that the order of arrival has no effect."""
        heappush(self._heap, (stamp.earliest_ns, stamp.latest_ns, key, item))

    @property
    def first_ns(self) -> int | None:
        """The earliest stamp of the item that will come out first."""
        return self._heap[0][0] if self._heap else None

    def take(self, until_ns: int) -> list[T]:
        """All items whose stamps begin by then, in order."""
        taken: list[T] = []
        heap = self._heap
        while heap and heap[0][0] <= until_ns:
            taken.append(heappop(heap)[3])
        return taken
