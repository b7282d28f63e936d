"""A table as a source for WireViz, for those who use it: `wireviz wireviz.yml`.

WireViz is not needed for anything here. Its format is YAML; strings are written as in JSON, which
is YAML, too.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from firmware_host.building.drawing.inks import PLUGGED, code_of
from firmware_host.building.plan import Pin, Plan
from firmware_host.visible import in_a_line

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
