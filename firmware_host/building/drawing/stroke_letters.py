"""Letters of single lines, for machines that cut and engrave: these follow lines, and know no fonts.

Each letter is drawn on a grid of 4 by 6. '00-40 20-26' are two lines: from the upper left corner to the
right, and from the middle of the top down.
"""

from __future__ import annotations

from collections.abc import Mapping

from firmware_host.building.drawing.shapes import Area, Point, Rule

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


def strokes(text: str, middle: Point, height: float, ink: str, width: float) -> tuple[list[Rule], Area]:
    """The lines of a text around a point, and the area that it covers."""
    unit, wide = height / _HIGH, stroke_width(text, height)
    left, top = middle[0] - wide / 2, middle[1] - height / 2
    rules = []
    for n, letter in enumerate(text.upper()):
        for line in _GLYPHS.get(letter, "").split():
            points = tuple(
                (left + unit * (n * _WIDE + int(at[0])), top + unit * int(at[1])) for at in line.split("-")
            )
            rules.append(Rule(points=points, ink=ink, width=width))
    return rules, Area(left, top, left + wide, top + height)
