"""All that is made of a profile for its builder, as files: tables, drawings, and a source for WireViz."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence

from firmware_host.model.plain_text import in_a_line
from firmware_host.profile.profile import Profile
from firmware_host.workshop.drawing.board_drawing import Layer, board_drawing, board_tiles
from firmware_host.workshop.drawing.cable_sheets import cable_sheets, is_only_plugs, plug_sheets
from firmware_host.workshop.drawing.chip_sheets import expander_sheet, header_sheet, matrix_sheet
from firmware_host.workshop.drawing.shapes import Drawing, svg_text
from firmware_host.workshop.drawing.whole_sheet import whole_sheet
from firmware_host.workshop.plan.budget import power_table
from firmware_host.workshop.plan.plan import PLUGGED, Pin, Plan, TextTable, as_csv, as_lines, code_of
from firmware_host.workshop.plan.tables import (
    address_table,
    by_cable,
    checklist,
    chip_tables,
    header_lines,
    parts_list,
)

# A table as a source for WireViz, for those who use it: `wireviz wireviz.yml`.
#
# WireViz is not needed for anything here. Its format is YAML; strings are written as in JSON, which
# is YAML, too.


_PLUGGED_COLOUR = "GY"


def wireviz_source(plan: Plan) -> str:
    """The connectors, cables and connections of a table."""
    pins: dict[str, list[Pin]] = {each.name: [] for each in plan.components}
    for wire in plan.wires:
        for pin in (wire.start, wire.end):
            if pin not in pins[pin.component]:
                pins[pin.component].append(pin)
    head = f"# {in_a_line(plan.title)}: written by ligretto-table wiring, for WireViz (https://github.com/wireviz/WireViz)."
    # WireViz splits names such as '3.3 V strip' at the dot unless told otherwise.
    options = ["options:", '  template_separator: "|"']
    lines = [head, *options, *_connectors(plan, pins), *_cables(plan), *_connections(plan, pins)]
    return "\n".join(lines) + "\n"


def _connectors(plan: Plan, pins: dict[str, list[Pin]]) -> Iterator[str]:
    """The components, each as a connector with the pins that are used."""
    yield "connectors:"
    for each in plan.components:
        labels = [f"{pin.name} [{pin.number}]" if pin.number else pin.name for pin in pins[each.name]]
        yield f"  {_text(each.name)}:"
        yield f"    type: {_text(each.title)}"
        yield f"    pinlabels: {_text(labels)}"


def _cables(plan: Plan) -> Iterator[str]:
    """The cables; WireViz takes lengths in metres."""
    yield "cables:"
    for cable in plan.cables:
        wires = plan.of_cable(cable.name)
        colours = [_PLUGGED_COLOUR if w.colour in PLUGGED else code_of(w.colour) for w in wires]
        yield f"  {_text(_cable_key(cable.name))}:"
        yield "    category: bundle"
        yield f"    notes: {_text(cable.title)}"
        if cable.length_mm:
            yield f"    length: {cable.length_mm / 1000:g}"
        yield f"    colors: {_text(colours)}"
        yield f"    wirelabels: {_text([wire.signal for wire in wires])}"


def _connections(plan: Plan, pins: dict[str, list[Pin]]) -> Iterator[str]:
    """One set for each wire: a pin by its position, the wire by its position, the other pin."""
    yield "connections:"
    for cable in plan.cables:
        for number, wire in enumerate(plan.of_cable(cable.name), start=1):
            ends = [(pin.component, pins[pin.component].index(pin) + 1) for pin in (wire.start, wire.end)]
            (first, first_pin), (last, last_pin) = ends
            yield f"  - - {_text(first)}: {first_pin}"
            yield f"    - {_text(_cable_key(cable.name))}: {number}"
            yield f"    - {_text(last)}: {last_pin}"


def _cable_key(name: str) -> str:
    """The name of a cable, which must differ from those of all components."""
    return f"cable {name}"


def _text(value: str | list[str]) -> str:
    return json.dumps(value, ensure_ascii=False)


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


WIDTH = 140


"""How wide tables in files are."""


def views(plan: Plan, profile: Profile) -> Mapping[str, tuple[TextTable, ...]]:
    """The tables of each view but the header, by its name."""
    return {
        "addresses": (address_table(profile),),
        "chips": chip_tables(plan, profile),
        "checklist": by_cable(plan),
        "parts": (parts_list(plan, profile),),
        "power": (power_table(plan, profile),),
    }


VIEWS = ("header", "addresses", "chips", "checklist", "parts", "power")


"""All views, in the order in which they are printed."""


def view_lines(view: str, plan: Plan, profile: Profile, width: int = WIDTH) -> list[str]:
    """A view in lines."""
    if view == "header":
        return header_lines(plan, profile)
    lines: list[str] = []
    for table in views(plan, profile)[view]:
        lines += [*as_lines(table, width), ""] if table.rows else []
    return lines[:-1] or [f"no {view}"]


def view_csv(view: str, plan: Plan, profile: Profile) -> str:
    """A view that is one table as CSV."""
    return as_csv(checklist(plan) if view == "checklist" else views(plan, profile)[view][0])


CSV_VIEWS = ("addresses", "checklist", "parts", "power")


"""The views that there are as CSV."""


def files(plan: Plan, profile: Profile) -> dict[str, str]:
    """Name and text of each file."""
    texts = {f"{view}.txt": view_lines(view, plan, profile) for view in VIEWS}
    made = {name: "".join(f"{line}\n" for line in lines) for name, lines in texts.items()}
    made |= {f"{view}.csv": view_csv(view, plan, profile) for view in CSV_VIEWS}
    return made | sheets(plan, profile)
