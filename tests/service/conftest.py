"""Someone at a panel."""

from __future__ import annotations

import pytest

from tests.service.operator import Operator


@pytest.fixture
def operator() -> Operator:
    """An operator who has just opened service mode of a table of dice."""
    return Operator()
