"""The readers and the scoreboard of a profile at work, and nothing else of the table.

No GPIO line is taken and no bus is opened, so this works on any machine with serial ports.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack

from firmware_host.lab.chips_table import SimulatedSite
from firmware_host.profile.profile import Profile
from firmware_host.run.devices import Owner, PortSite, open_readers, open_scoreboard
from firmware_host.run.equipment import HealthBox, Report, Reporter
from hw.clock import Clock, MonotonicClock
from hw.ports import Tell
from hw.serial_port import OpenPort, PyserialPort
from hw.sim.agenda import Agenda
from hw.work import OwnerThread, Work


class TagStation:
    """Step it to get the reports of the devices; `spots` are the readers by the numbers in them."""

    def __init__(
        self, profile: Profile, site: PortSite, health: HealthBox, clock: Clock, agenda: Agenda | None = None
    ) -> None:
        self.clock = clock
        self.spots = profile.readers
        self.owners: list[Owner] = []
        self.scoreboard = open_scoreboard(profile, site, self.owners)
        # The health of a reader comes before what it has read.
        self._reporters: list[Reporter] = [health, *open_readers(self.spots, site, self.owners)]
        self._agenda = agenda
        self._descriptors = [reporter.fileno() for reporter in self._reporters]

    def step(self, until_ns: int | None, others: Sequence[int] = ()) -> list[Report]:
        """Wait for a report, for one of the other descriptors, or until then; gives the reports."""
        if self._agenda is None:
            self.clock.wait(until_ns, [*self._descriptors, *others])
        else:
            due = [each for each in (until_ns, self._agenda.due_ns) if each is not None]
            self.clock.wait(min(due, default=None), others)
            self._agenda.run(self.clock.now_ns())
        return [report for reporter in self._reporters for report in reporter.read()]

    def close(self) -> None:
        """Scoreboard blank, fields off, threads ended; may be called again."""
        with ExitStack() as closing:  # one that can't be closed keeps no other open; the last goes first
            for reporter in self._reporters:
                closing.callback(reporter.close)
            for owner in reversed(self.owners):
                closing.callback(owner.close)
            closing.callback(self.scoreboard.close)


class _SerialSite:
    """The serial ports of this machine."""

    def __init__(self, tell: Tell) -> None:
        self.tell = tell

    def open_port(self, name: str, path: str, baud: int, bits: int, parity: str) -> OpenPort:
        return PyserialPort(path, baud, bits=bits, parity=parity)

    def own(self, work: Work) -> OwnerThread:
        return OwnerThread(work, self.tell)


def real_station(profile: Profile) -> TagStation:
    """The devices on this machine's ports; those that are missing are reported, and join later."""
    health = HealthBox()
    return TagStation(profile, _SerialSite(health.tell), health, MonotonicClock())


def simulated_station(profile: Profile, clock: Clock | None = None) -> tuple[TagStation, SimulatedSite]:
    """The same in virtual time, and the site with the simulated devices."""
    health, agenda = HealthBox(), Agenda()
    site = SimulatedSite(profile, agenda, health, 0, clock)
    return TagStation(profile, site, health, site.clock, agenda), site
