"""Keyboard only, screen readers, contrast, and what a spectator can't do."""

from __future__ import annotations

from typing import Any

import pytest

from tests.browser.conftest import PHONE, OpenPage
from tests.browser.tables import SimulatedTable

axe_api = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed")

pytestmark = pytest.mark.xdist_group("browser")

FOCUSED = """() => {
  const node = document.activeElement;
  const box = node.getBoundingClientRect();
  const style = getComputedStyle(node);
  return {
    name: node.getAttribute("aria-label") ?? node.textContent.trim(),
    seen: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2,
    tag: node.tagName, top: box.top, left: box.left,
  };
}"""
SERIOUS = ("serious", "critical")


@pytest.mark.parametrize(
    ("path", "ready"),
    [
        ("/", ".table-view[data-n]"),
        ("/scores", ".scores-view"),
        ("/display", ".table-view[data-n]"),
        ("/overlay", ".plates"),
    ],
)
@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_axe_finds_nothing_serious(
    path: str, ready: str, scheme: str, dice: SimulatedTable, open_page: OpenPage
) -> None:
    page = open_page(dice, path, color_scheme=scheme, reduced_motion="reduce")
    page.wait_for_selector(ready, state="attached")
    page.wait_for_selector("html[data-link=live]", state="attached") if path != "/overlay" else None
    found = axe_api.Axe().run(page).response["violations"]
    serious = [
        f"{each['id']}: {node['target']} {node.get('failureSummary', '')}"
        for each in found
        if each["impact"] in SERIOUS
        for node in each["nodes"]
    ]
    assert not serious, "\n".join(["", *serious])


def test_axe_finds_nothing_serious_on_a_phone_with_cards(cards: SimulatedTable, open_page: OpenPage) -> None:
    page = open_page(cards, "/?lang=de", PHONE, reduced_motion="reduce")
    page.wait_for_selector(".table-view[data-n]")
    found = axe_api.Axe().run(page).response["violations"]
    assert [each["id"] for each in found if each["impact"] in SERIOUS] == []


def test_everything_can_be_reached_and_used_by_keyboard(dice: SimulatedTable, open_page: OpenPage) -> None:
    page = open_page(dice, "/?lang=en")
    page.wait_for_selector(".table-view[data-n]")
    wanted = page.locator(
        "a:visible, button:visible, select:visible, input:visible, [tabindex='0']:visible"
    ).count()
    reached: list[dict[str, Any]] = []
    for _ in range(wanted):
        page.keyboard.press("Tab")
        reached.append(page.evaluate(FOCUSED))
    assert [each for each in reached if not each["name"] or not each["seen"] or each["tag"] == "BODY"] == []
    assert len({(each["top"], each["left"]) for each in reached}) == wanted, "each is reached once"
    order = [(round(each["top"] / 20), each["left"]) for each in reached]
    assert order == sorted(order), "in the order in which one reads"
    while page.evaluate(FOCUSED)["name"] != "Scores":
        page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")
    page.wait_for_url("**/scores?lang=en")
    page.wait_for_selector(".scores-view")


def test_the_drawing_is_told_in_words(dice: SimulatedTable, open_page: OpenPage) -> None:
    page = open_page(dice, "/?lang=de")
    page.wait_for_selector(".place[data-state=counted]")
    words = page.evaluate("document.querySelector('.board title').textContent")
    assert words.startswith("Spielbrett; ") and ": zählt, Platz " in words
    assert page.locator("[role=log][aria-live=polite]").count() == 1
    assert page.locator("[role=status]").count() >= 1


def test_a_spectator_has_no_controls_and_no_rights(dice: SimulatedTable, open_page: OpenPage) -> None:
    for path in ("/", "/scores", "/display", "/overlay"):
        page = open_page(dice, path, forgive="status of 401")
        page.wait_for_selector("main > *", state="attached")
        assert page.locator("button, form, input, textarea, [contenteditable]").count() == 0, path
    statuses = page.evaluate(
        """async () => {
          const asked = [["/api/tell", {tell: "pause"}], ["/api/displays", {name: "1", shows: "scores"}]];
          const answers = asked.map(([url, body]) => fetch(url, {method: "POST", body: JSON.stringify(body),
            headers: {"Content-Type": "application/json", "X-CSRF": "x"}}));
          return (await Promise.all([...answers, fetch("/api/displays")])).map((answer) => answer.status);
        }"""
    )
    assert statuses == [401, 401, 401]
    assert dice.tell("resume").get("ok") is False, "nothing was paused"
