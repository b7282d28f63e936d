"""Buttons, hall sensors and lamps, each on the pins that the profile says."""

from __future__ import annotations

from dataclasses import replace

import pytest

from firmware_host.model.places import Call
from firmware_host.profile.profile import LampWire
from firmware_host.workshop.plan.plan import Section
from firmware_host.workshop.plan.planning import wiring_plan
from firmware_host.workshop.plan.wiring import led_pins
from tests.workshop.plan.plans import by_pin, plan_of, shipped
from tests.workshop.plan.test_buses import ends


def test_buttons_pull_to_ground_or_to_3v3() -> None:
    plan = plan_of("cards4")
    assert ends(plan, "button 3", "NO") == [("pi", "GPIO 13")]
    assert ends(plan, "call 3", "NO") == [("pi", "GPIO 24")]
    assert by_pin(plan)["call 3", "COM"][0].signal == "ground"
    down = wiring_plan(replace(shipped("cards4"), pull="down"))
    assert by_pin(down)["call 3", "COM"][0].signal == "3.3 V"


def test_sensors_of_a_row_pass_on_their_supply() -> None:
    plan = plan_of("dice4")
    assert ends(plan, "red 2", "VCC") == [("red 1", "VCC"), ("red 3", "VCC")]
    assert ends(plan, "red 6", "GND") == [("red 5", "GND")]
    assert ends(plan, "blue 6", "OUT") == [("right", "GPB5")]
    assert ends(plan_of("dice4-direct"), "blue 6", "OUT") == [("pi", "GPIO 39")]


@pytest.mark.parametrize(
    ("hall", "volts", "rail"), [("a3144", 0.0, "5 V"), ("drv5033", 0.0, "3.3 V"), ("drv5033", 5.0, "5 V")]
)
def test_sensors_have_the_supply_of_their_part(hall: str, volts: float, rail: str) -> None:
    assert by_pin(plan_of("dice4", hall=hall, hall_volts=volts))["red 1", "VCC"][0].signal == rail


def test_contacts_on_lines_may_have_own_resistors() -> None:
    plan = plan_of("dice4-direct", contact_pull_up_ohm=4700)
    assert ends(plan, "resistor of button 1", "2") == [("button 1", "NO")]
    assert ends(plan, "resistor of red 1", "2") == [("red 1", "OUT")]
    assert by_pin(plan)["resistor of red 1", "1"][0].signal == "3.3 V"
    assert plan.component("resistor of red 1").title == "4.7 kohm, to 3.3 V"
    down = replace(shipped("dice4-direct", contact_pull_up_ohm=4700), pull="down")
    assert by_pin(wiring_plan(down))["resistor of red 1", "1"][0].signal == "ground"
    on_expanders = by_pin(plan_of("dice4", contact_pull_up_ohm=4700))
    assert not any(name.startswith("resistor of red") for name, _ in on_expanders)


def test_a_lamp_in_a_button_goes_through_the_driver() -> None:
    plan = plan_of("dice4")
    assert ends(plan, "driver 1", "IN 3") == [("pi", "GPIO 20")]
    assert ends(plan, "button 3", "LED -") == [("driver 1", "OUT 3")]
    assert by_pin(plan)["button 3", "LED +"][0].signal == "5 V"


def test_a_lamp_for_12_v_has_a_supply_of_its_own() -> None:
    plan = plan_of("dice4", button="arcade-12v")
    assert by_pin(plan)["button 3", "LED +"][0].signal == "12 V"
    assert ends(plan, "12 V strip", "pole 1") == [("fuse 12 V", "out")]
    assert ends(plan, "supply 12 V", "+") == [("fuse 12 V", "in")]


def test_a_bare_lamp_has_a_resistor() -> None:
    plan = plan_of("dice4", button="arcade-bare")
    assert ends(plan, "button 2", "LED +") == [("resistor 2", "2")]
    assert by_pin(plan)["resistor 2", "1"][0].signal == "5 V"


def test_without_a_driver_the_line_feeds_the_lamp() -> None:
    plan = plan_of("dice4", button="arcade-plain", button_driver="none")
    assert ends(plan, "lamp 2", "anode") == [("resistor 2", "2")]
    assert ends(plan, "resistor 2", "1") == [("pi", "GPIO 16")]
    assert by_pin(plan)["lamp 2", "cathode"][0].signal == "ground"


def test_the_eighth_lamp_has_a_second_driver() -> None:
    profile = shipped("dice4")
    places = [LampWire(lamp, 7, "gpio", 22 + lamp) for lamp in range(4)]
    seats = [wire for wire in profile.lamp_wires if wire.chip == "gpio"]
    plan = wiring_plan(replace(profile, lamp_wires=(*places, *seats)))
    assert ends(plan, "lamp red 1", "cathode") == [("driver 1", "OUT 1")]
    assert ends(plan, "driver 2", "IN 1") == [("pi", "GPIO 21")]


def test_led_n_is_at_its_row_and_common() -> None:
    assert (led_pins(0), led_pins(17), led_pins(127)) == (
        ("ROW 0", "COM 0"),
        ("ROW 1", "COM 1"),
        ("ROW 15", "COM 7"),
    )
    plan = plan_of("dice4")
    assert ends(plan, "lamp red 6", "red") == [("lamp red 1", "red"), ("lamp yellow 5", "red")]
    assert ends(plan, "lamp red 6", "cathode") == [("rows", "COM 1"), ("lamp yellow 1", "cathode")]


def test_cards_have_a_row_of_single_leds_at_each_pile() -> None:
    plan = plan_of("cards4")
    assert plan.component("lamp pile 1 number 10").part == "led"
    assert plan.component("lamp pile 1").part == "rgb-cc"
    assert ends(plan, "lamp pile 1 number 10", "anode")[0] == ("piles-1", "ROW 12")
    assert plan.component("lamp 1").part == "rgb-cc"


def test_three_leds_of_a_lamp_may_be_single_ones() -> None:
    plan = plan_of("dice4", leds="single")
    assert ends(plan, "lamp red 1 blue", "anode")[0] == ("rows", "ROW 2")
    assert ends(plan, "lamp red 1 red", "cathode")[0] == ("rows", "COM 0")


def test_common_anode_needs_one_row_and_three_commons() -> None:
    profile = shipped("dice4", leds="rgb-ca")
    assert wiring_plan(profile).component("lamp red 1 red").part == "led"
    wires = tuple(LampWire(0, mask, "rows", led) for mask, led in ((4, 3), (2, 19), (1, 35)))
    plan = wiring_plan(replace(profile, lamp_wires=wires))
    assert plan.component("lamp red 1").part == "rgb-ca"
    assert ends(plan, "lamp red 1", "anode") == [("rows", "ROW 3")]
    assert ends(plan, "lamp red 1", "blue") == [("rows", "COM 2")]


@pytest.mark.parametrize("name", ["cards4", "cards12", "cards2-piles", "dice4-direct"])
def test_buttons_that_nothing_lights_have_no_lamp(name: str) -> None:
    parts = {each.part for each in plan_of(name).components if each.section is Section.BUTTONS}
    assert parts == {"arcade-plain"}


def test_the_button_that_was_chosen_is_where_a_lamp_is_on_a_line() -> None:
    assert plan_of("dice4").component("button 1").part == "arcade-5v"
    assert plan_of("cards4", button="push-button").component("button 1").part == "push-button"
    profile = shipped("dice4")
    with_call = replace(profile, lines={**profile.lines, 25: Call(1)})
    assert wiring_plan(with_call).component("call 1").part == "arcade-plain"
