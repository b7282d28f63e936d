"""The checklist: every wire from where to where, in the order in which one wires, to tick off."""

from __future__ import annotations

from firmware_host.building.plan import Plan
from firmware_host.building.tables import TextTable, metres, pin_text

WIRE_COLUMNS = ("done", "no.", "step", "cable", "from", "to", "signal", "colour", "length")


def checklist(plan: Plan) -> TextTable:
    """All wires as one table."""
    rows = [
        (
            "[ ]",
            str(number),
            wire.section.value,
            wire.cable,
            pin_text(wire.start),
            pin_text(wire.end),
            wire.signal,
            wire.colour,
            metres(wire.length_mm),
        )
        for number, wire in enumerate(plan.wires, start=1)
    ]
    return TextTable(f"{plan.title}: all wires, in the order in which one wires", WIRE_COLUMNS, tuple(rows))


def by_cable(plan: Plan) -> tuple[TextTable, ...]:
    """The same with a table for each cable, without the columns that are in its title."""
    numbered = list(zip(plan.wires, checklist(plan).rows, strict=True))
    columns = ("", *WIRE_COLUMNS[1:2], *COLUMNS[4:])
    tables = []
    for cable in plan.cables:
        rows = tuple((row[0], row[1], *row[4:]) for wire, row in numbered if wire.cable == cable.name)
        length = f", up to {metres(cable.length_mm)}" if cable.length_mm else ""
        title = f"{cable.section.value}: {cable.title}{length}"
        tables.append(TextTable(title, columns, rows))
    return tuple(tables)
