"""A bus to drive."""

from __future__ import annotations

import pytest

from tests.hw.i2c.bus_rig import BusRig


@pytest.fixture
def rig() -> BusRig:
    """A bus of sensors and LEDs in virtual time."""
    return BusRig()
