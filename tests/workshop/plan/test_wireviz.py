"""WireViz takes the source that is written for it, and finds all wires of the plan in it."""

import pytest
from wireviz.wireviz import parse

from firmware_host.workshop.drawing.sheets import wireviz_source
from tests.workshop.drawing.drawn import PROFILES, plan_of


@pytest.mark.parametrize("name", PROFILES)
def test_wireviz_reads_every_component_cable_and_wire(name: str) -> None:
    plan, _ = plan_of(name)
    harness = parse(wireviz_source(plan), return_types="harness")
    wired = {pin.component for wire in plan.wires for pin in (wire.start, wire.end)}
    assert set(harness.connectors) == wired
    assert set(harness.cables) == {f"cable {cable.name}" for cable in plan.cables}
    found = [
        (link.from_name, _label(harness, link.from_name, link.from_pin), link.to_name)
        for cable in harness.cables.values()
        for link in cable.connections
    ]
    wanted = [
        (wire.start.component, wire.start.name, wire.end.component)
        for cable in plan.cables
        for wire in plan.of_cable(cable.name)
    ]
    assert found == wanted


def _label(harness, connector: str, pin: int) -> str:  # type: ignore[no-untyped-def]
    return str(harness.connectors[connector].pinlabels[pin - 1]).split(" [")[0]
