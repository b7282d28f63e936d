"""Lines that report edges when a script says so."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from hw.ports import Edge, EdgeSource, Gap
from hw.sim.agenda import Agenda
from hw.work import Mailbox


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


class BareLines(ScriptedLines):
    """Lines whose ends can be driven, and that report each change at once."""

    def __init__(self, lines: Iterable[int], now_ns: Callable[[], int], uncertainty_ns: int) -> None:
        super().__init__(dict.fromkeys(lines, True), uncertainty_ns)
        self._now_ns = now_ns

    def end(self, line: int) -> BareLine:
        """The end of a line that a contact is wired to."""
        return BareLine(self, line)

    def drive(self, line: int, high: bool) -> None:
        """Set a line's level now."""
        if self._levels[line] != high:
            self.deliver(line, high, self._now_ns())


class BareLine:
    """Drives one line, as a pin does."""

    def __init__(self, lines: BareLines, line: int) -> None:
        self._lines = lines
        self._line = line

    def drive_low(self) -> None:
        self._lines.drive(self._line, False)

    def drive_high(self) -> None:
        self._lines.drive(self._line, True)


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
