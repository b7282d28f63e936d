"""The edges of a line become one change, dated by the first of them.

A switch that closes makes and breaks contact for some milliseconds; a magnet that
slides over a sensor does the same for longer. If the change were dated by the last edge, or
by the end of a waiting time, the switch that bounces longer would lose every close race.
So edges less than `quiet_ns` apart form one burst. When the line has been quiet that
long, the burst is over. If the level of the line then differs from before, it changed
at the time of the burst's FIRST edge; if not, it was noise. A burst that does not end
is cut after `burst_ns`, and the level at that time is taken.

Edges must come in the order of their stamps. The end of a burst is known at most
`burst_ns` after its first edge, and the settling after it relies on that.
"""

from __future__ import annotations

from firmware_host.stamps import Stamp


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
