"""What holds for all tests."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from hypothesis import is_hypothesis_test, settings

from tests.left_out import pytest_terminal_summary as pytest_terminal_summary
from tests.thoroughness import tries, try_many

HERE = Path(__file__).parent
SHELL = (
    *("browser", "cli", "crash", "earlier_versions", "fuzz", "guides", "hw", "kernel", "lab", "newer_sqlite"),
    *("planted", "recordings", "run", "soak", "systemd", "versions", "web", "whole", "workshop/cli"),
)
"""Folders whose tests are about the shell, or about everything at once."""
ARCHIVE = frozenset(
    HERE / "cli" / f"test_{name}.py"
    for name in ("audits", "export", "recall", "recall_void", "recall_widths")
)
"""Except these, which are the examples for the archive."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add what `make test-long` asks for."""
    parser.addoption("--long", action="store_true", help="also run long tests, and try many more examples")


def pytest_configure(config: pytest.Config) -> None:
    """Name the markers by which the tests of a run are chosen."""
    config.addinivalue_line("markers", "counted: an example that counts for the coverage of the pure core")
    config.addinivalue_line("markers", "long: a test that only runs with --long")
    if config.option.long:
        try_many()
    # The same examples each time, so that only a change makes them fail; others with --long.
    settings.register_profile(
        "table", deadline=None, derandomize=not config.option.long, max_examples=tries(30, 300)
    )
    settings.load_profile("table")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out at once what `-m counted` would not choose."""
    if config.option.markexpr != "counted" or not collection_path.is_relative_to(HERE):
        return None
    return (not _counts(collection_path) and collection_path not in (HERE, HERE / "cli")) or None


@cache
def _counts(path: Path) -> bool:
    return path in ARCHIVE or not any(path.is_relative_to(HERE / folder) for folder in SHELL)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Let only chosen examples count for coverage; they run alone, so that no cache is filled by others.

    What generated inputs and simulated matches reach is chance, and measuring it
    makes them three times as slow.
    """
    for item in items:
        by_chance = is_hypothesis_test(getattr(item, "function", None)) or item.get_closest_marker("no_cover")
        if _counts(item.path) and not by_chance:
            item.add_marker(pytest.mark.counted)
    if not config.option.long:
        config.hook.pytest_deselected(items=[item for item in items if item.get_closest_marker("long")])
        items[:] = [item for item in items if not item.get_closest_marker("long")]
