"""Wiring profiles: the one that ships, and what is said about faults."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import wiring
from firmware_host.model.errors import BadSettings
from firmware_host.model.places import ALL_SLOTS, Button, Call, Colour, Slot, Source
from firmware_host.profile.pins import port_form
from firmware_host.profile.profile import GPIO, LampWire
from firmware_host.profile.profile_reading import parse_profile
from firmware_host.show.lamps import frame_length
from tests.profile.profiles import DICE4, DIRECT, changed, faults_of, lines_text
from tests.rewiring import renumbered

ON_HEADER, ON_MODULE = lines_text("c03111"), lines_text("a020a0")


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


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("columns = 20", "columns = 8", "28: scoreboard.columns is 8; allowed: a number from 20 to 80"),
        ("columns = 20", "colums = 20",
         "28: scoreboard.colums is unknown; allowed: charset, columns, port, sign; did you mean "
         "'columns'?"),
        ("columns = 20", "columns = 20\nzzz = 1",
         "29: scoreboard.zzz is unknown; allowed: charset, columns, port, sign"),
        ('pull = "up"', 'pull = "sideways"', "13: gpio.pull is 'sideways'; allowed: up, down or floating"),
        ('board = "a020a0"', "",
         "10: gpio.board is missing; allowed: the revision code of a Raspberry Pi, such as 'a020a0'"),
        ('board = "a020a0"', 'board = ""',
         "12: gpio.board is ''; allowed: the revision code of a Raspberry Pi, such as 'a020a0'"),
        ('chip = "pinctrl-bcm2835"', "chip = 0",
         "11: gpio.chip is 0; allowed: auto, pinctrl-bcm2835, pinctrl-bcm2711 or pinctrl-rp1"),
        ('game = "dice"', 'game = "chess"', "8: game is 'chess'; allowed: dice or cards"),
        ('title = "Dice for four, all lines direct"', "title = 4", "7: title is 4; allowed: a text"),
        ('game = "dice"', 'game = "dice"\nseats = 4',
         "9: seats is unknown; allowed: banks, build, buttons, game, gpio, i2c, lamps, leds, ownership, "
         "readers, scoreboard, slots, title; did you mean 'slots'?"),
        ("4 = 7", "7 = 7", "19: buttons.7 is for seat '7'; allowed: a seat from 1 to 4"),
        ("4 = 7", "4 = 99", f"19: buttons.4 is 99; allowed: a GPIO line {ON_MODULE}"),
        ("4 = 7", "4 = true", f"19: buttons.4 is true; allowed: a GPIO line {ON_MODULE}"),
        ("4 = 7", "4 = 6",
         "19: buttons.4 is 6; allowed: a line of its own: GPIO 6 is taken by buttons.3 in line 18"),
        ("blue   = [34,", "blue   = [16,",
         "25: slots.blue[1] is 16; allowed: a line of its own: GPIO 16 is taken by slots.red[1] in line "
         "22"),
        ("[34, 35,", '[34, "35",',
         "25: slots.blue[2] is '35'; allowed: a GPIO line, or an expander and its pin, as "
         "in 'left A0'"),
        ("[34, 35,", "[35,", "25: slots.blue is a list of 5; allowed: a list of 6 lines"),
        ("blue   = [34, 35, 36, 37, 38, 39]", "", "21: slots.blue is missing; allowed: a list of 6 lines"),
        ("blue   = [34, 35, 36, 37, 38, 39]", "blue = 3", "25: slots.blue is 3; allowed: a list of 6 lines"),
    ],
)  # fmt: skip
def test_a_fault_has_one_clear_message(before: str, after: str, message: str) -> None:
    assert faults_of(changed(DIRECT, before, after)) == [message]


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("1 = 5\n", '1 = "left A6"\n',
         "17: buttons.1 is 'left A6'; allowed: a GPIO line: an expander can't tell which of two buttons "
         "was first"),
        ("1 = 5\n", '1 = "left"\n',
         "17: buttons.1 is 'left'; allowed: a GPIO line: an expander can't tell which of two buttons was "
         "first"),
        ('port = "/dev/ttyUSB0"', 'port = "ttyUSB0"',
         "53: scoreboard.port is 'ttyUSB0'; allowed: a serial port, as in '/dev/ligretto/port-1-1.2'"),
        ('port = "/dev/ttyUSB0"', 'port = "/dev/a\\u0000b"',
         "53: scoreboard.port is '/dev/a\\x00b'; allowed: " + port_form("/dev/a\0b")),
        ('"left A0"', '"middle A0"',
         "34: slots.red[1] is 'middle A0'; allowed: an expander of [banks]: left, right"),
        ('"left A0"', '"left A7"',
         "34: slots.red[1] is 'left A7'; allowed: A0 to A6 and B0 to B6: the last pin of each port is an "
         "output"),
        ('"left A0"', '"left A1"',
         "34: slots.red[2] is 'left A1'; allowed: a pin of its own: 'left A1' is taken by slots.red[1] "
         "in line 34"),
        ('"left A0"', '"left C0"',
         "34: slots.red[1] is 'left C0'; allowed: A0 to A6 and B0 to B6: the last pin of each port is an "
         "output"),
        ('"left A0"', "17",
         "34: slots.red[1] is 17; allowed: a line of its own: GPIO 17 is taken by banks.left.interrupt "
         "in line 27"),
        ("address = 0x20", "address = 0x30",
         "26: banks.left.address is 0x30; allowed: an address from 0x20 to 0x27"),
        ("address = 0x20", "address = 0",
         "26: banks.left.address is 0x00; allowed: an address from 0x20 to 0x27"),
        ("address = 0x21", "address = 0x20",
         "30: banks.right.address is 0x20; allowed: an address of its own: 0x20 is taken by "
         "banks.left.address in line 26"),
        ("interrupt = 17", "", f"25: banks.left.interrupt is missing; allowed: a GPIO line {ON_HEADER}"),
        ("interrupt = 17", "interupt = 17\ninterrupt = 17",
         "27: banks.left.interupt is unknown; allowed: address, interrupt; did you mean 'interrupt'?"),
        ("[banks.left]", "[banks.LEFT]\naddress = 0x27\ninterrupt = 4\n[banks.left]",
         "25: banks.LEFT is named 'LEFT'; allowed: a name of small letters, digits and hyphens, up to 16"),
        ("brightness = 12", "brightness = 16",
         "41: leds.rows.brightness is 16; allowed: a number from 0 to 15"),
        ("address = 0x70", "address = 0x20",
         "40: leds.rows.address is 0x20; allowed: an address from 0x70 to 0x77"),
        ('"rows 0 1 2"', '"cols 0 1 2"', "44: lamps.red[1] is 'cols 0 1 2'; allowed: a chip of [leds]: rows"),
        ('"rows 0 1 2"', '"rows 0 1 128"', "44: lamps.red[1] is 'rows 0 1 128'; allowed: LEDs from 0 to 127"),
        ('"rows 0 1 2"', '"rows 0 1 1"', "44: lamps.red[1] is 'rows 0 1 1'; allowed: an LED once in a lamp"),
        ('"rows 0 1 2"', '"rows 0 1"',
         "44: lamps.red[1] is 'rows 0 1'; allowed: a chip of [leds] and one or three LEDs, as in 'rows 0 "
         "1 2', or 'gpio' and a line"),
        ('"gpio 12"', '"gpio 5"',
         "49: lamps.seats[1] is 'gpio 5'; allowed: a line of its own: GPIO 5 is taken by buttons.1 in "
         "line 17"),
        ('sign = "cd5220"', 'sign = "cd5221"',
         "52: scoreboard.sign is 'cd5221'; allowed: text, vt100, alpha, betabrite, cd5220 or dm-d; did "
         "you mean 'cd5220'?"),
        ("columns = 20", "columns = 40", "54: scoreboard.columns is 40; allowed: only 20"),
        ("bus = 1 ", "bus = 1\nreset = 5 ",
         "24: i2c.reset is 5; allowed: a line of its own: GPIO 5 is taken by buttons.1 in line 17"),
        ("[leds.rows]", "[leds.left]",
         "39: leds.left is named 'left'; allowed: a name of its own: 'left' is taken by banks.left in "
         "line 25"),
        ("[banks.left]", "[banks.gpio]",
         "25: banks.gpio is named 'gpio'; allowed: a name of its own: 'gpio' is taken by the table itself"),
        ("bus = 1 ", "bus = -1 ", "23: i2c.bus is -1; allowed: a number from 0 to 31"),
    ],
)  # fmt: skip
def test_a_fault_among_the_chips_has_one_clear_message(before: str, after: str, message: str) -> None:
    assert faults_of(changed(DICE4, before, after)) == [message]


def test_a_chip_may_be_named_by_its_path() -> None:
    assert parse_profile(DICE4, "dice4").chip_path == ""
    named = DICE4.replace('chip = "auto"', 'path = "/dev/gpiochip4"')
    assert parse_profile(named, "dice4").chip_path == "/dev/gpiochip4"
    assert faults_of(named.replace("/dev/gpiochip4", "gpiochip4")) == [
        "12: gpio.path is 'gpiochip4'; allowed: the path of a GPIO chip, as in '/dev/gpiochip0'"
    ]
    assert faults_of(named.replace('"/dev/gpiochip4"', "4")) == [
        "12: gpio.path is 4; allowed: the path of a GPIO chip, as in '/dev/gpiochip0'"
    ]


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


def test_the_number_of_seats_is_bounded() -> None:
    (fault,) = faults_of(changed(DIRECT, "4 = 7", "4 = 7\n5 = 8"))
    assert fault == "15: buttons is for 5; allowed: 2 to 4 seats for dice"


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


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("[gpio]\n", "", "11: chip, board and pull are out of place; allowed: in the section [gpio]"),
        ("[buttons] ", "#", "17: gpio.1, gpio.2, gpio.3 and gpio.4 are out of place; "
         "allowed: in the section [buttons]"),
        ("[banks.left] ", "#", "26: i2c.address and i2c.interrupt are out of place; "
         "allowed: in a section such as [banks.name]"),
        ("[slots] ", "#", "34: banks.right.red, banks.right.yellow, banks.right.green and banks.right.blue "
         "are out of place; allowed: in the section [slots]"),
        ("[leds.rows] ", "#", "40: slots.address and slots.brightness are out of place; "
         "allowed: in a section such as [leds.name]"),
        ("[lamps] ", "#", "44: leds.rows.red, leds.rows.yellow, leds.rows.green, leds.rows.blue and 2 more "
         "are out of place; allowed: in the section [lamps]"),
        ("[scoreboard]\n", "", "51: lamps.sign, lamps.port and lamps.columns are out of place; "
         "allowed: in the section [scoreboard]"),
        ("[banks.left]", "[left]", "25: left is out of place; allowed: in the section [banks]"),
        ("[leds.rows]", "[ledsrows]", "39: ledsrows is out of place; allowed: in the section [leds]"),
        ("[banks.left]", "[banksleft]", "25: banksleft is out of place; allowed: in the section [banks]"),
        ("[banks.left]", "[bank.left]", "25: bank is unknown; allowed: banks, build, buttons, game, gpio, "
         "i2c, lamps, leds, ownership, readers, scoreboard, slots, title; did you mean 'banks'?"),
        ("[banks.left]", "[banks.lft]",
         "34: slots.red[1] is 'left A0'; allowed: an expander of [banks]: lft, right; did you mean 'lft'?"),
        ('"left B0", "left B1", "left B2", "left B3", "left B4", "left B5"',
         '"left A0", "left A1", "left A2", "left A3", "left A4", "left A5"',
         "35: slots.yellow is a list of 6; allowed: lines of its own: "
         "each of them is taken by slots.red in line 34"),
        ('"rows 0 1 2", "rows 3 4 5"', '"rows 0 3 6", "rows 3 4 5"',
         "44: lamps.red[1] is 'rows 0 3 6'; allowed: LEDs of its own: "
         "LED 3 of rows is taken by lamps.red[2] in line 44"),
        ('"rows 0 1 2"', '"rows 0 19 35"',
         "44: lamps.red[1] is 'rows 0 19 35'; allowed: LEDs of its own: "
         "LED 19 of rows is taken by lamps.yellow[1] in line 45"),
        ('"gpio 12"', '"gpio 54"',
         f"49: lamps.seats[1] is 'gpio 54'; allowed: 'gpio' and a line {ON_HEADER}"),
        ("columns = 20", 'columns = 20\ncharset = "utf-8"',
         "55: scoreboard.charset is 'utf-8'; allowed: ascii, pc437 or pc850"),
        ("4 = 19\n", "4 = 19\n5 = 20\n", "21: buttons.5 is for seat '5'; allowed: a seat from 1 to 4"),
        ('"gpio 20", "gpio 21"]', '"gpio 20"]', "49: lamps.seats is a list of 3; allowed: a list of 4 lamps"),
    ],
)  # fmt: skip
def test_what_follows_from_a_mistake_is_not_told(before: str, after: str, message: str) -> None:
    assert faults_of(changed(DICE4, before, after)) == [message]


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


def test_two_faults_have_two_messages() -> None:
    text = DIRECT.replace("columns = 20", "columns = 8").replace('game = "dice"', 'game = "chess"')
    assert faults_of(text) == [
        "8: game is 'chess'; allowed: dice or cards",
        "28: scoreboard.columns is 8; allowed: a number from 20 to 80",
    ]


def test_an_empty_profile_lacks_everything() -> None:
    assert faults_of("") == [
        "1: title is missing; allowed: a text",
        "1: game is missing; allowed: dice or cards",
        "1: buttons is missing; allowed: a GPIO line for each of 2 to 4 seats for dice",
        "1: slots is missing; allowed: a list of 6 lines for each row",
        "1: gpio.board is missing; allowed: the revision code of a Raspberry Pi, such as 'a020a0'",
    ]
