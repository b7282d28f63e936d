"""A header or a chip from above, with its pins at both sides and what is wired to each of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from firmware_host.building.drawing.inks import code_of
from firmware_host.building.drawing.letters import shortened, text_width
from firmware_host.building.drawing.shapes import FAINT, INK, MUTED, Anchor, Area, Box, Label, Shape, Strand
from firmware_host.building.plan import Pin, Plan, Wire

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
