"""A drawing as SVG text in millimetres, which prints at its true size.

All colours are attributes and the background is white: it is for paper, and looks the same in every program.
"""

from __future__ import annotations

from xml.sax.saxutils import escape, quoteattr

from firmware_host.building.drawing.inks import inks_of
from firmware_host.building.drawing.letters import FONT
from firmware_host.building.drawing.shapes import PAPER, Box, Disc, Drawing, Label, Point, Rule, Shape, Strand
from firmware_host.visible import in_a_line

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
        case Rule():
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
