"""Judges the computer: its kernel, its clock and its supply."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from firmware_host.config.profile import Profile
from firmware_host.doctor.findings import Area, Finding, State

CHARDEV_V2 = (5, 10)
"""The first kernel with the interface that numbers edges."""
RPI_GPIO_DEAF = (6, 6)
"""From this kernel on RPi.GPIO hears no edges any more."""
SLOW_CLOCKS = ("jiffies", "refined-jiffies", "acpi_pm", "hpet")
COARSE_NS = 1000

_VERSION = re.compile(r"([0-9]+)\.([0-9]+)")
_NOW = {0: "its supply is too weak", 1: "its clock is capped", 2: "it is throttled", 3: "it is too hot"}
_SUPPLY = (
    "use a supply that the board's maker recommends, with a short cable; power lamps and hubs separately"
)
_HEAT = "give it a heat sink and air"


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """The computer, its kernel and its libraries."""

    model: str = ""
    """What the board calls itself; '' if it does not say."""
    architecture: str = ""
    kernel: str = ""
    build: str = ""
    """What the kernel says of its build, such as '#1 SMP PREEMPT'."""
    realtime: bool = False
    clock_source: str = ""
    clock_step_ns: int = 1
    throttled: int | None = None
    """The bits of `get_throttled`; None if unknown."""
    undervolted: bool | None = None
    python: str = ""
    libraries: Mapping[str, str] = field(default_factory=dict)
    """The version of each library that is installed."""


def judge_machine(machine: Machine, profile: Profile | None) -> Iterator[Finding]:
    """How fit the computer is for a table."""
    if machine.model:
        yield Finding(Area.MACHINE, "board", State.OK, machine.model)
    else:
        seen = f"does not say what it is, as a Raspberry Pi would; its processor is {machine.architecture}"
        yield Finding(Area.MACHINE, "board", State.NOTE, seen)
    yield _kernel(machine, profile)
    yield _preemption(machine)
    yield _clock(machine)
    yield from _supply(machine)


def kernel_version(release: str) -> tuple[int, int] | None:
    """The two numbers at the head of a kernel's name."""
    match = _VERSION.match(release)
    return (int(match[1]), int(match[2])) if match else None


def _kernel(machine: Machine, profile: Profile | None) -> Finding:
    version = kernel_version(machine.kernel)
    if version is None:
        seen = f"no version can be read from '{machine.kernel}'"
        return Finding(Area.MACHINE, "kernel", State.NOTE, seen)
    driver = "gpiod" if profile is None else profile.driver
    if version < CHARDEV_V2 and driver in ("gpiod", "lgpio"):
        seen = f"{machine.kernel} has no GPIO interface that numbers edges; the driver '{driver}' needs it"
        return Finding(
            Area.MACHINE, "kernel", State.FAIL, seen, "install a system with a kernel from 5.10 on"
        )
    if version >= RPI_GPIO_DEAF and driver == "rpigpio" and "RPi.GPIO" in machine.libraries:
        seen = f"{machine.kernel} reports no edges to RPi.GPIO"
        advice = 'set driver = "gpiod" in [gpio] of the profile, or install rpi-lgpio instead of RPi.GPIO'
        return Finding(Area.MACHINE, "kernel", State.FAIL, seen, advice)
    return Finding(Area.MACHINE, "kernel", State.OK, machine.kernel)


def _preemption(machine: Machine) -> Finding:
    if machine.realtime or "PREEMPT_RT" in machine.build:
        return Finding(Area.MACHINE, "preemption", State.OK, "a real-time kernel")
    if "PREEMPT" in machine.build:
        words = "PREEMPT_DYNAMIC" if "PREEMPT_DYNAMIC" in machine.build else "PREEMPT"
        return Finding(Area.MACHINE, "preemption", State.OK, f"the kernel is built with {words}")
    seen = "the kernel does not say that it lets tasks interrupt it"
    advice = "no harm to fairness: stamps are made in the interrupt. Lights may come late; see --jitter"
    return Finding(Area.MACHINE, "preemption", State.NOTE, seen, advice)


def _clock(machine: Machine) -> Finding:
    source = machine.clock_source or "of an unknown source"
    if machine.clock_source in SLOW_CLOCKS or machine.clock_step_ns > COARSE_NS:
        seen = f"the clock is {source}, in steps of {machine.clock_step_ns} ns"
        advice = "stamps can't be finer than the clock; look for 'clocksource' in the kernel's log (dmesg)"
        return Finding(Area.MACHINE, "clock", State.WARN, seen, advice)
    seen = f"the clock is {source}, in steps of {machine.clock_step_ns} ns"
    return Finding(Area.MACHINE, "clock", State.OK, seen)


def _supply(machine: Machine) -> Iterator[Finding]:
    bits = machine.throttled
    if bits is None:
        if machine.undervolted:
            yield Finding(Area.MACHINE, "supply", State.FAIL, _NOW[0], _SUPPLY)
        elif machine.undervolted is None:
            yield Finding(
                Area.MACHINE, "supply", State.NOTE, "this machine can't measure whether it is strong enough"
            )
        else:
            yield Finding(Area.MACHINE, "supply", State.OK, "strong enough now")
        return
    now = [words for bit, words in _NOW.items() if bits >> bit & 1]
    before = [words for bit, words in _NOW.items() if bits >> bit + 16 & 1 and not bits >> bit & 1]
    if bits & 1 or machine.undervolted:
        seen = ", ".join(dict.fromkeys((_NOW[0], *now)))
        yield Finding(Area.MACHINE, "supply", State.FAIL, f"{seen} ({bits:#x})", _SUPPLY)
    elif now:
        yield Finding(Area.MACHINE, "supply", State.WARN, f"{', '.join(now)} ({bits:#x})", _HEAT)
    if before:
        seen = f"since it was started it happened that {', that '.join(before)} ({bits:#x})"
        advice = _SUPPLY if bits >> 16 & 1 else _HEAT
        yield Finding(Area.MACHINE, "supply", State.WARN, seen, advice)
    if not now and not before and not machine.undervolted:
        yield Finding(Area.MACHINE, "supply", State.OK, "strong enough since it was started")
