"""The time axis of a photo finish: from when to when it reaches, and its ticks."""

from __future__ import annotations

from dataclasses import dataclass

from firmware_host.durations import format_duration
from firmware_host.recall.finish import Finish, Rival
from firmware_host.recall.scene import round_step

LEAST_NS = 1_000
MARGIN = 8
"""The margin on either side is the length divided by this."""
NEAR = 6
"""One that is farther from the winner than so many times the closest one is beyond the picture."""


@dataclass(frozen=True, slots=True)
class FinishScale:
    """A span of the table's time, and the moment that is its zero."""

    from_ns: int
    to_ns: int
    zero_ns: int

    @property
    def length_ns(self) -> int:
        return self.to_ns - self.from_ns

    def place(self, t_ns: int) -> float:
        """Where a moment is: 0 at the beginning, 1 at the end, and beyond them outside."""
        return (t_ns - self.from_ns) / self.length_ns

    def holds(self, rival: Rival) -> bool:
        """Whether the stamp of this one is in the picture."""
        return self.from_ns <= rival.stamp.earliest_ns and rival.stamp.latest_ns <= self.to_ns

    def ticks(self, most: int) -> list[tuple[int, str]]:
        """At most so many round moments, with their names."""
        step_ns = round_step(-(-self.length_ns // most))
        first = -(-(self.from_ns - self.zero_ns) // step_ns)
        last = (self.to_ns - self.zero_ns) // step_ns
        return [(self.zero_ns + n * step_ns, _name(n * step_ns)) for n in range(first, last + 1)]


def _name(offset_ns: int) -> str:
    if not offset_ns:
        return "0"
    return f"{'−' if offset_ns < 0 else '+'}{format_duration(abs(offset_ns)).replace('us', 'µs')}"


def finish_scale(finish: Finish) -> FinishScale:
    """The scale at which the closest of them can be told apart; those far behind are beyond it."""
    winner = finish.winner.stamp
    reach = [max(abs(t_ns - finish.zero_ns) for t_ns in each.stamp) for each in finish.losers]
    limit_ns = NEAR * min(reach, default=0)
    near = [each.stamp for each, far_ns in zip(finish.losers, reach, strict=True) if far_ns <= limit_ns]
    first_ns = min(stamp.earliest_ns for stamp in [winner, *near])
    last_ns = max(stamp.latest_ns for stamp in [winner, *near])
    room_ns = max(LEAST_NS, last_ns - first_ns) // MARGIN + 1
    return FinishScale(first_ns - room_ns, last_ns + room_ns, finish.zero_ns)
