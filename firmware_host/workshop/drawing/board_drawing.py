"""The board and its cover at their true size: what is cut, what is engraved, and what is only told.

Red lines are cut, blue lines are engraved, black is for people: a laser cutter is told to leave it out. Names
on the board are lines, too, and stand where nothing else is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import groupby
from math import ceil, dist
from string import ascii_uppercase
from typing import NamedTuple

from firmware_host.profile.profile import BoardSize, Profile
from firmware_host.workshop.drawing.shapes import (
    FAINT,
    LANDSCAPE,
    MARGIN,
    PALE,
    PORTRAIT,
    SMALLEST,
    Anchor,
    Area,
    Box,
    Disc,
    Drawing,
    FlatShape,
    Format,
    Label,
    Point,
    RuledLine,
    Shape,
    text_width,
)
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
        _component_mark(each, each.at_mm, profile.build.board)
        for each in plan.components
        if each.at_mm is not None
    ]
    framed = {mark.at for mark in marks if mark.outline != _NOTHING and not mark.is_reader}
    marks = [
        replace(mark, name="", covered=True) if mark.is_reader and mark.at in framed else mark
        for mark in marks
    ]
    across, down = ((_SCREW_INSET, side - _SCREW_INSET) for side in plan.board_mm)
    marks += [Mark("", (x, y), SCREW) for y in down for x in across]
    return [mark for mark in marks if mark.hole or mark.outline != _NOTHING]


def _component_mark(component: Component, at: Point, size: BoardSize) -> Mark:
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


# Letters of single lines, for machines that cut and engrave: these follow lines, and know no fonts.
#
# Each letter is drawn on a grid of 4 by 6. '00-40 20-26' are two lines: from the upper left corner to the
# right, and from the middle of the top down.


_HIGH, _WIDE = 6, 5.4
_GLYPHS: Mapping[str, str] = {
    "A": "06-20-46 14-34",
    "B": "00-06-36-45-44-33-03 33-42-41-30-00",
    "C": "41-30-10-01-05-16-36-45",
    "D": "00-06-26-44-42-20-00",
    "E": "40-00-06-46 03-33",
    "F": "40-00-06 03-33",
    "G": "41-30-10-01-05-16-36-45-43-23",
    "H": "00-06 40-46 03-43",
    "I": "20-26",
    "J": "40-45-36-16-05",
    "K": "00-06 40-03-46",
    "L": "00-06-46",
    "M": "06-00-23-40-46",
    "N": "06-00-46-40",
    "O": "10-01-05-16-36-45-41-30-10",
    "P": "06-00-30-41-42-33-03",
    "Q": "10-01-05-16-36-45-41-30-10 34-46",
    "R": "06-00-30-41-42-33-03 23-46",
    "S": "41-30-10-01-02-13-33-44-45-36-16-05",
    "T": "00-40 20-26",
    "U": "00-05-16-36-45-40",
    "V": "00-26-40",
    "W": "00-16-23-36-40",
    "X": "00-46 40-06",
    "Y": "00-23-40 23-26",
    "Z": "00-40-06-46",
    "0": "10-01-05-16-36-45-41-30-10 14-32",
    "1": "11-20-26 16-36",
    "2": "01-10-30-41-42-06-46",
    "3": "00-40-22-32-43-45-36-16-05",
    "4": "36-30-04-44",
    "5": "40-00-02-32-43-45-36-16-05",
    "6": "30-10-01-05-16-36-45-44-33-03",
    "7": "00-40-16",
    "8": "13-02-01-10-30-41-42-33-13-04-05-16-36-45-44-33",
    "9": "16-36-45-41-30-10-01-02-13-43",
    "-": "13-33",
}


def stroke_width(text: str, height: float) -> float:
    """How wide a text of single lines is."""
    return max(0.0, len(text) * _WIDE - (_WIDE - 4)) * height / _HIGH


def strokes(text: str, middle: Point, height: float, ink: str, width: float) -> tuple[list[RuledLine], Area]:
    """The lines of a text around a point, and the area that it covers."""
    unit, wide = height / _HIGH, stroke_width(text, height)
    left, top = middle[0] - wide / 2, middle[1] - height / 2
    rules = []
    for n, letter in enumerate(text.upper()):
        for line in _GLYPHS.get(letter, "").split():
            points = tuple(
                (left + unit * (n * _WIDE + int(at[0])), top + unit * int(at[1])) for at in line.split("-")
            )
            rules.append(RuledLine(points=points, ink=ink, width=width))
    return rules, Area(left, top, left + wide, top + height)


CUT, ENGRAVE, TOLD = "#ff0000", "#0000ff", "#000000"
HAIR = 0.1
NAME = 3.6
"""The height of the names on the board."""
EDGE, STRIP = 10.0, 46.0
"""Around the board, and below it for ruler and legend."""
RULER = 100
_CLEAR, _CROSS, _WIDE_HOLE = 0.8, 1.5, 12.0
_NONE = "none"
_FRAMES = {
    Layer.BOARD: "Frames are places for dice or piles of cards; black ones are tag readers, which lie below.",
    Layer.COVER: "Frames are places for dice or piles of cards, and pads. It lies on the board, face up.",
}


def board_shapes(plan: Plan, profile: Profile, line: float, layer: Layer = Layer.BOARD) -> list[FlatShape]:
    """A layer with everything on it, its upper left corner at 0, 0; `line` is the width of its lines."""
    marks = marks_of(plan, profile, layer)
    edge = Box(area=Area(0, 0, *plan.board_mm), fill=_NONE, ink=CUT, width=line, round=6)
    shapes: list[FlatShape] = [edge, *(shape for mark in marks for shape in _mark(mark, line, layer))]
    taken = [mark.area for mark in marks]
    for mark in marks:
        for drawn, area in _words(mark, taken, line):
            shapes += drawn
            taken.append(area)
    for count, row in rows_of_leds(marks):
        label = _diameter(row, f"{count} × Ø {row.hole:g}" if count > 1 else f"Ø {row.hole:g}", taken)
        shapes.append(label)
        taken.append(label.area)
    return shapes


def board_drawing(plan: Plan, profile: Profile, layer: Layer = Layer.BOARD) -> Drawing:
    """A whole layer for a laser cutter, with ruler and legend below it."""
    shapes = board_shapes(plan, profile, HAIR, layer)
    width, height = plan.board_mm
    shapes += ruler((0, height + 8))
    for n, text in enumerate(_legend(plan, profile, layer)):
        shapes.append(Label(0, height + 26 + n * 6, text, 3.6, ink=TOLD))
    return Drawing(
        title=f"The {layer.value} · {plan.title}",
        width=max(width, 260.0) + 2 * EDGE,
        height=height + STRIP + 2 * EDGE,
        shapes=tuple(shapes),
        corner=(-EDGE, -EDGE),
    )


def ruler(at: Point) -> list[FlatShape]:
    """A ruler of 100 mm, to be compared with a real one."""
    x, y = at
    shapes: list[FlatShape] = [RuledLine(points=((x, y), (x + RULER, y)), ink=TOLD, width=0.25)]
    for mm in range(0, RULER + 1, 5):
        high = 4.0 if mm % 10 == 0 else 2.0
        shapes.append(RuledLine(points=((x + mm, y), (x + mm, y + high)), ink=TOLD, width=0.25))
    for mm in range(0, RULER + 1, 50):
        anchor: Anchor = "start" if mm == 0 else "middle"
        shapes.append(Label(x + mm, y + 8, f"{mm} mm" if mm else "0", SMALLEST, anchor=anchor, ink=TOLD))
    return shapes


def _mark(mark: Mark, line: float, layer: Layer) -> list[FlatShape]:
    x, y = mark.at
    shapes: list[FlatShape] = []
    if mark.outline[0]:
        ink = TOLD if mark.is_reader and layer is Layer.BOARD else ENGRAVE
        shapes.append(Box(area=mark.area, fill=_NONE, ink=ink, width=line, round=1.5))
    if mark.hole:
        shapes.append(Disc(x=x, y=y, radius=mark.hole / 2, fill=_NONE, ink=CUT, width=line))
    for dx, dy in ((_CROSS, 0.0), (0.0, _CROSS)):
        shapes.append(RuledLine(points=((x - dx, y - dy), (x + dx, y + dy)), ink=TOLD, width=line))
    return shapes


def _words(mark: Mark, taken: Sequence[Area], line: float) -> Iterator[tuple[list[FlatShape], Area]]:
    """The name of a mark as lines, and the diameter of its hole as letters."""
    if mark.name:
        wide = stroke_width(mark.name, NAME)
        rules, area = strokes(mark.name, _spot(mark, wide, NAME, taken), NAME, ENGRAVE, line)
        yield [*rules], area
    if mark.hole and not mark.is_led:
        label = _diameter(mark, f"Ø {mark.hole:g}", taken)
        yield [label], label.area


def _diameter(mark: Mark, text: str, taken: Sequence[Area]) -> Label:
    """What is said about holes: inside of a wide hole or of the frame around it, if there is one."""
    x, y = mark.at
    if mark.hole >= _WIDE_HOLE:
        at = x, y + 5
    elif mark.outline[1] > 2 * mark.hole:
        at = x, y + mark.hole / 2 + SMALLEST
    else:
        at = _spot(mark, text_width(text, SMALLEST), SMALLEST, taken)
    return Label(at[0], at[1] + SMALLEST * 0.36, text, SMALLEST, anchor="middle", ink=TOLD)


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


def _legend(plan: Plan, profile: Profile, layer: Layer) -> list[str]:
    holes = Counter(mark.hole for mark in marks_of(plan, profile, layer) if mark.hole)
    drilled = ", ".join(f"{count} × Ø {hole:g} mm" for hole, count in sorted(holes.items()))
    width, height = plan.board_mm
    return [
        f"Red: cut. The {layer.value} is {width:g} × {height:g} mm; holes: {drilled}.",
        f"Blue: engrave. {_FRAMES[layer]}",
        "Black: not for the machine. 1 unit is 1 mm; compare the ruler with a real one before you cut.",
    ]


# The board or its cover on sheets of A4 at its true size, to be glued together as a template for drilling.
#
# Sheets overlap: each but those of the last column and row has a strip at its right and lower edge that the
# next sheet covers.


OVERLAP, FOOT, LINE = 10.0, 14.0, 0.25
_MARK = 6.0
"""The length of the crop marks."""


class Tiling(NamedTuple):
    """How a board is divided into sheets."""

    paper: Format
    columns: int
    rows: int

    @property
    def window(self) -> tuple[float, float]:
        """How much of the board a sheet shows."""
        return self.paper.width - 2 * MARGIN, self.paper.height - 2 * MARGIN - FOOT

    def area(self, column: int, row: int) -> Area:
        """The part of the board on a sheet."""
        wide, high = self.window
        left, top = column * (wide - OVERLAP) - 1, row * (high - OVERLAP) - 1
        return Area(left, top, left + wide, top + high)


def tiling(size: tuple[float, float]) -> Tiling:
    """The way that needs fewer sheets; upright if both need as many."""
    return min(
        (_tiling(size, paper) for paper in (PORTRAIT, LANDSCAPE)), key=lambda way: way.columns * way.rows
    )


def _tiling(size: tuple[float, float], paper: Format) -> Tiling:
    wide, high = Tiling(paper, 1, 1).window
    columns, rows = (
        max(1, ceil((side + 2 - OVERLAP) / (window - OVERLAP)))
        for side, window in zip(size, (wide, high), strict=True)
    )
    return Tiling(paper, columns, rows)


def board_tiles(plan: Plan, profile: Profile, layer: Layer = Layer.BOARD) -> Iterator[tuple[str, Drawing]]:
    """The name of each sheet, such as 'B2' for the second column and row, and its drawing."""
    way = tiling(plan.board_mm)
    shapes = board_shapes(plan, profile, LINE, layer)
    for row in range(way.rows):
        for column in range(way.columns):
            name = f"{ascii_uppercase[column]}{row + 1}"
            yield name, _tile(f"The {layer.value} · {plan.title}", way, (column, row), name, shapes)


def _tile(about: str, way: Tiling, at: tuple[int, int], name: str, shapes: list[FlatShape]) -> Drawing:
    area = way.area(*at)
    corner = (area.left - MARGIN, area.top - MARGIN)
    shown = [shape for shape in shapes if _extent(shape).overlaps(area)]
    title = f"Sheet {name} of {way.columns} × {way.rows}"
    foot = (area.left + 3, area.bottom + 4)
    frame: list[Shape] = [
        *_margins(area, way.paper, corner),
        *_crop_marks(area),
        *_glue_lines(way, at, area),
        Label(foot[0], foot[1] + 4.5, title, 5, bold=True),
        Label(foot[0], foot[1] + 9.5, about, SMALLEST),
        *_overview(way, at, (area.right - 3, foot[1])),
        *ruler((area.right - 132, foot[1])),
    ]
    return Drawing(
        title=f"{title} · {about}",
        width=way.paper.width,
        height=way.paper.height,
        shapes=(*shown, *frame),
        corner=corner,
    )


def _extent(shape: FlatShape) -> Area:
    """The area that a shape of the board covers, or a little more."""
    if isinstance(shape, Disc):
        radius = shape.radius
        return Area(shape.x - radius, shape.y - radius, shape.x + radius, shape.y + radius)
    if isinstance(shape, RuledLine):
        across, down = zip(*shape.points, strict=True)
        return Area(min(across) - 1, min(down) - 1, max(across) + 1, max(down) + 1)
    return shape.area


def _margins(area: Area, paper: Format, corner: tuple[float, float]) -> list[Shape]:
    """White paper over what would reach into the margins."""
    left, top = corner
    right, bottom = left + paper.width, top + paper.height
    covers = (
        Area(left, top, right, area.top),
        Area(left, area.bottom, right, bottom),
        Area(left, top, area.left, bottom),
        Area(area.right, top, right, bottom),
    )
    return [Box(area=each, ink="none", width=0) for each in covers]


def _crop_marks(area: Area) -> list[Shape]:
    """Two lines at each corner, outside of what is cut."""
    shapes: list[Shape] = []
    for x, way_x in ((area.left, -1), (area.right, 1)):
        for y, way_y in ((area.top, -1), (area.bottom, 1)):
            shapes.append(RuledLine(points=((x + way_x, y), (x + way_x * _MARK, y)), ink=TOLD))
            shapes.append(RuledLine(points=((x, y + way_y), (x, y + way_y * _MARK)), ink=TOLD))
    return shapes


def _glue_lines(way: Tiling, at: tuple[int, int], area: Area) -> list[Shape]:
    """Where the next sheets begin."""
    shapes: list[Shape] = []
    if at[0] + 1 < way.columns:
        x = area.right - OVERLAP
        shapes.append(RuledLine(points=((x, area.top), (x, area.bottom)), ink=FAINT, dashed=True))
    if at[1] + 1 < way.rows:
        y = area.bottom - OVERLAP
        shapes.append(RuledLine(points=((area.left, y), (area.right, y)), ink=FAINT, dashed=True))
    return shapes


def _overview(way: Tiling, at: tuple[int, int], corner: tuple[float, float]) -> list[Shape]:
    """All sheets, small, with this one marked; `corner` is the upper right one."""
    side = min(4.0, 9.0 / way.rows, 16.0 / way.columns)
    shapes: list[Shape] = []
    for row in range(way.rows):
        for column in range(way.columns):
            x, y = corner[0] - (way.columns - column) * side, corner[1] + row * side
            fill = TOLD if (column, row) == at else PALE
            shapes.append(Box(area=Area(x, y, x + side, y + side), fill=fill, ink=FAINT, width=0.2))
    return shapes
