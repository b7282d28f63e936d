"""The store that is damaged in all of these tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.damage.stores import played


@pytest.fixture(scope="session")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store without any damage; nobody writes to it."""
    return played(tmp_path_factory.mktemp("sound") / "table.db")
