"""The sheet of an expander: the MCP23017 from above, with what is wired to each of its 28 pins."""

from __future__ import annotations

from firmware_host.building.drawing.legs import leg_of, package, wires_of
from firmware_host.building.drawing.paper import LANDSCAPE, Heading, drawing_area, sheet
from firmware_host.building.drawing.shapes import Drawing
from firmware_host.building.parts import EXPANDER_PINS
from firmware_host.building.plan import Plan
from firmware_host.config.profile import Bank
from firmware_host.device_kinds import EXPANDER

_EXPANDER_WATCH = (
    "The chip is seen from above, with its notch at the top. On a breakout board the names count, not "
    "the numbers of the pins.",
    "VDD is 3.3 V, never 5 V: the chip shares its bus with the Pi. A0 to A2 set the address and must not "
    "stay open.",
    "GPA7 and GPB7 are outputs only and stay free. A capacitor of 100 nF goes from VDD to VSS, close to the "
    "chip; a breakout board has one.",
)


def expander_sheet(plan: Plan, bank: Bank) -> Drawing:
    """The sheet of an expander."""
    wires = wires_of(plan, bank.name)
    legs = [
        leg_of(str(number), name, [wire for wire in wires if wire.own.name == name])
        for number, name in enumerate(EXPANDER_PINS, start=1)
    ]
    title = (
        f"{EXPANDER.title} '{bank.name}' at address 0x{bank.address:02x}: {EXPANDER.addresses[bank.address]}"
    )
    heading = Heading(title, plan.title, _EXPANDER_WATCH)
    area = drawing_area(LANDSCAPE, heading)
    return sheet(LANDSCAPE, heading, package(area, 54, legs[:14], legs[:13:-1], bank.name))
