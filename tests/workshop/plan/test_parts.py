"""The catalogue, and the parts list that is made with it."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from firmware_host.profile import profile
from firmware_host.profile.device_kinds import LED_CHIPS
from firmware_host.profile.profile import Profile
from firmware_host.workshop.plan.parts import BUTTON_PARTS, EXPANDER_PINS, HALL_PARTS, HT16K33_PINS, PARTS
from firmware_host.workshop.plan.plan import ohm_text
from firmware_host.workshop.plan.planning import wiring_plan
from firmware_host.workshop.plan.tables import part_counts, parts_list, wire_lengths
from tests.workshop.plan.plans import SHIPPED, plan_of, shipped


def test_each_part_that_can_be_chosen_is_in_the_catalogue() -> None:
    assert set(HALL_PARTS) == set(profile.HALLS)
    assert set(BUTTON_PARTS) == set(profile.BUTTONS)
    chosen = (
        *profile.READER_LINKS,
        *profile.STRIPS,
        *profile.HUBS,
        *(each for each in profile.SUPPLIES if each != "pi"),
        *(each for each in profile.SPEAKERS if each != "none"),
        *(each for each in profile.SIGN_LINKS if each not in ("usb", "direct")),
        *(each for each in profile.LEDS if each != "single"),
        *(each for each in profile.BUTTON_DRIVERS if each != "none"),
        *LED_CHIPS,
    )
    assert set(chosen) <= set(PARTS)


@pytest.mark.parametrize("key", PARTS)
def test_a_row_makes_sense(key: str) -> None:
    part = PARTS[key]
    assert part.name and 0 < part.euros[0] <= part.euros[1]
    assert 0 <= part.rest_ma <= part.most_ma
    assert set(part.also) <= set(PARTS)
    numbers = [number for number in part.pins.values() if number]
    assert len(set(numbers)) == len(numbers)


def test_packages_have_the_pins_of_their_datasheets() -> None:
    expected = {"GPB0": "1", "VDD": "9", "VSS": "10", "SCL": "12", "SDA": "13", "A0": "15", "RESET": "18"}
    expected |= {"INTB": "19", "INTA": "20", "GPA0": "21", "GPA7": "28"}
    assert expected.items() <= EXPANDER_PINS.items()
    expected = {"VSS": "1", "COM 0": "2", "COM 7": "9", "ROW 15": "10", "ROW 0": "25", "SCL": "26"}
    assert (expected | {"VDD": "28"}).items() <= HT16K33_PINS.items()
    assert PARTS["uln2003"].pins["OUT 1"] == "16"


def test_parts_that_need_more_than_3v3_are_at_5_v() -> None:
    assert [key for key, part in HALL_PARTS.items() if part.at_5v] == ["a3144", "us5881", "us1881"]
    assert not PARTS["block"].at_5v


@pytest.mark.parametrize("name", SHIPPED)
def test_counts_are_those_of_the_components(name: str) -> None:
    plan = plan_of(name)
    counts = part_counts(plan, shipped(name))
    for part, count in Counter(component.part for component in plan.components).items():
        assert counts[part] == count
    listed = {row[3]: row[0] for row in parts_list(plan, shipped(name)).rows}
    for part, count in counts.items():
        if part != "pi":
            names = [text for text in listed if text.startswith(PARTS[part].name)]
            assert str(count) in [listed[text] for text in names], part


def test_chips_and_sensors_bring_small_parts() -> None:
    counts = part_counts(plan_of("dice4"), shipped("dice4"))
    assert (counts["capacitor-100n"], counts["socket-28"], counts["heat-shrink"]) == (2, 2, 72)
    assert (counts["quick-connect"], counts["sd-card"], counts["barrel-adapter"]) == (16, 1, 1)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("dice4", {"die": 24, "magnet": 144}),
        ("dice4-rfid", {"die": 24, "magnet": 144, "tag": 144}),
        ("cards4", {"tag": 160}),
        ("cards12", {"tag": 480}),
    ],
)
def test_the_game_needs_magnets_or_tags(name: str, expected: dict[str, int]) -> None:
    counts = part_counts(plan_of(name), shipped(name))
    assert {part: counts[part] for part in ("die", "magnet", "tag") if part in counts} == expected


def test_small_parts_have_spares() -> None:
    spares = {
        row[3]: (row[0], row[1]) for row in parts_list(plan_of("dice4-rfid"), shipped("dice4-rfid")).rows
    }
    assert spares[PARTS["magnet"].name] == ("144", "15")
    assert spares[PARTS["tag"].name] == ("144", "15")
    assert spares[PARTS["die"].name] == ("24", "")
    spares = {row[3]: (row[0], row[1]) for row in parts_list(plan_of("dice4"), shipped("dice4")).rows}
    assert spares[PARTS["a3144"].name] == ("24", "10")
    assert spares[PARTS["rgb-cc"].name] == ("24", "3")


def test_wire_is_summed_by_colour_without_ready_made_cables() -> None:
    plan = plan_of("dice4")
    lengths = wire_lengths(plan)
    assert lengths["blue"] == sum(wire.length_mm for wire in plan.wires if wire.colour == "blue")
    assert not any("cable" in colour for colour in lengths)


def test_the_list_says_how_large_supplies_and_fuse_are() -> None:
    profile = shipped("dice4", button="arcade-12v", fuse_amps=2.0)
    names = [row[3] for row in parts_list(wiring_plan(profile), profile).rows]
    assert any(name.startswith("closed 5 V power supply") and name.endswith(", 5 A") for name in names)
    assert any(name.startswith("closed 12 V power supply") and name.endswith(", 3 A") for name in names)
    assert [name.rpartition(", ")[2] for name in names if name.startswith("fuse")] == [
        "2 A slow",
        "1 A slow",
    ]
    rows = parts_list(plan_of("dice4"), shipped("dice4")).rows
    assert ", 1 A slow" in next(row[3] for row in rows if row[3].startswith("fuse"))
    wires = {row[3]: row[5] for row in rows if row[3].startswith("stranded wire")}
    assert "0.75 mm2" in wires["stranded wire, red"] and "0.14" in wires["stranded wire, green"]


def test_without_a_fuse_none_is_bought() -> None:
    profile = shipped("dice4", fuse_amps=-1.0)
    rows = parts_list(wiring_plan(profile), profile).rows
    assert not any(row[3].startswith("fuse") for row in rows)
    assert any(row[3].endswith("barrel plug, 1 A") for row in rows)


@pytest.mark.parametrize(
    ("name", "choices", "colour", "mm2"),
    [
        ("dice4", {}, "red", "0.25 mm2 or more; 0.75"),
        ("dice4-rfid", {}, "red", "0.25 mm2 or more; 0.75"),
        ("dice4-rfid", {"fuse_amps": 4.0}, "red", "0.5 mm2 or more; 0.75"),
        ("dice4-rfid", {"fuse_amps": 4.0, "button": "arcade-12v"}, "black", "0.5 mm2 or more; 0.75"),
        ("dice4-rfid", {"button": "arcade-12v"}, "yellow-red", "0.25 mm2 or more; 0.75"),
        ("dice4-rfid", {"branch_wire_mm2": 1.0}, "red", "1 mm2 or more; 1 mm2"),
        ("dice4-rfid", {"fuse_amps": -1.0}, "red", "0.5 mm2 or more"),
        ("dice4", {"supply": "pi"}, "red", "0.25 mm2 or more"),
        ("dice4", {}, "green", "0.14 mm2 or more"),
    ],
)
def test_wires_carry_what_their_fuse_lets_through(
    name: str, choices: dict[str, Any], colour: str, mm2: str
) -> None:
    profile = shipped(name, **choices)
    watch = {row[3]: row[5] for row in parts_list(wiring_plan(profile), profile).rows}
    assert watch[f"stranded wire, {colour}"].startswith(mm2)


def test_a_supply_is_bought_with_the_socket_for_its_plug() -> None:
    """A barrel plug carries 5 A, so the readers of 24 places need a supply with another one."""
    small, large = (part_counts(plan_of(name), shipped(name)) for name in ("dice4", "dice4-rfid"))
    assert (small["supply-5v"], small["barrel-adapter"]) == (1, 1)
    assert (large["supply-5v-din"], large["din-adapter"]) == (1, 1)
    assert not {"din-adapter", "supply-5v-din"} & set(small)
    assert not {"barrel-adapter", "supply-5v"} & set(large)


def test_the_list_names_what_a_part_is_for() -> None:
    rows = {row[3]: row[4] for row in parts_list(plan_of("dice4"), shipped("dice4")).rows}
    assert rows[PARTS["mcp23017"].name] == "left, right"
    assert rows[PARTS["a3144"].name] == "red 1, red 2, red 3, red 4 and 20 more"


def test_a_breadboard_has_jumper_wires_by_the_piece() -> None:
    profile = shipped("cards2-piles", strips="breadboard-rail")
    plan = wiring_plan(profile)
    rows = {row[3]: row[0] for row in parts_list(plan, profile).rows}
    assert rows["jumper wire, blue"] == str(sum(wire.colour == "blue" for wire in plan.wires))
    assert not any(name.startswith("stranded") for name in rows)
    assert plan.component("ground strip").part == "breadboard-rail"


def names_in(profile: Profile) -> list[str]:
    """The parts of the list of a table."""
    table = parts_list(wiring_plan(profile), profile)
    return [row[table.columns.index("part")] for row in table.rows]


def test_the_list_says_how_many_ohms_resistors_have() -> None:
    assert f"{PARTS['pull-up-network'].name}, 10 kohm" in names_in(shipped("dice4"))
    own = shipped("dice4-direct", contact_pull_up_ohm=4700)
    assert f"{PARTS['resistor-pull'].name}, 4.7 kohm" in names_in(own)
    assert (ohm_text(330), ohm_text(47_000)) == ("330 ohm", "47 kohm")


def test_a_pi_zero_needs_a_header_and_an_adapter_for_plugs() -> None:
    profile = replace(shipped("cards2"), board="902120")
    counts = part_counts(wiring_plan(profile), profile)
    assert (counts["otg-adapter"], counts["pi-header"]) == (1, 1)
    table = parts_list(wiring_plan(profile), profile)
    assert table.rows[0][table.columns.index("euros each")] == "18-25"
    assert "otg-adapter" not in part_counts(plan_of("dice4"), shipped("dice4"))


@pytest.mark.parametrize(
    ("board", "socket"),
    [
        ("0010", "micro-USB"),
        ("a02082", "micro-USB"),
        ("a020d3", "micro-USB"),
        ("902120", "micro-USB"),
        ("c03114", "USB-C"),
        ("c04170", "USB-C"),
        ("a020a0", "carrier"),
    ],
)
def test_the_supply_goes_to_the_socket_that_the_pi_has(board: str, socket: str) -> None:
    wires = wiring_plan(replace(shipped("cards2"), board=board)).wires
    assert [wire.end.name for wire in wires if wire.start.component == "supply pi"] == [socket]
