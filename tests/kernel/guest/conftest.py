"""Chips for the guest's tests."""

import os
from collections.abc import Iterator

import pytest

from tests.kernel.guest.gpio_sim import SimChip

os.environ["RPI_LGPIO_REVISION"] = "c03111"  # rpi-lgpio does not look into cpuinfo


@pytest.fixture
def chip() -> Iterator[SimChip]:
    """The chip of a Pi 4's header."""
    made = SimChip()
    yield made
    made.close()
