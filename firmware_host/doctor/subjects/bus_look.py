"""Who answers on an I2C bus."""

from __future__ import annotations

import os

from firmware_host.config.profile import Profile
from firmware_host.config.wires import chip_names
from firmware_host.doctor.subjects.bus_findings import Bus
from firmware_host.doctor.system import System
from hw.i2c.bus_scan import BusScan
from hw.i2c.chip_session import ADVICE, SEEN, USUAL_ADVICE


def look_at_bus(system: System, profile: Profile, *, scan: bool = True) -> Bus:
    """The profile's bus, and who answers on it unless it must not be scanned."""
    number = profile.i2c_bus
    device = f"/dev/i2c-{number}"
    adapter = any(
        system.has(f"{folder}/i2c-{number}") for folder in ("/sys/bus/i2c/devices", "/sys/class/i2c-dev")
    )
    driver = any(map(system.has, ("/sys/module/i2c_dev", "/sys/class/i2c-dev")))
    there = system.has(device)
    asked = BusScan(chip_names(profile))
    seen = advice = ""
    if there and scan:
        try:
            bus = system.open_bus(system.at(device))
            try:
                asked.run(bus)
            finally:
                bus.close()
        except OSError as error:
            seen, advice = _words(error)
    return Bus(
        number=number,
        adapter=adapter,
        driver=driver,
        device=there,
        seen=seen,
        advice=advice,
        answered=frozenset(asked.answered),
        claimed=frozenset(asked.claimed),
        clock_hz=_clock_hz(system, number),
    )


def _clock_hz(system: System, number: int) -> int:
    """The speed of the bus as the device tree has it: a big-endian number; 0 if it does not say."""
    try:
        with open(system.at(f"/sys/bus/i2c/devices/i2c-{number}/of_node/clock-frequency"), "rb") as file:
            return int.from_bytes(file.read(4), "big")
    except OSError:
        return 0


def _words(error: OSError) -> tuple[str, str]:
    number = error.errno or 0
    return SEEN.get(number, os.strerror(number) if number else str(error)), ADVICE.get(number, USUAL_ADVICE)
