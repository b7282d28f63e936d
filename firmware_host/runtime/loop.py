"""The loop: wait for a device or for the next due moment, take what came, move on.

It is the same loop in a real table, in a simulated one in real time, and in virtual
time: only the clock differs. It decides nothing and polls nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from firmware_host.durations import MS
from firmware_host.effects import TagNoticed
from firmware_host.runtime.intake import Intake
from firmware_host.runtime.pipeline import Pipeline
from hw.clock import Clock
from hw.ports import Edge, EdgeSource, Gap, Health, TagRead

Report = Edge | Gap | Health | TagRead
Witness = Callable[[int, Report], None]
"""Somebody who wants to know of each thing that a device reports, and when it arrived."""


class Reporter(Protocol):
    """Whatever has something to report: lines, readers, or the health of all devices."""

    def read(self) -> Sequence[Report]:
        """What arrived since the last call."""

    def fileno(self) -> int:
        """A descriptor that is readable while `read` has something."""

    def close(self) -> None:
        """Nothing more is reported."""


class World(Protocol):
    """A simulated world around the table, in which things happen at their own moments."""

    @property
    def due_ns(self) -> int | None:
        """When something happens next."""

    def run(self, until_ns: int) -> None:
        """Let everything happen that is due by then."""


HELD_UP_NS = 1 * MS
CHECK_NS = 250 * MS
"""How often the lines are looked at, in case an edge was lost without a word."""


class Loop:
    """Drives one table. `agenda` is the simulated world around it, if there is one."""

    def __init__(
        self,
        clock: Clock,
        lines: Sequence[EdgeSource],
        intake: Intake,
        pipeline: Pipeline,
        agenda: World | None = None,
        waits_for_devices: bool = True,
        others: Sequence[Reporter] = (),
        checks: Sequence[Callable[[], None]] = (),
    ) -> None:
        self._clock = clock
        self._reporters: list[Reporter] = [*lines, *others]
        self._intake = intake
        self._pipeline = pipeline
        self._agenda = agenda
        self._descriptors = [each.fileno() for each in self._reporters] if waits_for_devices else []
        self._checks = checks
        self._check_ns: int | None = clock.now_ns() + CHECK_NS if checks else None
        self.witnesses: list[Witness] = []
        self._looked_ns: int | None = clock.now_ns() if waits_for_devices else None
        active = [source for each in lines for source in intake.active(each.levels())]
        pipeline.begin(active, clock.now_ns())

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
        check_ns = self._check_ns
        if check_ns is not None and (due_ns is None or check_ns < due_ns):
            due_ns = check_ns
        readable = self._clock.wait(due_ns, self._descriptors)
        now_ns = self._clock.now_ns()
        if agenda is not None:
            agenda.run(now_ns)
        # Held up between waking and now, there may be edges that nobody has announced.
        held_up = due_ns is not None and now_ns - due_ns > HELD_UP_NS
        if check_ns is not None and check_ns <= now_ns:
            self._check_ns = now_ns + CHECK_NS
            for check in self._checks:
                check()
            readable = True
        if readable or held_up:
            for reporter in self._reporters:
                for report in reporter.read():
                    self._take(report, now_ns)
        self._pipeline.advance(now_ns)
        if self._looked_ns is not None:
            self._looked_ns = now_ns
        return now_ns

    def _take(self, report: Report, now_ns: int) -> None:
        arrival_ns = now_ns
        if type(report) is Edge:
            arrival_ns = self._arrival_ns(report.t_ns, now_ns)
            self._pipeline.arrive(self._intake.signal(report), arrival_ns)
        elif type(report) is Gap:
            self._pipeline.command(self._intake.loss(report))
        elif type(report) is Health:
            self._pipeline.command(self._intake.change(report, now_ns))
        elif type(report) is TagRead:
            event = self._intake.tag(report)
            noticed = TagNoticed(event.at, report.uid.hex(), report.present, event.stamp)
            self._pipeline.notice(noticed, now_ns)
            self._pipeline.arrive_tag(event, self._arrival_ns(report.latest_ns, now_ns))
        for witness in self.witnesses:
            witness(arrival_ns, report)

    def _arrival_ns(self, t_ns: int, now_ns: int) -> int:
        """When something of that moment arrived. It may have waited while this process was held up.

        Nothing was decided in that time, so a stall of the computer makes nothing late.
        """
        if self._looked_ns is None:
            return now_ns
        return min(max(self._looked_ns, t_ns), now_ns)

    def run(self, until_ns: int) -> None:
        """Keep stepping until that moment."""
        while self.step(until_ns) < until_ns:
            pass
