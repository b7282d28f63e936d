"""Judges whether the kernel works around a fault of the GPIO chips of a Pi before the 5.

Their chip may lose an edge that comes close to one of another pin. The Pi's own kernel has worked around it
since May 2023 (raspberrypi/linux, pull request 5457): its interrupt handler compares levels. The
mainline kernel does not. The table finds what is lost by the levels in any case, but too late to judge it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from firmware_host.doctor.findings import Area, Finding, State
from firmware_host.doctor.subjects.gpio_findings import Gpio
from firmware_host.doctor.subjects.machine_findings import Machine

LOSSY_CHIPS = ("pinctrl-bcm2835", "pinctrl-bcm2711")
OLD = (6, 1, 27)
"""The first kernel that may have it: the one of May 2023."""
SURE_6_1 = (6, 1, 54)
"""The first kernel of Debian 12 on a Pi; from here on each 6.1 of the Pi's own has it."""
SURE = (6, 5, 0)
"""From here on each of the Pi's own has it."""

_PACKAGED = re.compile(r"\b1:([0-9]+)\.([0-9]+)\.([0-9]+)-")
"""The true version, where the kernel's name only has that of its interfaces, as 6.1.0-rpi4-rpi-v8."""
_NAMED = re.compile(r"([0-9]+)\.([0-9]+)\.([0-9]+)")
_FROM_PI = re.compile(r"rpi|rpt|-v[678]l?(-16k)?\+")
_MAYBE_FROM_PI = re.compile(r"raspi|\+$")
_UPDATE = "update the system (sudo apt full-upgrade); Raspberry Pi OS has had it since Debian 12"
_INSTALL = "fine for a test; for an event install Raspberry Pi OS, whose kernel has it"


def judge_lost_edges(machine: Machine, gpio: Gpio) -> Iterator[Finding]:
    """A finding on whether the kernel has the workaround; none for a chip without the fault."""
    if gpio.chip is None or gpio.chip.label not in LOSSY_CHIPS:
        return
    has, why = _workaround(machine)
    fault = "the workaround for edges that this chip loses when two pins change together"
    if has is None:
        yield Finding(Area.GPIO, "lost edges", State.NOTE, f"it is not known whether {why} has {fault}")
    elif has:
        yield Finding(Area.GPIO, "lost edges", State.OK, f"{why} has {fault}")
    else:
        advice = _UPDATE if _FROM_PI.search(machine.kernel) else _INSTALL
        yield Finding(Area.GPIO, "lost edges", State.WARN, f"{why} does not have {fault}", advice)


def _workaround(machine: Machine) -> tuple[bool | None, str]:
    """Whether the kernel has it, if that is known, and what to call that kernel."""
    kernel = machine.kernel
    version = _version(machine)
    if version is None:
        return None, f"kernel '{kernel}'"
    if version < OLD:
        return False, f"kernel {kernel}"
    if _FROM_PI.search(kernel):
        sure = version >= (SURE_6_1 if version < (6, 2) else SURE)
        return sure or None, f"kernel {kernel}"
    if _MAYBE_FROM_PI.search(kernel):
        return None, f"kernel {kernel}"
    return False, f"kernel {kernel}, which is not the Pi's own,"


def _version(machine: Machine) -> tuple[int, ...] | None:
    found = _PACKAGED.search(machine.build) or _NAMED.match(machine.kernel)
    return tuple(map(int, found.groups())) if found else None
