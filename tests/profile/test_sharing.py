"""Two games at one table: what both have must be the same thing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from firmware_host.profile.profile import SCOREBOARD, LampWire, Profile
from firmware_host.profile.table_reading import disputed
from firmware_host.run.table_files import load_profile

DICE, RFID, CARDS, PILES, DIRECT = map(
    load_profile, ("dice4", "dice4-rfid", "cards4", "cards2-piles", "dice4-direct")
)


@pytest.mark.parametrize("dice", [DICE, RFID], ids=lambda profile: profile.title)
def test_profiles_that_are_made_for_it_go_together(dice: Profile) -> None:
    assert disputed(dice, CARDS, {}) == disputed(CARDS, dice, {}) == ""
    assert disputed(DICE, PILES, {}) == ""


def test_the_same_line_must_be_the_same_contact() -> None:
    reset = replace(DICE, reset=22)
    assert disputed(reset, CARDS, {}) == "GPIO 22 is reset line for dice and call 1 for cards"
    lamp = replace(CARDS, lamp_wires=(LampWire(16 * 11, 7, "gpio", 17),))
    assert disputed(lamp, DICE, {}) == "GPIO 17 is lamp of seat 1 for cards and interrupt of left for dice"
    assert disputed(replace(lamp, lamp_wires=(LampWire(16 * 11, 7, "gpio", 12),)), DICE, {}) == ""


def test_the_bus_and_the_port_of_the_header_take_lines() -> None:
    bare = replace(DICE, banks=(), led_chips=(), lamp_wires=(), reset=3)
    assert disputed(bare, CARDS, {}) == "GPIO 3 is reset line for dice and the I2C bus for cards"
    assert disputed(bare, replace(CARDS, i2c_bus=3), {}) == ""
    serial = replace(CARDS, sign_port="/dev/serial0")
    clash = "GPIO 14 is reset line for dice and the port of scoreboard for cards"
    assert disputed(replace(DICE, reset=14), serial, {}) == clash
    assert disputed(replace(DICE, reset=14), serial, {SCOREBOARD: "/dev/ttyUSB7"}) == ""
    assert disputed(replace(DICE, reset=14), CARDS, {"pad-1": "/dev/serial0"}).startswith("GPIO 14 is reset")


def test_the_same_address_must_be_the_same_chip() -> None:
    (chip, other) = CARDS.led_chips
    moved = replace(CARDS, led_chips=(replace(chip, address=0x70), other))
    assert disputed(DICE, moved, {}) == "0x70 is rows for dice and piles-1 for cards"
    assert disputed(DICE, replace(moved, i2c_bus=3), {}) == ""
    same = replace(moved, led_chips=(replace(chip, name="rows", address=0x70), other))
    assert disputed(DICE, same, {}) == ""


def test_the_same_port_must_be_the_same_device() -> None:
    spots = tuple(replace(spot, port=f"/dev/ttyUSB{n}") for n, spot in enumerate(CARDS.readers, start=5))
    told = disputed(RFID, replace(CARDS, readers=spots), {})
    assert told.startswith("'/dev/ttyUSB5' is red-1 for dice and pad-1 for cards, ")
    assert told.endswith(", and 1 more")
    ports = {spot.name: f"/dev/ligretto/{spot.name}" for spot in spots}
    assert disputed(RFID, replace(CARDS, readers=spots), ports) == ""
    mine = replace(CARDS, readers=tuple(replace(spot, name=f"my-{spot.name}") for spot in spots))
    moved = {f"my-{spot.name}": f"/dev/mine-{spot.name}" for spot in spots}
    assert disputed(RFID, mine, moved) == ""
    moved |= {"my-pad-1": "/dev/ttyUSB5"}
    assert disputed(RFID, mine, moved) == "'/dev/ttyUSB5' is red-1 for dice and my-pad-1 for cards"
    assert disputed(RFID, mine, moved, ["my-pad-1"]) == "", "that has been told"


def test_there_is_one_sign_at_a_port() -> None:
    alpha = replace(CARDS, sign="alpha")
    clash = "the scoreboard is cd5220 for dice and alpha for cards"
    assert disputed(DICE, alpha, {}) == disputed(DICE, alpha, {SCOREBOARD: "/dev/ligretto/sign"}) == clash
    assert disputed(DICE, replace(alpha, sign_port="/dev/ttyUSB9"), {}) == ""
    assert disputed(DICE, replace(alpha, sign_port=""), {}) == ""
    assert disputed(replace(DICE, sign_port=""), replace(alpha, sign_port=""), {}) == ""


def test_only_a_few_are_named() -> None:
    told = disputed(DIRECT, CARDS, {})
    assert told.count(" for dice and ") == 3 and ", and " in told
