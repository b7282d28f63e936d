"""The fields of magnets in docs/buying.md are those of the formula for a disc on its axis."""

from __future__ import annotations

import re
from math import hypot
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "buying.md"
N35_MT = 1170
"""The remanence of N35."""
SURE_MT = 35
"""An A3144 switches at that field at the latest."""
ROWS = re.findall(
    r"(?m)^\| \**(\d) × (\d) mm\** \| (\d+) mT \| (\d+) mT \| (\d+) mT \| (\d+) mT \| ([\d.]+) mm \|$",
    PAGE.read_text(encoding="utf-8"),
)


def field_mt(across_mm: float, thick_mm: float, away_mm: float) -> float:
    """The field of a disc of N35, so far before the middle of its face."""
    radius = across_mm / 2
    far, near = (each / hypot(radius, each) for each in (away_mm + thick_mm, away_mm))
    return N35_MT / 2 * (far - near)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row[0]}x{row[1]}")
def test_the_table_is_computed(row: tuple[str, ...]) -> None:
    across, thick, *fields, farthest = map(float, row)
    assert [round(field_mt(across, thick, away)) for away in (2, 3, 4, 5)] == fields
    assert field_mt(across, thick, farthest) >= SURE_MT > field_mt(across, thick, farthest + 0.1)


def test_the_advice_leaves_room() -> None:
    assert len(ROWS) == 4
    assert field_mt(5, 2, 3) > 2 * SURE_MT
