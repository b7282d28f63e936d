"""The plan of a table: what holds for every one."""

from __future__ import annotations

import pytest

from firmware_host.building.parts import PARTS
from firmware_host.building.pi_models import pi_pins
from tests.building.plans import SHIPPED, by_pin, plan_of, shipped


@pytest.mark.parametrize("name", SHIPPED)
def test_wires_end_at_pins_that_exist(name: str) -> None:
    plan = plan_of(name)
    pi = pi_pins(shipped(name).board)
    parts = {each.name: pi if each.part == "pi" else PARTS[each.part].pins for each in plan.components}
    for wire in plan.wires:
        for pin in (wire.start, wire.end):
            assert parts[pin.component][pin.name] == pin.number, wire


@pytest.mark.parametrize("name", SHIPPED)
def test_a_pin_of_the_pi_has_one_wire(name: str) -> None:
    for (component, _), wires in by_pin(plan_of(name)).items():
        assert component != "pi" or len(wires) == 1, wires


@pytest.mark.parametrize("name", SHIPPED)
def test_no_pin_is_on_two_rails(name: str) -> None:
    for pin, wires in by_pin(plan_of(name)).items():
        rails = {wire.rail for wire in wires}
        assert len(rails) == 1, (pin, wires)


@pytest.mark.parametrize("name", SHIPPED)
def test_a_pole_of_a_strip_has_one_wire(name: str) -> None:
    plan = plan_of(name)
    strips = {each.name for each in plan.components if each.part == "block"}
    for (component, _), wires in by_pin(plan).items():
        assert component not in strips or len(wires) == 1, wires


@pytest.mark.parametrize("name", SHIPPED)
def test_each_rail_is_fed(name: str) -> None:
    plan = plan_of(name)
    pins = by_pin(plan)
    for component in plan.components:
        if component.part == "block":
            feed = pins[component.name, "pole 1"]
            assert feed[0].rail is not None and feed[0].end.component == component.name


@pytest.mark.parametrize("name", SHIPPED)
def test_sections_are_in_order(name: str) -> None:
    plan = plan_of(name)
    order = list(type(plan.wires[0].section))
    for things in (plan.wires, plan.cables, plan.components):
        numbers = [order.index(each.section) for each in things]
        assert numbers == sorted(numbers)


@pytest.mark.parametrize("name", SHIPPED)
def test_each_cable_has_wires_and_each_component_is_wired(name: str) -> None:
    plan = plan_of(name)
    assert all(plan.of_cable(cable.name) for cable in plan.cables)
    wired = {pin.component for wire in plan.wires for pin in (wire.start, wire.end)}
    assert wired == {component.name for component in plan.components}
