"""The computer, its kernel and its libraries, and who runs this."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Iterable
from importlib import metadata

from firmware_host.doctor.subjects.machine_findings import Machine
from firmware_host.doctor.system import System

LIBRARIES = (
    "gpiozero",
    "gpiod",
    "pyserial",
    "smbus2",
    "click",
    "rich",
    "lgpio",
    "rpi-lgpio",
    "RPi.GPIO",
)
"""Those whose versions are reported, by the names of their distributions."""

KERNEL = "/proc/sys/kernel"
CLOCK = "/sys/devices/system/clocksource/clocksource0/current_clocksource"
MODELS = ("/proc/device-tree/model", "/sys/firmware/devicetree/base/model")
THROTTLED = "/sys/devices/platform/soc*/*firmware/get_throttled"
VOLTAGE = "rpi_volt"


def look_at_machine(system: System) -> Machine:
    """The computer as its files describe it."""
    return Machine(
        model=next(filter(None, map(system.read, MODELS)), ""),
        architecture=platform.machine(),
        kernel=system.read(f"{KERNEL}/osrelease"),
        build=system.read(f"{KERNEL}/version"),
        realtime=system.read("/sys/kernel/realtime") == "1",
        clock_source=system.read(CLOCK),
        clock_step_ns=round(time.clock_getres(time.CLOCK_MONOTONIC) * 1e9),
        throttled=_throttled(system),
        undervolted=_undervolted(system),
        python=platform.python_version(),
        libraries=dict(_versions()),
    )


def _versions() -> Iterable[tuple[str, str]]:
    for name in LIBRARIES:
        try:
            yield name, metadata.version(name)
        except metadata.PackageNotFoundError:
            continue


def _throttled(system: System) -> int | None:
    """The firmware's word first: the kernel's file for it is old, and always 0 with some kernels."""
    words = system.run(["vcgencmd", "get_throttled"]).strip().partition("=")[2]
    texts = [words, *map(system.read, system.listing(THROTTLED))]
    for text in filter(None, texts):
        try:
            return int(text, 16)
        except ValueError:
            continue
    return None


def _undervolted(system: System) -> bool | None:
    for name in system.listing("/sys/class/hwmon/hwmon*/name"):
        if system.read(name) == VOLTAGE:
            return system.read(f"{os.path.dirname(name)}/in0_lcrit_alarm") == "1"
    return None
