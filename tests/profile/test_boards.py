"""Which GPIO lines there are on which board."""

from __future__ import annotations

import pytest

from firmware_host.profile.pins import GPIO_LINES, lines_of
from firmware_host.profile.profile_reading import parse_profile
from tests.profile.profiles import DICE4, DIRECT, faults_of

HEADER = (
    "a GPIO line from 2 to 27: "
    "gpio.board 'c03111' has a 40-pin header, where 0 and 1 are for the EEPROM of a HAT"
)


@pytest.mark.parametrize(
    ("boards", "lines"),
    [
        (["c03111", "a02082", "902120", "d04170", "2a01041", "000e", "0010", "1000010"], (2, 27)),
        (["900061", "a020a0", "a02100", "a03150", "0011", "0014", "1000014"], (0, 45)),
        (["a03140", "b04180", "c041a0"], (0, 27)),
        (["", "x", None, 3], (0, GPIO_LINES - 1)),
    ],
)
def test_each_board_has_its_lines(boards: list[object], lines: tuple[int, int]) -> None:
    for board in boards:
        assert lines_of(board)[:2] == lines, board


@pytest.mark.parametrize("line", [0, 1, 28, 45, 53])
def test_a_line_that_no_header_has_is_refused(line: int) -> None:
    assert faults_of(DICE4.replace("1 = 5\n", f"1 = {line}\n")) == [
        f"17: buttons.1 is {line}; allowed: {HEADER}"
    ]
    lamp = faults_of(DICE4.replace('"gpio 12"', f'"gpio {line}"'))
    assert lamp == [
        f"49: lamps.seats[1] is 'gpio {line}'; allowed: 'gpio' and {HEADER.replace('a GPIO', 'a')}"
    ]
    assert faults_of(DICE4.replace("bus = 1 ", f"bus = 1\nreset = {line}")) == [
        f"24: i2c.reset is {line}; allowed: {HEADER}"
    ]


def test_a_compute_module_has_more() -> None:
    assert parse_profile(DIRECT.replace("1 = 4\n", "1 = 45\n").replace("2 = 5\n", "2 = 0\n"), "own.toml")
    (fault,) = faults_of(DIRECT.replace("1 = 4\n", "1 = 46\n"))
    assert fault == (
        "16: buttons.1 is 46; allowed: a GPIO line from 0 to 45: gpio.board 'a020a0' is a Compute Module"
    )


def test_where_the_board_is_faulty_no_line_is() -> None:
    (fault,) = faults_of(DIRECT.replace("a020a0", "CM3"))
    assert fault.startswith("12: gpio.board is 'CM3'; allowed: the revision code of a Raspberry Pi")


@pytest.mark.parametrize(("bus", "line"), [(0, 0), (0, 1), (1, 2), (1, 3)])
def test_the_lines_of_the_bus_are_taken(bus: int, line: int) -> None:
    text = DIRECT.replace("1 = 4\n", f"1 = {line}\n") + f"\n[i2c]\nbus = {bus}\n[leds.rows]\naddress = 0x70\n"
    (fault,) = faults_of(text)
    assert fault.endswith(f"allowed: a line of its own: GPIO {line} is taken by the I2C bus")
    assert parse_profile(text.replace(f"bus = {bus}", "bus = 3"), "own.toml").i2c_bus == 3
