"""All drawings of a table as files: sheets for A4, the board at its true size, and a source for WireViz."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from firmware_host.building.drawing.board_drawing import board_drawing
from firmware_host.building.drawing.board_marks import Layer
from firmware_host.building.drawing.board_tiles import board_tiles
from firmware_host.building.drawing.cable_sheets import cable_sheets, is_only_plugs, plug_sheets
from firmware_host.building.drawing.expander_sheet import expander_sheet
from firmware_host.building.drawing.header_sheet import header_sheet
from firmware_host.building.drawing.matrix_sheet import matrix_sheet
from firmware_host.building.drawing.shapes import Drawing
from firmware_host.building.drawing.svg import svg_text
from firmware_host.building.drawing.whole_sheet import whole_sheet
from firmware_host.building.plan import Plan
from firmware_host.building.wireviz import wireviz_source
from firmware_host.config.profile import Profile


def sheets(plan: Plan, profile: Profile) -> dict[str, str]:
    """The text of each file, by its name."""
    made = list(drawings(plan, profile))
    names = _distinct([name for name, _ in made])
    texts = {f"{name}.svg": svg_text(drawing) for name, (_, drawing) in zip(names, made, strict=True)}
    return texts | {"wireviz.yml": wireviz_source(plan)}


def drawings(plan: Plan, profile: Profile) -> Iterator[tuple[str, Drawing]]:
    """All drawings with their names."""
    yield "whole", whole_sheet(plan)
    yield "header", header_sheet(plan, profile)
    for bank in profile.banks:
        yield f"chip-{_file_name(bank.name)}", expander_sheet(plan, bank)
    for chip in profile.led_chips:
        yield f"chip-{_file_name(chip.name)}", matrix_sheet(plan, profile, chip)
    for cable in plan.cables:
        if not is_only_plugs(plan, cable):
            yield from _numbered(f"cable-{_file_name(cable.name)}", cable_sheets(plan, cable))
    yield from _numbered("cables-with-plugs", plug_sheets(plan))
    for own, layer in (("board", Layer.BOARD), ("board-cover", Layer.COVER)):
        yield own, board_drawing(plan, profile, layer)
        for name, tile in board_tiles(plan, profile, layer):
            yield f"{own}-{name}", tile


def _numbered(name: str, pages: tuple[Drawing, ...]) -> Iterator[tuple[str, Drawing]]:
    for number, page in enumerate(pages, start=1):
        yield (f"{name}-{number}" if len(pages) > 1 else name), page


def _file_name(name: str) -> str:
    """A name that every file system takes."""
    return re.sub(r"[^A-Za-z0-9]+", "-", name)


def _distinct(names: Sequence[str]) -> list[str]:
    """The names with a number where two are the same: of an expander called 'row-red' and of the red row."""
    found: dict[str, None] = {}
    for name in names:
        own, number = name, 1
        while own in found:
            number += 1
            own = f"{name}-{number}"
        found[own] = None
    return list(found)
