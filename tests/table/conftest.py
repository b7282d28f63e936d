"""A session to drive."""

from __future__ import annotations

import pytest

from tests.table.driver import Driver


@pytest.fixture
def driver() -> Driver:
    """A table of four seats where nobody plays yet."""
    return Driver()
