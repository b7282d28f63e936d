"""All lines of one kind: raw edges go in as they arrive, and debounced changes come out."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Generic, NamedTuple, TypeVar

from firmware_host.arbiter.debounce import LineDebouncer
from firmware_host.arbiter.stamp_queue import StampQueue
from firmware_host.effects import LateSignal, Noise
from firmware_host.events import Contact, Signal
from firmware_host.places import Source
from firmware_host.settings import Lane
from firmware_host.stamps import Stamp

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
        self._edges: StampQueue[Signal] = StampQueue()
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

    def put(self, signal: Signal, now_ns: int) -> None:
        """Take an edge. One that arrives too late is noted, and is not judged.

        Its level counts all the same, unless a newer edge of its line came first. A wide one that
        came in time, but may have happened long before, is not judged either.
        """
        source, _, stamp, seq = signal
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
        self._edges.put(stamp, (self._ranks[source], seq), signal)

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
