"""The sheet of an LED chip: its rows and commons, and which LED is where they cross."""

from __future__ import annotations

from collections.abc import Mapping

from firmware_host.building.drawing.inks import code_of
from firmware_host.building.drawing.letters import SMALLEST, shortened
from firmware_host.building.drawing.paper import LANDSCAPE, Heading, drawing_area, sheet
from firmware_host.building.drawing.shapes import FAINT, PAPER, Area, Box, Drawing, Label, Point, Shape
from firmware_host.building.lamp_wiring import ROWS
from firmware_host.building.parts import HT16K33_PINS
from firmware_host.building.plan import Plan
from firmware_host.config.lamp_reading import ANY, BLUE, GREEN, RED
from firmware_host.config.profile import LampWire, LedChip, Profile
from firmware_host.config.wires import lamp_name
from firmware_host.device_kinds import LED_CHIPS

SIDE, TOP = 41.0, 11.0
_MASKS = {RED: " R", GREEN: " G", BLUE: " B", ANY: ""}
_PAINT = {RED: "#fde3e3", GREEN: "#e0f3e2", BLUE: "#e1ebfb", ANY: "#fdf6d8"}
_MATRIX_WATCH = (
    "Where a row and a common cross is one LED, with its plus leg (anode) at the row and its minus leg "
    "(cathode) at the common. "
    "The small number is that of the LED in the profile; R, G and B are the red, green and blue LED of a "
    "lamp.",
    "Breakout boards call the rows A0 to A15 and the commons C0 to C7. In brackets is the pin of the "
    "chip, in the tag the first wire from there; "
    "the sheets of the commons tell how it goes on from LED to LED. Empty fields stay free.",
)


def matrix_sheet(plan: Plan, profile: Profile, chip: LedChip) -> Drawing:
    """The sheet of an LED chip."""
    kind = LED_CHIPS[chip.kind]
    title = f"{kind.title} '{chip.name}' at address 0x{chip.address:02x}: {kind.addresses[chip.address]}"
    heading = Heading(title, plan.title, _MATRIX_WATCH)
    area = drawing_area(LANDSCAPE, heading)
    commons = kind.leds // ROWS
    wide, high = (area.width - SIDE) / commons, (area.height - TOP) / ROWS
    lamps = {wire.led: wire for wire in profile.lamp_wires if wire.chip == chip.name}
    tags = _tags(plan, chip.name)
    shapes: list[Shape] = []
    for common in range(commons):
        x = area.left + SIDE + wide * (common + 0.5)
        shapes += _head(f"COM {common}", tags, (x - wide / 2 + 1, area.top + 4), (x, area.top + 8.6))
    for row in range(ROWS):
        y = area.top + TOP + high * row
        base = y + high / 2 + 1.2
        shapes += _head(f"ROW {row}", tags, (area.left, base), (area.left + 32, base - 1.2))
        for common in range(commons):
            left = area.left + SIDE + wide * common
            led = common * ROWS + row
            shapes += _field(profile, led, lamps.get(led), Area(left, y, left + wide, y + high))
    return sheet(LANDSCAPE, heading, shapes)


def _tags(plan: Plan, chip: str) -> dict[str, str]:
    """The number and colour of the wire at each pin of the chip."""
    tags: dict[str, str] = {}
    for number, wire in enumerate(plan.wires, start=1):
        if wire.start.component == chip:
            tags.setdefault(wire.start.name, f"{number} {code_of(wire.colour)}")
    return tags


def _head(name: str, tags: Mapping[str, str], at: Point, tag_at: Point) -> list[Shape]:
    """A row or common: its name, its pin, and its wire."""
    shapes: list[Shape] = [Label(*at, f"{name} [{HT16K33_PINS[name]}]", SMALLEST, bold=True)]
    if name in tags:
        x, y = tag_at
        shapes += [
            Box(area=Area(x - 8, y - 2.1, x + 8, y + 2.1), round=1, width=0.25),
            Label(x, y + 1.15, tags[name], SMALLEST, bold=True, anchor="middle"),
        ]
    return shapes


def _field(profile: Profile, led: int, wire: LampWire | None, area: Area) -> list[Shape]:
    """One LED: its number, its lamp and its colour."""
    base = (area.top + area.bottom) / 2 + 1.2
    number = Label(area.left + 6.6, base, str(led), SMALLEST, anchor="end", ink="#5b6472")
    if wire is None:
        return [Box(area=area, fill=PAPER, ink=FAINT, width=0.2), number]
    told = f"{_lamp_words(lamp_name(profile, wire.lamp))}{_MASKS[wire.mask]}"
    text = shortened(told, area.width - 8, SMALLEST)
    return [
        Box(area=area, fill=_PAINT[wire.mask], ink=FAINT, width=0.2),
        number,
        Label(area.left + 7.5, base, text, SMALLEST),
    ]


def _lamp_words(name: str) -> str:
    """The name of a lamp in a small field: 'pile 3, number 7' is 'pile 3 no 7'."""
    return name.replace(", number ", " no ").replace(", head", "").replace("symbol", "sym.")
