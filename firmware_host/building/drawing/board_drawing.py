"""The board at its true size: what is cut, what is engraved, and what is only told.

Red lines are cut, blue lines are engraved, black is for people: a laser cutter is told to leave it out. Names
on the board are lines, too, and stand where nothing else is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from firmware_host.building.drawing.board_marks import LEDS, Mark, marks_of
from firmware_host.building.drawing.letters import SMALLEST, text_width
from firmware_host.building.drawing.shapes import (
    Anchor,
    Area,
    Box,
    Disc,
    Drawing,
    FlatShape,
    Label,
    Point,
    Rule,
)
from firmware_host.building.drawing.stroke_letters import stroke_width, strokes
from firmware_host.building.plan import Plan
from firmware_host.config.profile import Profile

CUT, ENGRAVE, TOLD = "#ff0000", "#0000ff", "#000000"
HAIR = 0.1
NAME = 3.6
"""The height of the names on the board."""
EDGE, STRIP = 10.0, 46.0
"""Around the board, and below it for ruler and legend."""
RULER = 100
_CLEAR, _CROSS, _WIDE_HOLE = 0.8, 1.5, 12.0
_NONE = "none"


def board_shapes(plan: Plan, profile: Profile, line: float) -> list[FlatShape]:
    """The board with everything on it, its upper left corner at 0, 0; `line` is the width of its lines."""
    marks = marks_of(plan, profile)
    edge = Box(area=Area(0, 0, *plan.board_mm), fill=_NONE, ink=CUT, width=line, round=6)
    shapes: list[FlatShape] = [edge, *(shape for mark in marks for shape in _mark(mark, line))]
    taken = [mark.area for mark in marks]
    for mark in marks:
        for drawn, area in _words(mark, taken, line):
            shapes += drawn
            taken.append(area)
    return shapes


def board_drawing(plan: Plan, profile: Profile) -> Drawing:
    """The whole board for a laser cutter, with ruler and legend below it."""
    shapes = board_shapes(plan, profile, HAIR)
    width, height = plan.board_mm
    shapes += ruler((0, height + 8))
    for n, text in enumerate(_legend(plan, profile)):
        shapes.append(Label(0, height + 26 + n * 6, text, 3.6, ink=TOLD))
    return Drawing(
        title=f"The board · {plan.title}",
        width=max(width, 260.0) + 2 * EDGE,
        height=height + STRIP + 2 * EDGE,
        shapes=tuple(shapes),
        corner=(-EDGE, -EDGE),
    )


def ruler(at: Point) -> list[FlatShape]:
    """A ruler of 100 mm, to be compared with a real one."""
    x, y = at
    shapes: list[FlatShape] = [Rule(points=((x, y), (x + RULER, y)), ink=TOLD, width=0.25)]
    for mm in range(0, RULER + 1, 5):
        high = 4.0 if mm % 10 == 0 else 2.0
        shapes.append(Rule(points=((x + mm, y), (x + mm, y + high)), ink=TOLD, width=0.25))
    for mm in range(0, RULER + 1, 50):
        anchor: Anchor = "start" if mm == 0 else "middle"
        shapes.append(Label(x + mm, y + 8, f"{mm} mm" if mm else "0", SMALLEST, anchor=anchor, ink=TOLD))
    return shapes


def _mark(mark: Mark, line: float) -> list[FlatShape]:
    x, y = mark.at
    shapes: list[FlatShape] = []
    if mark.outline[0]:
        shapes.append(Box(area=mark.area, fill=_NONE, ink=ENGRAVE, width=line, round=1.5))
    if mark.hole:
        shapes.append(Disc(x=x, y=y, radius=mark.hole / 2, fill=_NONE, ink=CUT, width=line))
    for dx, dy in ((_CROSS, 0.0), (0.0, _CROSS)):
        shapes.append(Rule(points=((x - dx, y - dy), (x + dx, y + dy)), ink=TOLD, width=line))
    return shapes


def _words(mark: Mark, taken: Sequence[Area], line: float) -> Iterator[tuple[list[FlatShape], Area]]:
    """The name of a mark as lines, and the diameter of its hole as letters."""
    if mark.name:
        wide = stroke_width(mark.name, NAME)
        rules, area = strokes(mark.name, _spot(mark, wide, NAME, taken), NAME, ENGRAVE, line)
        yield [*rules], area
    if mark.hole and mark.hole not in LEDS:
        text = f"Ø {mark.hole:g}"
        wide = text_width(text, SMALLEST)
        x, y = mark.at
        at = (x, y + 5) if mark.hole >= _WIDE_HOLE else _spot(mark, wide, SMALLEST, taken)
        label = Label(at[0], at[1] + SMALLEST * 0.36, text, SMALLEST, anchor="middle", ink=TOLD)
        yield [label], label.area


def _spot(mark: Mark, wide: float, high: float, taken: Sequence[Area]) -> Point:
    """The middle of a word beside its mark: the first place where nothing else is, if there is any."""
    spots = list(_spots(mark, wide, high))
    for x, y in spots:
        area = Area(x - wide / 2, y - high / 2, x + wide / 2, y + high / 2)
        clear = Area(area.left - _CLEAR, area.top - _CLEAR, area.right + _CLEAR, area.bottom + _CLEAR)
        if not any(map(clear.overlaps, taken)):
            return x, y
    return spots[0]


def _spots(mark: Mark, wide: float, high: float) -> Iterator[Point]:
    """Below, above and beside a mark, then further and further away."""
    (x, y), area = mark.at, mark.area
    for away in range(2, 80, 6):
        yield x, area.bottom + away + high / 2
        yield x, area.top - away - high / 2
        yield area.right + away + wide / 2, y
        yield area.left - away - wide / 2, y


def _legend(plan: Plan, profile: Profile) -> list[str]:
    holes = Counter(mark.hole for mark in marks_of(plan, profile) if mark.hole)
    drilled = ", ".join(
        f"{count} × Ø {hole:g} mm{' (LEDs, without a number)' if hole in LEDS else ''}"
        for hole, count in sorted(holes.items())
    )
    width, height = plan.board_mm
    return [
        f"Red: cut. The board is {width:g} × {height:g} mm; holes: {drilled}.",
        "Blue: engrave. The frames are places for dice or piles of cards, and tag readers below the board.",
        "Black: not for the machine. 1 unit is 1 mm; compare the ruler with a real one before you cut.",
    ]
