"""Lines that report edges when a script says so."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from hw.mailbox import Mailbox
from hw.ports import Edge


class ScriptedLines:
    """An edge source fed by hand: the stamps are the script's, and so is the order of arrival."""

    def __init__(self, levels: Mapping[int, bool], uncertainty_ns: int) -> None:
        self.uncertainty_ns = uncertainty_ns
        self._levels = dict(levels)
        self._arrived: Mailbox[Edge] = Mailbox()
        self._count = 0

    def deliver(self, line: int, high: bool, t_ns: int, wide_ns: int = 0) -> None:
        """Deliver an edge now, whenever it happened."""
        self.push(Edge(line, high, t_ns, self._count, wide_ns))
        self._count += 1

    def push(self, edge: Edge) -> None:
        """Deliver an edge that was recorded elsewhere."""
        self._levels[edge.line] = edge.high
        self._arrived.post(edge)

    def read(self) -> list[Edge]:
        return self._arrived.take()

    def levels(self) -> dict[int, bool]:
        return dict(self._levels)

    def fileno(self) -> int:
        return self._arrived.fileno()

    def close(self) -> None:
        self._arrived.take()
        self._arrived.close()


def resting(lines: Iterable[int], low: Iterable[int]) -> dict[int, bool]:
    """Levels with all lines high but some."""
    active = set(low)
    return {line: line not in active for line in lines}
