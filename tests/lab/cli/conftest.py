"""What the tests of all commands have."""

from tests.cli.conftest import _no_table_of_ones_own, _no_terminal, club, world

__all__ = ["_no_table_of_ones_own", "_no_terminal", "club", "world"]
