"""Tables that nobody has started yet."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.run.evenings import Evening, evening


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Evening]:
    """With dice."""
    with evening(tmp_path) as each:
        yield each


@pytest.fixture
def cards(tmp_path: Path) -> Iterator[Evening]:
    """With cards."""
    with evening(tmp_path, "cards4") as each:
        yield each
