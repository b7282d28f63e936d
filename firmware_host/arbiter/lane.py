"""All lines of one kind: raw edges go in as they arrive, changes come out as they happened."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Generic, TypeVar

from firmware_host.arbiter.debounce import LineDebouncer
from firmware_host.arbiter.settling import SettlingQueue
from firmware_host.effects import LateSignal, Noise
from firmware_host.events import Contact, Signal
from firmware_host.places import Source
from firmware_host.settings import Lane
from firmware_host.stamps import Stamp

S = TypeVar("S", bound=Source)


class LaneArbiter(Generic[S]):
    """Puts edges in order, debounces them, and releases each change `settle_ns` after its stamp.

    Whatever way the edges took to get here, the changes come out in the order of their
    stamps, and at moments that are functions of the stamps. All that follows depends on
    that alone.
    """

    def __init__(
        self, lane: Lane, sources: Iterable[S], make: Callable[[S, bool, Stamp, bool], Contact]
    ) -> None:
        self._burst_ns = lane.burst_ns
        self._settle_ns = lane.settle_ns
        self._make = make
        self._edges: SettlingQueue[Signal] = SettlingQueue(lane.delivery_ns)
        self._changes: SettlingQueue[Contact] = SettlingQueue(lane.settle_ns)
        self._lines: dict[Source, LineDebouncer] = {}
        self._names: dict[Source, S] = {}
        self._ranks: dict[Source, int] = {}
        self._bursting: dict[Source, int] = {}
        self.notes: list[LateSignal | Noise] = []
        for rank, source in enumerate(sorted(sources)):
            self._lines[source] = LineDebouncer(lane.quiet_ns, lane.burst_ns)
            self._names[source] = source
            self._ranks[source] = rank

    @property
    def due_ns(self) -> int | None:
        """When the next change may come out (there may turn out to be none)."""
        due_ns = self._changes.due_ns
        edge_ns = self._edges.due_ns
        if edge_ns is not None:
            edge_ns += self._burst_ns
            if due_ns is None or edge_ns < due_ns:
                due_ns = edge_ns
        if self._bursting:
            burst_ns = min(self._bursting.values()) + self._settle_ns
            if due_ns is None or burst_ns < due_ns:
                due_ns = burst_ns
        return due_ns

    def preset(self, source: S, active: bool) -> None:
        """Tell at what level a line stands before its first edge."""
        self._lines[source].active = active

    def put(self, signal: Signal, now_ns: int) -> Contact | None:
        """Take an edge. One that is late beyond its settle time comes back as a late change."""
        source, _, stamp, seq = signal
        if self._edges.put(stamp, (self._ranks[source], seq), signal):
            return None
        self.notes.append(LateSignal(source, stamp, now_ns - stamp.earliest_ns))
        line = self._lines[source]
        if source in self._bursting or line.active == signal.active:
            return None
        line.active = signal.active
        return self._make(self._names[source], signal.active, stamp, True)

    def release(self, now_ns: int) -> list[Contact]:
        """Every change whose stamp is settled by now, in the order of the stamps."""
        for source, active, stamp, _ in self._edges.release(now_ns):
            line = self._lines[source]
            if line.due_ns is not None and line.due_ns <= stamp.earliest_ns:
                self._finish(source, line)
            if line.edge(active, stamp):
                self._bursting[source] = stamp.latest_ns
        if self._bursting:
            settled_ns = self._edges.settled_ns
            for source in list(self._bursting):
                line = self._lines[source]
                if line.due_ns is not None and line.due_ns <= settled_ns:
                    self._finish(source, line)
        return self._changes.release(now_ns)

    def _finish(self, source: Source, line: LineDebouncer) -> None:
        stamp, changed = line.finish()
        del self._bursting[source]
        if changed:
            change = self._make(self._names[source], line.active, stamp, False)
            self._changes.put(stamp, (self._ranks[source],), change)
        else:
            self.notes.append(Noise(source, stamp))
