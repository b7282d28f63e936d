"""A sheet of A4: its frame with title, table and what to watch, and the area that is left for the drawing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from firmware_host.workshop.drawing.shapes import (
    FAINT,
    PALE,
    Area,
    Box,
    Drawing,
    Label,
    Rule,
    Shape,
    shortened,
    text_lines,
)

MARGIN = 10.0
"""What most printers leave white."""
TITLE, TEXT, LINE = 6.0, 3.4, 4.6


class Format(NamedTuple):
    """A size of paper."""

    width: float
    height: float


PORTRAIT, LANDSCAPE = Format(210.0, 297.0), Format(297.0, 210.0)


class Heading(NamedTuple):
    """What stands around a drawing."""

    title: str
    table: str
    watch: Sequence[str]
    more: str = ""
    """A few words beside the name of the table."""
    """What to take care of, a sentence or two each."""


def drawing_area(paper: Format, heading: Heading) -> Area:
    """Where there is room for the drawing."""
    return Area(
        MARGIN, MARGIN + 17, paper.width - MARGIN, paper.height - MARGIN - 6 - _watch_height(paper, heading)
    )


def sheet(paper: Format, heading: Heading, shapes: Iterable[Shape]) -> Drawing:
    """A drawing in its frame."""
    title = f"{heading.title} · {heading.table}"
    return Drawing(
        title=title, width=paper.width, height=paper.height, shapes=(*_frame(paper, heading), *shapes)
    )


def _frame(paper: Format, heading: Heading) -> list[Shape]:
    right, bottom = paper.width - MARGIN, paper.height - MARGIN
    wide = right - MARGIN
    return [
        Label(MARGIN, MARGIN + 5.5, shortened(heading.title, wide, TITLE, bold=True), TITLE, bold=True),
        Label(MARGIN, MARGIN + 12, shortened(f"Table: {heading.table}{heading.more}", wide, TEXT), TEXT),
        Rule(points=((MARGIN, MARGIN + 14.5), (right, MARGIN + 14.5))),
        *_watch(paper, heading),
        Label(MARGIN, bottom - 0.8, "Drawn by ligretto-table wiring. Print it on A4.", 3.1, ink="#4a4f57"),
    ]


def _watch_lines(paper: Format, heading: Heading) -> list[tuple[bool, str]]:
    """The lines of what to watch; a line with which a sentence begins is marked."""
    width = paper.width - 2 * MARGIN - 8
    lines = [text_lines(each, width, TEXT) for each in heading.watch]
    return [(n == 0, line) for each in lines for n, line in enumerate(each)]


def _watch_height(paper: Format, heading: Heading) -> float:
    return len(_watch_lines(paper, heading)) * LINE + 4


def _watch(paper: Format, heading: Heading) -> list[Shape]:
    bottom = paper.height - MARGIN - 5
    area = Area(MARGIN, bottom - _watch_height(paper, heading) + 1, paper.width - MARGIN, bottom)
    shapes: list[Shape] = [Box(area=area, fill=PALE, ink=FAINT, round=1.5)]
    for n, (is_first, line) in enumerate(_watch_lines(paper, heading)):
        y = area.top + 4.6 + n * LINE
        if is_first:
            shapes.append(Label(area.left + 2, y, "!", TEXT, bold=True))
        shapes.append(Label(area.left + 5, y, line, TEXT))
    return shapes
