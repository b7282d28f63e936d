"""From lines to seats and slots, by the wiring profile; decides nothing."""

from __future__ import annotations

from collections.abc import Mapping

from firmware_host.events import Signal
from firmware_host.places import Source
from firmware_host.stamps import Stamp
from hw.ports import Edge


class Intake:
    """Turns the edges of one driver into signals. A low line means an active contact."""

    def __init__(self, lines: Mapping[int, Source], uncertainty_ns: int, active_low: bool = True) -> None:
        self._lines = dict(lines)
        self._uncertainty_ns = uncertainty_ns
        self._active_low = active_low

    def signal(self, edge: Edge) -> Signal:
        """What an edge says, with its stamp widened by what the driver can't know."""
        line, high, t_ns, seq, wide_ns = edge
        doubt_ns = self._uncertainty_ns
        return Signal(
            self._lines[line],
            high is not self._active_low,
            Stamp(t_ns - wide_ns - doubt_ns, t_ns + doubt_ns),
            seq,
        )

    def active(self, levels: Mapping[int, bool]) -> list[Source]:
        """The sources whose contact is active at these levels."""
        return [self._lines[line] for line, high in levels.items() if high is not self._active_low]
