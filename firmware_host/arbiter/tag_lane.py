"""Tags as they come and go: each counts from a moment that depends on its stamp alone.

A reader polls more than once before it reports a tag, and a tag that it misses may only have been
misread. So reports come late, and not all equally late. If a tag counted from when its report
came, a faster port would be an advantage. So it counts from the end of the poll that first
found it, plus a settle time in which every reader has reported. It stops counting that long after
the poll that showed that it is gone.
"""

from __future__ import annotations

from dataclasses import replace
from heapq import heappop, heappush

from firmware_host.effects import LateSignal
from firmware_host.events import Shown, TagEvent


class TagLane:
    """Holds the reports of readers until they count."""

    def __init__(self, settle_ns: int) -> None:
        self._settle_ns = settle_ns
        self._heap: list[tuple[int, tuple[object, ...], TagEvent]] = []
        self._entries = 0
        self.notes: list[LateSignal] = []

    @property
    def first_ns(self) -> int | None:
        """The moment from which the next report counts."""
        return self._heap[0][0] if self._heap else None

    def put(self, event: TagEvent, now_ns: int) -> None:
        """Take a reader's report. One that comes too late counts from now, and is marked as late."""
        counts_ns = event.stamp.latest_ns + self._settle_ns
        if counts_ns < now_ns:
            self.notes.append(LateSignal(event.at, event.stamp, now_ns - event.stamp.latest_ns))
            event, counts_ns = replace(event, late=True), now_ns
        self._entries += 1
        # By time; at the same moment, gone before come; then by name.
        stamp, comes = event.stamp, isinstance(event, Shown)
        order = (stamp.latest_ns, comes, str(event.at), repr(event.tag), stamp, self._entries)
        heappush(self._heap, (counts_ns, order, event))

    def take(self, until_ns: int) -> list[tuple[int, TagEvent]]:
        """The reports that count by then, each with the moment from which it does."""
        taken = []
        while self._heap and self._heap[0][0] <= until_ns:
            counts_ns, _, event = heappop(self._heap)
            taken.append((counts_ns, event))
        return taken
