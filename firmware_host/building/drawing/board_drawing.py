"""The board and its cover at their true size: what is cut, what is engraved, and what is only told.

Red lines are cut, blue lines are engraved, black is for people: a laser cutter is told to leave it out. Names
on the board are lines, too, and stand where nothing else is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from firmware_host.building.drawing.board_marks import Layer, Mark, marks_of, rows_of_leds
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
    shapes: list[FlatShape] = [Rule(points=((x, y), (x + RULER, y)), ink=TOLD, width=0.25)]
    for mm in range(0, RULER + 1, 5):
        high = 4.0 if mm % 10 == 0 else 2.0
        shapes.append(Rule(points=((x + mm, y), (x + mm, y + high)), ink=TOLD, width=0.25))
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
        shapes.append(Rule(points=((x - dx, y - dy), (x + dx, y + dy)), ink=TOLD, width=line))
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
