"""The photo finish and the console for everybody: nothing serious for axe, whatever is open."""

from __future__ import annotations

from typing import Any

import pytest

from tests.browser.conftest import PHONE, OpenPage
from tests.browser.tables import SimulatedTable, wait_for

axe_api = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed")

pytestmark = pytest.mark.xdist_group("browser")

SERIOUS = ("serious", "critical")


def serious_faults(page: Any) -> list[str]:
    found = axe_api.Axe().run(page).response["violations"]
    return [
        f"{each['id']}: {node['target']} {node.get('failureSummary', '')}"
        for each in found
        if each["impact"] in SERIOUS
        for node in each["nodes"]
    ]


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_axe_finds_nothing_serious_in_the_photo_finish(
    scheme: str, racing: SimulatedTable, open_page: OpenPage
) -> None:
    page = open_page(racing, "/finish?lang=en", color_scheme=scheme, reduced_motion="reduce")
    page.locator(".finish-row").first.wait_for()
    wait_for("the connection", lambda: page.evaluate("document.documentElement.dataset.link") == "live")
    assert serious_faults(page) == []


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_axe_finds_nothing_serious_in_the_console(
    scheme: str, racing: SimulatedTable, open_page: OpenPage
) -> None:
    page = open_page(racing, "/console?lang=en", PHONE, color_scheme=scheme, reduced_motion="reduce")
    page.locator(".game-part").wait_for()
    for part in ("displays", "rounds", "data", "audits", "log"):
        page.locator(f".{part}-part summary").click()
    page.locator(".log-part td").first.wait_for()
    page.locator(".data-part pre").wait_for()
    wait_for("the connection", lambda: page.evaluate("document.documentElement.dataset.link") == "live")
    assert serious_faults(page) == []
    page.locator(".rounds button").first.click()
    page.get_by_role("dialog").wait_for()
    assert serious_faults(page) == []
    page.keyboard.press("Escape")
    page.get_by_role("dialog").wait_for(state="detached")
    page.locator("[data-tell=end]:not(:disabled)").click()
    page.get_by_role("dialog").wait_for()
    assert serious_faults(page) == []
    page.get_by_role("button", name="Cancel").click()
