"""The store that the tests of the store have, too; and output as wide as it is without a terminal."""

from __future__ import annotations

import pytest

from tests.store.conftest import club

__all__ = ["club"]


@pytest.fixture(autouse=True)
def _no_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where many processes test, each of them is told how wide the terminal is that started them."""
    monkeypatch.delenv("COLUMNS", raising=False)
