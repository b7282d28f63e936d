"""The readers and the scoreboard of a profile at work, and nothing else of the table.

No GPIO line is taken and no bus is opened, so a desk can be set up on any machine with serial ports.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field

from firmware_host.config.profile import Profile, TagSpot
from firmware_host.runtime.assembly.chips import SimulatedSite
from firmware_host.runtime.assembly.installation import (
    HealthBox,
    Owner,
    PortSite,
    open_readers,
    open_scoreboard,
)
from firmware_host.runtime.equipment import Report, Reporter, World
from hw.clock import Clock, MonotonicClock
from hw.ports import Scoreboard, Tell
from hw.sim.agenda import Agenda, VirtualClock
from hw.uart.port import Port
from hw.uart.pyserial_port import PyserialPort
from hw.work import OwnerThread, Work


@dataclass(slots=True)
class Desk:
    """Step it to hear what the devices have to report."""

    clock: Clock
    spots: Sequence[TagSpot]
    """The readers, by the numbers in their reports."""
    scoreboard: Scoreboard
    reporters: Sequence[Reporter]
    """The health of all devices comes before what readers have read."""
    owners: Sequence[Owner]
    agenda: World | None = None
    _descriptors: list[int] = field(init=False)

    def __post_init__(self) -> None:
        self._descriptors = [] if self.agenda is not None else [each.fileno() for each in self.reporters]

    def step(self, until_ns: int | None, others: Sequence[int] = ()) -> list[Report]:
        """Wait for a report, for one of the other descriptors, or until then; what there is to report."""
        if self.agenda is not None and self.agenda.due_ns is not None:
            until_ns = self.agenda.due_ns if until_ns is None else min(until_ns, self.agenda.due_ns)
        self.clock.wait(until_ns, [*self._descriptors, *others])
        if self.agenda is not None:
            self.agenda.run(self.clock.now_ns())
        return [report for reporter in self.reporters for report in reporter.read()]

    def close(self) -> None:
        """Scoreboard blank, fields off, threads ended; may be called again."""
        with ExitStack() as closing:  # one that can't be closed keeps no other open; the last goes first
            for reporter in self.reporters:
                closing.callback(reporter.close)
            for owner in reversed(self.owners):
                closing.callback(owner.close)
            closing.callback(self.scoreboard.close)


class SerialSite:
    """The ground for devices on the serial ports of this machine."""

    def __init__(self, tell: Tell) -> None:
        self.tell = tell

    def open_port(self, name: str, path: str, baud: int, bits: int, parity: str) -> Port:
        return PyserialPort(path, baud, bits=bits, parity=parity)

    def own(self, work: Work) -> OwnerThread:
        return OwnerThread(work, self.tell)


def real_desk(profile: Profile) -> Desk:
    """The devices on this machine's own ports; those that are missing are told, and join later."""
    health = HealthBox()
    return _desk(profile, SerialSite(health.tell), health, MonotonicClock())


def simulated_desk(profile: Profile, clock: Clock | None = None) -> tuple[Desk, SimulatedSite]:
    """The same in virtual time, and the ground with the simulated devices, to do something to them."""
    health, agenda = HealthBox(), Agenda()
    site = SimulatedSite(profile, agenda, health, 0)
    return _desk(profile, site, health, clock or VirtualClock(), agenda), site


def _desk(
    profile: Profile, site: PortSite, health: HealthBox, clock: Clock, agenda: Agenda | None = None
) -> Desk:
    owners: list[Owner] = []
    scoreboard = open_scoreboard(profile, site, owners)
    readers = open_readers(profile.readers, site, owners)
    return Desk(clock, profile.readers, scoreboard, [health, *readers], owners, agenda)
