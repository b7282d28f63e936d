"""Judges the libraries: which are there, which are needed, and whether they are new enough."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from firmware_host.config.profile import Profile
from firmware_host.doctor.findings import Area, Finding, State
from firmware_host.doctor.subjects.machine_findings import Machine


class Library(NamedTuple):
    """A library that every table needs."""

    name: str
    at_least: str
    job: str


NEEDED = (
    Library("gpiozero", "2.0.1.post3", "pins of simulated tables, and of three of the drivers"),
    Library("pyserial", "3.5", "readers and scoreboards"),
    Library("smbus2", "0.5", "the I2C bus"),
    Library("click", "8.2", "the command line"),
    Library("rich", "13.7", "pictures in the terminal"),
)
OF_DRIVER: dict[str, tuple[Library, ...]] = {
    "gpiod": (Library("gpiod", "2.2", "race buttons"),),
    "lgpio": (Library("lgpio", "0.2.2", "race buttons"),),
    "rpigpio": (Library("rpi-lgpio", "0.6", "race buttons"), Library("RPi.GPIO", "0.7.1", "race buttons")),
    "native": (),
}
"""What each driver of lines goes through: any one of these."""
SMALL_PROCESSORS = ("armv6l", "armv7l")
"""There are no ready-made packages of gpiod for these."""


def judge_libraries(machine: Machine, profiles: Sequence[Profile]) -> Iterator[Finding]:
    """Whether everything is installed that these profiles need."""
    yield Finding(Area.MACHINE, "python", State.OK, machine.python)
    missing = [finding for library in NEEDED if (finding := _fault(machine, library))]
    for driver in dict.fromkeys(profile.driver for profile in profiles) or ("gpiod",):
        if OF_DRIVER[driver]:
            missing += _of_driver(machine, driver)
    yield from missing
    if not missing:
        versions = ", ".join(f"{name} {version}" for name, version in machine.libraries.items())
        yield Finding(Area.MACHINE, "libraries", State.OK, versions)


def _fault(machine: Machine, library: Library) -> Finding | None:
    """What is wrong with one library; None if nothing is."""
    found = machine.libraries.get(library.name)
    advice = f"pip install '{library.name}>={library.at_least}'"
    if found is None:
        seen = f"is not installed; it is needed for {library.job}"
        return Finding(Area.MACHINE, library.name, State.FAIL, seen, advice)
    if numbers(found) < numbers(library.at_least):
        seen = f"{found} is older than {library.at_least}"
        return Finding(Area.MACHINE, library.name, State.FAIL, seen, advice)
    return None


def _of_driver(machine: Machine, driver: str) -> list[Finding]:
    """What is wrong with the library of a driver; where there are several, one that is right will do."""
    installed = [library for library in OF_DRIVER[driver] if library.name in machine.libraries]
    if not installed:
        return [_no_driver(machine, driver, OF_DRIVER[driver][0])]
    faults = [_fault(machine, library) for library in installed]
    return [fault for fault in faults if fault] if all(faults) else []


def _no_driver(machine: Machine, driver: str, library: Library) -> Finding:
    seen = f"is not installed; the profile's driver '{driver}' needs it"
    advice = f"pip install '{library.name}>={library.at_least}'"
    if driver == "gpiod" and machine.architecture in SMALL_PROCESSORS:
        seen = f"is not installed; there is no package of it for {machine.architecture}"
        advice = "set driver = \"lgpio\" in [gpio] of the profile, and: pip install 'ligretto-table[lgpio]'"
    return Finding(Area.MACHINE, library.name, State.FAIL, seen, advice)


def numbers(version: str) -> tuple[int, ...]:
    """All numbers of a version, to be compared."""
    return tuple(map(int, re.findall(r"[0-9]+", version)))
