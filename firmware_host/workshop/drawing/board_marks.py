"""What is marked on the board and its cover: the middle, the hole and the outline of each thing.

The cover lies over the sensors and over the readers of places and piles, so it has no holes and no outlines
for them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum
from itertools import groupby
from math import dist

from firmware_host.profile.profile import BoardSize, Profile
from firmware_host.workshop.drawing.shapes import Area, Point
from firmware_host.workshop.plan.draft import board_places
from firmware_host.workshop.plan.parts import BUTTON_PARTS, HALL_PARTS, PARTS
from firmware_host.workshop.plan.plan import Component, Plan, Section

LEDS = frozenset({"led", "rgb-cc", "rgb-ca"})
"""The parts that shine through a hole of their own."""
READER, PILE = (43.0, 41.0), (62.0, 94.0)
"""The outlines of the board of a PN532 under the table, and of a pile of cards."""
_ROUND_DIE = 3.0
"""How much larger the frame of a place is than a die."""
SCREW, _SCREW_INSET = 4.5, 12.0
_NOTHING = (0.0, 0.0)
_ROW_OF_LEDS = 7.0
"""LEDs up to so far apart are a row, with one text for all of them."""


class Layer(Enum):
    """One of the two plates that lie on each other."""

    BOARD = "board"  # the lower one, which holds everything
    COVER = "cover"  # the upper one, which is seen


@dataclass(frozen=True, slots=True)
class Mark:
    """One thing on the board."""

    name: str
    at: Point
    hole: float = 0.0
    """The diameter of its hole; 0 for none."""
    outline: tuple[float, float] = _NOTHING
    part: str = ""
    """The key of its part; empty for a pile and a screw."""
    thing: str = "a screw"
    """What it is, also where no name stands: the component, or the pile."""
    covered: bool = False
    """A reader with a place or a pile above it, which has the name and the frame."""

    @property
    def is_led(self) -> bool:
        """Whether it is one of the many that have no names on the board."""
        return self.part in LEDS

    @property
    def is_reader(self) -> bool:
        """Whether it is a reader, which lies below the board."""
        return self.part == "pn532"

    @property
    def area(self) -> Area:
        """What it covers."""
        wide, high = (max(side, self.hole) / 2 for side in self.outline)
        x, y = self.at
        return Area(x - wide, y - high, x + wide, y + high)


def marks_of(plan: Plan, profile: Profile, layer: Layer = Layer.BOARD) -> list[Mark]:
    """Everything that lies on the board or its cover, and a hole for a screw in each corner."""
    marks = _all_marks(plan, profile)
    if layer is Layer.BOARD:
        return marks
    return [replace(m, hole=0.0) if m.part in HALL_PARTS else m for m in marks if not m.covered]


def rows_of_leds(marks: list[Mark]) -> Iterator[tuple[int, Mark]]:
    """How many equal LEDs lie side by side, and a mark that covers them all."""
    for _, leds in groupby((mark for mark in marks if mark.is_led), key=lambda mark: mark.hole):
        row: list[Mark] = []
        for led in leds:
            if row and dist(row[-1].at, led.at) > _ROW_OF_LEDS:
                yield len(row), _row(row)
                row = []
            row.append(led)
        yield len(row), _row(row)


def _row(leds: list[Mark]) -> Mark:
    (x1, y1), (x2, y2) = leds[0].at, leds[-1].at
    size = abs(x2 - x1) + leds[0].hole, abs(y2 - y1) + leds[0].hole
    return Mark("", ((x1 + x2) / 2, (y1 + y2) / 2), leds[0].hole, size, leds[0].part)


def _all_marks(plan: Plan, profile: Profile) -> list[Mark]:
    _, places = board_places(profile)
    marks = [
        Mark(f"pile {n}", places[f"pile {n}"], outline=PILE, thing=f"pile {n}")
        for n in range(1, profile.piles + 1)
    ]
    marks += [
        _mark(each, each.at_mm, profile.build.board) for each in plan.components if each.at_mm is not None
    ]
    framed = {mark.at for mark in marks if mark.outline != _NOTHING and not mark.is_reader}
    marks = [
        replace(mark, name="", covered=True) if mark.is_reader and mark.at in framed else mark
        for mark in marks
    ]
    across, down = ((_SCREW_INSET, side - _SCREW_INSET) for side in plan.board_mm)
    marks += [Mark("", (x, y), SCREW) for y in down for x in across]
    return [mark for mark in marks if mark.hole or mark.outline != _NOTHING]


def _mark(component: Component, at: Point, size: BoardSize) -> Mark:
    """What is marked for a component. The many LEDs have no names on the board: they lie where they shine."""
    hole = PARTS[component.part].hole_mm or 0.0
    if hole and component.part in BUTTON_PARTS:
        hole = size.button_hole_mm
    name = "" if component.section is Section.LAMPS else component.name
    return Mark(name, at, hole, _outline(component.part, size), component.part, component.name)


def _outline(part: str, size: BoardSize) -> tuple[float, float]:
    """The frame of a die, or the board of a reader."""
    if part in HALL_PARTS:
        return size.die_mm + _ROUND_DIE, size.die_mm + _ROUND_DIE
    return READER if part == "pn532" else _NOTHING
