"""A page goes on by itself, whatever is killed and started again behind it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.browser.conftest import OpenPage
from tests.browser.tables import SimulatedTable, wait_for

pytestmark = pytest.mark.xdist_group("browser")

LINK = "html[data-link={}]"


@pytest.fixture(scope="module")
def mortal(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SimulatedTable]:
    """A table that these tests may kill."""
    table = SimulatedTable(tmp_path_factory.mktemp("mortal"), "--speed", "6", "--seed", "3")
    try:
        table.start_daemon()
        table.start_web()
        yield table
    finally:
        table.close()


def mark(page: Any) -> None:
    """A page that is loaded again loses this."""
    page.wait_for_selector(LINK.format("live"))
    page.evaluate("window.marked = true")


def goes_on(page: Any) -> None:
    """The same page shows what happens now."""
    page.wait_for_selector(LINK.format("live"))
    before = page.evaluate("document.querySelector('.table-view').dataset.n")
    wait_for("news", lambda: page.evaluate("document.querySelector('.table-view').dataset.n") != before)
    assert page.evaluate("window.marked") is True


def test_the_daemon_is_killed_and_started_again(mortal: SimulatedTable, open_page: OpenPage) -> None:
    page = open_page(mortal, "/?lang=en")
    mark(page)
    mortal.kill_daemon()
    page.wait_for_selector(LINK.format("waiting"))
    assert page.locator(".link").inner_text().strip() == "waiting for the table …"
    mortal.start_daemon()
    goes_on(page)


def test_the_web_process_is_killed_and_started_again(mortal: SimulatedTable, open_page: OpenPage) -> None:
    page, display = open_page(mortal, "/?lang=en"), open_page(mortal, "/display")
    mark(page)
    display.wait_for_selector(".display-name:not(:empty)")
    name = display.locator(".display-name").inner_text()
    mortal.kill_web()
    page.wait_for_selector(LINK.format("lost"))
    assert page.locator(".link").inner_text().strip() == "connecting again …"
    mortal.start_web()
    goes_on(page)
    display.wait_for_selector(LINK.format("live"))
    assert display.locator(".display-name").inner_text() == name
