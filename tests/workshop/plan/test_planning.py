"""The plan of a table: what holds for every one."""

from __future__ import annotations

from typing import Any

import pytest

import wiring
from firmware_host.model.errors import BadSettings
from firmware_host.profile.pins import OWN_NAMES
from firmware_host.profile.profile_reading import parse_profile
from firmware_host.workshop.drawing.shapes import svg_text
from firmware_host.workshop.drawing.whole_sheet import whole_sheet
from firmware_host.workshop.plan.parts import PARTS
from firmware_host.workshop.plan.pi_models import pi_pins
from tests.workshop.plan.plans import SHIPPED, by_pin, plan_of, shipped

VARIANTS: tuple[dict[str, Any], ...] = (
    {},
    {"speaker": "i2s", "button": "arcade-12v", "contact_pull_up_ohm": 1000},
    {"speaker": "jack", "supply": "pi", "button_driver": "none", "sign_link": "max3232", "leds": "rgb-ca"},
)


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


@pytest.mark.parametrize("name", SHIPPED)
@pytest.mark.parametrize("choices", VARIANTS)
def test_no_device_can_have_the_name_of_something_else(name: str, choices: dict[str, Any]) -> None:
    profile = shipped(name, **choices)
    plan = plan_of(name, **choices)
    devices = {bank.name for bank in profile.banks} | {chip.name for chip in profile.led_chips}
    devices |= {reader.name for reader in profile.readers}
    made = {each.name for each in plan.components} | {cable.name for cable in plan.cables}
    assert {each for each in made - devices if " " not in each} <= set(OWN_NAMES)


@pytest.mark.parametrize("name", OWN_NAMES)
def test_a_bank_with_such_a_name_is_refused(name: str) -> None:
    text = wiring.profile_file("dice4").read_text(encoding="utf-8")
    own = text.replace("banks.left", f"banks.{name}").replace('"left ', f'"{name} ')
    with pytest.raises(BadSettings, match=f"a name of its own: '{name}' is taken by the table itself"):
        parse_profile(own, "own.toml")


def test_without_a_fuse_the_supply_leads_to_the_strip() -> None:
    plan = plan_of("dice4", fuse_amps=-1.0, button="arcade-12v")
    ends = {(wire.start.component, wire.end.component) for wire in plan.wires}
    assert ("supply", "5 V strip") in ends
    assert not any("fuse" in pair for pair in ends)
    assert {("supply 12 V", "fuse 12 V"), ("fuse 12 V", "12 V strip")} <= ends


def test_supplies_and_fuses_are_labelled_with_their_ratings() -> None:
    titles = {each.name: each.title for each in plan_of("dice4", button="arcade-12v").components}
    assert titles["supply"] == "supply of 5 V, 3 A"
    assert titles["fuse"] == "fuse of 5 V, 1 A slow"
    assert titles["supply 12 V"] == "supply of 12 V, 3 A"
    assert titles["fuse 12 V"] == "fuse of 12 V, 1 A slow"


@pytest.mark.parametrize("name", SHIPPED)
def test_the_sheet_of_the_whole_table_shows_ratings_in_full(name: str) -> None:
    plan = plan_of(name, button="arcade-12v")
    sheet = svg_text(whole_sheet(plan))
    for each in plan.components:
        if each.name.startswith(("fuse", "supply")):
            assert f">{each.title}<" in sheet
