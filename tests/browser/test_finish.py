"""The photo finish in a browser: live, chosen, saved, in every language, and there for who comes later."""

from __future__ import annotations

import json
import struct
import urllib.request
from contextlib import closing
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from firmware_host.history.finish_words import FinishText
from firmware_host.model.phrases import LANGUAGES
from firmware_host.model.states import Phase
from firmware_host.model.times import MS
from tests.browser.conftest import PHONE, OpenPage
from tests.browser.peopled_tables import PeopledTable
from tests.browser.tables import Witness, wait_for

pytestmark = pytest.mark.xdist_group("browser")

PICTURE = ".finish-picture"
SHOWN = f"() => document.querySelector('{PICTURE}')?.naturalWidth > 0"
SHOWS = f"id => document.querySelector('{PICTURE}')?.src.includes(`/${{id}}.svg`)"
LOOK_EVERY_NS = 500 * MS
TIES = ("draw", "fewest-ties")


def contests(table: PeopledTable, language: str = "en") -> list[dict[str, Any]]:
    with urllib.request.urlopen(f"{table.url}/api/contests?last=50&lang={language}") as answer:
        told: list[dict[str, Any]] = json.load(answer)["contests"]
    return told


def with_contests(page: Any, table: PeopledTable, many: int = 2) -> list[dict[str, Any]]:
    """Let time pass until so many contests are known; the page shows one."""
    table.until(f"{many} contests", lambda: len(contests(table)) >= many, LOOK_EVERY_NS)
    page.locator(".finish-row").nth(many - 1).wait_for()
    page.wait_for_function(SHOWN)
    return contests(table)


def next_contest(table: PeopledTable) -> str:
    """Let time pass until there is another contest, and say which."""
    before = {each["id"] for each in contests(table)}
    new = table.until(
        "another contest",
        lambda: [each for each in contests(table) if each["id"] not in before],
        LOOK_EVERY_NS,
    )
    return str(new[0]["id"])


def id_of(page: Any) -> str:
    """The contest that is shown."""
    source: str = page.get_attribute(PICTURE, "src")
    return source.removeprefix("/api/finish/").partition(".svg")[0]


def test_a_dead_heat_is_shown_as_it_was_told(racing: PeopledTable, open_page: OpenPage) -> None:
    with closing(Witness(racing)) as witness:
        tie = racing.until("a dead heat", lambda: witness.saw("TieBroken"))[0]

    def told() -> list[dict[str, Any]]:
        return [each for each in contests(racing) if each["what"] == tie["what"] and each["rule"] in TIES]

    contest = racing.until("the contest", told)[0]
    assert contest["rule"] == ("draw" if tie["drawn"] else "fewest-ties")
    assert {each["seat"] for each in contest["rivals"]} == set(tie["seats"])
    assert contest["rivals"][0]["seat"] == tie["winner"]
    assert contest["first_to_arrive"] in tie["seats"]
    assert sorted(each["arrived"] for each in contest["rivals"]) == [1, 2]
    page = open_page(racing, "/finish?lang=en")
    page.locator(f"[data-finish='{contest['id']}']").click()
    page.wait_for_function(SHOWS, arg=contest["id"])
    page.wait_for_function(SHOWN)
    for sentence in contest["sentences"]:
        assert sentence in page.get_attribute(PICTURE, "alt")


def test_the_newest_is_shown_until_another_is_chosen(racing: PeopledTable, open_page: OpenPage) -> None:
    page = open_page(racing, "/finish?lang=en")
    with_contests(page, racing)
    page.wait_for_function(SHOWS, arg=next_contest(racing))
    page.locator(".finish-row").nth(1).click()
    chosen = id_of(page)
    assert page.url.endswith(f"#{chosen}")
    newest = next_contest(racing)
    page.locator(f".finish-row[data-finish='{newest}']").wait_for()
    assert id_of(page) == chosen, "a newer one has pushed it away"
    page.get_by_role("button", name="Show the newest").click()
    page.wait_for_function(SHOWS, arg=newest)


def test_with_keys_alone_one_can_choose(racing: PeopledTable, open_page: OpenPage) -> None:
    page = open_page(racing, "/finish?lang=en")
    with_contests(page, racing)
    row = page.locator(".finish-row").nth(1)
    wanted = row.get_attribute("data-finish")
    row.focus()
    page.keyboard.press("Enter")
    page.wait_for_function(SHOWS, arg=wanted)
    assert page.evaluate("document.activeElement.dataset.finish") == wanted


def test_it_is_saved_as_svg_and_as_png(racing: PeopledTable, open_page: OpenPage, tmp_path: Path) -> None:
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


def test_it_speaks_every_language(racing: PeopledTable, open_page: OpenPage) -> None:
    page = open_page(racing, "/finish")
    for number, language in enumerate(LANGUAGES):
        page.goto(f"{racing.url}/finish?lang={language}")
        page.wait_for_selector(f"html[lang={language}]")
        with_contests(page, racing)
        page.locator(".finish-row").nth(1).click()
        page.wait_for_function(SHOWN)
        found = {each["id"]: each for each in contests(racing, language)}
        alt = page.get_attribute(PICTURE, "alt")
        for sentence in found[id_of(page)]["sentences"]:
            assert sentence in alt
        with urllib.request.urlopen(f"{racing.url}{page.get_attribute(PICTURE, 'src')}") as answer:
            assert FinishText.TITLE.value[number] in answer.read().decode(), language


def test_who_comes_after_a_restart_sees_them_too(racing: PeopledTable, open_page: OpenPage) -> None:
    page = open_page(racing, "/finish?lang=en")
    before = {each["id"]: each for each in with_contests(page, racing)[:5]}
    racing.stop_web()
    page.wait_for_selector("html[data-link=lost]")
    racing.start_web()
    wait_for("the contests of the store", lambda: before.keys() <= {each["id"] for each in contests(racing)})
    after = {each["id"]: each for each in contests(racing)}
    for id, contest in before.items():
        assert after[id]["rivals"] == contest["rivals"], "the store says something else than the feed"
        assert after[id]["rule"] == contest["rule"]
    page.wait_for_selector("html[data-link=live]")
    page.wait_for_function(SHOWN)


def test_it_fits_on_a_phone(racing: PeopledTable, open_page: OpenPage) -> None:
    page = open_page(racing, "/finish?lang=fr", PHONE)
    with_contests(page, racing)
    assert "narrow" in page.get_attribute(PICTURE, "src")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


# -- the name of a player who is deleted

NAMES = ("Ada", "Ben", "Cleo", "Dora")
READ = "address => fetch(address).then((answer) => answer.text())"


def names_in(page: Any) -> set[str]:
    """The names in the picture that is shown."""
    text: str = page.evaluate(READ, page.get_attribute(PICTURE, "src"))
    return {name for name in NAMES if name in text}


def test_the_name_of_a_deleted_player_leaves_an_open_page(tmp_path: Path, open_page: OpenPage) -> None:
    with closing(PeopledTable(tmp_path, dead_heats=True)) as table:
        table.until_phase(Phase.PLAY)
        for seat, name in enumerate(NAMES, start=1):
            assert table.tell(f"name {seat} {name}")["ok"]
        new = next_contest(table)
        page = open_page(table, f"/finish?lang=en#{new}")
        page.wait_for_selector("html[data-link=live]")
        page.wait_for_function(SHOWS, arg=new)
        assert names_in(page)
        address = page.get_attribute(PICTURE, "src")
        players = [each["player"] for each in table.tell("names")["seats"].values()]
        assert len(players) == len(NAMES)
        for player in players:
            assert table.tell(f"player {player} delete")["ok"]
        wait_for("another address", lambda: page.get_attribute(PICTURE, "src") != address)
        wait_for("a picture without names", lambda: not names_in(page))
        assert id_of(page) == new
