"""Every page in every language, on a phone and on a projector: nothing is cut off, nothing is missing."""

from __future__ import annotations

from contextlib import ExitStack, closing
from typing import Any

import pytest

from firmware_host.model.phrases import LANGUAGES
from tests.browser.conftest import PHONE, PROJECTOR, OpenPage
from tests.browser.peopled_tables import PeopledTable, in_play
from tests.browser.tables import Witness

pytestmark = pytest.mark.xdist_group("browser")

READY = {
    "/": ".table-view[data-n]",
    "/scores": ".scores-view .rank, .scores-view .nothing:not([hidden])",
    "/display": "body[data-shows] .table-view[data-n]",
    "/overlay?show=seats,verdict,sign,round,board": ".sign-line",
}
SPILT = """() => {
  const root = document.documentElement;
  const spilt = [...document.querySelectorAll("body *")].filter((node) => {
    if (!node.getClientRects().length || node.closest("svg, .unseen, [hidden], .score-sheet")) return false;
    const box = node.getBoundingClientRect();
    return box.right > root.clientWidth + 1 || box.left < -1;
  });
  const page = root.scrollWidth > root.clientWidth ? ["the page"] : [];
  const named = (node) => `${node.tagName} ${node.className}: ${node.textContent.slice(0, 40)}`;
  return [...page, ...spilt.map(named)];
}"""
CUT_OFF = """() => [...document.querySelectorAll(
    "h1, h2, a, button, label, .phase, .round, .link, .hint, .unit, .seat-points")]
  .filter((node) => node.getClientRects().length && !node.closest("[hidden], .unseen"))
  .filter((node) => node.scrollWidth > node.clientWidth + 1 && getComputedStyle(node).display !== "inline")
  .map((node) => `${node.className}: ${node.textContent}`)"""


@pytest.fixture(params=["dice", "cards"])
def table(request: pytest.FixtureRequest) -> PeopledTable:
    """Each table while a round is played."""
    found: PeopledTable = request.getfixturevalue(request.param)
    in_play(found)
    return found


def test_no_page_spills_over_on_a_phone_in_any_language(table: PeopledTable, open_page: OpenPage) -> None:
    """The pages stay open while people play, and the table begins to speak another language."""
    pages = {path: open_page(table, path, PHONE, reduced_motion="reduce") for path in READY}
    usual = table.language
    with closing(Witness(table)) as witness, ExitStack() as afterwards:
        afterwards.callback(table.speak, usual)
        for language in LANGUAGES:
            in_play(table)
            table.speak(language)
            many = 1 + len(witness.saw("Judged"))
            table.until("a verdict", lambda many=many: len(witness.saw("Judged")) >= many)  # type: ignore[misc]
            for path, page in pages.items():
                page.wait_for_selector(f"html[lang={language}]", state="attached")
                page.wait_for_selector(READY[path])
                assert page.evaluate(SPILT) == [], f"{path} in {language}"
                assert page.evaluate(CUT_OFF) == [], f"{path} in {language}"
                if path in ("/", "/scores"):
                    assert page.locator("nav a[aria-current=page]").count() == 1


def test_the_projector_shows_everything_without_scrolling(table: PeopledTable, open_page: OpenPage) -> None:
    page = open_page(table, "/", PROJECTOR, reduced_motion="reduce")
    page.wait_for_selector(".table-view[data-n]")
    for selector in (".stage", ".sign", ".seats", ".verdict-box", ".standing-box"):
        box = page.locator(selector).bounding_box()
        assert box["y"] >= 0 and box["y"] + box["height"] <= PROJECTOR["height"] + 1, selector
    assert page.evaluate(SPILT) == []
    height: Any = page.evaluate("document.documentElement.scrollHeight")
    assert height <= PROJECTOR["height"]


def test_an_overlay_has_nothing_behind_it(dice: PeopledTable, open_page: OpenPage) -> None:
    page = open_page(dice, "/overlay?show=seats", PROJECTOR)
    page.wait_for_selector(".plates", state="attached")
    grounds: Any = page.evaluate(
        "[document.documentElement, document.body, document.querySelector('main')].map((node) => {"
        "  const style = getComputedStyle(node); return [style.backgroundColor, style.backgroundImage]; })"
    )
    assert grounds == [["rgba(0, 0, 0, 0)", "none"]] * 3


def test_less_motion_is_respected(dice: PeopledTable, open_page: OpenPage) -> None:
    page = open_page(dice, "/", reduced_motion="reduce")
    blinks = ".lamp[data-blinks]"
    dice.until("a lamp that blinks", lambda: page.query_selector(blinks))
    blinking: Any = page.evaluate(
        """() => [...document.querySelectorAll(".lamp[data-blinks] > .ring, .dome[data-blinks] .cap")]
          .map((node) => [getComputedStyle(node).strokeDasharray, node.parentNode.matches("[data-on]")])"""
    )
    assert all(dashes != "none" for dashes, _ in blinking)
    assert page.evaluate("document.getAnimations().length") == 0


def test_a_light_room_gets_a_light_page(dice: PeopledTable, open_page: OpenPage) -> None:
    grounds = []
    page = open_page(dice, "/")
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        grounds.append(page.evaluate("getComputedStyle(document.body).backgroundColor"))
    light, dark = ([int(part) for part in ground[4:-1].split(",")] for ground in grounds)
    assert min(light) > 200 and max(dark) < 60
