"""One line's edges become one change, dated by the first of them.

A switch that closes makes and breaks contact for some milliseconds; a magnet that
slides over a sensor does the same for longer. Dating the change by the last edge, or
by the end of a waiting time, would let the bouncier switch lose every close race.
So edges less than `quiet_ns` apart form one burst. When the line has been quiet that
long, the burst is over: if the line then stands otherwise than before, it changed,
at the time of the burst's FIRST edge; if not, it was noise. A burst that will not end
is cut after `burst_ns`, and what the line shows then is taken.

Edges must come in the order of their stamps. The end of a burst is known at most
`burst_ns` after its first edge, and that is what the settling after it relies on.
"""

from __future__ import annotations

from firmware_host.stamps import Stamp


class LineDebouncer:
    """The state of one line: what it stands at, and the burst that may be going on."""

    __slots__ = ("_burst_ns", "_first", "_level", "_quiet_ns", "active", "due_ns")

    def __init__(self, quiet_ns: int, burst_ns: int, active: bool = False) -> None:
        self._quiet_ns = quiet_ns
        self._burst_ns = burst_ns
        self.active = active
        self.due_ns: int | None = None
        self._first: Stamp | None = None
        self._level = active

    def edge(self, active: bool, stamp: Stamp) -> bool:
        """Take one edge; True if it begins a burst. Call `finish` first when one is due by then."""
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
        """End the burst that is due: its stamp, and whether the line has changed by it."""
        first = self._first
        assert first is not None
        self._first = None
        self.due_ns = None
        changed = self._level != self.active
        self.active = self._level
        return first, changed
