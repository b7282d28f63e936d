"""A table that nobody plays at, and a server that shows it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from firmware_host.run import table_sockets
from firmware_host.web import access, feed_hub
from firmware_host.web.shares import Rate
from firmware_host.web.web_table import Limits
from tests.browser.tables import SimulatedTable, wait_for
from tests.web.browsers import Browser, wait_until
from tests.web.live_tables import LiveTable
from tests.web.serving import Served, served, settings_in
from tests.web.test_operators import operator

OFTEN = Limits(rate_of_this_machine=Rate(at_once=10**6, every_s=1e-6))


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """A PIN is hashed in no time, and what is done every few seconds is done all the time."""
    monkeypatch.setattr(access, "_N", 2)
    monkeypatch.setattr(table_sockets, "ALIVE_S", 0.2)
    monkeypatch.setattr(table_sockets, "LOOK_AGAIN_S", 0.05)
    monkeypatch.setattr(feed_hub, "AGAIN_S", 0.05)
    monkeypatch.setattr(feed_hub, "LOST_EVERY_S", 0.2)


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
        wait_until(lambda: each.server.hub.session)  # hello may be all that is there yet
        yield each


# -- for tests that change nothing


@pytest.fixture(scope="package")
def lasting_table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveTable]:
    live = LiveTable(tmp_path_factory.mktemp("table"))
    live.start()
    yield live
    live.stop()


@pytest.fixture(scope="package")
def lasting_web(tmp_path_factory: pytest.TempPathFactory, lasting_table: LiveTable) -> Iterator[Served]:
    """A server that shows it, and may be asked as often as one wants to."""
    with served(settings_in(tmp_path_factory.mktemp("web")), lasting_table.found, OFTEN) as each:
        wait_until(lambda: each.server.hub.session)  # hello may be all that is there yet
        yield each


@pytest.fixture(scope="package")
def lasting_operator(lasting_table: LiveTable, lasting_web: Served) -> Browser:
    """The one who runs it; nobody logs out there."""
    return operator(lasting_table, lasting_web)


@pytest.fixture(scope="module")
def simulated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SimulatedTable]:
    """A simulated table as real processes, which nobody plays at yet; for tests of the group "simulated"."""
    made = SimulatedTable(
        tmp_path_factory.mktemp("simulated"), "--skill", "beginner", "--seed", "3", "--speed", "3"
    )
    made.start_daemon()
    made.start_web()
    browser = Browser(urlsplit(made.url).port or 0)
    wait_for("the feed", lambda: browser.get("/api/me").json["simulated"])
    wait_for("hands", lambda: browser.get("/api/hands").json["open"])
    yield made
    made.close()
