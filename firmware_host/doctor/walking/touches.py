"""What one contact did: how often it was touched, and how it bounced."""

from __future__ import annotations

from firmware_host.durations import MS
from firmware_host.settings import Lane


class Touches:
    """Edges that follow each other sooner than the lane's quiet time are one burst."""

    def __init__(self, lane: Lane) -> None:
        self.lane = lane
        self.active = False
        self.count = 0
        self.exact = False
        """At least one came with a stamp of its own, not by looking."""
        self.most_bounces = 0
        self.longest_ns = 0
        self._first_ns = 0
        self._last_ns: int | None = None
        self._edges = 0
        self._counted = False

    def edge(self, active: bool, t_ns: int, exact: bool) -> bool:
        """Take an edge; whether it is a new touch."""
        if self._last_ns is None or t_ns - self._last_ns >= self.lane.quiet_ns:
            self._first_ns, self._edges, self._counted = t_ns, 0, self.active
        self._last_ns = t_ns
        self._edges += 1
        self.active = active
        self.exact = self.exact or exact
        self.most_bounces = max(self.most_bounces, self._edges - 1)
        self.longest_ns = max(self.longest_ns, t_ns - self._first_ns)
        if not active or self._counted:
            return False
        self._counted = True
        self.count += 1
        return True

    def __str__(self) -> str:
        if not self.count:
            return ""
        times = "once" if self.count == 1 else f"{self.count} times"
        if not self.most_bounces:
            return f"{times}, no bounce"
        bounces = "1 bounce" if self.most_bounces == 1 else f"{self.most_bounces} bounces"
        return f"{times}, up to {bounces} in {self.longest_ns / MS:.1f} ms"
