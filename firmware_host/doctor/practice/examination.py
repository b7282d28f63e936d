"""Looks at everything that can be looked at without hands, and makes findings of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from firmware_host.config.profile import Profile
from firmware_host.config.table import StoreConfig, TableConfig
from firmware_host.config.tags import Registry
from firmware_host.config.wires import chip_names
from firmware_host.doctor.findings import Area, Finding, State
from firmware_host.doctor.judging.buses import judge_bus
from firmware_host.doctor.judging.disk import judge_disk
from firmware_host.doctor.judging.gpio import judge_contacts, judge_gpio
from firmware_host.doctor.judging.libraries import judge_libraries
from firmware_host.doctor.judging.machine import judge_machine
from firmware_host.doctor.judging.ports import judge_ports, judge_readers, judge_sign
from firmware_host.doctor.judging.rights import judge_rights
from firmware_host.doctor.judging.setup import judge_config, judge_tags
from firmware_host.runtime.assembly.probing.buses import look_at_bus
from firmware_host.runtime.assembly.probing.facts import Gpio, SerialPort, Sign
from firmware_host.runtime.assembly.probing.gpio import look_at_contacts, look_at_gpio
from firmware_host.runtime.assembly.probing.ground import Ground
from firmware_host.runtime.assembly.probing.machine import look_at_devices, look_at_machine, look_at_user
from firmware_host.runtime.assembly.probing.ports import look_at_ports, wanted_ports
from firmware_host.runtime.assembly.probing.readers import look_at_readers
from firmware_host.runtime.assembly.probing.service import look_at_service
from firmware_host.runtime.assembly.probing.signs import look_at_sign
from firmware_host.runtime.assembly.probing.storage import look_at_disk

AT_WORK = "not asked: the table is at work"
Stand = Callable[[tuple[str, ...]], None]
"""Gets what should be seen on the sign, and returns when it has stood for long enough."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Patient:
    """The table to be examined, as far as anybody has told."""

    profile: Profile | None = None
    config_file: str = ""
    """'' where there is only a profile, or nothing."""
    faults: Sequence[str] = ()
    """What is wrong with the configuration."""
    config: TableConfig | None = None
    registry: Registry | None = None
    open_seats: tuple[int, ...] = ()
    store: StoreConfig | None = None


@dataclass(slots=True)
class Examination:
    """What was found; `at_work` says that a table runs here, which nobody must disturb."""

    findings: list[Finding] = field(default_factory=list)
    at_work: bool = False


def examine(ground: Ground, patient: Patient, stand: Stand) -> Examination:
    """Look at the whole machine, in the order in which one thing hangs on the other."""
    profile = patient.profile
    machine = look_at_machine(ground)
    gpio = look_at_gpio(ground, profile)
    ports = look_at_ports(ground, profile)
    user = look_at_user(ground)
    disk = None if patient.store is None else look_at_disk(ground, patient.store.file)
    service = look_at_service(ground, disk.owner if disk else "")
    findings = [
        *judge_machine(machine, profile),
        *judge_libraries(machine, profile),
        *judge_rights(user, look_at_devices(ground, _devices(profile, gpio)), service),
        *_setup(patient),
        *(judge_disk(disk, patient.store, user, service) if disk and patient.store else ()),
        *judge_gpio(gpio, profile),
        *judge_ports(ports),
    ]
    if profile is None:
        seen = "without a profile nobody knows what should be there"
        advice = "name a wiring profile (--profile NAME) or a configuration (--config FILE)"
        findings.append(Finding(Area.CONFIG, "profile", State.NOTE, seen, advice))
    else:
        findings += _parts(ground, profile, gpio, ports, stand)
    return Examination(findings, at_work=gpio.ours)


def _devices(profile: Profile | None, gpio: Gpio) -> list[str]:
    """The devices that the table has to open, as far as they are known."""
    devices = [gpio.chip.path] if gpio.chip else list(gpio.closed)
    if profile is not None:
        devices += [f"/dev/i2c-{profile.i2c_bus}"] if chip_names(profile) else []
        devices += wanted_ports(profile).values()
    return devices


def _setup(patient: Patient) -> Iterator[Finding]:
    if patient.config_file:
        yield from judge_config(patient.config_file, patient.faults)
    profile = patient.profile
    if profile is not None and patient.registry is not None:
        seats = patient.open_seats or tuple(range(1, profile.seats + 1))
        yield from judge_tags(patient.registry, profile, seats)


def _parts(
    ground: Ground, profile: Profile, gpio: Gpio, ports: Sequence[SerialPort], stand: Stand
) -> Iterator[Finding]:
    """The parts of the table itself; a table at work is left alone."""
    if gpio.chip is not None and gpio.chip.events and not gpio.users:
        yield from judge_contacts(look_at_contacts(ground, profile), profile)
    if gpio.ours:
        for area in (Area.I2C, Area.READERS, Area.SCOREBOARD):
            yield Finding(area, "all", State.NOTE, AT_WORK)
        return
    yield from judge_bus(look_at_bus(ground, profile), profile)
    yield from judge_readers(look_at_readers(ground, profile.readers), ports)
    if profile.sign_port:
        yield judge_sign(look_at_sign(ground, profile, stand), ports)
    else:
        yield judge_sign(Sign(port="", kind=profile.sign), ports)
