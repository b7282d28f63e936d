"""Wiring profiles: the one that ships, and what is said about faults."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import wiring
from firmware_host.model.errors import BadSettings
from firmware_host.model.places import ALL_SLOTS, Button, Call, Colour, Slot, Source
from firmware_host.profile.profile import GPIO, LampWire
from firmware_host.profile.profile_reading import parse_profile
from firmware_host.show.lamps import frame_length
from tests.profile.profiles import DICE4, DIRECT, faults_of
from tests.rewiring import renumbered


@pytest.mark.parametrize("name", wiring.profile_names())
def test_every_shipped_profile_is_clean_and_complete(name: str) -> None:
    profile = parse_profile(wiring.profile_file(name).read_text(encoding="utf-8"), name)
    seats = range(1, profile.seats + 1)
    sources: set[Source] = {Button(seat) for seat in seats}
    if profile.game == "dice":
        sources |= set(ALL_SLOTS)
    if name == "cards4":
        sources |= {Call(seat) for seat in seats}
    assert set(profile.lines.values()) == sources
    assert len(profile.lines) == len(sources)


def test_the_profile_for_four_on_expanders() -> None:
    profile = parse_profile(DICE4, "dice4")
    assert {line: str(source) for line, source in profile.direct_lines.items()} == {
        5: "seat 1",
        6: "seat 2",
        13: "seat 3",
        19: "seat 4",
    }
    left, right = profile.banks
    assert (left.address, left.interrupt, right.address, right.interrupt) == (0x20, 17, 0x21, 27)
    assert [str(profile.lines[line]) for line in right.pins.values()] == [
        f"{row} {number}" for row in ("green", "blue") for number in range(1, 7)
    ]
    assert {pin % 8 for pin in (*left.pins, *right.pins)} == set(range(6))
    assert [chip.address for chip in profile.led_chips] == [0x70]
    assert {wire.lamp for wire in profile.lamp_wires} == set(range(frame_length(profile.seats)))
    assert profile.lamp_wires[:3] == (
        LampWire(0, 4, "rows", 0),
        LampWire(0, 2, "rows", 1),
        LampWire(0, 1, "rows", 2),
    )
    assert profile.lamp_wires[-1] == LampWire(31, 7, GPIO, 21)
    assert (profile.sign, profile.sign_port) == ("cd5220", "/dev/ttyUSB0")


def test_the_profile_for_four() -> None:
    profile = parse_profile(DIRECT, "wiring/dice4.toml")
    assert profile.seats == 4
    assert (profile.game, profile.pull, profile.columns) == ("dice", "up", 20)
    assert profile.line_of(Button(1)) == 4
    assert profile.lines[39] == Slot(Colour.BLUE, 6)


def test_a_table_can_be_wired_otherwise() -> None:
    profile = parse_profile(DIRECT, "dice4")
    swapped = renumbered(profile, {4: 5, 5: 4})
    assert (swapped.line_of(Button(1)), swapped.line_of(Button(2))) == (5, 4)
    assert replace(swapped, lines=profile.lines) == profile
    assert profile.line_of(Button(1)) == 4


@given(st.permutations(sorted(parse_profile(DIRECT, "dice4").lines)))
def test_however_it_is_wired_each_source_keeps_one_line(order: list[int]) -> None:
    profile = parse_profile(DIRECT, "dice4")
    other = renumbered(profile, dict(zip(sorted(profile.lines), order, strict=True)))
    assert len(other.lines) == len(profile.lines)
    assert all(other.lines[other.line_of(source)] == source for source in profile.lines.values())


def test_what_may_be_left_out_has_a_default() -> None:
    bare = DIRECT.replace('pull = "up"', "").replace("[scoreboard]\ncolumns = 20", "")
    assert parse_profile(bare, "bare") == parse_profile(DIRECT, "dice4")


# -- one fault, one message


def test_a_chip_may_be_named_by_its_path() -> None:
    assert parse_profile(DICE4, "dice4").chip_path == ""
    named = DICE4.replace('chip = "auto"', 'path = "/dev/gpiochip4"')
    assert parse_profile(named, "dice4").chip_path == "/dev/gpiochip4"


def test_the_port_of_the_header_takes_its_lines() -> None:
    """Two lines of the header are a serial port, under one of several names."""
    serial = DICE4.replace('"/dev/ttyUSB0"', '"/dev/serial0"')
    assert parse_profile(serial, "dice4").sign_port == "/dev/serial0"
    (fault,) = faults_of(serial.replace("1 = 5\n", "1 = 15\n"))
    assert fault == (
        "53: scoreboard.port is '/dev/serial0'; allowed: lines of its own: GPIO 15 is taken by "
        "buttons.1 in line 17"
    )


def test_the_reset_line_of_the_bus_is_a_line() -> None:
    assert parse_profile(DICE4.replace("bus = 1", "reset = 26"), "dice4").reset == 26


@pytest.mark.parametrize(
    "section", ["gpio", "buttons", "i2c", "banks", "slots", "leds", "lamps", "scoreboard"]
)
def test_a_section_that_is_none_is_told_once(section: str) -> None:
    """Nothing is said of what should be in it, nor of what refers to that."""
    pieces = re.split(r"(?m)^(?=\[)", DICE4)
    rest = "".join(piece for piece in pieces if not piece.startswith((f"[{section}]", f"[{section}.")))
    assert faults_of(f"{section} = 3\n{rest}") == [f"1: {section} is 3; allowed: a section [{section}]"]


@pytest.mark.parametrize("section", ["banks", "leds"])
def test_a_kind_of_devices_that_is_not_there_at_all_is_one_fault(section: str) -> None:
    pieces = re.split(r"(?m)^(?=\[)", DICE4)
    rest = "".join(piece for piece in pieces if not piece.startswith(f"[{section}."))
    (fault,) = faults_of(rest)
    assert fault.endswith(f" of [{section}]: none")


# -- one mistake, one message, whatever follows from it


def faults_if_any(lines: list[str]) -> list[str]:
    """The faults of a text that may have none."""
    try:
        parse_profile("\n".join(lines), "slip.toml")
    except BadSettings as refusal:
        return refusal.faults
    return []


@pytest.mark.parametrize("name", wiring.profile_names())
def test_a_lost_line_is_one_message_at_most(name: str) -> None:
    lines = wiring.profile_file(name).read_text(encoding="utf-8").splitlines()
    for at, line in enumerate(lines):
        if line and not line.startswith("#"):
            assert len(faults_if_any([*lines[:at], *lines[at + 1 :]])) <= 1, line


@given(st.sampled_from(wiring.profile_names()), st.data())
def test_one_slip_of_the_pen_is_one_message_at_most(name: str, data: st.DataObject) -> None:
    lines = wiring.profile_file(name).read_text(encoding="utf-8").splitlines()
    said = [at for at, line in enumerate(lines) if line and not line.startswith("#")]
    number = data.draw(st.sampled_from(said))
    line = lines[number]
    kind = data.draw(st.sampled_from(["twice", "letter", "capitals"]))
    if kind == "letter":
        at = data.draw(st.integers(0, len(line) - 1))
        lines[number] = line[:at] + line[at + 1 :]
    elif kind == "capitals":
        lines[number] = re.sub("[a-z]+", lambda word: word[0].upper(), line, count=1)
    else:
        lines.insert(number, line)
    assert len(faults_if_any(lines)) <= 1


# -- several faults, several messages


def test_an_empty_profile_lacks_everything() -> None:
    assert faults_of("") == [
        "1: title is missing; allowed: a text",
        "1: game is missing; allowed: dice or cards",
        "1: buttons is missing; allowed: a GPIO line for each of 2 to 4 seats for dice",
        "1: slots is missing; allowed: a list of 6 lines for each row",
        "1: gpio.board is missing; allowed: the revision code of a Raspberry Pi, such as 'a020a0'",
    ]
