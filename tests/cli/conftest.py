"""The store that the tests of the store have, too; and output as wide as it is without a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.services import empty_world
from tests.store.conftest import club

__all__ = ["club"]


@pytest.fixture(autouse=True)
def _no_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where many processes test, each of them is told how wide the terminal is that started them."""
    monkeypatch.delenv("COLUMNS", raising=False)


@pytest.fixture(autouse=True)
def _no_table_of_ones_own(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Whoever runs the tests may have played at a simulated table before."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))


@pytest.fixture
def world(tmp_path: Path) -> Iterator[Path]:
    """The socket of a table of dice at which nobody plays."""
    path = tmp_path / "world"
    with empty_world(path):
        yield path
