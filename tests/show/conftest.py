"""Sessions to look at."""

from __future__ import annotations

import pytest

from tests.games.card_driver import CardDriver
from tests.games.conftest import countdown, driver, idle, impaired, play
from tests.show.cards import playing

__all__ = ["countdown", "driver", "idle", "impaired", "play"]


@pytest.fixture
def cards() -> CardDriver:
    """A round of cards that goes on from `CENTRE`."""
    return playing()
