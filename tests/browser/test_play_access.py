"""The page on which one plays: no serious finding of axe, all its words in six languages."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from firmware_host.texts import LANGUAGES
from firmware_host.web.web_settings import PAGES
from tests.browser.conftest import PHONE, OpenPage
from tests.browser.tables import SimulatedTable

axe_api = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed")

pytestmark = pytest.mark.xdist_group("browser")

SERIOUS = ("serious", "critical")


def serious(page: Any) -> list[str]:
    """What axe finds."""
    return [
        f"{each['id']}: {node['target']} {node.get('failureSummary', '')}"
        for each in axe_api.Axe().run(page).response["violations"]
        if each["impact"] in SERIOUS
        for node in each["nodes"]
    ]


@pytest.mark.parametrize("scheme", ["dark", "light"])
@pytest.mark.parametrize("game", ["dice", "cards"])
def test_axe_finds_nothing_serious(
    request: pytest.FixtureRequest, open_page: OpenPage, scheme: str, game: str
) -> None:
    table: SimulatedTable = request.getfixturevalue(game)
    page = open_page(table, "/play", color_scheme=scheme, reduced_motion="reduce")
    page.wait_for_selector("[data-sit='2']")
    assert serious(page) == []
    page.click("[data-sit='2']")
    page.wait_for_selector(".cup" if game == "dice" else ".own-card[data-card]")
    found = serious(page)
    page.click(".leave")
    page.wait_for_selector("[data-sit]")
    assert found == []


def test_axe_finds_nothing_serious_on_a_phone(cards: SimulatedTable, open_page: OpenPage) -> None:
    page = open_page(cards, "/play?lang=de", PHONE, reduced_motion="reduce")
    page.wait_for_selector("[data-sit='3']")
    page.click("[data-sit='3']")
    page.wait_for_selector(".own-card[data-card]")
    found = serious(page)
    page.click(".leave")
    page.wait_for_selector("[data-sit]")
    assert found == []


def test_every_word_is_there_in_every_language_with_the_same_numbers() -> None:
    text = (PAGES / "play_words.js").read_text()
    rows = re.findall(r'^  "([^"]+)": row\((.*?)\),$', text, re.MULTILINE | re.DOTALL)
    assert len(rows) > 60
    for key, cells in rows:
        words = [json.loads(f'"{cell}"') for cell in re.findall(r'"((?:[^"\\]|\\.)*)"', cells)]
        assert len(words) == len(LANGUAGES), key
        assert len({tuple(sorted(re.findall(r"{\w+}", each))) for each in words}) == 1, key


def test_every_word_that_is_used_is_there_and_no_other() -> None:
    keys = set(re.findall(r'^  "([^"]+)": row\(', (PAGES / "play_words.js").read_text(), re.MULTILINE))
    own = ("play", "own_dice", "own_cards", "next_step", "seat_choice", "slap_button", "hands")
    used = "\n".join((PAGES / f"{name}.js").read_text() for name in own)
    codes = {key for key in keys if key.startswith("no-")}
    assert {key for key in keys - codes if f'"{key}"' not in used} == set()
    assert {f"no-{code}" for code in ("taken", "nobody", "idle", "elsewhere", "code", "refused")} == codes
    assert set(re.findall(r'say: "(n-[a-z-]+)"', used)) <= keys
