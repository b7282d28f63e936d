"""A header or a chip from above, with its pins at both sides and what is wired to each of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from firmware_host.profile.device_kinds import EXPANDER, LED_CHIPS
from firmware_host.profile.pins import lines_of
from firmware_host.profile.profile import Bank, LampWire, LedChip, Profile, lamp_name
from firmware_host.profile.wiring_reading import ANY, BLUE, GREEN, RED
from firmware_host.workshop.drawing.shapes import (
    FAINT,
    INK,
    LANDSCAPE,
    MUTED,
    PAPER,
    SMALLEST,
    Anchor,
    Area,
    Box,
    Drawing,
    Heading,
    Label,
    Point,
    Shape,
    Strand,
    drawing_area,
    sheet,
    shortened,
    text_width,
)
from firmware_host.workshop.plan.parts import EXPANDER_PINS, HT16K33_PINS
from firmware_host.workshop.plan.pi_models import HEADER, SPECIAL
from firmware_host.workshop.plan.plan import Pin, Plan, Wire, code_of
from firmware_host.workshop.plan.wiring import ROWS

STUB, TAG_GAP = 12.0, 1.5
_LETTERS = 3.3


class LegWire(NamedTuple):
    """A wire with its number in the plan, its end at the header or chip, and its other end."""

    number: int
    wire: Wire
    own: Pin
    other: Pin


class Leg(NamedTuple):
    """One pin, and what is wired to it."""

    number: str
    name: str
    colour: str = ""
    """The colour of its first wire; empty for a pin that nothing is wired to."""
    tag: str = ""
    told: str = ""
    """What is at the other ends."""


def wires_of(plan: Plan, component: str) -> list[LegWire]:
    """The wires of a header or chip."""
    found = []
    for number, wire in enumerate(plan.wires, start=1):
        if wire.start.component == component:
            found.append(LegWire(number, wire, wire.start, wire.end))
        elif wire.end.component == component:
            found.append(LegWire(number, wire, wire.end, wire.start))
    return found


def leg_of(number: str, name: str, wires: Sequence[LegWire]) -> Leg:
    """A pin with its wires, of which there may be several."""
    if not wires:
        return Leg(number, name)
    first, *others = wires
    told = f"{first.wire.signal} → {_pin_words(first.other)}"
    told += "".join(f"; {each.number} → {each.other.component}" for each in others)
    return Leg(number, name, first.wire.colour, f"{first.number} {code_of(first.wire.colour)}", told)


def _pin_words(pin: Pin) -> str:
    return f"{pin.component} {pin.name}"


def package(area: Area, width: float, left: Sequence[Leg], right: Sequence[Leg], title: str) -> list[Shape]:
    """The drawing of a package: numbers at its edges, names inside, wires to both sides."""
    rows = max(len(left), len(right))
    pitch = min(9.0, (area.height - 10) / rows)
    middle = area.middle[0]
    body = Area(middle - width / 2, area.top + 7, middle + width / 2, area.top + 10 + pitch * rows)
    shapes: list[Shape] = [
        Label(middle, area.top + 4.5, title, 4.2, bold=True, anchor="middle"),
        Box(area=body, fill="#f7f8fa", width=0.5, round=2),
    ]
    for side, edge, limit in ((left, body.left, area.left), (right, body.right, area.right)):
        for row, leg in enumerate(side):
            shapes += _leg(leg, body.top + 1.5 + pitch * (row + 0.5), edge, limit, pitch)
    return shapes


def _leg(leg: Leg, y: float, edge: float, limit: float, pitch: float) -> list[Shape]:
    """One pin: from the edge of the package out to the limit of the drawing."""
    way = 1 if limit > edge else -1
    base, half = y + 1.2, min(3.0, pitch / 2 - 0.4)
    left, right = sorted((edge, edge - way * (9 if leg.number else 1.5)))
    inside = edge - way * (11 if leg.number else 3.5)
    name_anchor: Anchor = "end" if way > 0 else "start"
    is_used = bool(leg.colour)
    ink = INK if is_used else MUTED
    shapes: list[Shape] = [
        Box(area=Area(left, y - half, right, y + half), fill="#fff3c4" if is_used else "#ffffff", ink=FAINT),
        Label((left + right) / 2, base, leg.number, _LETTERS, bold=is_used, anchor="middle", ink=ink),
        Label(inside, base, leg.name, _LETTERS, bold=is_used, anchor=name_anchor, ink=ink),
    ]
    return [*shapes, *_wire(leg, y, edge, limit)] if is_used else shapes


def _wire(leg: Leg, y: float, edge: float, limit: float) -> list[Shape]:
    """The wire of a pin, its tag, and what is at the other end."""
    way = 1 if limit > edge else -1
    anchor: Anchor = "start" if way > 0 else "end"
    wide = text_width(leg.tag, _LETTERS, bold=True) + 2
    ends = sorted((edge, edge + way * STUB))
    tag = sorted((edge + way * STUB, edge + way * (STUB + wide)))
    start = edge + way * (STUB + wide + TAG_GAP)
    return [
        Strand(
            start=(ends[0], y), end=(ends[1], y), bends=(ends[0], ends[1]), colour=leg.colour, tip=leg.told
        ),
        Box(area=Area(tag[0], y - 2.3, tag[1], y + 2.3), round=1, width=0.25),
        Label((tag[0] + tag[1]) / 2, y + 1.2, leg.tag, _LETTERS, bold=True, anchor="middle"),
        Label(start, y + 1.2, shortened(leg.told, abs(limit - start), _LETTERS), _LETTERS, anchor=anchor),
    ]


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
