"""What has been told of a line, so that a change that nobody announced can be told too.

A line that looks changed has not lost its edge yet: the edge may be under way, through the kernel's
thread or Python's. To tell it as a wide edge then would spoil an exact one: a fair slap would not
be judged. So a change counts as lost when it is still there some time later, or when the line's next
edge leads away from it, and no edge to it has come in between.
"""

from __future__ import annotations

from dataclasses import dataclass, field

UNDER_WAY_NS = 20_000_000
"""No edge takes longer to its driver, unless somebody says so: a table waits so long for its buttons, too."""


@dataclass(slots=True)
class KnownLevel:
    """The level that was told last, since when, and what looking at the line has added to that."""

    high: bool
    since_ns: int
    """The stamp of the edge that was told last. An earlier edge says nothing new."""
    under_way_ns: int = UNDER_WAY_NS
    """No edge of this line takes longer to its driver."""
    seen_ns: int = field(init=False)
    """The last moment at which the line surely had that level."""
    suspected_ns: int | None = None
    """When it was first seen to differ, if it was."""

    def __post_init__(self) -> None:
        self.seen_ns = self.since_ns

    def told(self, high: bool, t_ns: int) -> None:
        """An edge to that level was told. One from before what is known by now says nothing new."""
        if t_ns >= self.since_ns:
            self.high = high
            self.since_ns = self.seen_ns = t_ns
            self.suspected_ns = None

    def look(self, high: bool, before_ns: int, after_ns: int) -> tuple[int, int] | None:
        """The line was looked at between those two moments: between which ones a lost change happened.

        None if it did not change, or not surely without an edge that is still to come.
        """
        if self.since_ns >= before_ns:  # an edge that came in meanwhile knows better
            return None
        if high is self.high:
            self.seen_ns, self.suspected_ns = before_ns, None
            return None
        if self.suspected_ns is None:
            self.suspected_ns = after_ns
        lost = self.confirm(before_ns)
        if lost is not None:
            self.seen_ns = before_ns
        return lost

    def confirm(self, t_ns: int) -> tuple[int, int] | None:
        """Between which moments the suspected change happened, if its edge can't come after that time.

        It counts as told then.
        """
        suspected_ns = self.suspected_ns
        if suspected_ns is None or t_ns - suspected_ns < self.under_way_ns:
            return None
        since_ns = self.seen_ns
        self.told(not self.high, suspected_ns)
        return since_ns, suspected_ns

    def compare(self, high: bool, before_ns: int, after_ns: int, lost_since_ns: int = 0) -> int | None:
        """After a known loss the line was looked at: how long before the second moment it may have changed.

        None if it did not change. No edge was lost before `lost_since_ns`.
        """
        if self.since_ns >= before_ns:  # an edge that came in meanwhile knows better
            return None
        if high is self.high:
            self.seen_ns, self.suspected_ns = before_ns, None
            return None
        since_ns = max(self.seen_ns, lost_since_ns)
        self.told(high, after_ns)
        return after_ns - since_ns
