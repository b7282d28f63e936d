"""The loop: wait for a device or for the next due moment, take what came, move on.

It is the same loop in a real table, in a simulated one in real time, and in virtual
time: only the clock differs. It decides nothing and polls nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from firmware_host.durations import MS
from firmware_host.runtime.intake import Intake
from firmware_host.runtime.pipeline import Pipeline
from hw.clock import Clock
from hw.ports import Edge, EdgeSource, Gap

Witness = Callable[[int, Edge], None]
"""Somebody who wants to know of each edge, and when it arrived."""


class World(Protocol):
    """A simulated world around the table, in which things happen at their own moments."""

    @property
    def due_ns(self) -> int | None:
        """When something happens next."""

    def run(self, until_ns: int) -> None:
        """Let everything happen that is due by then."""


HELD_UP_NS = 1 * MS


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
        self._looked_ns: int | None = clock.now_ns() if waits_for_devices else None
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
        # Held up between waking and now, there may be edges that nobody has announced.
        held_up = due_ns is not None and now_ns - due_ns > HELD_UP_NS
        for edge in self._source.read() if readable or held_up else ():
            if isinstance(edge, Gap):
                continue
            arrival_ns = self._arrival_ns(edge, now_ns)
            for witness in self.witnesses:
                witness(arrival_ns, edge)
            self._pipeline.arrive(self._intake.signal(edge), arrival_ns)
        self._pipeline.advance(now_ns)
        if self._looked_ns is not None:
            self._looked_ns = now_ns
        return now_ns

    def _arrival_ns(self, edge: Edge, now_ns: int) -> int:
        """When an edge arrived. It may have waited since the last look, while this process was held up.

        Nothing was decided in that time, so a stall of the computer makes no edge late.
        """
        if self._looked_ns is None:
            return now_ns
        return min(max(self._looked_ns, edge.t_ns), now_ns)

    def run(self, until_ns: int) -> None:
        """Keep stepping until that moment."""
        while self.step(until_ns) < until_ns:
            pass
