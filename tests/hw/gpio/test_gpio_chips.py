"""Chips on a machine that has none; those that there are, are found in `tests/kernel`."""

from pathlib import Path

import pytest

from hw.gpio.gpio_chips import ChipInfo, GpioError, NoSuchChip, explained, find_chip


@pytest.fixture(autouse=True)
def no_chips(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A machine whose GPIO chips are the files of a folder."""
    monkeypatch.setattr("hw.gpio.gpio_chips.DEVICES", str(tmp_path / "gpiochip*"))
    return tmp_path


def test_without_any_chip_it_says_what_to_do() -> None:
    with pytest.raises(NoSuchChip) as refused:
        find_chip()
    assert refused.value.seen.endswith("this machine has none")
    assert (
        refused.value.advice
        == "run this on a Pi, or on a simulated table: `ligretto-table run --help` says how"
    )
    assert str(refused.value) == f"{refused.value.seen}; {refused.value.advice}"
    assert isinstance(refused.value, LookupError)


def test_a_file_that_is_no_chip_is_passed_over(no_chips: Path) -> None:
    (no_chips / "gpiochip0").write_text("")
    with pytest.raises(NoSuchChip, match="this machine has none"):
        find_chip()


def test_a_file_that_is_no_chip_is_refused_by_name(no_chips: Path) -> None:
    file = no_chips / "gpiochip0"
    file.write_text("")
    with pytest.raises(NoSuchChip, match=f"{file} is not a GPIO chip"):
        find_chip(override=str(file))


def test_a_path_that_leads_nowhere_is_named(no_chips: Path) -> None:
    with pytest.raises(NoSuchChip, match=f"there is no {no_chips}/gpiochip7"):
        find_chip(override=str(no_chips / "gpiochip7"))


def test_a_chip_has_the_number_of_its_device(no_chips: Path) -> None:
    (no_chips / "header").symlink_to(no_chips / "gpiochip12")
    assert ChipInfo(str(no_chips / "header"), "pinctrl-rp1", 54).number == 12


def test_a_device_of_another_name_has_no_number() -> None:
    with pytest.raises(NoSuchChip, match="has no number"):
        _ = ChipInfo("/dev/header", "pinctrl-rp1", 54).number


def test_a_refusal_by_a_chip_that_is_gone_says_so(no_chips: Path) -> None:
    gone = ChipInfo(str(no_chips / "gpiochip0"), "pinctrl-rp1", 54)
    error = explained(OSError(19, "No such device"), gone, [4])
    assert isinstance(error, NoSuchChip) and isinstance(error, GpioError)
