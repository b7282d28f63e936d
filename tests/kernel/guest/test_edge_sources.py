"""The contract of edge sources, over the real drivers."""

import time
from collections.abc import Iterator

import pytest

from hw.gpio.gpio_chips import find_chip
from hw.gpio.gpiod_lines import GpiodLines
from hw.gpio.gpiozero_lines import KINDS, open_lines, open_pins
from hw.ports import EdgeSource
from tests.hw.gpio.edge_contract import EdgeRig, EdgeSourceContract, ResyncContract
from tests.kernel.guest.gpio_sim import SimChip

LINES = (5, 6, 13)
SLOW_NS = 200_000_000
"""Python takes its time here: the machine is emulated, and has other things to do."""


def subject_on(chip: SimChip, source: EdgeSource, uncertainty_ns: int, late_ns: int = 0) -> EdgeRig:
    return EdgeRig(
        source=source,
        lines=LINES,
        drive=chip.drive,
        now_ns=time.monotonic_ns,
        uncertainty_ns=uncertainty_ns,
        waits=True,
        late_ns=late_ns,
    )


class TestGpiod(EdgeSourceContract, ResyncContract):
    @pytest.fixture
    def subject(self, chip: SimChip) -> Iterator[EdgeRig]:
        lines = GpiodLines(find_chip(), LINES, "up", under_way_ns=SLOW_NS)
        yield subject_on(chip, lines, 100_000)
        lines.close()


class TestLgpio(EdgeSourceContract, ResyncContract):
    @pytest.fixture
    def subject(self, chip: SimChip) -> Iterator[EdgeRig]:
        yield from gpiozero_subject(chip, "lgpio", 100_000)


class TestRpiGpio(EdgeSourceContract, ResyncContract):
    """As rpi-lgpio provides it."""

    @pytest.fixture
    def subject(self, chip: SimChip) -> Iterator[EdgeRig]:
        yield from gpiozero_subject(chip, "rpigpio", 5_000_000, SLOW_NS)


def gpiozero_subject(chip: SimChip, kind: str, uncertainty_ns: int, late_ns: int = 0) -> Iterator[EdgeRig]:
    found = find_chip()
    factory = open_pins(KINDS[kind], found)
    lines = open_lines(KINDS[kind], factory, LINES, "up", chip=found, under_way_ns=SLOW_NS)
    yield subject_on(chip, lines, uncertainty_ns, late_ns)
    lines.close()
    factory.close()
