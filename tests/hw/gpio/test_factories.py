"""Pin factories by name, as far as they can be had without pins."""

import os
import subprocess
import sys
import threading
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from hw.gpio.gpio_chips import (
    ChipInfo,
    GpioError,
    LibraryMissing,
    NoSuchChip,
    explained,
    find_chip,
    gpiod_module,
)
from hw.gpio.gpiod_lines import GpiodLines
from hw.gpio.gpiozero_lines import KINDS, open_lines, open_pins, seconds
from hw.ports import Condition, Edge, Health
from tests.left_out import NO_LGPIO

CHIP = ChipInfo("/dev/gpiochip0", "pinctrl-rp1", 54)


def test_every_kind_is_known_by_its_name() -> None:
    assert set(KINDS) == {"mock", "lgpio", "rpigpio", "native"}
    assert all(kind.name == name for name, kind in KINDS.items())


def test_mock_pins_need_no_machine() -> None:
    factory = open_pins(KINDS["mock"])
    reported: list[Health] = []
    lines = open_lines(KINDS["mock"], factory, [4, 5], "up", tell=reported.append)
    factory.pin("GPIO4").drive_low()
    (edge,) = lines.read()
    assert isinstance(edge, Edge) and (edge.line, edge.high) == (4, False)
    assert lines.uncertainty_ns == 100_000
    assert reported == []
    lines.close()


@pytest.mark.parametrize(
    ("ticks", "t_ns"), [(0.0, 0), (1.5, 1_500_000_000), (8_640_000.123_456_789, 8_640_000_123_456_789)]
)
def test_ticks_in_seconds_keep_what_a_stamp_needs(ticks: float, t_ns: int) -> None:
    """After a hundred days of uptime a float still distinguishes moments 2 ns apart."""
    assert abs(seconds(ticks) - t_ns) <= 2


@pytest.mark.parametrize("name", ["rpigpio", "native"])
def test_kinds_without_stamps_say_so_once(name: str) -> None:
    reported: list[Health] = []
    factory = open_pins(KINDS["mock"])
    lines = open_lines(KINDS[name], factory, [4], "up", tell=reported.append, name="race buttons")
    assert lines.uncertainty_ns == 5_000_000
    (health,) = reported
    assert (health.name, health.condition) == ("race buttons", Condition.DEGRADED)
    assert f"'{name}' have no stamps" in health.seen and "±5 ms" in health.seen
    assert "gpiod" in health.advice
    lines.close()


def test_a_kind_whose_library_is_missing_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "lgpio", None)
    monkeypatch.delitem(sys.modules, "gpiozero.pins.lgpio", raising=False)
    with pytest.raises(LibraryMissing, match=r"'lgpio' can't be had .* pip install") as refused:
        open_pins(KINDS["lgpio"], CHIP)
    assert isinstance(refused.value, ImportError)


@pytest.mark.parametrize("name", ["native"])
def test_a_kind_that_finds_no_pi_says_so(name: str) -> None:
    with pytest.raises(GpioError, match=f"'{name}' can't be had"):
        open_pins(KINDS[name])


def test_pins_that_the_factory_does_not_have_are_refused() -> None:
    with pytest.raises(GpioError, match=r"a pin can't be had .*GPIO99"):
        open_lines(KINDS["mock"], open_pins(KINDS["mock"]), [99], "up")


# -- libgpiod


def test_without_libgpiod_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gpiod", None)
    with pytest.raises(LibraryMissing, match="pip install gpiod"):
        GpiodLines(CHIP, [4], "up")


def test_the_old_libgpiod_is_not_taken_for_the_new_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gpiod", type(sys)("gpiod"))
    with pytest.raises(LibraryMissing, match="that of libgpiod 1"):
        gpiod_module()


def test_no_driver_is_imported_before_it_is_needed() -> None:
    code = (
        "import sys, hw.gpio.gpiozero_lines, hw.gpio.gpiod_lines, hw.gpio.gpio_lamps;"
        "sys.exit(bool({'gpiod', 'lgpio', 'RPi', 'gpiozero'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


# -- lgpio's pipe


@pytest.mark.skipif(find_spec("lgpio") is None, reason=NO_LGPIO)
def test_lgpio_leaves_nothing_behind_in_the_working_folder(tmp_path: Path) -> None:
    code = (
        "import os\n"
        "from hw.gpio.gpio_chips import ChipInfo\n"
        "from hw.gpio.gpiozero_lines import KINDS, open_pins\n"
        "try:\n"
        "    open_pins(KINDS['lgpio'], ChipInfo('/dev/gpiochip9', '', 54))\n"
        "except Exception as error:\n"
        "    print(type(error).__name__)\n"
        "import lgpio\n"
        "print(os.getcwd(), os.listdir('.'), os.environ.get('LG_WD'), lgpio._notify_thread.is_alive())\n"
    )
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    here = tmp_path / "here"
    here.mkdir()
    root = Path(__file__).parents[3]
    environment = {**os.environ, "PYTHONPATH": str(root), "TMPDIR": str(scratch)}
    environment.pop("LG_WD", None)
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=here, env=environment, capture_output=True, text=True, check=True
    )
    assert run.stdout.splitlines() == ["GpioError", f"{here} [] None True"]
    assert list(scratch.iterdir()) == []


# -- faults on a driver's thread


def test_nothing_that_goes_wrong_gets_into_a_drivers_thread() -> None:
    reported: list[Health] = []
    factory = open_pins(KINDS["mock"])
    lines = open_lines(KINDS["mock"], factory, [4], "up", tell=reported.append)
    lines.stamp_ns = broken_stamp
    pin = factory.pin("GPIO4")
    failed: list[BaseException] = []

    def drive() -> None:
        try:
            pin.drive_low()
            pin.drive_high()
        except BaseException as error:
            failed.append(error)

    thread = threading.Thread(target=drive)
    thread.start()
    thread.join()
    assert failed == []
    assert lines.read() == []
    assert lines.faults == 2
    (health,) = reported
    assert health.condition is Condition.DEGRADED and "no such ticks" in health.seen
    lines.close()


def broken_stamp(ticks: Any) -> int:
    raise ValueError("no such ticks")


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
