"""The power budget: figures that can be worked out by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from firmware_host.building.budget import RailBudget, fuse_amps, power_budget
from firmware_host.building.planning import wiring_plan
from firmware_host.building.power_table import power_table
from firmware_host.config.profile import Profile
from tests.building.plans import SHIPPED, shipped


def budgets_of(profile: Profile) -> dict[str, RailBudget]:
    return {budget.name: budget for budget in power_budget(wiring_plan(profile), profile)}


def budgets(name: str, **choices: Any) -> dict[str, RailBudget]:
    return budgets_of(shipped(name, **choices))


def loads(budget: RailBudget) -> dict[str, tuple[int, float]]:
    """Count and most of each kind."""
    return {load.title: (load.count, round(load.most_ma, 1)) for load in budget.loads}


def test_sensors_lamps_and_leds_are_on_5_v() -> None:
    table = budgets("dice4")["5 V of the table"]
    assert loads(table) == {
        "HT16K33 and LEDs": (1, 2 + (5 * 200 + 4 * 20) / 8),  # five commons are full, the sixth has four LEDs
        "lamps of buttons": (4, 80),
        "hall switch A3144 or compatible": (24, 24 * 9),
    }
    assert round(table.rest_ma, 1) == round(2 + 24 * 4.4, 1)


def test_supply_and_fuse_follow_from_the_sum() -> None:
    table = budgets("dice4")["5 V of the table"]
    assert (table.asked, table.allowed_ma, fuse_amps(table)) == (True, 1000, 1)
    huge = replace(table, loads=(replace(table.loads[0], most_ma=90_000),))
    assert fuse_amps(huge) == 30


def test_a_supply_of_ones_own_is_compared() -> None:
    table = budgets("dice4", supply_amps=0.4)["5 V of the table"]
    assert (table.asked, table.allowed_ma, table.fits) == (False, 400, False)


def test_the_pi_may_feed_the_table() -> None:
    table = budgets("dice4", supply="pi")["5 V of the table"]
    assert table.allowed_ma == 3000 - 1300 - 540
    assert not table.asked and table.fits


def test_lamps_of_12_v_have_a_rail_of_their_own() -> None:
    found = budgets("dice4", button="arcade-12v", button_led_ma=50)
    assert loads(found["12 V of the table"]) == {"lamps of buttons": (4, 200)}
    assert "lamps of buttons" not in loads(found["5 V of the table"])


def test_3v3_of_the_pi_has_expanders_and_pull_ups() -> None:
    rail = budgets("dice4")["3.3 V of the Pi"]
    assert loads(rail) == {"port expander MCP23017": (2, 4), "resistor network": (4, 10.4)}


def test_usb_has_what_is_plugged_in_and_what_that_feeds() -> None:
    found = budgets("cards4")
    assert loads(found["USB ports of the Pi"]) == {
        "USB to RS-232 adapter cable with a DB9 plug": (1, 40),
        "USB loudspeaker": (1, 500),
        "USB-UART adapter": (1, 30),
        "PN532 tag reader board": (1, 150),
        "hubs": (1, 100),
    }
    assert loads(found["hub 1"]) == {"USB-UART adapter": (3, 90), "PN532 tag reader board": (3, 450)}


def test_hubs_without_a_supply_take_it_all_from_the_pi() -> None:
    found = budgets("cards4", hub_supply=False)
    assert "hub 1" not in found
    assert loads(found["USB ports of the Pi"])["PN532 tag reader board"] == (4, 600)
    assert not budgets("cards12", hub_supply=False)["USB ports of the Pi"].fits


def test_a_sign_on_usb_has_its_own_supply() -> None:
    assert loads(budgets("dice4", sign_link="usb")["USB ports of the Pi"]) == {"USB loudspeaker": (1, 500)}


@pytest.mark.parametrize(
    ("choices", "each", "fits"),
    [
        ({}, 1, True),
        ({"button_driver": "none", "button": "arcade-plain"}, 4, True),
        ({"button_driver": "none", "button": "arcade-bare"}, 4, True),
        ({"button_driver": "none", "button": "arcade-bare", "button_led_ma": 9}, 9, True),
        ({"button_driver": "none"}, 20, False),
        ({"button_driver": "none", "button_led_ma": 8}, 8, True),
    ],
)
def test_lamps_on_lines_count(choices: dict[str, Any], each: float, fits: bool) -> None:
    found = budgets("dice4", **choices)
    assert (found["a GPIO line"].most_ma, found["a GPIO line"].fits) == (each, fits)
    assert found["all GPIO lines"].most_ma == 4 * each


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_table_has_enough_everywhere(name: str) -> None:
    for budget in budgets(name).values():
        assert budget.loads and budget.fits, budget
        assert budget.rest_ma <= budget.most_ma


def test_the_table_says_what_to_buy_and_what_is_too_much() -> None:
    rows = {row[0]: row for row in rows_of(shipped("dice4"))}
    assert rows["5 V of the table"][2:] == ("108", "433", "1000", "buy", "a supply of that size; fuse of 1 A")
    assert rows["supply of the Pi"][5] == "ok"
    wrong = shipped("dice4", supply_amps=0.4, fuse_amps=-1.0)
    assert rows_of(wrong)[0][5:] == ("TOO MUCH", "its supply, as the profile says")
    assert "fuse of 2 A" in rows_of(shipped("dice4", fuse_amps=2.0))[0][6]
    assert "fuse" not in rows_of(shipped("dice4", supply="pi"))[0][6]


def rows_of(profile: Profile) -> tuple[tuple[str, ...], ...]:
    return power_table(wiring_plan(profile), profile).rows
