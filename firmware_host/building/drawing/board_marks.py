"""What is marked on the board: the middle, the hole and the outline of everything that lies there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from firmware_host.building.drawing.shapes import Area, Point
from firmware_host.building.layout import board_places
from firmware_host.building.parts import HALL_PARTS, PARTS
from firmware_host.building.plan import Component, Plan, Section
from firmware_host.config.profile import Profile

DIE, READER, PILE = (28.0, 28.0), (43.0, 41.0), (62.0, 94.0)
"""The outlines of a place for a die, of the board of a PN532 under the table, and of a pile of cards."""
_OUTLINES: Mapping[str, tuple[float, float]] = {**dict.fromkeys(HALL_PARTS, DIE), "pn532": READER}
SCREW, _SCREW_INSET = 4.5, 12.0
LEDS = frozenset(PARTS[key].hole_mm for key in ("led", "rgb-cc", "rgb-ca"))
"""The diameters of holes for LEDs."""
_NOTHING = (0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Mark:
    """One thing on the board."""

    name: str
    at: Point
    hole: float = 0.0
    """The diameter of its hole; 0 for none."""
    outline: tuple[float, float] = _NOTHING

    @property
    def area(self) -> Area:
        """What it covers."""
        wide, high = (max(side, self.hole) / 2 for side in self.outline)
        x, y = self.at
        return Area(x - wide, y - high, x + wide, y + high)


def marks_of(plan: Plan, profile: Profile) -> list[Mark]:
    """Everything that lies on the board, and a hole for a screw in each corner."""
    _, places = board_places(profile)
    marks = [Mark(f"pile {n}", places[f"pile {n}"], outline=PILE) for n in range(1, profile.piles + 1)]
    marks += [_mark(each, each.at_mm) for each in plan.components if each.at_mm is not None]
    named: set[Point] = set()
    for n, mark in enumerate(marks):
        if mark.at in named:  # a reader below a place or a pile, which has the name of that
            marks[n] = replace(mark, name="")
        named.add(mark.at)
    across, down = ((_SCREW_INSET, side - _SCREW_INSET) for side in plan.board_mm)
    marks += [Mark("", (x, y), SCREW) for y in down for x in across]
    return [mark for mark in marks if mark.hole or mark.outline != _NOTHING]


def _mark(component: Component, at: Point) -> Mark:
    """What is marked for a component. The many LEDs have no names on the board: they lie where they shine."""
    hole = PARTS[component.part].hole_mm or 0.0
    name = "" if component.section is Section.LAMPS else component.name
    return Mark(name, at, hole, _OUTLINES.get(component.part, _NOTHING))
