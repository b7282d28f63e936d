"""Tables of text: for a terminal, and as CSV for a spreadsheet."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import wrap

from firmware_host.workshop.plan.plan import Pin

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
