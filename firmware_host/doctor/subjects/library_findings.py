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
    "gpiod": (Library("gpiod", "2.3", "race buttons"),),
    "lgpio": (Library("lgpio", "0.2.2", "race buttons"),),
    "rpigpio": (Library("rpi-lgpio", "0.6", "race buttons"), Library("RPi.GPIO", "0.7.1", "race buttons")),
    "native": (),
}
"""What each driver of lines goes through: any one of these."""
SMALL_PROCESSORS = ("armv6l", "armv7l")
"""There are no ready-made packages of gpiod for these."""
LAST_WITH_LGPIO = (3, 12)
"""There are no ready-made packages of lgpio and RPi.GPIO for a later Python."""
_SYSTEMS_GPIOD = (
    "sudo apt install python3-libgpiod, and: sudo python3 -m venv --system-site-packages /opt/ligretto-table"
)
_OTHER_DRIVER = 'set driver = "{}" in [gpio] of the profile'


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


def _fault(machine: Machine, library: Library, driver: str = "") -> Finding | None:
    """What is wrong with one library; None if nothing is."""
    found = machine.libraries.get(library.name)
    if found is not None and numbers(found) >= numbers(library.at_least):
        return None
    need = f"the profile's driver '{driver}' needs it" if driver else f"it is needed for {library.job}"
    obstacle, advice = _not_from_pip(machine, driver)
    seen = f"{found} is older than {library.at_least}" if found else f"is not installed; {obstacle or need}"
    advice = advice or f"pip install '{library.name}>={library.at_least}'"
    return Finding(Area.MACHINE, library.name, State.FAIL, seen, advice)


def _of_driver(machine: Machine, driver: str) -> list[Finding]:
    """What is wrong with the library of a driver; where there are several, one that is right will do."""
    installed = [library for library in OF_DRIVER[driver] if library.name in machine.libraries]
    faults = [_fault(machine, library, driver) for library in installed or OF_DRIVER[driver][:1]]
    return [fault for fault in faults if fault] if all(faults) else []


def _not_from_pip(machine: Machine, driver: str) -> tuple[str, str]:
    """Why pip can't install the library of a driver here, and what to do instead; empty if it can."""
    small, python = machine.architecture in SMALL_PROCESSORS, numbers(machine.python)[:2]
    systems = _SYSTEMS_GPIOD if small else ""
    if driver == "gpiod" and small:
        older = f"{_OTHER_DRIVER.format('lgpio')}, and: pip install 'ligretto-table[lgpio]'"
        obstacle = f"there is no package of it for {machine.architecture}"
        return obstacle, systems if python > LAST_WITH_LGPIO else older
    if driver in ("lgpio", "rpigpio") and python > LAST_WITH_LGPIO:
        obstacle = f"there is no package of it for Python {python[0]}.{python[1]}"
        return obstacle, "; ".join(filter(None, (_OTHER_DRIVER.format("gpiod"), systems)))
    return "", ""


def numbers(version: str) -> tuple[int, ...]:
    """All numbers of a version, to be compared."""
    return tuple(map(int, re.findall(r"[0-9]+", version)))
