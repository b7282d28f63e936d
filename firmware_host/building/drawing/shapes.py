"""What drawings are made of. All lengths are mm, from the upper left corner of the paper."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from firmware_host.building.drawing.letters import ASCENT, DESCENT, text_width

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
class Rule:
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


FlatShape = Label | Box | Disc | Rule
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
