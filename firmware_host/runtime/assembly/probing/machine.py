"""The computer, its kernel and its libraries, and who runs this."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Iterable
from importlib import metadata

from firmware_host.runtime.assembly.probing.facts import DeviceFile, Machine, User
from firmware_host.runtime.assembly.probing.ground import Ground

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
"""Those whose versions are told, by the names of their distributions."""

KERNEL = "/proc/sys/kernel"
CLOCK = "/sys/devices/system/clocksource/clocksource0/current_clocksource"
MODELS = ("/proc/device-tree/model", "/sys/firmware/devicetree/base/model")
THROTTLED = "/sys/devices/platform/soc*/*firmware/get_throttled"
VOLTAGE = "rpi_volt"


def look_at_machine(ground: Ground) -> Machine:
    """The computer as its files tell of it."""
    return Machine(
        model=next(filter(None, map(ground.read, MODELS)), ""),
        architecture=platform.machine(),
        kernel=ground.read(f"{KERNEL}/osrelease"),
        build=ground.read(f"{KERNEL}/version"),
        realtime=ground.read("/sys/kernel/realtime") == "1",
        clock_source=ground.read(CLOCK),
        clock_step_ns=round(time.clock_getres(time.CLOCK_MONOTONIC) * 1e9),
        throttled=_throttled(ground),
        undervolted=_undervolted(ground),
        python=platform.python_version(),
        libraries=dict(_versions()),
    )


def look_at_user(ground: Ground) -> User:
    """Who runs this, by the files of users and groups."""
    number, groups = ground.ids()
    name = user_names(ground).get(number, f"uid {number}")
    here = _names(ground, "/etc/group")
    enlisted = {
        fields[0]
        for fields in _records(ground, "/etc/group")
        if len(fields) > 3 and name in fields[3].split(",")
    }
    return User(
        name=name,
        root=number == 0,
        groups=frozenset(here.get(group, f"gid {group}") for group in groups),
        enlisted=frozenset(enlisted),
    )


def user_names(ground: Ground) -> dict[int, str]:
    """All users of that machine, by their numbers."""
    return _names(ground, "/etc/passwd")


def look_at_devices(ground: Ground, paths: Iterable[str]) -> tuple[DeviceFile, ...]:
    """Those of the devices that are there, and whether this user may open them."""
    groups = _names(ground, "/etc/group")
    files = []
    for path in dict.fromkeys(paths):
        try:
            status = os.stat(ground.at(path))
        except OSError:
            continue
        group = groups.get(status.st_gid, f"gid {status.st_gid}")
        openable = ground.may_open(ground.at(path))
        files.append(DeviceFile(path=path, group=group, mode=status.st_mode & 0o777, openable=openable))
    return tuple(files)


def _versions() -> Iterable[tuple[str, str]]:
    for name in LIBRARIES:
        try:
            yield name, metadata.version(name)
        except metadata.PackageNotFoundError:
            continue


def _throttled(ground: Ground) -> int | None:
    """The firmware's word first: the kernel's file for it is old, and always 0 with some kernels."""
    words = ground.run(["vcgencmd", "get_throttled"]).strip().partition("=")[2]
    texts = [words, *map(ground.read, ground.listing(THROTTLED))]
    for text in filter(None, texts):
        try:
            return int(text, 16)
        except ValueError:
            continue
    return None


def _undervolted(ground: Ground) -> bool | None:
    for name in ground.listing("/sys/class/hwmon/hwmon*/name"):
        if ground.read(name) == VOLTAGE:
            return ground.read(f"{os.path.dirname(name)}/in0_lcrit_alarm") == "1"
    return None


def _names(ground: Ground, file: str) -> dict[int, str]:
    """Names by their numbers, from a file of users or groups."""
    return {
        int(fields[2]): fields[0]
        for fields in _records(ground, file)
        if len(fields) > 2 and fields[2].isdigit()
    }


def _records(ground: Ground, file: str) -> list[list[str]]:
    return [line.split(":") for line in ground.read(file).splitlines()]
