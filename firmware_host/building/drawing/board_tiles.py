"""The board or its cover on sheets of A4 at its true size, to be glued together as a template for drilling.

Sheets overlap: each but those of the last column and row has a strip at its right and lower edge that the
next sheet covers.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil
from string import ascii_uppercase
from typing import NamedTuple

from firmware_host.building.drawing.board_drawing import TOLD, board_shapes, ruler
from firmware_host.building.drawing.board_marks import Layer
from firmware_host.building.drawing.letters import SMALLEST
from firmware_host.building.drawing.paper import LANDSCAPE, MARGIN, PORTRAIT, Format
from firmware_host.building.drawing.shapes import (
    FAINT,
    PALE,
    Area,
    Box,
    Disc,
    Drawing,
    FlatShape,
    Label,
    Rule,
    Shape,
)
from firmware_host.building.plan import Plan
from firmware_host.config.profile import Profile

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
    if isinstance(shape, Rule):
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
            shapes.append(Rule(points=((x + way_x, y), (x + way_x * _MARK, y)), ink=TOLD))
            shapes.append(Rule(points=((x, y + way_y), (x, y + way_y * _MARK)), ink=TOLD))
    return shapes


def _glue_lines(way: Tiling, at: tuple[int, int], area: Area) -> list[Shape]:
    """Where the next sheets begin."""
    shapes: list[Shape] = []
    if at[0] + 1 < way.columns:
        x = area.right - OVERLAP
        shapes.append(Rule(points=((x, area.top), (x, area.bottom)), ink=FAINT, dashed=True))
    if at[1] + 1 < way.rows:
        y = area.bottom - OVERLAP
        shapes.append(Rule(points=((area.left, y), (area.right, y)), ink=FAINT, dashed=True))
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
