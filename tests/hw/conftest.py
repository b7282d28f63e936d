"""Lines to drive."""

from __future__ import annotations

import pytest

from tests.hw.wired_lines import WiredLines


@pytest.fixture
def wires() -> WiredLines:
    """Lines of gpiozero and the pins they end at, in virtual time."""
    return WiredLines()
