"""The loop: wait for a device or for the next due moment, take what came, move on.

It is the same loop in a real table, in a simulated one in real time, and in virtual
time: only the clock differs. It decides nothing and polls nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from firmware_host.runtime.intake import Intake
from firmware_host.runtime.pipeline import Pipeline
from hw.clock import Clock
from hw.ports import Edge, EdgeSource

Witness = Callable[[int, Edge], None]
"""Somebody who wants to know of each edge, and when it arrived."""


class World(Protocol):
    """A simulated world around the table, in which things happen at their own moments."""

    @property
    def due_ns(self) -> int | None:
        """When something happens next."""

    def run(self, until_ns: int) -> None:
        """Let everything happen that is due by then."""


class Loop:
    """Drives one table. `agenda` is the simulated world around it, if there is one."""

    def __init__(
        self,
        clock: Clock,
        source: EdgeSource,
        intake: Intake,
        pipeline: Pipeline,
        agenda: World | None = None,
        waits_for_devices: bool = True,
    ) -> None:
        self._clock = clock
        self._source = source
        self._intake = intake
        self._pipeline = pipeline
        self._agenda = agenda
        self._descriptors = [source.fileno()] if waits_for_devices else []
        self.witnesses: list[Witness] = []
        pipeline.begin(intake.active(source.levels()), clock.now_ns())

    def step(self, limit_ns: int | None = None) -> int:
        """Wait until something is due or arrives, at most until the limit; return the time."""
        due_ns = limit_ns
        pipeline_due_ns = self._pipeline.due_ns
        if pipeline_due_ns is not None and (due_ns is None or pipeline_due_ns < due_ns):
            due_ns = pipeline_due_ns
        agenda = self._agenda
        if agenda is not None:
            agenda_due_ns = agenda.due_ns
            if agenda_due_ns is not None and (due_ns is None or agenda_due_ns < due_ns):
                due_ns = agenda_due_ns
        readable = self._clock.wait(due_ns, self._descriptors)
        now_ns = self._clock.now_ns()
        if agenda is not None:
            agenda.run(now_ns)
        for edge in self._source.read() if readable else ():
            for witness in self.witnesses:
                witness(now_ns, edge)
            self._pipeline.arrive(self._intake.signal(edge), now_ns)
        self._pipeline.advance(now_ns)
        return now_ns

    def run(self, until_ns: int) -> None:
        """Keep stepping until that moment."""
        while self.step(until_ns) < until_ns:
            pass
