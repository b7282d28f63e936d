"""The GPIO chips, who holds the lines of a profile, and how its contacts stand."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager

from firmware_host.model.errors import TableError
from firmware_host.profile.profile import GPIO, Profile, chip_names, line_names
from firmware_host.profile.tags import Registry
from firmware_host.run.devices import InputLines
from firmware_host.run.equipment import Equipment, HealthBox
from firmware_host.workshop.doctor.line_findings import Bus, Contacts, Gpio, GpioChip
from firmware_host.workshop.doctor.system import System
from hw.gpio.gpio_chips import PI_LABELS, ChipInfo, GpioError, NotPermitted
from hw.i2c.bus import ADVICE, SEEN, USUAL_ADVICE, BusScan

SETTLED_S = 0.01
"""By then a weak pull-up has loaded even a long cable."""


def look_at_gpio(system: System, profile: Profile | None) -> Gpio:
    """All chips, the one of the profile (else: of a Pi's header), and the users of the profile's lines."""
    chips, closed = _chips(system)
    wanted = _wanted(profile)
    found = [chip for chip in chips if (chip.path if wanted[0].startswith("/") else chip.label) in wanted]
    users: dict[int, str] = {}
    if found and profile is not None:
        chip = _as_driver(system, found[0])
        users = dict(_users(system, chip, [line for line in line_names(profile) if line < chip.lines]))
    return Gpio(
        chips=tuple(chips),
        closed=tuple(closed),
        wanted=wanted,
        chip=found[0] if found else None,
        users=users,
    )


def look_at_contacts(system: System, profile: Profile) -> Contacts:
    """How the profile's direct lines stand now; they are claimed for a moment."""
    health = HealthBox()
    try:
        with borrowed_lines(system, profile, health) as lines:
            time.sleep(SETTLED_S)
            levels = lines.levels()
            reported = tuple((report.seen, report.advice) for report in health.read())
    except GpioError as error:
        return Contacts(seen=error.seen, advice=error.advice)
    finally:
        health.close()
    return Contacts(levels=levels, reported=reported)


class LinesRefused(TableError):
    """The GPIO lines can't be had; `seen` says why, and `advice` what to do next."""

    def __init__(self, seen: str, advice: str) -> None:
        super().__init__(f"{seen}; {advice}")
        self.seen = seen
        self.advice = advice


@contextmanager
def opened_table(system: System, profile: Profile, registry: Registry | None) -> Iterator[Equipment]:
    """All devices of a table for a while; afterwards lamps are off, the sign is blank, lines are free."""
    try:
        equipment = system.equipment(profile, registry)
    except GpioError as error:
        raise LinesRefused(error.seen, error.advice) from error
    try:
        yield equipment
    finally:
        equipment.close()


@contextmanager
def borrowed_lines(system: System, profile: Profile, health: HealthBox) -> Iterator[InputLines]:
    """The profile's direct lines with their driver; GpioError says why they can't be had."""
    site = system.site(profile, health)
    try:
        yield site.inputs(GPIO, profile.direct_lines)
    finally:
        site.close()


def _wanted(profile: Profile | None) -> tuple[str, ...]:
    if profile is None:
        return PI_LABELS
    if profile.chip_path:
        return (profile.chip_path,)
    return PI_LABELS if profile.chip == "auto" else (profile.chip,)


def _chips(system: System) -> tuple[list[GpioChip], list[str]]:
    """All chips that may be opened, each once, and the paths that may not."""
    chips: list[GpioChip] = []
    closed: list[str] = []
    seen: set[str] = set()
    for path in system.listing("/dev/gpiochip*"):
        if system.device(path) in seen:  # newer systems link the old number to the new one
            continue
        seen.add(system.device(path))
        try:
            chip = system.look_at(system.at(path))
        except NotPermitted:
            closed.append(path)
        except GpioError:
            continue
        else:
            chips.append(
                GpioChip(path=path, label=chip.label, lines=chip.lines, events=_events(system, chip))
            )
    return chips, closed


def _events(system: System, chip: ChipInfo) -> bool:
    """Whether the kernel knows the second version of the interface, in which edges have numbers."""
    try:
        system.line_user(chip, 0)
    except OSError:
        return chip.lines == 0
    return True


def _users(system: System, chip: ChipInfo, lines: list[int]) -> Iterator[tuple[int, str]]:
    for line in lines:
        try:
            user = system.line_user(chip, line)
        except OSError:
            continue
        if user is not None:
            yield line, user


def _as_driver(system: System, chip: GpioChip) -> ChipInfo:
    return ChipInfo(os.fspath(system.at(chip.path)), chip.label, chip.lines)


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
