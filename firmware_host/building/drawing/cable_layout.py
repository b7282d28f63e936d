"""Where the ends of a cable's wires stand on its sheet.

The parts that wires lead to stand at the right, the others at the left. A wire between two parts at the
right is a hop, as from one sensor of a row to the next: it leaves and enters at the outer side.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from firmware_host.building.drawing.paper import LANDSCAPE, PORTRAIT, Format
from firmware_host.building.plan import Pin, Wire


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
