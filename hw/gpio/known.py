"""What has been told of a line, so that a change which nobody announced can be told too."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class KnownLevel:
    """The level that was told last, and a moment at which the line surely had it."""

    high: bool
    since_ns: int

    def told(self, high: bool, t_ns: int) -> None:
        """An edge to that level was told. One from before what is known by now says nothing new."""
        if t_ns >= self.since_ns:
            self.high = high
            self.since_ns = t_ns

    def compare(self, high: bool, before_ns: int, after_ns: int, lost_since_ns: int = 0) -> int | None:
        """The line was looked at between those two moments: how long before the second it may have changed.

        None if it did not change. No edge was lost before `lost_since_ns`.
        """
        if self.since_ns >= before_ns:  # an edge that came in meanwhile knows better
            return None
        since_ns = max(self.since_ns, lost_since_ns)
        if high is self.high:
            self.since_ns = before_ns
            return None
        self.high, self.since_ns = high, after_ns
        return after_ns - since_ns
