"""Chips are found by label, and what keeps a driver from its lines is said in words."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hw.gpio.gpio_chips import (
    ChipInfo,
    GpioError,
    LineBusy,
    NoSuchChip,
    NoSuchLine,
    NotPermitted,
    explained,
    find_chip,
    line_user,
    look_at,
)
from hw.gpio.gpio_lamps import GpioLamps
from hw.gpio.gpiod_lines import GpiodLines
from hw.gpio.gpiozero_lines import KINDS, open_lines, open_pins
from tests.kernel.guest.gpio_sim import SimChip

NOBODY = 65534


@pytest.fixture
def chips() -> Iterator[Callable[..., SimChip]]:
    made: list[SimChip] = []

    def make(label: str, lines: int = 54) -> SimChip:
        made.append(SimChip(label, lines))
        return made[-1]

    yield make
    for chip in made:
        chip.close()


@pytest.mark.parametrize("label", ["pinctrl-bcm2835", "pinctrl-bcm2711", "pinctrl-rp1"])
def test_the_chip_of_any_pi_is_found_whatever_its_number(chips: Callable[..., SimChip], label: str) -> None:
    chips("gpio-of-something-else", 8)
    header = chips(label, 54)
    chips("and-of-another", 8)
    found = find_chip()
    assert found == ChipInfo(header.path, label, 54)
    assert header.path == f"/dev/gpiochip{found.number}"


def test_a_label_may_be_asked_for(chips: Callable[..., SimChip]) -> None:
    chips("pinctrl-bcm2711")
    other = chips("my-own-board", 16)
    assert find_chip("my-own-board") == ChipInfo(other.path, "my-own-board", 16)


def test_a_path_goes_before_any_label(chips: Callable[..., SimChip]) -> None:
    chips("pinctrl-bcm2711")
    other = chips("my-own-board", 16)
    assert find_chip("pinctrl-bcm2711", other.path).label == "my-own-board"


def test_a_link_leads_to_the_chip_and_its_number(chips: Callable[..., SimChip], tmp_path: Path) -> None:
    header = chips("pinctrl-rp1")
    link = tmp_path / "header"
    link.symlink_to(header.path)
    assert find_chip(override=str(link)).number == look_at(header.path).number


def test_an_unknown_label_is_answered_with_those_there_are(chips: Callable[..., SimChip]) -> None:
    chip = chips("my-own-board", 16)
    with pytest.raises(NoSuchChip) as refused:
        find_chip()
    assert f"{chip.path} 'my-own-board'" in str(refused.value)
    assert "'pinctrl-rp1' or 'pinctrl-bcm2711' or 'pinctrl-bcm2835'" in str(refused.value)


def test_a_machine_without_chips_says_so() -> None:
    with pytest.raises(NoSuchChip, match="this machine has none"):
        find_chip()


@pytest.mark.parametrize("by", ["label", "path"])
def test_a_user_outside_the_group_is_told_of_the_group(chip: SimChip, by: str) -> None:
    os.chmod(chip.path, 0o600)
    os.seteuid(NOBODY)
    try:
        with pytest.raises(NotPermitted, match="group gpio") as refused:
            find_chip(override=chip.path if by == "path" else "")
    finally:
        os.seteuid(0)
    assert isinstance(refused.value, PermissionError)
    assert chip.path in str(refused.value)


def test_a_line_has_a_user_while_somebody_holds_it(chip: SimChip) -> None:
    found = find_chip()
    assert line_user(found, 5) is None
    lines = GpiodLines(found, [5], "up")
    assert line_user(found, 5) == "ligretto-table"
    lines.close()
    assert line_user(found, 5) is None


def over_gpiod(found: ChipInfo, line: int) -> None:
    GpiodLines(found, [line, 6], "up")


def over_lgpio(found: ChipInfo, line: int) -> None:
    factory = open_pins(KINDS["lgpio"], found)
    try:
        open_lines(KINDS["lgpio"], factory, [line, 6], "up", chip=found)
    finally:
        factory.close()


def over_rpigpio(found: ChipInfo, line: int) -> None:
    factory = open_pins(KINDS["rpigpio"], found)
    try:
        open_lines(KINDS["rpigpio"], factory, [line, 6], "up", chip=found)
    finally:
        factory.close()


def lamps_over_gpiod(found: ChipInfo, line: int) -> None:
    GpioLamps.over_gpiod(found, [(0, 0b111, line), (1, 0b111, 6)])


def lamps_over_lgpio(found: ChipInfo, line: int) -> None:
    factory = open_pins(KINDS["lgpio"], found)
    try:
        GpioLamps.over_gpiozero(factory, [(0, 0b111, line), (1, 0b111, 6)], chip=found)
    finally:
        factory.close()


DRIVERS = [over_gpiod, over_lgpio, over_rpigpio, lamps_over_gpiod, lamps_over_lgpio]


@pytest.mark.parametrize("take", DRIVERS)
def test_a_busy_line_is_named_with_its_user(chip: SimChip, take: Callable[[ChipInfo, int], None]) -> None:
    found = find_chip()
    holder = GpiodLines(found, [6], "up")
    with pytest.raises(LineBusy, match=f"line 6 of {chip.path} is held by 'ligretto-table'"):
        take(found, 5)
    assert line_user(found, 5) is None  # nothing is kept of what could be had
    holder.close()


@pytest.mark.parametrize("take", DRIVERS)
def test_a_line_that_is_not_there_is_named(
    chips: Callable[..., SimChip], take: Callable[[ChipInfo, int], None]
) -> None:
    chip = chips("pinctrl-bcm2711", 20)
    with pytest.raises(NoSuchLine, match=f"{chip.path} 'pinctrl-bcm2711' has no line 26; .* 0 to 19"):
        take(find_chip(), 26)


def test_a_refusal_that_nothing_explains_is_told_as_it_is(chip: SimChip) -> None:
    error = explained(OSError(22, "Invalid argument"), find_chip(), [5])
    assert type(error) is GpioError
    assert "Invalid argument" in str(error)


def test_a_chip_that_went_away_explains_itself(chip: SimChip) -> None:
    found = find_chip()
    chip.close()
    with pytest.raises(NoSuchChip, match=f"there is no {found.path}"):
        GpiodLines(found, [5], "up")
