"""Sessions to drive."""

from __future__ import annotations

import pytest

from firmware_host.model.states import Phase
from tests.games.card_driver import CardDriver, playing
from tests.games.driver import Driver, reach, reach_idle_pause, reach_impaired_pause


@pytest.fixture
def driver() -> Driver:
    """A table of four seats where nobody plays yet."""
    return Driver()


@pytest.fixture
def countdown() -> Driver:
    """A round of two seats that is about to begin."""
    return reach(Phase.COUNTDOWN)


@pytest.fixture
def play() -> Driver:
    """A round of two seats, just after the start call."""
    return reach(Phase.PLAY)


@pytest.fixture
def idle() -> Driver:
    """A round of two seats that has paused by itself."""
    return reach_idle_pause()


@pytest.fixture
def impaired() -> Driver:
    """A round of two seats that has paused because the device `left` is lost."""
    return reach_impaired_pause()


@pytest.fixture
def cards() -> CardDriver:
    """A round of cards with call buttons that has just begun."""
    return playing()
