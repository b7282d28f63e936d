"""Wiring profiles: the one that ships, and what is said about faults."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import wiring
from firmware_host.config.profile import GPIO, LampWire
from firmware_host.config.reading import parse_profile
from firmware_host.errors import BadSettings
from firmware_host.places import ALL_SLOTS, Button, Call, Colour, Slot, Source
from firmware_host.show.lamps import frame_length

GOOD = wiring.profile_file("dice4-direct").read_text(encoding="utf-8")


BANKED = wiring.profile_file("dice4").read_text(encoding="utf-8")


def faults_of(text: str) -> list[str]:
    with pytest.raises(BadSettings) as error:
        parse_profile(text, "table.toml")
    return error.value.faults


def faults_with(before: str, after: str) -> list[str]:
    """The faults of the good profile with one piece of its text changed."""
    assert before in GOOD
    return faults_of(GOOD.replace(before, after, 1))


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
    profile = parse_profile(BANKED, "dice4")
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
    profile = parse_profile(GOOD, "wiring/dice4.toml")
    assert profile.seats == 4
    assert (profile.game, profile.pull, profile.columns) == ("dice", "up", 20)
    assert profile.line_of(Button(1)) == 4
    assert profile.lines[39] == Slot(Colour.BLUE, 6)


def test_a_table_can_be_wired_otherwise() -> None:
    profile = parse_profile(GOOD, "dice4")
    swapped = profile.renumbered({4: 5, 5: 4})
    assert (swapped.line_of(Button(1)), swapped.line_of(Button(2))) == (5, 4)
    assert replace(swapped, lines=profile.lines) == profile
    assert profile.line_of(Button(1)) == 4


@given(st.permutations(sorted(parse_profile(GOOD, "dice4").lines)))
def test_however_it_is_wired_each_source_keeps_one_line(order: list[int]) -> None:
    profile = parse_profile(GOOD, "dice4")
    other = profile.renumbered(dict(zip(sorted(profile.lines), order, strict=True)))
    assert len(other.lines) == len(profile.lines)
    assert all(other.lines[other.line_of(source)] == source for source in profile.lines.values())


def test_what_may_be_left_out_has_a_default() -> None:
    bare = GOOD.replace('pull = "up"', "").replace("[scoreboard]\ncolumns = 20", "")
    assert parse_profile(bare, "bare") == parse_profile(GOOD, "dice4")


# -- one fault, one message


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("columns = 20", "columns = 8", "scoreboard.columns is 8; allowed: a number from 20 to 80"),
        ("columns = 20", "columns = true", "scoreboard.columns is True; allowed: a number from 20 to 80"),
        ("columns = 20", "colums = 20", "'scoreboard.colums' is unknown; did you mean 'columns'?"),
        ("columns = 20", "columns = 20\nzzz = 1", "'scoreboard.zzz' is unknown; known: sign, port, columns"),
        ('pull = "up"', 'pull = "sideways"', "gpio.pull is 'sideways'; allowed: up or down or floating"),
        ('pull = "up"', 'pul = "up"', "'gpio.pul' is unknown; did you mean 'pull'?"),
        (
            'board = "a020a0"',
            "",
            "gpio.board is missing; allowed: the revision code of a Raspberry Pi, such as 'a020a0'",
        ),
        (
            'board = "a020a0"',
            'board = ""',
            "gpio.board is ''; allowed: the revision code of a Raspberry Pi, such as 'a020a0'",
        ),
        (
            'chip = "pinctrl-bcm2835"',
            "chip = 0",
            "gpio.chip is 0; allowed: auto or pinctrl-bcm2835 or pinctrl-bcm2711 or pinctrl-rp1",
        ),
        ('game = "dice"', 'game = "chess"', "game is 'chess'; allowed: dice or cards"),
        ('title = "Dice for four, all lines direct"', "title = 4", "title is 4; allowed: a text"),
        ('game = "dice"', 'game = "dice"\nseats = 4', "'seats' is unknown; did you mean 'slots'?"),
        ("4 = 7", "7 = 7", "buttons.7 is '7'; allowed: the seats 1 to 4"),
        ("4 = 7", "4 = 99", "buttons.4 is 99; allowed: a number from 0 to 53"),
        ("4 = 7", "4 = true", "buttons.4 is True; allowed: a number from 0 to 53"),
        ("4 = 7", 'four = "GPIO7"', "buttons.four is 'four'; allowed: the seats 1 to 4"),
        ("4 = 7", "4 = 6", "buttons.4 is 'line 6'; allowed: a line of its own; it is taken by seat 3"),
        (
            "blue   = [34,",
            "blue   = [16,",
            "slots.blue[1] is 'line 16'; allowed: a line of its own; it is taken by red 1",
        ),
        ("[34, 35,", "[34, -1,", "slots.blue[2] is -1; allowed: a number from 0 to 53"),
        ("[34, 35,", '[34, "35",', "slots.blue[2] is '35'; allowed: a number from 0 to 53"),
        ("[34, 35,", "[35,", "slots.blue is [35, 36, 37, 38, 39]; allowed: a list of 6 lines"),
        ("blue   = [34, 35, 36, 37, 38, 39]", "", "slots.blue is missing; allowed: a list of 6 lines"),
        ("blue   = [34, 35, 36, 37, 38, 39]", "blue = 3", "slots.blue is 3; allowed: a list of 6 lines"),
    ],
)
def test_a_fault_has_one_clear_message(before: str, after: str, message: str) -> None:
    assert faults_with(before, after) == [f"table.toml: {message}"]


READER = '\n[readers.one]\nseat = 1\nport = "/dev/ttyUSB1"'


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        (
            "1 = 5\n",
            '1 = "left A6"\n',
            "buttons.1 is 'left A6'; allowed: a GPIO line: "
            "an expander can't tell which of two buttons was first",
        ),
        ('"left A0"', '"middle A0"',
         "slots.red[1] is 'middle A0'; allowed: an expander of [banks]: left, right"),
        (
            '"left A0"',
            '"left A7"',
            "slots.red[1] is 'left A7'; allowed: "
            "A0 to A6 and B0 to B6: the last pin of each port is an output",
        ),
        ('"left A0"', '"left A1"',
         "slots.red[2] is 'left A1'; allowed: a pin of its own; it is taken by red 1"),
        ('"left A0"', '"left C0"', "slots.red[1] is 'left C0'; allowed: a number from 0 to 53"),
        ('"left A0"', "17",
         "slots.red[1] is 'line 17'; allowed: a line of its own; it is taken by bank left"),
        (
            "address = 0x20",
            "address = 0x30",
            "banks.left.address is 48; allowed: a number from 0x20 to 0x27",
        ),
        (
            "address = 0x21",
            "address = 0x20",
            "banks.right.address is '0x20'; allowed: an address of its own; it is taken by left",
        ),
        ("interrupt = 17", "", "banks.left.interrupt is missing; allowed: a number from 0 to 53"),
        ("interrupt = 17", "interupt = 17\ninterrupt = 17", "'banks.left.interupt' is unknown; "
         "did you mean 'interrupt'?"),
        ("[banks.left]", "[banks.LEFT]\naddress = 0x27\ninterrupt = 4\n[banks.left]",
         "banks.LEFT is 'LEFT'; allowed: a name of small letters, digits and hyphens, up to 16"),
        ("brightness = 12", "brightness = 16", "leds.rows.brightness is 16; allowed: a number from 0 to 15"),
        ("address = 0x70", "address = 0x20", "leds.rows.address is 32; allowed: a number from 0x70 to 0x77"),
        ('"rows 0 1 2"', '"cols 0 1 2"',
         "lamps.red[1] is 'cols 0 1 2'; allowed: a chip of [leds]: rows, or gpio"),
        ('"rows 0 1 2"', '"rows 0 1 128"', "lamps.red[1] is 128; allowed: an LED from 0 to 127"),
        ('"rows 0 1 2"', '"rows 0 1 1"',
         "lamps.red[1] is 'LED 1'; allowed: an LED of its own; it is taken by lamps.red[1]"),
        ('"rows 0 1 2"', '"rows 0 1"', "lamps.red[1] is 'rows 0 1'; allowed: a chip of [leds] and "
         "one or three LEDs, as in 'rows 0 1 2', or 'gpio' and a line"),
        ('"gpio 12"', '"gpio 5"',
         "lamps.seats[1] is 'line 5'; allowed: a line of its own; it is taken by seat 1"),
        ('"gpio 12", ', "", "lamps.seats is ['gpio 16', 'gpio 20', 'gpio 21']; allowed: a list of 4 lamps"),
        ('sign = "cd5220"', 'sign = "cd5221"',
         "scoreboard.sign is 'cd5221'; allowed: text or vt100 or alpha or betabrite or cd5220 or dm-d"),
        ("columns = 20", "columns = 40", "scoreboard.columns is 40; allowed: only 20"),
        ("bus = 1 ", "bus = 1\nreset = 5 ",
         "i2c.reset is 'line 5'; allowed: a line of its own; it is taken by seat 1"),
        ("1 = 5\n", "1 = 3\n",
         "buttons.1 is 'line 3'; allowed: a line of its own; it is taken by the I2C bus"),
        ("[leds.rows]", "[leds.left]",
         "leds.left is 'left'; allowed: a name of its own; it is taken by banks.left"),
        ("[banks.left]", "[banks.gpio]",
         "banks.gpio is 'gpio'; allowed: a name of its own; it is taken by the table itself"),
        ("columns = 20", "columns = 20" + READER.replace("USB1", "USB0"),
         "scoreboard.port is '/dev/ttyUSB0'; allowed: a port of its own; it is taken by readers.one.port"),
        ("bus = 1 ", "bus = -1 ", "i2c.bus is -1; allowed: a number from 0 to 31"),
        ("columns = 20", "columns = 20" + READER.replace("seat = 1", "seat = 5"),
         "readers.one.seat is 5; allowed: a number from 1 to 4"),
        ("columns = 20", "columns = 20" + READER.replace("port", "prt"),
         "'readers.one.prt' is unknown; did you mean 'port'?"),
    ],
)  # fmt: skip
def test_a_fault_among_the_chips_has_one_clear_message(before: str, after: str, message: str) -> None:
    assert before in BANKED
    assert f"table.toml: {message}" in faults_of(BANKED.replace(before, after, 1))


def test_a_chip_may_be_named_by_its_path() -> None:
    assert parse_profile(BANKED, "dice4").chip_path == ""
    named = BANKED.replace('chip = "auto"', 'path = "/dev/gpiochip4"')
    assert parse_profile(named, "dice4").chip_path == "/dev/gpiochip4"
    assert "table.toml: gpio.path is 4; allowed: a text" in faults_of(named.replace('"/dev/gpiochip4"', "4"))


def test_the_reset_line_of_the_bus_is_a_line() -> None:
    assert parse_profile(BANKED.replace("bus = 1", "reset = 26"), "dice4").reset == 26


def test_the_number_of_seats_is_bounded() -> None:
    (fault,) = faults_with("4 = 7", "4 = 7\n5 = 8")
    assert fault == "table.toml: buttons is 5; allowed: 2 to 4 seats for dice"


def test_a_section_that_is_none_is_named_once() -> None:
    """Its settings are missing then, and that is said of each; but the section is one fault."""
    without = GOOD.replace('[gpio]\nchip = "pinctrl-bcm2835"', "[gpi]\nchip = 0")
    faults = faults_of("gpio = 3\n" + without)
    assert faults.count("table.toml: gpio is 3; allowed: a section [gpio]") == 1


def test_a_text_that_is_no_toml_says_where() -> None:
    (fault,) = faults_of("title = \n")
    assert fault.startswith("table.toml: Invalid value (at line 1, column 9)")


# -- several faults, several messages


def test_two_faults_have_two_messages() -> None:
    text = GOOD.replace("columns = 20", "columns = 8").replace('game = "dice"', 'game = "chess"')
    assert faults_of(text) == [
        "table.toml: game is 'chess'; allowed: dice or cards",
        "table.toml: scoreboard.columns is 8; allowed: a number from 20 to 80",
    ]


def test_an_empty_profile_lacks_everything() -> None:
    faults = faults_of("")
    assert len(faults) == len(set(faults)) == 8
    assert all(fault.startswith("table.toml: ") for fault in faults)


SHIPPED = [wiring.profile_file(name).read_text(encoding="utf-8") for name in wiring.profile_names()]


@given(st.sampled_from(SHIPPED), st.randoms(use_true_random=False), st.floats(0.01, 0.9))
def test_a_profile_with_lines_torn_out_is_read_or_refused_with_reasons(
    whole: str, chance: Random, share: float
) -> None:
    text = "\n".join(line for line in whole.splitlines() if chance.random() > share)
    faults: list[str] = []
    try:
        parse_profile(text, "torn.toml")
    except BadSettings as refusal:
        faults = refusal.faults
    assert all(fault.startswith("torn.toml: ") for fault in faults)
    assert len(set(faults)) == len(faults)
