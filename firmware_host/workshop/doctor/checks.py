"""Looks at everything that can be looked at without hands, and makes findings of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from firmware_host.profile.profile import Profile, TagSpot, chip_names
from firmware_host.profile.table import AUTO_CARD, StoreConfig, TableConfig
from firmware_host.profile.tags import Registry
from firmware_host.workshop.doctor.device_findings import (
    Gpio,
    SerialPort,
    SignFacts,
    judge_bus,
    judge_contacts,
    judge_gpio,
    judge_ports,
    judge_readers,
    judge_sign,
    judge_sound,
)
from firmware_host.workshop.doctor.device_look import (
    look_at_bus,
    look_at_contacts,
    look_at_gpio,
    look_at_ports,
    look_at_readers,
    look_at_sign,
    look_at_sound,
    wanted_ports,
)
from firmware_host.workshop.doctor.findings import Area, Finding, State
from firmware_host.workshop.doctor.machine_findings import (
    judge_config,
    judge_disk,
    judge_libraries,
    judge_lost_edges,
    judge_machine,
    judge_rights,
    judge_tags,
)
from firmware_host.workshop.doctor.system import (
    System,
    look_at_devices,
    look_at_disk,
    look_at_machine,
    look_at_service,
    look_at_user,
)

AT_WORK = "not checked: the table is running"
Stand = Callable[[tuple[str, ...]], None]
"""Gets what should be seen on the sign, and returns when it has stood for long enough."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedTable:
    """The table to be examined, as far as it is known."""

    profile: Profile | None = None
    """The wiring that is walked through; that of the game that is played first."""
    others: tuple[Profile, ...] = ()
    """The wirings of the other games that the table plays."""
    config_file: str = ""
    """'' where there is only a profile, or nothing."""
    faults: Sequence[str] = ()
    """What is wrong with the configuration."""
    config: TableConfig | None = None
    registry: Registry | None = None
    open_seats: tuple[int, ...] = ()
    store: StoreConfig | None = None

    @property
    def profiles(self) -> tuple[Profile, ...]:
        """The wirings of all games."""
        return () if self.profile is None else (self.profile, *self.others)


@dataclass(slots=True)
class CheckReport:
    """What was found; `at_work` says that a table runs here, which nobody must disturb."""

    findings: list[Finding] = field(default_factory=list)
    at_work: bool = False
    facts: list[object] = field(default_factory=list)
    """What was looked at, as it was seen."""


def check_table(system: System, checked: CheckedTable, stand: Stand) -> CheckReport:
    """Look at the whole machine, in the order in which one thing hangs on the other."""
    profile = checked.profile
    machine = look_at_machine(system)
    gpio, *gpios = [look_at_gpio(system, each) for each in checked.profiles] or [look_at_gpio(system, None)]
    ports = look_at_ports(system, checked.profiles)
    user = look_at_user(system)
    disk = None if checked.store is None else look_at_disk(system, checked.store.file)
    service = look_at_service(system, disk.owner if disk else "")
    devices = look_at_devices(system, _devices(checked, (gpio, *gpios)))
    facts: list[object] = [machine, user, *devices, service, gpio, *gpios, *ports, *([disk] if disk else ())]
    findings = [
        *judge_machine(machine, profile),
        *judge_libraries(machine, checked.profiles),
        *judge_rights(user, devices, service),
        *_setup(checked),
        *(judge_disk(disk, checked.store, user, service) if disk and checked.store else ()),
        *judge_gpio(gpio, profile),
        *judge_lost_edges(machine, gpio),
        *judge_ports(ports),
    ]
    at_work = any(each.ours for each in (gpio, *gpios))
    if profile is None:
        seen = "without a profile it is not known what should be there"
        advice = "name a wiring profile (--profile NAME) or a configuration (--config FILE)"
        findings.append(Finding(Area.CONFIG, "profile", State.NOTE, seen, advice))
        return CheckReport(findings, at_work, facts)
    parts = _Parts(system, checked.profiles, ports, stand, at_work, facts)
    findings += parts.of_first(profile, gpio)
    for other, gpio in zip(checked.others, gpios, strict=True):
        more = [*judge_gpio(gpio, other), *parts.of_other(other, profile, gpio)]
        # What is wrong for both games has been reported.
        more = [each for each in more if each not in findings]
        findings += [replace(each, seen=f"for {other.game}: {each.seen}") for each in more]
    findings.append(parts.sound(checked.config.sound_card if checked.config else AUTO_CARD))
    return CheckReport(findings, at_work, facts)


def _devices(checked: CheckedTable, gpios: Iterable[Gpio]) -> list[str]:
    """The devices that the table has to open, as far as they are known."""
    devices: list[str] = []
    for gpio in gpios:
        devices += [gpio.chip.path] if gpio.chip else gpio.closed
    for profile in checked.profiles:
        devices += [f"/dev/i2c-{profile.i2c_bus}"] if chip_names(profile) else []
        devices += [path for _, path in wanted_ports(profile)]
    return list(dict.fromkeys(devices))


def _setup(checked: CheckedTable) -> Iterator[Finding]:
    if checked.config_file:
        yield from judge_config(checked.config_file, checked.faults)
    if checked.registry is None:
        return
    yield from judge_tags(checked.registry, checked.profiles, checked.open_seats)


Fact = TypeVar("Fact")


@dataclass(frozen=True, slots=True)
class _Parts:
    """Looks at the parts of the table itself; a table at work is left alone."""

    system: System
    profiles: Sequence[Profile]
    ports: Sequence[SerialPort]
    stand: Stand
    at_work: bool
    facts: list[object]

    def of_first(self, profile: Profile, gpio: Gpio) -> Iterator[Finding]:
        """All parts that the game needs."""
        yield from self._contacts(profile, gpio)
        if self.at_work:
            for area in (Area.I2C, Area.READERS, Area.SCOREBOARD):
                yield Finding(area, "all", State.NOTE, AT_WORK)
            return
        yield from self._bus(profile)
        yield from self._readers(profile.readers)
        yield self._sign(profile)

    def of_other(self, profile: Profile, first: Profile, gpio: Gpio) -> Iterator[Finding]:
        """Those of another game, but for what it has in common with the first one."""
        yield from self._contacts(profile, gpio)
        if self.at_work:
            return
        yield from self._bus(profile)
        common = {path for _, path in wanted_ports(first)}
        yield from self._readers([each for each in profile.readers if each.port not in common])
        if profile.sign_port and profile.sign_port not in common:
            yield self._sign(profile)

    def sound(self, card: str) -> Finding:
        """Whether a sound can be heard."""
        if self.at_work:
            return Finding(Area.SOUND, "all", State.NOTE, AT_WORK)
        return judge_sound(self._seen(look_at_sound(self.system, card)))

    def _seen(self, fact: Fact) -> Fact:
        self.facts.append(fact)
        return fact

    def _readers(self, readers: Sequence[TagSpot]) -> Iterator[Finding]:
        facts = look_at_readers(self.system, readers)
        self.facts.extend(facts)
        return judge_readers(facts, self.ports)

    def _contacts(self, profile: Profile, gpio: Gpio) -> Iterator[Finding]:
        if gpio.chip is not None and gpio.chip.events and not gpio.users:
            yield from judge_contacts(self._seen(look_at_contacts(self.system, profile)), profile)

    def _bus(self, profile: Profile) -> Iterator[Finding]:
        """The chips of a profile; those of other games are no strangers."""
        elsewhere = {
            address
            for each in self.profiles
            if each.i2c_bus == profile.i2c_bus
            for address in chip_names(each)
        }
        return judge_bus(self._seen(look_at_bus(self.system, profile)), profile, elsewhere)

    def _sign(self, profile: Profile) -> Finding:
        if not profile.sign_port:
            return judge_sign(SignFacts(port="", kind=profile.sign), self.ports)
        return judge_sign(self._seen(look_at_sign(self.system, profile, self.stand)), self.ports)
