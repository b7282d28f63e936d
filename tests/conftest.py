"""What holds for all tests."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import is_hypothesis_test, settings

from tests.left_out import pytest_terminal_summary as pytest_terminal_summary

# Generated tests may run on a busy Pi: a slow example is no failure.
settings.register_profile("table", deadline=None)
settings.load_profile("table")

HERE = Path(__file__).parent
NOT_COUNTED = frozenset(
    (
        *("benchmark", "browser", "cli", "crash", "guides", "hw", "kernel", "players", "runtime"),
        *("fuzz", "simulation", "soak", "system", "systemd", "web", "whole"),
    )
)
"""Folders whose tests are about the shell, or about everything at once."""
COUNTED = frozenset(
    HERE / "cli" / f"test_{name}.py"
    for name in ("audits", "export", "recall", "recall_void", "recall_widths")
)
"""Except these, which are the examples for the archive."""
NOT_FORGOTTEN = frozenset(f"firmware_host.doctor.practice.{name}" for name in ("redaction", "vocabulary"))
"""Modules that are not measured, and read all sources of the program."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let only chosen examples count for coverage.

    What generated inputs and simulated matches reach is chance, and measuring it
    makes them three times as slow.
    """
    for item in items:
        counted = item.path in COUNTED or item.path.relative_to(HERE).parts[0] not in NOT_COUNTED
        if not counted or is_hypothesis_test(getattr(item, "function", None)):
            item.add_marker(pytest.mark.no_cover)


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Let a test that counts find nothing cached by those that don't."""
    if item.get_closest_marker("no_cover") is None:
        for function in _cached_functions():
            function.cache_clear()


@cache
def _cached_functions() -> tuple[Any, ...]:
    """All functions of the core that remember what they have returned."""
    names = [name for name in sys.modules if name.startswith("firmware_host.") and name not in NOT_FORGOTTEN]
    modules = [sys.modules[name] for name in names]
    return tuple(each for module in modules for each in vars(module).values() if hasattr(each, "cache_clear"))
