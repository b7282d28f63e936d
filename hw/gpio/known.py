"""What has been told of a line, so that a change which nobody announced can be told too.

A line that looks changed has not lost its edge yet: the edge may be under way, through the kernel's
thread or Python's. Telling it as a wide edge then would spoil an exact one: a fair slap would not
be judged. So a change counts as lost when a second look, some time later, still shows it and
no edge has come in between.
"""

from __future__ import annotations

from dataclasses import dataclass

UNDER_WAY_NS = 20_000_000
"""No edge takes longer from its interrupt to its driver: the table's own settle time for buttons."""


@dataclass(slots=True)
class KnownLevel:
    """The level that was told last, and a moment at which the line surely had it."""

    high: bool
    since_ns: int
    suspected_ns: int | None = None
    """When it was first seen to differ, if it was."""

    def told(self, high: bool, t_ns: int) -> None:
        """An edge to that level was told. One from before what is known by now says nothing new."""
        if t_ns >= self.since_ns:
            self.high = high
            self.since_ns = t_ns
            self.suspected_ns = None

    def look(self, high: bool, before_ns: int, after_ns: int) -> tuple[int, int] | None:
        """The line was looked at between those two moments: between which ones a lost change happened.

        None if it did not change, or not surely without an edge that is still to come.
        """
        if self.since_ns >= before_ns:  # an edge that came in meanwhile knows better
            return None
        if high is self.high:
            self.since_ns, self.suspected_ns = before_ns, None
            return None
        if self.suspected_ns is None:
            self.suspected_ns = after_ns
        if before_ns - self.suspected_ns < UNDER_WAY_NS:
            return None
        since_ns, until_ns = self.since_ns, self.suspected_ns
        self.high, self.since_ns, self.suspected_ns = high, after_ns, None
        return since_ns, until_ns

    def compare(self, high: bool, before_ns: int, after_ns: int, lost_since_ns: int = 0) -> int | None:
        """After a known loss the line was looked at: how long before the second moment it may have changed.

        None if it did not change. No edge was lost before `lost_since_ns`.
        """
        if self.since_ns >= before_ns:  # an edge that came in meanwhile knows better
            return None
        since_ns = max(self.since_ns, lost_since_ns)
        if high is self.high:
            self.since_ns = before_ns
            return None
        self.high, self.since_ns, self.suspected_ns = high, after_ns, None
        return after_ns - since_ns
