"""The power budget: figures that can be worked out by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from firmware_host.profile.profile import Profile
from firmware_host.workshop.plan.budget import RailBudget, power_budget, power_table
from firmware_host.workshop.plan.planning import wiring_plan
from tests.workshop.plan.plans import SHIPPED, shipped


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
    assert (table.asked, table.allowed_ma, table.fuse_amps) == (True, 3000, 1)
    huge = budgets("dice4", button_led_ma=10_000)["5 V of the table"]
    assert (huge.fuse_amps, huge.allowed_ma) == (30, 30_000)


def test_a_supply_gives_2_1_times_what_is_printed_on_its_fuse() -> None:
    for name in ("dice4", "dice4-rfid", "cards4"):
        for rail in budgets(name, button="arcade-12v").values():
            if rail.fuse_amps is not None:
                assert rail.allowed_ma >= 2.1 * 1000 * rail.fuse_amps
    assert budgets("dice4", fuse_amps=2.0)["5 V of the table"].allowed_ma == 5000
    assert budgets("dice4", fuse_amps=-1.0)["5 V of the table"].allowed_ma == 1000


def test_each_rail_has_the_fuse_that_it_needs() -> None:
    found = budgets("dice4-rfid", button="arcade-12v", fuse_amps=8.0)
    assert found["5 V of the table"].fuse_amps == 8
    assert found["12 V of the table"].fuse_amps == 1
    fed = budgets("dice4", button="arcade-12v", supply="pi")
    assert (fed["5 V of the table"].fuse_amps, fed["12 V of the table"].fuse_amps) == (None, 1)
    assert found["3.3 V of the Pi"].fuse_amps is None


def test_a_supply_of_ones_own_is_compared() -> None:
    table = budgets("dice4", supply_amps=0.4)["5 V of the table"]
    assert (table.asked, table.allowed_ma, table.fits) == (False, 400, False)


def test_the_pi_may_feed_the_table() -> None:
    table = budgets("dice4", supply="pi")["5 V of the table"]
    at_3v3 = budgets("dice4")["3.3 V of the Pi"].most_ma
    assert table.allowed_ma == 3000 - 1300 - 540 - at_3v3
    assert not table.asked and table.fits


def test_the_supply_of_the_pi_gives_what_the_table_draws_too() -> None:
    alone, both = (budgets("dice4", supply=each)["supply of the Pi"] for each in ("supply-5v", "pi"))
    table = budgets("dice4")["5 V of the table"]
    assert round(both.most_ma - alone.most_ma, 1) == round(table.most_ma, 1)
    assert round(both.rest_ma - alone.rest_ma, 1) == round(table.rest_ma, 1)


def test_lamps_of_12_v_have_a_rail_of_their_own() -> None:
    found = budgets("dice4", button="arcade-12v", button_led_ma=50)
    assert loads(found["12 V of the table"]) == {"lamps of buttons": (4, 200)}
    assert "lamps of buttons" not in loads(found["5 V of the table"])


def test_3v3_of_the_pi_has_expanders_and_pull_ups() -> None:
    rail = budgets("dice4")["3.3 V of the Pi"]
    assert loads(rail) == {"port expander MCP23017": (2, 4), "resistor network": (4, round(24 * 0.33, 1))}


def test_resistors_at_contacts_count_by_their_ohms() -> None:
    strong = budgets("dice4", hall_pull_up_ohm=100)["3.3 V of the Pi"]
    assert loads(strong)["resistor network"] == (4, 24 * 33)
    assert "resistor network" not in loads(budgets("dice4", hall_pull_up_ohm=0)["3.3 V of the Pi"])
    to_5v = budgets("dice4", hall_pull_up_volts=5.0)["5 V of the table"]
    assert loads(to_5v)["resistor network"] == (4, 12)


@pytest.mark.parametrize("pull", ["up", "down"])
def test_own_resistors_at_contacts_are_on_3v3_wherever_they_pull(pull: str) -> None:
    profile = replace(shipped("dice4", contact_pull_up_ohm=1000), pull=pull)
    found = budgets_of(profile)
    assert loads(found["3.3 V of the Pi"])["resistor at a contact"] == (4, 13.2)
    assert loads(found["5 V of the table"])["lamps of buttons"] == (4, 80)


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


def test_readers_of_one_group_have_one_field_on_at_a_time() -> None:
    table = budgets("dice4-rfid")["5 V of the table"]
    assert loads(table)["PN532 tag reader board"] == (28, 8 * 150 + 20 * 30)  # four rows and four pads
    assert (round(table.most_ma, -2), table.fuse_amps, table.allowed_ma) == (2200, 2.5, 6000)
    profile = shipped("cards4")
    together = replace(profile, readers=tuple(replace(each, group=1) for each in profile.readers))
    found = budgets_of(together)
    assert loads(found["USB ports of the Pi"])["PN532 tag reader board"] == (1, 150)
    assert loads(found["hub 1"])["PN532 tag reader board"] == (3, 150 + 2 * 30)


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
    assert rows["5 V of the table"][2:] == ("108", "433", "3000", "buy", "a supply of that size; fuse of 1 A")
    assert rows["supply of the Pi"][5] == "ok"
    wrong = shipped("dice4", supply_amps=0.4, fuse_amps=-1.0)
    assert rows_of(wrong)[0][5:] == ("TOO MUCH", "its supply, as the profile says")
    assert "fuse of 2 A" in rows_of(shipped("dice4", fuse_amps=2.0))[0][6]
    assert "fuse" not in rows_of(shipped("dice4", supply="pi"))[0][6]
    both = {row[0]: row for row in rows_of(shipped("dice4", supply="pi", button="arcade-12v"))}
    assert both["12 V of the table"][6].endswith("fuse of 1 A")


def rows_of(profile: Profile) -> tuple[tuple[str, ...], ...]:
    return power_table(wiring_plan(profile), profile).rows
