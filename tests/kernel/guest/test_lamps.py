"""Lamps on the lines of a real chip."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest

from hw.gpio.gpio_chips import ChipInfo, find_chip
from hw.gpio.gpio_lamps import GpiodOutputs, GpioLamps, GpiozeroOutputs, OutputLines
from hw.gpio.gpiozero_lines import KINDS, open_pins
from tests.kernel.guest.gpio_sim import SimChip

RED, GREEN, BLUE, WHITE = 4, 2, 1, 7
WIRES = [(0, WHITE, 16), (1, RED, 20), (1, GREEN | BLUE, 21)]
LINES = (16, 20, 21)
Ground = Callable[[bool], OutputLines]


@pytest.fixture(params=["gpiod", "lgpio", "rpigpio"])
def ground(request: pytest.FixtureRequest, chip: SimChip) -> Iterator[Ground]:
    """How to come by outputs that begin high or low."""
    found = find_chip()
    if request.param == "gpiod":
        yield lambda high: GpiodOutputs(found, LINES, high=high)
        return
    factory = open_pins(KINDS[request.param], found)
    yield lambda high: GpiozeroOutputs(factory, LINES, high=high, chip=found)
    factory.close()


def levels(chip: SimChip) -> tuple[bool, ...]:
    return tuple(chip.level(line) for line in LINES)


class Overseen:
    """Outputs whose lines are measured at the moment when they are let go."""

    def __init__(self, outputs: OutputLines, chip: SimChip) -> None:
        self.outputs = outputs
        self.chip = chip
        self.last: list[tuple[bool, ...]] = []

    def set(self, levels: Mapping[int, bool]) -> None:
        self.outputs.set(levels)

    def reopen(self) -> None:
        self.outputs.reopen()

    def close(self) -> None:
        self.last.append(levels(self.chip))
        self.outputs.close()


@pytest.mark.parametrize("active_low", [False, True])
def test_lamps_burn_as_the_frame_says(chip: SimChip, ground: Ground, active_low: bool) -> None:
    panel = GpioLamps(ground(active_low), WIRES, active_low=active_low)

    def burning() -> tuple[bool, ...]:
        return tuple(level is not active_low for level in levels(chip))

    assert burning() == (False, False, False)
    for frame, expected in (
        (bytes([BLUE, RED]), (True, True, False)),
        (bytes([0, GREEN]), (False, False, True)),
        (bytes([WHITE, WHITE]), (True, True, True)),
        (bytes([RED]), (True, False, False)),
        (b"", (False, False, False)),
    ):
        panel.show(frame)
        assert burning() == expected
    panel.close()


@pytest.mark.parametrize("active_low", [False, True])
def test_they_are_put_out_before_the_lines_are_let_go(
    chip: SimChip, ground: Ground, active_low: bool
) -> None:
    overseen = Overseen(ground(active_low), chip)
    panel = GpioLamps(overseen, WIRES, active_low=active_low)
    panel.show(bytes([WHITE, WHITE]))
    for _ in range(3):
        panel.close()
    assert overseen.last == [(active_low,) * 3]
    panel.show(bytes([WHITE, WHITE]))  # nobody is there any more


def over_gpiod(found: ChipInfo, factory: Any) -> GpioLamps:
    return GpioLamps.over_gpiod(found, WIRES)


def over_gpiozero(found: ChipInfo, factory: Any) -> GpioLamps:
    return GpioLamps.over_gpiozero(factory, WIRES, chip=found)


@pytest.mark.parametrize("over", [over_gpiod, over_gpiozero])
def test_the_usual_ways_to_have_them(chip: SimChip, over: Callable[[ChipInfo, Any], GpioLamps]) -> None:
    found = find_chip()
    factory = open_pins(KINDS["lgpio"], found)
    panel = over(found, factory)
    panel.show(bytes([WHITE, RED]))
    assert levels(chip) == (True, True, False)
    panel.close()
    factory.close()
