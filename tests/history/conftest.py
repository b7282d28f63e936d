"""The store that the tests of the store have, too."""

from __future__ import annotations

from tests.store.conftest import club

__all__ = ["club"]
