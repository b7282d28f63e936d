"""All lines of one kind: raw edges go in as they arrive, and debounced changes come out."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from heapq import heappop, heappush
from typing import Generic, NamedTuple, TypeVar

from firmware_host.model.effects import LateSignal, Noise
from firmware_host.model.events import Contact, SourceEdge, TagEvent, TagSeen
from firmware_host.model.places import Source
from firmware_host.model.settings import Lane
from firmware_host.model.times import Stamp

T = TypeVar("T")


class StampQueue(Generic[T]):
    """Holds each item until everything that may have come before it is in the queue as well."""

    def __init__(self) -> None:
        self._heap: list[tuple[int, int, tuple[int, ...], T]] = []
        self.first_ns: int | None = None
        """The earliest stamp of the item that will come out first."""

    def put(self, stamp: Stamp, key: tuple[int, ...], item: T) -> None:
        """Take an item. `key` orders equal stamps, so that the order of arrival has no effect."""
        heappush(self._heap, (stamp.earliest_ns, stamp.latest_ns, key, item))
        self.first_ns = self._heap[0][0]

    def take(self, until_ns: int) -> list[T]:
        """All items whose stamps begin by then, in order."""
        taken: list[T] = []
        heap = self._heap
        while heap and heap[0][0] <= until_ns:
            taken.append(heappop(heap)[3])
        self.first_ns = heap[0][0] if heap else None
        return taken


# The edges of a line become one change, dated by the first of them.
#
# A switch that closes makes and breaks contact for some milliseconds; a magnet that
# slides over a sensor does the same for longer. If the change were dated by the last edge, or
# by the end of a waiting time, the switch that bounces longer would lose every close race.
# So edges less than `quiet_ns` apart form one burst. When the line has been quiet that
# long, the burst is over. If the level of the line then differs from before, it changed
# at the time of the burst's FIRST edge; if not, it was noise. A burst that does not end
# is cut after `burst_ns`, and the level at that time is taken.
#
# Edges must come in the order of their stamps. The end of a burst is known at most
# `burst_ns` after its first edge, and the settling after it relies on that.


class LineDebouncer:
    """The level of one line, and its present burst, if there is one."""

    __slots__ = ("_burst_ns", "_first", "_level", "_quiet_ns", "active", "due_ns")

    def __init__(self, quiet_ns: int, burst_ns: int, active: bool = False) -> None:
        self._quiet_ns = quiet_ns
        self._burst_ns = burst_ns
        self.active = active
        self.due_ns: int | None = None
        self._first: Stamp | None = None
        self._level = active

    def edge(self, active: bool, stamp: Stamp) -> bool:
        """Take one edge; True if it begins a burst. If a burst is due by then, call `finish` first."""
        t_ns = stamp.earliest_ns
        self._level = active
        if self._first is None:
            if active == self.active:
                return False
            self._first = stamp
            self.due_ns = t_ns + self._quiet_ns
            return True
        self.due_ns = min(t_ns + self._quiet_ns, self._first.earliest_ns + self._burst_ns)
        return False

    def finish(self) -> tuple[Stamp, bool]:
        """End the burst that is due: its stamp, and whether it has changed the line."""
        first = self._first
        assert first is not None
        self._first = None
        self.due_ns = None
        changed = self._level != self.active
        self.active = self._level
        return first, changed


S = TypeVar("S", bound=Source)


class Change(NamedTuple):
    """A debounced change of a line, or a burst without one; `rank` is the line's place in its kind."""

    stamp: Stamp
    rank: int
    contact: Contact | Noise


class LaneArbiter(Generic[S]):
    """Puts the edges of its lines in order and makes one change of each burst.

    What is known by now depends on stamps alone, however the edges were delivered.
    """

    def __init__(
        self, lane: Lane, sources: Iterable[S], make: Callable[[S, bool, Stamp, bool], Contact]
    ) -> None:
        self._make = make
        self.delivery_ns = lane.delivery_ns
        self._quiet_ns = lane.quiet_ns
        self._width_ns = lane.width_ns
        self._edges: StampQueue[SourceEdge] = StampQueue()
        self._lines: dict[Source, LineDebouncer] = {}
        self._names: dict[Source, S] = {}
        self._ranks: dict[Source, int] = {}
        self._newest: dict[Source, tuple[Stamp, int]] = {}
        self._bursting: dict[Source, Stamp] = {}
        self._late: set[tuple[Source, Stamp]] = set()
        self.notes: list[LateSignal] = []
        for rank, source in enumerate(sorted(sources)):
            self._lines[source] = LineDebouncer(lane.quiet_ns, lane.burst_ns)
            self._names[source] = source
            self._ranks[source] = rank

    def known_ns(self, now_ns: int) -> int:
        """All changes up to that stamp have come out by now: no earlier edge can arrive, no burst is open."""
        known_ns = now_ns - self.delivery_ns
        for source, stamp in self._bursting.items():
            if stamp.earliest_ns <= known_ns and (source, stamp) not in self._late:
                known_ns = stamp.earliest_ns - 1
        return known_ns

    def due_ns(self, delay_ns: int) -> int | None:
        """When the next change may come out, if nothing does before it is `delay_ns` old."""
        due_ns = self._edges.first_ns
        if due_ns is not None:
            due_ns += max(self._quiet_ns + self.delivery_ns, delay_ns)
        for source, stamp in self._bursting.items():
            end_ns = self._lines[source].due_ns
            assert end_ns is not None
            burst_ns = max(end_ns + self.delivery_ns, stamp.earliest_ns + delay_ns)
            if due_ns is None or burst_ns < due_ns:
                due_ns = burst_ns
        return due_ns

    @property
    def sources(self) -> int:
        """How many lines there are."""
        return len(self._lines)

    @property
    def active(self) -> list[Source]:
        """The lines that are closed, as far as that is settled."""
        return [source for source, line in self._lines.items() if line.active]

    def preset(self, source: S, active: bool) -> None:
        """Set the level of a line before its first edge."""
        self._lines[source].active = active

    def put(self, edge: SourceEdge, now_ns: int) -> None:
        """Take an edge. One that arrives too late is noted, and is not judged.

        Its level counts all the same, unless a newer edge of its line came first. A wide one that
        came in time, but may have happened long before, is not judged either.
        """
        source, _, stamp, seq = edge
        newest = self._newest.get(source)
        overtaken = newest is not None and (stamp, seq) < newest
        if not overtaken:
            self._newest[source] = (stamp, seq)
        if now_ns - stamp.earliest_ns >= self.delivery_ns:
            found = stamp.latest_ns - stamp.earliest_ns > self._width_ns
            if not found or now_ns - stamp.latest_ns >= self.delivery_ns:
                self.notes.append(LateSignal(source, stamp, now_ns - stamp.earliest_ns))
            if overtaken:
                return
            self._late.add((source, stamp))
        self._edges.put(stamp, (self._ranks[source], seq), edge)

    def release(self, now_ns: int) -> list[Change]:
        """The changes that are known by now, in no particular order."""
        changes: list[Change] = []
        settled_ns = now_ns - self.delivery_ns
        for source, active, stamp, _ in self._edges.take(settled_ns):
            line = self._lines[source]
            if line.due_ns is not None and line.due_ns <= stamp.earliest_ns:
                self._finish(source, line, changes)
            if line.edge(active, stamp):
                self._bursting[source] = stamp
        for source in list(self._bursting):
            line = self._lines[source]
            if line.due_ns is not None and line.due_ns <= settled_ns:
                self._finish(source, line, changes)
        return changes

    def _finish(self, source: Source, line: LineDebouncer, changes: list[Change]) -> None:
        stamp, changed = line.finish()
        del self._bursting[source]
        late = (source, stamp) in self._late
        self._late.discard((source, stamp))
        contact = self._make(self._names[source], line.active, stamp, late) if changed else None
        changes.append(Change(stamp, self._ranks[source], contact or Noise(source, stamp)))


# Tags as they come and go: each counts from a moment that depends on its stamp alone.
#
# A reader polls more than once before it reports a tag, and a tag that it misses may only have been
# misread. So reports come late, and not all equally late. If a tag counted from when its report
# came, a faster port would be an advantage. So it counts from the end of the poll that first
# found it, plus a settle time in which every reader has reported. It stops counting that long after
# the poll that showed that it is gone.


class TagLane:
    """Holds the reports of readers until they count."""

    def __init__(self, settle_ns: int) -> None:
        self._settle_ns = settle_ns
        self._heap: list[tuple[int, tuple[object, ...], TagEvent]] = []
        self._entries = 0
        self.notes: list[LateSignal] = []
        self.first_ns: int | None = None
        """The moment from which the next report counts."""

    def put(self, event: TagEvent, now_ns: int) -> None:
        """Take a reader's report. One that comes too late counts from now, and is marked as late."""
        counts_ns = event.stamp.latest_ns + self._settle_ns
        if counts_ns < now_ns:
            self.notes.append(LateSignal(event.at, event.stamp, now_ns - event.stamp.latest_ns))
            event, counts_ns = replace(event, late=True), now_ns
        self._entries += 1
        # By time; at the same moment, gone before come; then by name.
        stamp, comes = event.stamp, isinstance(event, TagSeen)
        order = (stamp.latest_ns, comes, str(event.at), repr(event.tag), stamp, self._entries)
        heappush(self._heap, (counts_ns, order, event))
        self.first_ns = self._heap[0][0]

    def take(self, until_ns: int) -> list[tuple[int, TagEvent]]:
        """The reports that count by then, each with the moment from which it does."""
        taken = []
        while self._heap and self._heap[0][0] <= until_ns:
            counts_ns, _, event = heappop(self._heap)
            taken.append((counts_ns, event))
        self.first_ns = self._heap[0][0] if self._heap else None
        return taken
