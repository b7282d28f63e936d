"""The sheet of the Pi: its 40-pin header, or the lines of a Compute Module, and what is wired to each pin."""

from __future__ import annotations

from collections.abc import Sequence

from firmware_host.building.drawing.legs import LegWire, leg_of, package, wires_of
from firmware_host.building.drawing.paper import LANDSCAPE, Heading, drawing_area, sheet
from firmware_host.building.drawing.shapes import Drawing
from firmware_host.building.header import HEADER, SPECIAL
from firmware_host.building.plan import Plan
from firmware_host.config.boards import lines_of
from firmware_host.config.profile import Profile

PI = "pi"
_TOLD = {f"GPIO {line}": f"GPIO {line} {job.split()[0]}" for line, job in SPECIAL.items()}
_HEADER_WATCH = (
    "The header is seen from above, with pin 1 in the upper left corner and the USB sockets below. Count "
    "twice: a plug that is "
    "one row off can destroy the Pi.",
    "A GPIO pin takes 3.3 V at most and gives 16 mA at most, all of them together 50 mA. Pins without a "
    "tag stay free.",
)
_MODULE_WATCH = (
    "A Compute Module has no header: look up in the manual of the carrier board where each line comes out.",
    "A GPIO pin takes 3.3 V at most and gives 16 mA at most, all of them together 50 mA.",
)


def header_sheet(plan: Plan, profile: Profile) -> Drawing:
    """The sheet of the Pi."""
    wires = wires_of(plan, PI)
    if lines_of(profile.board).first == 0:
        return _module_sheet(plan, profile, wires)
    heading = Heading("The 40-pin header of the Pi", plan.title, _HEADER_WATCH)
    legs = [
        leg_of(str(number), _TOLD.get(name, name), [wire for wire in wires if wire.own.number == str(number)])
        for number, name in enumerate(HEADER, start=1)
    ]
    area = drawing_area(LANDSCAPE, heading)
    return sheet(LANDSCAPE, heading, package(area, 78, legs[::2], legs[1::2], "header"))


def _module_sheet(plan: Plan, profile: Profile, wires: Sequence[LegWire]) -> Drawing:
    """The lines of a Compute Module in their order, then its other pins that something is wired to."""
    first, last, _ = lines_of(profile.board)
    names = [f"GPIO {line}" for line in range(first, last + 1)]
    names += [name for name in dict.fromkeys(wire.own.name for wire in wires) if name not in names]
    legs = [leg_of("", name, [wire for wire in wires if wire.own.name == name]) for name in names]
    heading = Heading("The lines of the Compute Module", plan.title, _MODULE_WATCH)
    half = (len(legs) + 1) // 2
    area = drawing_area(LANDSCAPE, heading)
    return sheet(LANDSCAPE, heading, package(area, 56, legs[:half], legs[half:], "GPIO"))
