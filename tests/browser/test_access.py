"""Keyboard only, screen readers, contrast, and what a spectator can't do."""

from __future__ import annotations

from typing import Any

import pytest

from tests.browser.axe import serious_faults
from tests.browser.conftest import DESK, PHONE, OpenPage
from tests.browser.peopled_tables import PeopledTable, in_play

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


LIVE = "html[data-link=live]"
PATHS = {
    "/": f"{LIVE} .table-view[data-n]",
    "/scores": f"{LIVE} .scores-view",
    "/finish": f"{LIVE} .finish-row",
    "/display": f"{LIVE} .table-view[data-n]",
    "/overlay": ".plates",
}


def test_axe_finds_nothing_serious(racing: PeopledTable, open_page: OpenPage) -> None:
    in_play(racing)
    page = open_page(racing, reduced_motion="reduce")
    for path, there in PATHS.items():
        page.goto(racing.url + path)
        page.wait_for_selector(there, state="attached")
        assert serious_faults(page) == [], path


def test_axe_finds_nothing_serious_on_a_phone_with_cards(cards: PeopledTable, open_page: OpenPage) -> None:
    in_play(cards)
    page = open_page(cards, "/?lang=de", PHONE, reduced_motion="reduce")
    page.wait_for_selector(PATHS["/"])
    assert serious_faults(page) == []


@pytest.mark.parametrize(
    ("game", "viewport"), [("dice", DESK), ("cards", DESK), ("cards", PHONE)], ids=["dice", "cards", "phone"]
)
def test_axe_finds_nothing_serious_where_one_plays(
    game: str, viewport: Any, request: pytest.FixtureRequest, open_page: OpenPage
) -> None:
    table: PeopledTable = request.getfixturevalue(game)
    page = open_page(table, "/play?lang=de", viewport, reduced_motion="reduce")
    page.wait_for_selector("[data-sit='2']")
    assert serious_faults(page) == []
    page.click("[data-sit='2']")
    own = ".cup" if game == "dice" else ".own-card[data-card]"
    table.until("what is one's own", lambda: page.query_selector(own))
    found = serious_faults(page)
    page.click(".leave")
    page.wait_for_selector("[data-sit]")
    assert found == []


def test_everything_can_be_reached_and_used_by_keyboard(dice: PeopledTable, open_page: OpenPage) -> None:
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


def test_the_drawing_is_told_in_words(dice: PeopledTable, open_page: OpenPage) -> None:
    in_play(dice)
    page = open_page(dice, "/?lang=de")
    page.wait_for_selector(".place[data-state=counted]")
    words = page.evaluate("document.querySelector('.board title').textContent")
    assert words.startswith("Spielbrett; ") and ": zählt, Platz " in words
    assert page.locator("[role=log][aria-live=polite]").count() == 1
    assert page.locator("[role=status]").count() >= 1


def test_a_spectator_has_no_controls_and_no_rights(dice: PeopledTable, open_page: OpenPage) -> None:
    page = open_page(dice, "/", forgive="status of 401")
    for path in ("/", "/scores", "/display", "/overlay"):
        page.goto(dice.url + path)
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
