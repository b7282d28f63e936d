"""The chips of the I2C bus: power, data and clock, addresses, interrupts, reset, pull-ups."""

from __future__ import annotations

from dataclasses import replace

import pytest

from firmware_host.workshop.plan.plan import Plan, Section
from firmware_host.workshop.plan.planning import wiring_plan
from tests.workshop.plan.plans import by_pin, other_end, plan_of, shipped


def ends(plan: Plan, component: str, pin: str) -> list[tuple[str, str]]:
    """What a pin is wired to."""
    found = [other_end(wire, component) for wire in by_pin(plan)[component, pin]]
    return [(each.component, each.name) for each in found]


def test_the_bus_is_a_chain_through_the_level_shifter() -> None:
    plan = plan_of("dice4")
    for signal, gpio, channel in (("SDA", "GPIO 2", "1"), ("SCL", "GPIO 3", "2")):
        assert ends(plan, "left", signal) == [("pi", gpio), ("right", signal)]
        assert ends(plan, "right", signal) == [("left", signal), ("shifter", f"LV{channel}")]
        assert ends(plan, "rows", signal) == [("shifter", f"HV{channel}")]


def test_led_chips_follow_each_other_behind_the_shifter() -> None:
    plan = plan_of("cards4")
    assert ends(plan, "piles-1", "SDA") == [("shifter", "HV1"), ("piles-2", "SDA")]
    assert ends(plan, "piles-2", "SDA") == [("piles-1", "SDA")]


def test_without_a_shifter_the_chain_goes_straight_on() -> None:
    plan = plan_of("dice4", level_shifter=False, led_chip_volts=3.3)
    assert ends(plan, "rows", "SDA") == [("right", "SDA")]
    assert by_pin(plan)["rows", "VDD"][0].signal == "3.3 V"
    assert not any(each.part == "level-shifter" for each in plan.components)


@pytest.mark.parametrize(
    ("chip", "levels"),
    [("left", ["ground", "ground", "ground"]), ("right", ["3.3 V", "ground", "ground"])],
)
def test_address_pins_are_wired_for_the_address(chip: str, levels: list[str]) -> None:
    pins = by_pin(plan_of("dice4"))
    assert [pins[chip, f"A{bit}"][0].signal for bit in range(3)] == levels


def test_expanders_may_be_at_5_v() -> None:
    pins = by_pin(plan_of("dice4", expander_volts=5.0))
    assert {pins["right", name][0].signal for name in ("VDD", "A0", "RESET")} == {"5 V"}


def test_reset_is_held_up_or_on_a_line() -> None:
    profile = shipped("dice4")
    assert by_pin(wiring_plan(profile))["left", "RESET"][0].signal == "3.3 V"
    plan = wiring_plan(replace(profile, reset=4))
    assert ends(plan, "left", "RESET") == [("pi", "GPIO 4"), ("right", "RESET")]
    assert ends(plan, "right", "RESET") == [("left", "RESET")]


def test_each_used_pin_of_an_expander_has_a_pull_up() -> None:
    plan = plan_of("dice4")
    networks = [each for each in plan.components if each.part == "pull-up-network"]
    ports = ("left A", "left B", "right A", "right B")
    assert [each.name for each in networks] == [f"pull-ups {port}" for port in ports]
    assert ends(plan, "pull-ups left B", "R6") == [("left", "GPB5")]
    assert by_pin(plan)["pull-ups left B", "common"][0].signal == "3.3 V"
    assert not any(each.part == "pull-up-network" for each in plan_of("dice4", hall_pull_up_ohm=0).components)


def test_a_port_without_inputs_has_no_pull_ups() -> None:
    profile = shipped("dice4")
    left, right = profile.banks
    left = replace(left, pins={pin: line for pin, line in left.pins.items() if pin < 8})
    plan = wiring_plan(replace(profile, banks=(left, right)))
    assert not any(each.name == "pull-ups left B" for each in plan.components)


@pytest.mark.parametrize(
    ("board", "overlays", "lines"),
    [("c03114", ("i2c3",), (4, 5)), ("c03114", ("i2c3,pins_2_3",), (2, 3)), ("c03114", (), (4, 5))],
)
def test_another_bus_has_the_lines_of_its_overlay(
    board: str, overlays: tuple[str, ...], lines: tuple[int, int]
) -> None:
    plan = wiring_plan(replace(shipped("dice4", overlays=overlays), i2c_bus=3, board=board))
    found = [ends(plan, "left", signal)[0] for signal in ("SDA", "SCL")]
    assert found == [("pi", f"GPIO {line}") for line in lines]


def test_the_lines_of_another_bus_are_not_known_on_every_pi() -> None:
    plan = wiring_plan(replace(shipped("dice4"), i2c_bus=3, board="c04170"))
    assert ends(plan, "left", "SDA")[0] == ("pi", "SDA of bus 3")


def test_a_table_without_a_bus_has_no_such_section() -> None:
    assert not any(wire.section is Section.BUS for wire in plan_of("dice4-direct").wires)
