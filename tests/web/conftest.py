"""A table that nobody plays at, and a server that shows it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware_host.web import access
from tests.web.browsers import wait_until
from tests.web.live_tables import LiveTable
from tests.web.serving import Served, served, settings_in


@pytest.fixture(autouse=True)
def quick_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    """A PIN is hashed in no time."""
    monkeypatch.setattr(access, "_N", 2)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[LiveTable]:
    folder = tmp_path / "table"
    folder.mkdir()
    live = LiveTable(folder)
    live.start()
    yield live
    live.stop()


@pytest.fixture
def web(tmp_path: Path, table: LiveTable) -> Iterator[Served]:
    with served(settings_in(tmp_path), table.found) as each:
        wait_until(lambda: each.server.hub.connected)
        yield each
