"""The store that the tests of the store have, too."""

from tests.store.conftest import club

__all__ = ["club"]
