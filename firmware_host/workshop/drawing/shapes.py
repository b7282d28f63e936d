"""What drawings are made of, and a sheet of A4 around them, in mm from the upper left corner."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple
from xml.sax.saxutils import escape, quoteattr

from firmware_host.model.plain_text import in_a_line
from firmware_host.workshop.plan.plan import inks_of

# How wide a text is when it is drawn, so that labels can be placed where no wire is.
#
# The widths are those of DejaVu Sans. Where that font is missing, browsers take one of the others in `FONT`,
# whose letters are as wide or less.


FONT = "DejaVu Sans, Helvetica, Arial, sans-serif"
SMALLEST = 3.1
"""The smallest font size in mm: its capital letters are 2.26 mm high."""
ASCENT, DESCENT = 0.8, 0.24
"""The height of the highest letter and the depth of 'g', for font size 1."""

_PLAIN = (
    318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337,
    636, 636, 636, 636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 531,
    1000, 684, 686, 698, 770, 632, 575, 775, 752, 295, 295, 656, 557, 863, 748, 787,
    603, 787, 695, 635, 611, 732, 684, 989, 685, 611, 685, 390, 337, 390, 838, 500,
    500, 613, 635, 550, 635, 615, 352, 635, 634, 278, 278, 579, 278, 974, 634, 612,
    635, 635, 411, 521, 392, 634, 592, 818, 592, 592, 525, 636, 337, 636, 838,
)  # fmt: skip
_BOLD = (
    348, 456, 521, 838, 696, 1002, 872, 306, 457, 457, 523, 838, 380, 415, 380, 365,
    696, 696, 696, 696, 696, 696, 696, 696, 696, 696, 400, 400, 838, 838, 838, 580,
    1000, 774, 762, 734, 830, 683, 683, 821, 837, 372, 372, 775, 637, 995, 837, 850,
    733, 850, 770, 720, 682, 812, 774, 1103, 771, 724, 725, 457, 365, 457, 838, 500,
    500, 675, 716, 593, 716, 678, 435, 716, 712, 343, 343, 665, 343, 1042, 712, 687,
    716, 716, 493, 595, 478, 712, 652, 924, 645, 652, 582, 712, 365, 712, 838,
)  # fmt: skip
_OTHER = 1000
"""The width of any letter outside ASCII; few are wider."""


def text_width(text: str, size: float, *, bold: bool = False) -> float:
    """How wide a text is, in the unit of its font size."""
    widths = _BOLD if bold else _PLAIN
    known = (widths[ord(c) - 32] if 32 <= ord(c) < 127 else _OTHER for c in text)
    return sum(known) * size / 1000


def shortened(text: str, width: float, size: float, *, bold: bool = False) -> str:
    """The text, or as much of it as fits into a width."""
    if text_width(text, size, bold=bold) <= width:
        return text
    while text and text_width(f"{text}…", size, bold=bold) > width:
        text = text[:-1]
    return f"{text.rstrip()}…"


def text_lines(text: str, width: float, size: float) -> list[str]:
    """The text in lines that fit into a width; a word that is wider has a line of its own."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(longer, size) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


INK, MUTED, FAINT, PALE, PAPER = "#111111", "#5b6472", "#8a8f98", "#eef0f3", "#ffffff"
Anchor = Literal["start", "middle", "end"]
Point = tuple[float, float]


class Area(NamedTuple):
    """A rectangle on the paper."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.bottom - self.top

    @property
    def middle(self) -> Point:
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2

    def overlaps(self, other: Area) -> bool:
        """Whether the two have paper in common."""
        return (
            self.left < other.right
            and other.left < self.right
            and self.top < other.bottom
            and other.top < self.bottom
        )


@dataclass(frozen=True, slots=True)
class Label:
    """A line of text; `y` is its base line."""

    x: float
    y: float
    text: str
    size: float = 3.4
    bold: bool = False
    anchor: Anchor = "start"
    ink: str = INK

    @property
    def area(self) -> Area:
        """The paper it covers."""
        width = text_width(self.text, self.size, bold=self.bold)
        left = self.x - {"start": 0.0, "middle": width / 2, "end": width}[self.anchor]
        return Area(left, self.y - ASCENT * self.size, left + width, self.y + DESCENT * self.size)


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """A rectangle."""

    area: Area
    fill: str = PAPER
    ink: str = INK
    width: float = 0.3
    round: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Disc:
    """A circle."""

    x: float
    y: float
    radius: float
    fill: str = PAPER
    ink: str = INK
    width: float = 0.3


@dataclass(frozen=True, slots=True, kw_only=True)
class RuledLine:
    """A line that is no wire: of a frame, of a grid, of a ruler, of letters that are cut."""

    points: tuple[Point, ...]
    ink: str = INK
    width: float = 0.3
    dashed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Strand:
    """A drawn wire: level at both ends, in a curve between the two bends.

    If both bends are at one place, the wire goes straight up or down there and may come back.
    """

    start: Point
    end: Point
    bends: tuple[float, float]
    colour: str
    """A key of `inks.INKS`."""
    tip: str
    """What the wire carries, for those who look at the drawing on a screen."""


FlatShape = Label | Box | Disc | RuledLine
"""What a board has: no wires."""
Shape = FlatShape | Strand


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """A drawing of a size on paper; later shapes lie on top."""

    title: str
    width: float
    height: float
    shapes: tuple[Shape, ...]
    corner: Point = (0.0, 0.0)
    """The upper left corner of the paper, in the coordinates of the shapes."""


# A drawing as SVG text in millimetres, which prints at its true size.
#
# All colours are attributes and the background is white: it is for paper, and looks the same in every
# program.


CASING, CORE = 1.2, 0.8
_EDGE = "#3c4046"
"""Around each wire, so that a white one can be seen on white paper."""


def svg_text(drawing: Drawing) -> str:
    """The drawing as the text of an SVG file."""
    width, height = _number(drawing.width), _number(drawing.height)
    left, top = map(_number, drawing.corner)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}mm" height="{height}mm" '
        f'viewBox="{left} {top} {width} {height}" role="img" font-family="{FONT}">'
    )
    ground = f'<rect x="{left}" y="{top}" width="{width}" height="{height}" fill="{PAPER}"/>'
    body = [_element(shape) for shape in drawing.shapes]
    return "\n".join([head, f"<title>{_text(drawing.title)}</title>", ground, *body, "</svg>"]) + "\n"


def _element(shape: Shape) -> str:
    match shape:
        case Label():
            return _label(shape)
        case Box():
            left, top, right, bottom = shape.area
            size = _attributes(x=left, y=top, width=right - left, height=bottom - top, rx=shape.round)
            return f"<rect{size}{_paint(shape.fill, shape.ink, shape.width)}/>"
        case Disc():
            place = _attributes(cx=shape.x, cy=shape.y, r=shape.radius)
            return f"<circle{place}{_paint(shape.fill, shape.ink, shape.width)}/>"
        case RuledLine():
            dashes = ' stroke-dasharray="1.5 1"' if shape.dashed else ""
            points = " ".join(map(_point, shape.points))
            return f'<polyline points="{points}"{_paint("none", shape.ink, shape.width)}{dashes}/>'
    return _strand(shape)


def _label(label: Label) -> str:
    weight = ' font-weight="bold"' if label.bold else ""
    anchor = f' text-anchor="{label.anchor}"' if label.anchor != "start" else ""
    place = f"{_attributes(x=label.x, y=label.y)} font-size={quoteattr(_number(label.size))}"
    return f'<text{place}{weight}{anchor} fill="{label.ink}">{_text(label.text)}</text>'


def _strand(strand: Strand) -> str:
    """A wire: a dark casing, its colour, and the second colour as a stripe of dashes."""
    path = f"d={quoteattr(_path(strand))}"
    inks = inks_of(strand.colour)
    layers = [(CASING, _EDGE, ""), (CORE, inks[0].paint, "")]
    layers += [(CORE, ink.paint, ' stroke-dasharray="2 2"') for ink in inks[1:]]
    drawn = "".join(
        f'<path {path} stroke="{paint}" stroke-width="{width:g}"{dashes}/>' for width, paint, dashes in layers
    )
    return f'<g class="wire" fill="none"><title>{_text(strand.tip)}</title>{drawn}</g>'


def _path(strand: Strand) -> str:
    (first, last), (_, high), (end, low) = strand.bends, strand.start, strand.end
    if first == last:
        return f"M{_point(strand.start)} H{_number(first)} V{_number(low)} H{_number(end)}"
    middle = (first + last) / 2
    curve = f"C{_point((middle, high))} {_point((middle, low))} {_point((last, low))}"
    return f"M{_point(strand.start)} H{_number(first)} {curve} H{_number(end)}"


def _text(text: str) -> str:
    """A text for XML, which allows no control characters."""
    return escape(in_a_line(text))


def _paint(fill: str, ink: str, width: float) -> str:
    return f' fill="{fill}" stroke="{ink}" stroke-width="{_number(width)}"'


def _attributes(**values: float) -> str:
    return "".join(f' {name}="{_number(value)}"' for name, value in values.items())


def _point(point: Point) -> str:
    return f"{_number(point[0])},{_number(point[1])}"


def _number(value: float) -> str:
    return f"{round(value, 2) + 0.0:g}"


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
        RuledLine(points=((MARGIN, MARGIN + 14.5), (right, MARGIN + 14.5))),
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
