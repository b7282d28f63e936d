"""The photo finish in a browser: live, chosen, saved, in every language, and there for who comes later."""

from __future__ import annotations

import json
import struct
import urllib.request
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from firmware_host.recall.finish_words import FinishText
from firmware_host.texts.phrases import LANGUAGES
from tests.browser.conftest import PHONE, OpenPage
from tests.browser.tables import SimulatedTable, Witness, wait_for

pytestmark = pytest.mark.xdist_group("browser")

PICTURE = ".finish-picture"
SHOWN = f"document.querySelector('{PICTURE}')?.naturalWidth > 0"
TIES = ("draw", "fewest-ties")


def contests(table: SimulatedTable, language: str = "en") -> list[dict[str, Any]]:
    with urllib.request.urlopen(f"{table.url}/api/contests?last=50&lang={language}") as answer:
        told: list[dict[str, Any]] = json.load(answer)["contests"]
    return told


def until(page: Any, condition: str) -> None:
    """Wait until that holds on the page; its policy allows no function of ours to wait in it."""
    wait_for(condition, lambda: page.evaluate(condition))


def with_contests(page: Any, table: SimulatedTable, many: int = 2) -> list[dict[str, Any]]:
    """Wait until so many contests are known and the page shows one."""
    found: list[dict[str, Any]] = wait_for(
        f"{many} contests", lambda: len(contests(table)) >= many and contests(table)
    )
    until(page, f"document.querySelectorAll('.finish-row').length >= {many}")
    until(page, SHOWN)
    return found


def id_of(page: Any) -> str:
    """The contest that is shown."""
    source: str = page.get_attribute(PICTURE, "src")
    return source.removeprefix("/api/finish/").partition(".svg")[0]


def test_a_dead_heat_is_shown_as_it_was_told(racing: SimulatedTable, open_page: OpenPage) -> None:
    witness = Witness(racing)
    page = open_page(racing, "/finish?lang=en")
    tie = wait_for("a dead heat", lambda: witness.saw("TieBroken"))[0]
    until(page, SHOWN)
    contest = wait_for(
        "the contest",
        lambda: next(
            (each for each in contests(racing) if each["what"] == tie["what"] and each["rule"] in TIES), None
        ),
    )
    witness.close()
    assert contest["rule"] == ("draw" if tie["drawn"] else "fewest-ties")
    assert {each["seat"] for each in contest["rivals"]} == set(tie["seats"])
    assert contest["rivals"][0]["seat"] == tie["winner"]
    assert contest["first_to_arrive"] in tie["seats"]
    assert sorted(each["arrived"] for each in contest["rivals"]) == [1, 2]


def test_the_newest_is_shown_until_another_is_chosen(racing: SimulatedTable, open_page: OpenPage) -> None:
    page = open_page(racing, "/finish?lang=en")
    with_contests(page, racing)
    first = id_of(page)
    until(page, f"document.querySelector('{PICTURE}').src.includes('{first}') === false")
    page.locator(".finish-row").nth(1).click()
    chosen = id_of(page)
    assert page.url.endswith(f"#{chosen}")
    many = page.locator(f".finish-row:not([data-finish='{chosen}'])").first.get_attribute("data-finish")
    until(page, f"document.querySelector('.finish-row').dataset.finish !== '{many}'")
    assert id_of(page) == chosen, "a newer one has pushed it away"
    page.get_by_role("button", name="Show the newest").click()
    until(
        page,
        f"document.querySelector('{PICTURE}').src.includes(document.querySelector('.finish-row').dataset.finish)",
    )


def test_with_keys_alone_one_can_choose(racing: SimulatedTable, open_page: OpenPage) -> None:
    page = open_page(racing, "/finish?lang=en")
    with_contests(page, racing)
    row = page.locator(".finish-row").nth(1)
    wanted = row.get_attribute("data-finish")
    row.focus()
    page.keyboard.press("Enter")
    until(page, f"document.querySelector('{PICTURE}').src.includes('{wanted}')")
    assert page.evaluate("document.activeElement.dataset.finish") == wanted


def test_it_is_saved_as_svg_and_as_png(racing: SimulatedTable, open_page: OpenPage, tmp_path: Path) -> None:
    page = open_page(racing, "/finish?lang=de")
    with_contests(page, racing)
    page.locator(".finish-row").nth(1).click()
    with page.expect_download() as saved:
        page.get_by_role("link", name="Als SVG sichern").click()
    saved.value.save_as(tmp_path / "finish.svg")
    assert saved.value.suggested_filename == f"photo-finish-{id_of(page)}.svg"
    drawing = ElementTree.parse(tmp_path / "finish.svg").getroot()
    assert (drawing.findtext("{http://www.w3.org/2000/svg}title") or "").startswith("Zielfoto: ")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Als PNG sichern").click()
    saved.value.save_as(tmp_path / "finish.png")
    picture = (tmp_path / "finish.png").read_bytes()
    assert picture[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", picture[16:24]) == (
        2 * int(drawing.attrib["width"]),
        2 * int(drawing.attrib["height"]),
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_speaks_every_language(language: str, racing: SimulatedTable, open_page: OpenPage) -> None:
    page = open_page(racing, f"/finish?lang={language}")
    with_contests(page, racing)
    page.locator(".finish-row").nth(1).click()
    until(page, SHOWN)
    found = {each["id"]: each for each in contests(racing, language)}
    alt = page.get_attribute(PICTURE, "alt")
    for sentence in found[id_of(page)]["sentences"]:
        assert sentence in alt
    source = f"{racing.url}{page.get_attribute(PICTURE, 'src')}"
    with urllib.request.urlopen(source) as answer:
        drawn = answer.read().decode()
    assert FinishText.TITLE.value[LANGUAGES.index(language)] in drawn


def test_who_comes_after_a_restart_sees_them_too(racing: SimulatedTable, open_page: OpenPage) -> None:
    page = open_page(racing, "/finish?lang=en")
    before = {each["id"]: each for each in with_contests(page, racing)[:5]}
    racing.kill_web()
    racing.start_web()
    again = wait_for(
        "the contests of the store",
        lambda: before.keys() <= {each["id"] for each in contests(racing)} and contests(racing),
    )
    after = {each["id"]: each for each in again}
    for id, contest in before.items():
        assert after[id]["rivals"] == contest["rivals"], "the store says something else than the feed"
        assert after[id]["rule"] == contest["rule"]
    until(page, "document.documentElement.dataset.link === 'live'")
    until(page, SHOWN)


def test_it_fits_on_a_phone(racing: SimulatedTable, open_page: OpenPage) -> None:
    page = open_page(racing, "/finish?lang=fr", PHONE)
    with_contests(page, racing)
    assert "narrow" in page.get_attribute(PICTURE, "src")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
