"""Reads drawings back from their SVG text, and measures them with the real font."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

import matplotlib
from PIL import ImageFont

import wiring
from firmware_host.profile.profile import Profile
from firmware_host.run.table_files import load_profile
from firmware_host.workshop.drawing.sheets import sheets
from firmware_host.workshop.plan.plan import Plan
from firmware_host.workshop.plan.planning import wiring_plan

SVG = "{http://www.w3.org/2000/svg}"
PROFILES = wiring.profile_names()
_FONTS = Path(matplotlib.get_data_path()) / "fonts" / "ttf"
_STEPS = 24


class Frame(NamedTuple):
    """A rectangle."""

    left: float
    top: float
    right: float
    bottom: float

    def overlaps(self, other: Frame) -> bool:
        across = self.left < other.right and other.left < self.right
        return across and self.top < other.bottom and other.top < self.bottom

    def holds(self, x: float, y: float, spare: float = 0.0) -> bool:
        across = self.left - spare < x < self.right + spare
        return across and self.top - spare < y < self.bottom + spare


@dataclass(frozen=True)
class Text:
    """A drawn text, and the paper that its letters cover."""

    words: str
    size: float
    frame: Frame


@dataclass(frozen=True)
class Wire:
    """A drawn wire as points along it."""

    told: str
    points: tuple[tuple[float, float], ...]

    @property
    def frame(self) -> Frame:
        across, down = zip(*self.points, strict=True)
        return Frame(min(across) - 0.6, min(down) - 0.6, max(across) + 0.6, max(down) + 0.6)


@dataclass(frozen=True)
class Picture:
    """All that a drawing has."""

    width: float
    height: float
    view: tuple[float, ...]
    unit: str
    texts: tuple[Text, ...]
    wires: tuple[Wire, ...]


@cache
def plan_of(name: str) -> tuple[Plan, Profile]:
    """A shipped profile and its plan."""
    profile = load_profile(name)
    return wiring_plan(profile), profile


@cache
def files_of(name: str) -> dict[str, str]:
    """The drawings of a shipped profile."""
    return dict(sheets(*plan_of(name)))


@cache
def picture(svg: str) -> Picture:
    """What an SVG text shows."""
    root = ElementTree.fromstring(svg)
    width, unit = re.fullmatch(r"([\d.]+)(.*)", root.attrib["width"]).groups()  # type: ignore[union-attr]
    return Picture(
        width=float(width),
        height=float(root.attrib["height"].removesuffix(unit)),
        view=tuple(map(float, root.attrib["viewBox"].split())),
        unit=unit,
        texts=tuple(map(_text, root.iter(f"{SVG}text"))),
        wires=tuple(map(_wire, root.iterfind(f"{SVG}g[@class='wire']"))),
    )


@cache
def _font(bold: bool) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(_FONTS / ("DejaVuSans-Bold.ttf" if bold else "DejaVuSans.ttf"), 1000)


def font_width(words: str, size: float, bold: bool = False) -> float:
    """How wide a text is in DejaVu Sans."""
    return _font(bold).getlength(words) * size / 1000


def _text(element: ElementTree.Element) -> Text:
    words, size = element.text or "", float(element.attrib["font-size"])
    left, top, right, bottom = _font("font-weight" in element.attrib).getbbox(words, anchor="ls")
    wide = font_width(words, size, "font-weight" in element.attrib)
    x, y = float(element.attrib["x"]), float(element.attrib["y"])
    x -= {"start": 0.0, "middle": wide / 2, "end": wide}[element.attrib.get("text-anchor", "start")]
    scale = size / 1000
    return Text(words, size, Frame(x + left * scale, y + top * scale, x + right * scale, y + bottom * scale))


def _wire(element: ElementTree.Element) -> Wire:
    told = element.findtext(f"{SVG}title") or ""
    path = element.find(f"{SVG}path")
    assert path is not None
    return Wire(told, tuple(_points(path.attrib["d"])))


def _points(path: str) -> Iterator[tuple[float, float]]:
    """Points along a path of M, H, V and C."""
    x = y = 0.0
    for kind, numbers in re.findall(r"([MHVC])([^MHVC]*)", path):
        values = [float(each) for each in re.findall(r"-?[\d.]+", numbers)]
        x0, y0 = x, y
        x, y = _goal(kind, values, x, y)
        if kind == "M":
            yield x, y
            continue
        for step in range(1, _STEPS + 1):
            t = step / _STEPS
            if kind != "C":
                yield x0 + (x - x0) * t, y0 + (y - y0) * t
                continue
            weights = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
            corners = ((x0, y0), (values[0], values[1]), (values[2], values[3]), (x, y))
            yield (
                sum(w * at[0] for w, at in zip(weights, corners, strict=True)),
                sum(w * at[1] for w, at in zip(weights, corners, strict=True)),
            )


def _goal(kind: str, values: list[float], x: float, y: float) -> tuple[float, float]:
    if kind == "H":
        return values[0], y
    if kind == "V":
        return x, values[0]
    return values[-2], values[-1]
