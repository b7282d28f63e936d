"""What is connected to what: the model from which checklist, parts list, power budget and drawings are made.

A component is a part with a name and pins. A wire goes from one pin to another. Wires that run side by side
make a cable, which has a sheet of its own. `wiring_plan(profile)` in `planning.py` makes a plan.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from textwrap import wrap
from typing import NamedTuple


class Rail(Enum):
    """What a wire carries power from; signals have none."""

    V3_3 = "3.3 V"  # from the Pi
    V5 = "5 V"  # from the supply
    V12 = "12 V"  # only if buttons or signs need it
    GROUND = "ground"


class Section(Enum):
    """The steps in which one wires, in their order."""

    POWER = "power"
    BUS = "I2C bus"
    BUTTONS = "buttons"
    SENSORS = "sensors"
    LAMPS = "lamps"
    READERS = "tag readers"
    SCOREBOARD = "scoreboard"
    SOUND = "sound"
    SWITCHING_ON = "switching on"


@dataclass(frozen=True, slots=True)
class Pin:
    """One pin of one component, such as `pi`, `GPIO 17`, header pin 11."""

    component: str
    name: str
    number: str = ""
    """What is printed at the part or counted there: the pin of a header, of a chip's package."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Component:
    """A part that stands somewhere."""

    name: str
    """As in the profile, the doctor and on the labels: `left`, `button 3`, `red 1`."""
    part: str
    """A key of `parts.PARTS`; `pi` is the Raspberry Pi of the profile."""
    title: str
    section: Section
    address: int | None = None
    at_mm: tuple[float, float] | None = None
    """Where its middle lies on the board."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wire:
    """One wire, from where it comes to where it goes."""

    start: Pin
    end: Pin
    signal: str
    """What it carries, for people: 'interrupt of left', 'red 1', 'ground'."""
    colour: str
    length_mm: int
    """0 for a cable that is bought with its plugs."""
    cable: str
    section: Section
    rail: Rail | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Cable:
    """Wires that run side by side; each cable has a sheet."""

    name: str
    title: str
    section: Section
    length_mm: int
    """That of its longest wire; 0 if it is bought with its plugs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A whole table."""

    title: str
    components: tuple[Component, ...]
    wires: tuple[Wire, ...]
    """In the order in which one wires."""
    cables: tuple[Cable, ...]
    board_mm: tuple[float, float]
    """Width and height of the whole board."""

    def component(self, name: str) -> Component:
        """The component of that name."""
        return next(each for each in self.components if each.name == name)

    def of_cable(self, name: str) -> tuple[Wire, ...]:
        """The wires of a cable."""
        return tuple(wire for wire in self.wires if wire.cable == name)


class Ink(NamedTuple):
    """One colour of insulation, or a cable with plugs, which has the colour that it has."""

    code: str
    paint: str


INKS: Mapping[str, Ink] = {
    "black": Ink("BK", "#1a1a1a"),
    "red": Ink("RD", "#d62728"),
    "orange": Ink("OG", "#ff8c1a"),
    "yellow": Ink("YE", "#ffd92f"),
    "green": Ink("GN", "#2ca02c"),
    "blue": Ink("BU", "#1f6fd6"),
    "violet": Ink("VT", "#8e44ad"),
    "grey": Ink("GY", "#9aa0a6"),
    "white": Ink("WH", "#ffffff"),
    "brown": Ink("BN", "#8c564b"),
    "pink": Ink("PK", "#f48fb1"),
    "turquoise": Ink("TQ", "#26c6c6"),
}
_PLUGGED = "#5b6472"
PLUGGED: Mapping[str, Ink] = {
    "USB cable": Ink("USB", _PLUGGED),
    "audio cable": Ink("AUD", _PLUGGED),
    "its own cable": Ink("PLUG", _PLUGGED),
}
"""Cables that are bought with plugs at both ends."""


def inks_of(colour: str) -> tuple[Ink, ...]:
    """The inks of a wire; two for one with a stripe, such as 'yellow-red'."""
    if colour in PLUGGED:
        return (PLUGGED[colour],)
    return tuple(INKS[name] for name in colour.split("-"))


def code_of(colour: str) -> str:
    """The letters of a wire's colour: 'BU', or 'YERD' for yellow with a red stripe."""
    return "".join(ink.code for ink in inks_of(colour))


_GAP = "  "


_NARROWEST = 16


@dataclass(frozen=True, slots=True)
class TextTable:
    """A title, the names of the columns, and the rows."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: int = 0
    """So many columns at the end are lines of their own below a row, as they are long."""


def as_lines(table: TextTable, width: int) -> list[str]:
    """The table in lines; where it is too wide, the cells of its last column are wrapped."""
    count = len(table.columns) - table.notes
    cells = [row[:count] for row in (table.columns, *table.rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(count)]
    taken = sum(widths[:-1]) + len(_GAP) * (count - 1)
    widths[-1] = min(widths[-1], max(_NARROWEST, width - taken))
    lines = [table.title, _line(table.columns[:count], widths), _GAP.join("-" * each for each in widths)]
    for row in table.rows:
        last = wrap(row[count - 1], widths[-1], break_on_hyphens=False) or [""]
        lines.append(_line((*row[: count - 1], last[0]), widths))
        lines += [" " * taken + more for more in last[1:]]
        for name, note in zip(table.columns[count:], row[count:], strict=True):
            indent = " " * (widths[0] + len(_GAP))
            text = f"{name}: {note}"
            lines += wrap(text, width, initial_indent=indent, subsequent_indent=indent) if note else []
    return lines


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    return _GAP.join(f"{cell:{width}}" for cell, width in zip(cells, widths, strict=True)).rstrip()


def as_csv(*tables: TextTable) -> str:
    """Tables with the same columns as one CSV with a header line."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(tables[0].columns)
    for table in tables:
        writer.writerows(table.rows)
    return file.getvalue()


def pin_text(pin: Pin) -> str:
    """A pin for people: `left: GPA0 (pin 21)`."""
    known = not pin.number or pin.name.split()[-1] == pin.number
    return f"{pin.component}: {pin.name}" + ("" if known else f" (pin {pin.number})")


def metres(length_mm: int) -> str:
    """A length as it is written in a list: `0.35 m`; empty for a bought cable."""
    return f"{length_mm / 1000:.2f} m" if length_mm else ""


def ohm_text(ohm: int) -> str:
    """A resistance for people: `4.7 kohm`."""
    return f"{ohm / 1000:g} kohm" if ohm >= 1000 else f"{ohm} ohm"
