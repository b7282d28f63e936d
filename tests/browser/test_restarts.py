"""A page goes on by itself, whatever real process is killed and started again behind it."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import SPEED, OpenPage, simulated_table
from tests.browser.tables import Witness, wait_for
from tests.browser.test_play import SEE_MS, do_next, verdicts

pytestmark = pytest.mark.xdist_group("browser")

LINK = "html[data-link={}]"


def mark(page: Any) -> None:
    """A page that is loaded again loses this."""
    page.wait_for_selector(LINK.format("live"))
    page.evaluate("window.marked = true")


def goes_on(page: Any) -> None:
    """The same page shows what happens now."""
    page.wait_for_selector(LINK.format("live"))
    before = page.get_attribute(".table-view", "data-n")
    page.wait_for_selector(f".table-view:not([data-n='{before}'])")
    assert page.evaluate("window.marked") is True


def test_pages_and_a_visitor_go_on_after_the_daemon_and_the_web_process_were_killed(
    browser: Any, open_page: OpenPage, tmp_path: Path
) -> None:
    options = ("--speed", SPEED, "--skill", "beginner", "--seed", "3")
    with simulated_table(tmp_path, *options) as table:
        page, display = open_page(table, "/?lang=en"), open_page(table, "/display")
        visitor = open_page(table, "/play")
        visitor.click("[data-sit='2']")
        visitor.wait_for_selector("[data-does=throw][data-next], .slap[data-next]")
        mark(page)
        display.wait_for_selector(".display-name:not(:empty)")
        name = display.locator(".display-name").inner_text()
        table.kill_daemon()
        page.wait_for_selector(LINK.format("waiting"))
        assert page.locator(".link").inner_text().strip() == "waiting for the table …"
        visitor.wait_for_selector("html:not([data-link=live])")
        table.start_daemon()
        goes_on(page)
        visitor.wait_for_selector(".play[data-sitting]")
        table.kill_web()
        for each in (page, visitor):
            each.wait_for_selector(LINK.format("lost"))
        assert page.locator(".link").inner_text().strip() == "connecting again …"
        table.start_web()
        goes_on(page)
        for each in (visitor, display):
            each.wait_for_selector(LINK.format("live"))
        assert display.locator(".display-name").inner_text() == name
        with closing(Witness(table)) as witness:

            def played() -> bool:
                do_next(visitor)
                visitor.wait_for_timeout(SEE_MS)
                return bool(verdicts(witness, 2, "accepted"))

            wait_for("a die that counts", played)


def test_a_store_that_is_lost_is_on_the_page(browser: Any, open_page: OpenPage, tmp_path: Path) -> None:
    (tmp_path / "ligretto-table").mkdir()
    (tmp_path / "ligretto-table" / "simulated.db").write_text("of somebody else")
    with simulated_table(tmp_path) as table:
        page = open_page(table, "/play")
        page.wait_for_selector(".troubles:has-text('store')")
