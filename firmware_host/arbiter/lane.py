"""All lines of one kind: raw edges go in as they arrive, and debounced changes come out."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Generic, NamedTuple, TypeVar

from firmware_host.arbiter.debounce import LineDebouncer
from firmware_host.arbiter.settling_queue import SettlingQueue
from firmware_host.effects import LateSignal, Noise
from firmware_host.events import Contact, Signal
from firmware_host.places import Source
from firmware_host.settings import Lane
from firmware_host.stamps import Stamp, exactly

S = TypeVar("S", bound=Source)


class Change(NamedTuple):
    """A debounced change of a line, or a burst without one; `rank` is the line's place in its kind."""

    stamp: Stamp
    rank: int
    contact: Contact | Noise


class LaneArbiter(Generic[S]):
    """Puts the edges of its lines in order and makes one change of each burst.

    A change is known at most `settle_ns` of the lane after its stamp, however its edges were
    delivered.
    """

    def __init__(
        self, lane: Lane, sources: Iterable[S], make: Callable[[S, bool, Stamp, bool], Contact]
    ) -> None:
        self._make = make
        self._width_ns = lane.width_ns
        self._edges: SettlingQueue[Signal] = SettlingQueue(lane.delivery_ns)
        self._lines: dict[Source, LineDebouncer] = {}
        self._names: dict[Source, S] = {}
        self._ranks: dict[Source, int] = {}
        self._newest: dict[Source, tuple[Stamp, int]] = {}
        self._bursting: dict[Source, int] = {}
        self._late: set[tuple[Source, Stamp]] = set()
        self.notes: list[LateSignal] = []
        for rank, source in enumerate(sorted(sources)):
            self._lines[source] = LineDebouncer(lane.quiet_ns, lane.burst_ns)
            self._names[source] = source
            self._ranks[source] = rank

    @property
    def first_ns(self) -> int | None:
        """The latest stamp of the first change that is pending (it may turn out to be noise)."""
        first_ns = self._edges.first_ns
        if self._bursting:
            burst_ns = min(self._bursting.values())
            return burst_ns if first_ns is None or burst_ns < first_ns else first_ns
        return first_ns

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
        if self._edges.is_late(stamp, now_ns):
            found = stamp.latest_ns - stamp.earliest_ns > self._width_ns
            if not found or self._edges.is_late(exactly(stamp.latest_ns), now_ns):
                self.notes.append(LateSignal(source, stamp, now_ns - stamp.earliest_ns))
            if overtaken:
                return
            self._late.add((source, stamp))
        self._edges.put(stamp, (self._ranks[source], seq), signal)

    def release(self, now_ns: int) -> list[Change]:
        """The changes that are known by now, in no particular order."""
        changes: list[Change] = []
        for source, active, stamp, _ in self._edges.release(now_ns):
            line = self._lines[source]
            if line.due_ns is not None and line.due_ns <= stamp.earliest_ns:
                self._finish(source, line, changes)
            if line.edge(active, stamp):
                self._bursting[source] = stamp.latest_ns
        if self._bursting:
            settled_ns = now_ns - self._edges.settle_ns
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
