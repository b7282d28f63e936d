"""Draws the sheets of tables that the docs show, into docs/drawings: `make docs`.

.venv/bin/python docs/drawings.py
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from firmware_host.run.table_files import load_profile
from firmware_host.workshop.drawing.sheets import sheets
from firmware_host.workshop.plan.planning import wiring_plan

FOLDER = Path(__file__).parent / "drawings"
SHOWN = {
    "cards2": ("whole", "cable-pad-1", "cable-seat-1"),
    "dice4": (
        "whole",
        "header",
        "board",
        "board-cover",
        "chip-left",
        "chip-rows",
        "cable-row-red",
        "cable-seat-1",
    ),
}
"""The sheets that pages show, by profile."""


def shown_sheets() -> Iterator[tuple[Path, str]]:
    """The file of each sheet, and what it has to contain."""
    for name, shown in SHOWN.items():
        profile = load_profile(name)
        drawn = sheets(wiring_plan(profile), profile)
        for sheet in shown:
            yield FOLDER / name / f"{sheet}.svg", drawn[f"{sheet}.svg"]


if __name__ == "__main__":
    for file, text in shown_sheets():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
