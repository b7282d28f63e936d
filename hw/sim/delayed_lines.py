"""Late delivery: edges that are delayed on the way to the reader, and overtake each other."""

from __future__ import annotations

from collections.abc import Callable

from hw.ports import Edge, EdgeSource, Gap
from hw.sim.agenda import Agenda


class DelayedLines:
    """An edge source that passes on another one's edges after a delay chosen for each."""

    def __init__(self, source: EdgeSource, agenda: Agenda, delay_ns: Callable[[Edge], int]) -> None:
        self._source = source
        self._agenda = agenda
        self._delay_ns = delay_ns
        self._arrived: list[Edge | Gap] = []

    @property
    def uncertainty_ns(self) -> int:
        return self._source.uncertainty_ns

    def read(self) -> list[Edge | Gap]:
        for edge in self._source.read():
            if isinstance(edge, Gap):
                self._arrived.append(edge)
                continue
            arrival_ns = edge.t_ns + self._delay_ns(edge)
            if arrival_ns <= self._agenda.now_ns:
                self._arrived.append(edge)
            else:
                self._agenda.at(arrival_ns, lambda edge=edge: self._arrived.append(edge))  # type: ignore[misc]
        arrived, self._arrived = self._arrived, []
        return arrived

    def levels(self) -> dict[int, bool]:
        return self._source.levels()

    def fileno(self) -> int:
        return self._source.fileno()

    def close(self) -> None:
        self._source.close()
