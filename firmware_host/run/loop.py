"""The loop: wait for a device or for the next due moment, take what came, move on.

It is the same loop in a real table, in a simulated one in real time, and in virtual
time: only the clock differs. It decides nothing and polls nothing.

The table has a time of its own: the clock's, shifted. It stands still while the power is off or
somebody has the table in service, so that no deadline of a game passes meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from firmware_host.model.event_text import Input
from firmware_host.model.events import DeviceChanged
from firmware_host.model.places import Source, Spot, Tag
from firmware_host.model.times import MS
from firmware_host.run.equipment import Equipment, Reporter
from firmware_host.run.equipment import Report as DeviceReport
from hw.ports import Edge, Gap, Health, TagRead

Witness = Callable[[int, DeviceReport], None]
"""Gets each report of a device, and when it arrived."""


class InputSink(Protocol):
    """Whoever takes what comes in: the shell of a game, or the table in service."""

    @property
    def due_ns(self) -> int | None:
        """When `advance` is needed next."""

    def put(self, seen: Input, now_ns: int) -> None:
        """Take something that has arrived now."""

    def advance(self, now_ns: int) -> None:
        """Do all that is due by now."""


HELD_UP_NS = 1 * MS
CHECK_NS = 250 * MS
"""How often the lines are looked at, in case an edge was lost unnoticed."""


class Loop:
    """Drives one table: feeds what its devices report to whoever takes it at present."""

    def __init__(
        self, equipment: Equipment, sink: InputSink, shift_ns: int = 0, others: Sequence[Reporter] = ()
    ) -> None:
        self._equipment = equipment
        self._clock = equipment.clock
        self._reporters: list[Reporter] = [*equipment.lines, *equipment.others, *others]
        self._intake = equipment.intake
        self._sink = sink
        self._agenda = equipment.agenda
        waits = equipment.waits_for_devices
        self.descriptors = [each.fileno() for each in self._reporters] if waits else []
        self._checks = equipment.checks
        self.shift_ns = shift_ns
        self._lying: dict[Spot, set[bytes]] = {}
        self.health: dict[str, DeviceChanged] = {}
        """The last report of each device."""
        self._check_ns: int | None = self.now_ns + CHECK_NS if self._checks else None
        self.witnesses: list[Witness] = []
        self._looked_ns: int | None = self.now_ns if waits else None

    @property
    def now_ns(self) -> int:
        """The time of the table now."""
        return self._clock.now_ns() + self.shift_ns

    @property
    def active(self) -> list[Source]:
        """The sources whose contact is active now."""
        return self._equipment.active

    @property
    def present(self) -> dict[Spot, set[Tag]]:
        """What lies on each reader, as far as reported, by the registry as it is now."""
        registry = self._intake.registry
        return {at: {registry.of(uid) for uid in uids} for at, uids in self._lying.items() if uids}

    def shift(self, shift_ns: int) -> None:
        """From now on the time of the table is the clock's with this added."""
        by_ns, self.shift_ns = shift_ns - self.shift_ns, shift_ns
        if self._check_ns is not None:
            self._check_ns += by_ns
        if self._looked_ns is not None:
            self._looked_ns += by_ns

    def feed(self, sink: InputSink) -> None:
        """From now on this one takes what comes in."""
        self._sink = sink

    def step(self, limit_ns: int | None = None) -> int:
        """Wait until something is due or arrives, at most until the limit; return the time."""
        readable, due_ns = self._wait(limit_ns)
        now_ns = self.now_ns
        agenda = self._agenda
        if agenda is not None:
            agenda.run(now_ns - self.shift_ns)
        # Held up between waking and now, there may be edges that nobody has announced.
        held_up = due_ns is not None and now_ns - due_ns > HELD_UP_NS
        if self._check_ns is not None and self._check_ns <= now_ns:
            self._check_ns = now_ns + CHECK_NS
            for check in self._checks:
                check()
            readable = True
        if readable or held_up:
            for reporter in self._reporters:
                for report in reporter.read():
                    self._take(report, now_ns)
        self._sink.advance(now_ns)
        if self._looked_ns is not None:
            self._looked_ns = now_ns
        return now_ns

    def _wait(self, limit_ns: int | None) -> tuple[bool, int | None]:
        """Wait for what comes first; whether a device has something to say, and what was due."""
        shift_ns, agenda = self.shift_ns, self._agenda
        due_ns = limit_ns
        sink_due_ns = self._sink.due_ns
        if sink_due_ns is not None and (due_ns is None or sink_due_ns < due_ns):
            due_ns = sink_due_ns
        if agenda is not None:
            agenda_due_ns = agenda.due_ns
            if agenda_due_ns is not None and (due_ns is None or agenda_due_ns + shift_ns < due_ns):
                due_ns = agenda_due_ns + shift_ns
        check_ns = self._check_ns
        if check_ns is not None and (due_ns is None or check_ns < due_ns):
            due_ns = check_ns
        until_ns = None if due_ns is None else due_ns - shift_ns
        return self._clock.wait(until_ns, self.descriptors), due_ns

    def _take(self, report: DeviceReport, now_ns: int) -> None:
        arrival_ns = now_ns
        if type(report) is Edge:
            edge = self._intake.source_edge(report, self.shift_ns)
            arrival_ns = self._arrival_ns(report.t_ns + self.shift_ns, now_ns)
            self._sink.put(edge, arrival_ns)
            if self._check_ns is not None:
                self._check_ns = min(self._check_ns, now_ns + self._equipment.recheck_ns)
        elif type(report) is Gap:
            self._sink.put(self._intake.loss(report, self.shift_ns), now_ns)
        elif type(report) is Health:
            changed = self._intake.change(report, now_ns)
            self.health[report.device] = changed
            self._sink.put(changed, now_ns)
        elif type(report) is TagRead:
            self._take_tag(report, now_ns)
        for witness in self.witnesses:
            witness(arrival_ns, report)

    def _take_tag(self, read: TagRead, now_ns: int) -> None:
        event = self._intake.tag(read, self.shift_ns)
        lying = self._lying.setdefault(event.at, set())
        (lying.add if read.present else lying.discard)(read.uid)
        self._sink.put(event, self._arrival_ns(event.stamp.latest_ns, now_ns))

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
