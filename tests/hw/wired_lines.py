"""Lines of a simulated Pi, as every test of them wants it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hw.gpio.gpiozero_lines import GpiozeroLines
from hw.ports import Edge, EdgeSource, Health
from hw.sim.agenda import Agenda, SimPinFactory

BOARD = "a020a0"
LINES = (4, 5, 6)


def edges_of(source: EdgeSource) -> list[Edge]:
    """The edges of a source that loses nothing."""
    reports = source.read()
    edges = [report for report in reports if isinstance(report, Edge)]
    assert len(edges) == len(reports)
    return edges


class WiredLines:
    """Some lines, the pins they end at, and the time in which things happen to them."""

    def __init__(
        self, pull: str = "up", lines: Sequence[int] = LINES, *, reports_losses: bool = False
    ) -> None:
        self.agenda = Agenda()
        self.factory = SimPinFactory(lambda: self.agenda.now_ns, BOARD)
        self.reported: list[Health] = []
        self.lines = GpiozeroLines(
            self.factory,
            lines,
            pull,
            int,
            uncertainty_ns=100_000,
            reports_losses=reports_losses,
            now_ns=lambda: self.agenda.now_ns,
            tell=self.reported.append,
        )

    def pin(self, line: int) -> Any:
        return self.factory.pin(f"GPIO{line}")

    def drive(self, line: int, high: bool) -> None:
        """Whatever is wired to the line sets its level now."""
        (self.pin(line).drive_high if high else self.pin(line).drive_low)()
