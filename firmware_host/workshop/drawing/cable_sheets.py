"""The sheets of a cable: the parts at both ends with their pins, and each wire between them.

Both ends of a wire have a tag with its number in the checklist and the letters of its colour. Wires cross
only where nothing is written: between the two columns of parts, and beside the outer one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from firmware_host.workshop.drawing.shapes import (
    FAINT,
    INK,
    LANDSCAPE,
    MUTED,
    PALE,
    PORTRAIT,
    SMALLEST,
    Anchor,
    Area,
    Box,
    Drawing,
    Format,
    Heading,
    Label,
    RuledLine,
    Shape,
    Strand,
    drawing_area,
    sheet,
    shortened,
    text_width,
)
from firmware_host.workshop.plan.plan import PLUGGED, Cable, Pin, Plan, Section, Wire, code_of

# Where the ends of a cable's wires stand on its sheet.
#
# The parts that wires lead to stand at the right, the others at the left. A wire between two parts at the
# right is a hop, as from one sensor of a row to the next: it leaves and enters at the outer side.


@dataclass(frozen=True, slots=True, kw_only=True)
class Measures:
    """The measures of a sheet."""

    paper: Format
    row: float
    head: float
    gap: float
    left: float
    right: float
    """The widths of the boxes."""
    lanes: float
    """The room for hops."""


ROOMY = Measures(paper=LANDSCAPE, row=5.4, head=6.0, gap=3.0, left=70, right=70, lanes=26)
DENSE = Measures(paper=PORTRAIT, row=4.3, head=4.6, gap=1.2, left=48, right=52, lanes=12)
"""For cables that would not fit on one sheet otherwise."""


LANE = 1.8
"""How far the lanes of hops are from each other."""


class NumberedWire(NamedTuple):
    """A wire with its number in the plan."""

    number: int
    wire: Wire


class End(NamedTuple):
    """One end of a wire, in the box of its part."""

    number: int
    wire: Wire
    pin: Pin
    y: float
    is_outer: bool
    """The end of a hop."""
    is_first: bool
    """The first of its pin, which bears the name."""


class PartBox(NamedTuple):
    """The box of a part, with the ends of wires in it."""

    name: str
    top: float
    bottom: float
    ends: tuple[End, ...]


class CableLayout(NamedTuple):
    """The boxes at both sides."""

    left: tuple[PartBox, ...]
    right: tuple[PartBox, ...]


class _RawEnd(NamedTuple):
    number: int
    wire: Wire
    pin: Pin
    is_outer: bool


def sheet_portions(
    wires: Sequence[NumberedWire], measures: Measures, height: float, *, hops: bool = True
) -> list[list[NumberedWire]]:
    """The wires in portions that fit on a sheet; those to one part stay together if they can."""
    portions: list[list[NumberedWire]] = [[]]
    for run in _runs(wires):
        if portions[-1] and _height([*portions[-1], *run], measures, hops=hops) > height:
            portions.append([])
        portions[-1] += run
    return portions


def _runs(wires: Iterable[NumberedWire]) -> list[list[NumberedWire]]:
    """Wires that follow each other and lead to the same part."""
    runs: list[list[NumberedWire]] = []
    for each in wires:
        if runs and runs[-1][-1].wire.end.component == each.wire.end.component:
            runs[-1].append(each)
        else:
            runs.append([each])
    return runs


def _height(wires: Sequence[NumberedWire], measures: Measures, *, hops: bool) -> float:
    layout = cable_layout(wires, measures, 0.0, hops=hops)
    return max(side[-1].bottom if side else 0.0 for side in layout)


def cable_layout(
    wires: Sequence[NumberedWire], measures: Measures, top: float, *, hops: bool = True
) -> CableLayout:
    """The boxes of both sides, from `top` down. Without `hops` a part may stand at both sides."""
    targets = {each.wire.end.component for each in wires} if hops else set()
    left: dict[str, list[_RawEnd]] = {}
    right: dict[str, list[_RawEnd]] = {}
    for number, wire in wires:
        is_hop = wire.start.component in targets
        right.setdefault(wire.end.component, []).append(_RawEnd(number, wire, wire.end, is_hop))
        side = right if is_hop else left
        side.setdefault(wire.start.component, []).append(_RawEnd(number, wire, wire.start, is_hop))
    return CableLayout(_boxes(left, measures, top), _boxes(right, measures, top))


def _boxes(parts: dict[str, list[_RawEnd]], measures: Measures, top: float) -> tuple[PartBox, ...]:
    boxes = []
    for name, raw in parts.items():
        by_pin: dict[Pin, list[_RawEnd]] = {}
        for each in raw:
            by_pin.setdefault(each.pin, []).append(each)
        ordered = [(each, n == 0) for ends in by_pin.values() for n, each in enumerate(ends)]
        ends = tuple(
            End(*each[:3], top + measures.head + measures.row * (n + 0.5), each.is_outer, is_first)
            for n, (each, is_first) in enumerate(ordered)
        )
        boxes.append(PartBox(name, top, top + measures.head + measures.row * len(ends), ends))
        top = boxes[-1].bottom + measures.gap
    return tuple(boxes)


class Hop(NamedTuple):
    """A wire between two parts at the right, and its lane, counted from the parts outwards."""

    wire: Wire
    top: float
    bottom: float
    lane: int


def hops_of(layout: CableLayout) -> list[Hop]:
    """All hops, from above down, in lanes where they don't touch each other."""
    ends: dict[int, list[End]] = {}
    for part in layout.right:
        for end in part.ends:
            if end.is_outer:
                ends.setdefault(end.number, []).append(end)
    spans = sorted((*sorted((one.y, other.y)), number) for number, (one, other) in ends.items())
    bottoms: list[float] = []
    hops = []
    for top, bottom, number in spans:
        lane = next((n for n, low in enumerate(bottoms) if low < top), len(bottoms))
        bottoms[lane : lane + 1] = [bottom]
        hops.append(Hop(ends[int(number)][0].wire, top, bottom, lane))
    return hops


def lanes_needed(layout: CableLayout) -> int:
    """How many lanes the hops need."""
    return 1 + max((hop.lane for hop in hops_of(layout)), default=-1)


_WATCH: Mapping[Section, Sequence[str]] = {
    Section.POWER: (
        "Switch the supply off before you change a wire. Look for a short circuit with a multimeter "
        "before you switch it on. The fuse sits at the supply.",
        "All grounds are connected: of the supply, of the Pi and of every chip. A GPIO pin takes 3.3 V "
        "at most.",
    ),
    Section.BUS: (
        "Neither data nor clock may be pulled up to more than 3.3 V on the side of the Pi: an LED chip "
        "at 5 V comes behind a level shifter.",
        "Keep the bus short, and run data and clock each beside a ground wire.",
    ),
    Section.BUTTONS: (
        "A button connects its line to ground (to 3.3 V in a profile with pull = 'down'), and never to 5 V.",
        "The LED in a button needs a driver: never connect it to a GPIO pin.",
    ),
    Section.SENSORS: (
        "Hold a magnet to each sensor before you glue it in: most see one pole only, and only from one side.",
        "Look up in the data sheet which leg is which: sensors in the same case differ.",
    ),
    Section.LAMPS: (
        "An LED has a plus and a minus leg: rows of an LED chip go to plus (anode), commons to minus "
        "(cathode).",
        "Try one LED in every row and common before you solder the rest.",
    ),
    Section.READERS: (
        "Set the switches of each reader to HSU (its serial port). TX of a reader goes to RX of its "
        "adapter, and the other way round.",
        "Readers less than 80 mm apart disturb each other: they must be in one group of the profile.",
    ),
    Section.SCOREBOARD: (
        "A sign with RS-232 has up to 15 V on its lines, plus and minus: connect it to an RS-232 "
        "adapter, never to a GPIO pin.",
    ),
    Section.SWITCHING_ON: (
        "This comes last: look for short circuits with a multimeter first, from each rail to ground.",
    ),
    Section.SOUND: ("Turn the volume down before you plug the speaker in.",),
}


def watch_of(section: Section) -> Sequence[str]:
    """What to take care of in a step."""
    return _WATCH[section]


TAG, STUB = 21.0, 3.0
_NAME = 3.4
_PLUG_WATCH = (
    "These cables are bought with their plugs. A port has its number in this plan only: any port will "
    "do, as long as the "
    "profile names the devices by what does not change (/dev/ligretto or /dev/serial/by-path).",
)


def cable_sheets(plan: Plan, cable: Cable) -> tuple[Drawing, ...]:
    """The sheets of a cable: as many as its wires need."""
    wires = [NumberedWire(n, w) for n, w in enumerate(plan.wires, start=1) if w.cable == cable.name]
    title = f"{cable.title[0].upper()}{cable.title[1:]}"
    length = f". Wires of up to {cable.length_mm / 10:g} cm"
    return _sheets(plan, wires, Heading(title, plan.title, watch_of(cable.section), length))


def plug_sheets(plan: Plan) -> tuple[Drawing, ...]:
    """The sheets of all cables that are bought with their plugs."""
    wires = [NumberedWire(n, wire) for n, wire in enumerate(plan.wires, start=1) if wire.colour in PLUGGED]
    return _sheets(plan, wires, Heading("Cables with plugs", plan.title, _PLUG_WATCH), hops=False)


def is_only_plugs(plan: Plan, cable: Cable) -> bool:
    """Whether nothing of a cable is soldered or screwed, so that the sheets of plugs have all of it."""
    return all(wire.colour in PLUGGED for wire in plan.of_cable(cable.name))


def _sheets(
    plan: Plan, wires: list[NumberedWire], heading: Heading, *, hops: bool = True
) -> tuple[Drawing, ...]:
    way = min(_ways(wires, heading, hops=hops), key=lambda way: len(way.portions))
    drawings = []
    for number, portion in enumerate(way.portions, start=1):
        count = f", sheet {number} of {len(way.portions)}" if len(way.portions) > 1 else ""
        shapes = _Page(plan, way.measures, heading, portion, hops=way.hops).shapes()
        drawings.append(sheet(way.measures.paper, heading._replace(title=f"{heading.title}{count}"), shapes))
    return tuple(drawings)


class _Way(NamedTuple):
    """A way to draw a cable, and which wires are on each sheet then."""

    measures: Measures
    hops: bool
    portions: list[list[NumberedWire]]


def _ways(wires: list[NumberedWire], heading: Heading, *, hops: bool) -> Iterator[_Way]:
    """All ways, the best-looking first; hops have to be far enough from each other."""
    for with_hops in (True, False) if hops else (False,):
        for measures in (ROOMY, DENSE):
            height = drawing_area(measures.paper, heading).height
            portions = sheet_portions(wires, measures, height, hops=with_hops)
            crowd = max(lanes_needed(cable_layout(each, measures, 0.0, hops=with_hops)) for each in portions)
            if crowd * LANE <= measures.lanes:
                yield _Way(measures, with_hops, portions)


class _Page:
    """One sheet of a cable while it is being drawn."""

    def __init__(
        self,
        plan: Plan,
        measures: Measures,
        heading: Heading,
        wires: Sequence[NumberedWire],
        *,
        hops: bool,
    ) -> None:
        area = drawing_area(measures.paper, heading)
        self._plan = plan
        self._measures = measures
        self._layout = cable_layout(wires, measures, area.top, hops=hops)
        self._area = area
        self._left_edge = area.left + measures.left
        outside = measures.lanes + TAG if lanes_needed(self._layout) else 0.0
        self._outer_edge = area.right - outside
        self._right_edge = self._outer_edge - measures.right
        self._size = SMALLEST if measures is DENSE else 3.3

    def shapes(self) -> list[Shape]:
        """All boxes, wires and tags."""
        shapes: list[Shape] = [*self._straight_wires(), *self._hops()]
        for part in self._layout.left:
            shapes += self._box(part, Area(self._area.left, part.top, self._left_edge, part.bottom))
            shapes += [shape for end in part.ends for shape in self._left_end(end)]
        for part in self._layout.right:
            shapes += self._box(part, Area(self._right_edge, part.top, self._outer_edge, part.bottom))
            shapes += [shape for end in part.ends for shape in self._right_end(end)]
        return shapes

    def _straight_wires(self) -> list[Shape]:
        """The wires from the left parts to the right ones."""
        goals = {end.number: end.y for part in self._layout.right for end in part.ends if not end.is_outer}
        first, last = self._left_edge + TAG, self._right_edge - TAG
        return [
            Strand(
                start=(first, end.y),
                end=(last, goals[end.number]),
                bends=(first + STUB, last - STUB),
                colour=end.wire.colour,
                tip=end.wire.signal,
            )
            for part in self._layout.left
            for end in part.ends
        ]

    def _hops(self) -> list[Shape]:
        """The wires between two of the right parts, each in a lane that is free there."""
        edge = self._outer_edge + TAG
        return [
            Strand(
                start=(edge, hop.top),
                end=(edge, hop.bottom),
                bends=(edge + LANE * (hop.lane + 1), edge + LANE * (hop.lane + 1)),
                colour=hop.wire.colour,
                tip=hop.wire.signal,
            )
            for hop in hops_of(self._layout)
        ]

    def _box(self, part: PartBox, area: Area) -> list[Shape]:
        """A part with its title."""
        head = self._measures.head
        words, size = _title(part.name, self._plan.component(part.name).title, area.width - 3)
        return [
            Box(area=area, round=1.2),
            Box(area=area._replace(bottom=area.top + head), fill=PALE, round=1.2),
            Label(area.left + 1.5, area.top + head / 2 + 1.25, words, size, bold=True),
        ]

    def _left_end(self, end: End) -> list[Shape]:
        """An end at the left: the length of its wire, its pin, its tag."""
        limit = self._left_edge - 2
        return [
            *self._pin(end, limit, "end"),
            *self._length(self._area.left + 1.5, end, "start"),
            *self._tag(end, self._left_edge),
        ]

    def _right_end(self, end: End) -> list[Shape]:
        """An end at the right; where a hop begins it has the length of its wire."""
        shapes = self._pin(end, self._right_edge + 2, "start")
        shapes += self._tag(end, self._outer_edge if end.is_outer else self._right_edge - TAG)
        if end.pin == end.wire.start:
            shapes += self._length(self._outer_edge - 1.5, end, "end")
        return shapes

    def _pin(self, end: End, x: float, anchor: Anchor) -> list[Shape]:
        """The name of a pin, with what is printed there next to the wire, and a line above it."""
        if not end.is_first:
            return []
        number, name = end.pin.number, end.pin.name
        words = name if not number else f"{name}  [{number}]" if anchor == "end" else f"[{number}]  {name}"
        y = end.y - self._measures.row / 2
        sides = (
            (self._area.left, self._left_edge) if anchor == "end" else (self._right_edge, self._outer_edge)
        )
        return [
            self._label(x, end.y, words, anchor),
            RuledLine(points=((sides[0], y), (sides[1], y)), ink=FAINT, width=0.15),
        ]

    def _tag(self, end: End, left: float) -> list[Shape]:
        """The number of a wire and the letters of its colour."""
        half = self._measures.row / 2 - 0.25
        text = f"{end.number} {code_of(end.wire.colour)}"
        return [
            Box(area=Area(left, end.y - half, left + TAG, end.y + half), round=1, width=0.25),
            Label(left + TAG / 2, end.y + 1.15, text, SMALLEST, bold=True, anchor="middle"),
        ]

    def _length(self, x: float, end: End, anchor: Anchor) -> list[Shape]:
        """The length of a wire that is not bought with its plugs."""
        length_mm = end.wire.length_mm
        return [self._label(x, end.y, f"{length_mm / 10:g} cm", anchor, MUTED)] if length_mm else []

    def _label(self, x: float, y: float, text: str, anchor: Anchor, ink: str = INK) -> Label:
        return Label(x, y + 1.15, text, self._size, anchor=anchor, ink=ink)


def _title(name: str, title: str, width: float) -> tuple[str, float]:
    """The name of a part and what it is, or as much of it as fits, with the size of its letters."""
    told = [title, title.split(":")[0], title.split(",")[0]]
    words = [each if name in each else f"{name}: {each}" for each in told]
    sized = [*((each, _NAME) for each in words), (words[-1], SMALLEST), (name, _NAME)]
    fitting = (each for each in sized if text_width(*each, bold=True) <= width)
    return next(fitting, (shortened(name, width, _NAME, bold=True), _NAME))
