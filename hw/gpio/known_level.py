"""What has been reported of a line, so that a change without an edge can be reported too.

A line that looks changed has not lost its edge yet: the edge may be under way, through the kernel's
thread or Python's. A wide edge would then take the place of an exact one, and a fair slap would not
be judged. So a change counts as lost when it is still there some time later, or when the line's next
edge leads away from it, and no edge to it has come in between.
"""

from __future__ import annotations

from dataclasses import dataclass, field

UNDER_WAY_NS = 20_000_000
"""The longest that an edge takes to its driver, unless it is told otherwise. A table tells it to wait as long
as it waits for its buttons itself; an edge that comes later would not be judged anyway.
"""


@dataclass(slots=True)
class KnownLevel:
    """The level that was last reported, since when, and what looking at the line has added to that."""

    high: bool
    since_ns: int
    """The stamp of the edge that was last reported. An earlier edge changes nothing."""
    under_way_ns: int = UNDER_WAY_NS
    """The longest that an edge of this line takes to its driver."""
    seen_ns: int = field(init=False)
    """The last moment at which the line certainly had that level."""
    suspected_ns: int | None = None
    """When it was first seen to differ, if it was."""

    def __post_init__(self) -> None:
        self.seen_ns = self.since_ns

    def reported(self, high: bool, t_ns: int) -> None:
        """Take over an edge to that level. One from before what is known by now changes nothing."""
        if t_ns >= self.since_ns:
            self.high = high
            self.since_ns = self.seen_ns = t_ns
            self.suspected_ns = None

    def look(self, high: bool, before_ns: int, after_ns: int) -> tuple[int, int] | None:
        """Between which moments a lost change happened, after a look between `before_ns` and `after_ns`.

        None if the line did not change, or if the edge of its change may still come.
        """
        if self.since_ns >= before_ns:  # an edge has come in meanwhile, and is more exact
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
        """Between which moments the suspected change happened, if its edge can't come after `t_ns`.

        The change then counts as reported.
        """
        suspected_ns = self.suspected_ns
        if suspected_ns is None or t_ns - suspected_ns < self.under_way_ns:
            return None
        since_ns = self.seen_ns
        self.reported(not self.high, suspected_ns)
        return since_ns, suspected_ns

    def compare(self, high: bool, before_ns: int, after_ns: int, lost_since_ns: int = 0) -> int | None:
        """How long before `after_ns` the line may have changed, when looked at after a known loss.

        None if it did not change. No edge was lost before `lost_since_ns`.
        """
        if self.since_ns >= before_ns:  # an edge has come in meanwhile, and is more exact
            return None
        if high is self.high:
            self.seen_ns, self.suspected_ns = before_ns, None
            return None
        since_ns = max(self.seen_ns, lost_since_ns)
        self.reported(high, after_ns)
        return after_ns - since_ns
