"""The operator's console in a browser: settings, devices, faults, data, displays, the PIN and the log."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from firmware_host.cli.web import ACCESS_FILE
from firmware_host.model.phrases import LANGUAGES
from firmware_host.store.backups import examine
from firmware_host.web.access import Access
from tests.browser.axe import serious_faults
from tests.browser.conftest import PHONE, SPEED, OpenPage, simulated_table
from tests.browser.held import Held
from tests.browser.tables import SimulatedTable, Witness, wait_for

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
pytestmark = pytest.mark.xdist_group("browser")

WORDS = Path(__file__).parents[2] / "firmware_host/web/pages/console_words.js"
THROUGH_A_PROXY = {"X-Forwarded-For": "192.0.2.1"}
"""So a page is not taken for one on this machine, and needs the PIN."""


@pytest.fixture(scope="module")
def racing(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SimulatedTable]:
    """A table of its own: what an operator does to it disturbs no other test."""
    with simulated_table(tmp_path_factory.mktemp("operated"), "--dead-heats", "--speed", SPEED) as table:
        assert table.tell("set rounds 1")["ok"]
        yield table


@pytest.fixture
def console(racing: SimulatedTable, open_page: OpenPage) -> Any:
    """The console, open; this table is only reachable from here, so nobody is asked for a PIN."""
    page = open_page(racing, "/console?lang=en", forgive="status of 409")
    page.locator(".game-part").wait_for()
    return page


@pytest.fixture
def witness(racing: SimulatedTable) -> Iterator[Witness]:
    reader = Witness(racing)
    yield reader
    reader.close()


def setting(table: SimulatedTable, name: str) -> str:
    value: str = table.tell("settings")["settings"][name]["value"]
    return value


def test_a_round_is_paused_and_voided_while_people_play(
    console: Any, racing: SimulatedTable, witness: Witness
) -> None:
    """At the table of the demo; what each button does is tested at a table that stands still."""

    def last_phase() -> str:
        phase: str = list(witness.moments.values())[-1][-1].state["phase"]
        return phase

    def paused() -> bool:
        with suppress(playwright.Error):  # the round may end in the very moment
            console.locator("[data-tell=pause]:not(:disabled)").click(timeout=3000)
        return last_phase() == "paused"

    wait_for("a pause", paused)
    console.locator("[data-tell=void]:not(:disabled)").click()
    console.get_by_role("dialog").get_by_role("button", name="Void the round …").click()
    (voided,) = wait_for("the void round", lambda: witness.saw("RoundVoided"))
    assert voided["reason"] == "operator"
    wait_for("the next round", lambda: last_phase() == "play", 300)


def test_settings_are_changed_and_changed_back(console: Any, racing: SimulatedTable) -> None:
    before = setting(racing, "volume")
    wanted = "3" if before != "3" else "4"
    console.get_by_label("Volume").select_option(wanted)
    wait_for("the volume", lambda: setting(racing, "volume") == wanted)
    console.get_by_role("button", name="Undo").click()
    wait_for("the volume as before", lambda: setting(racing, "volume") == before)


def test_a_value_that_is_not_allowed_is_refused_with_the_reason(console: Any, racing: SimulatedTable) -> None:
    console.get_by_label("Handicap").fill("lots")
    console.keyboard.press("Enter")
    console.locator(".notice[data-kind=bad]").get_by_text("handicap can't be 'lots'").wait_for()
    assert setting(racing, "handicap") == ""
    wait_for("what is in force", lambda: console.get_by_label("Handicap").input_value() == "")


def test_devices_are_listed_with_signs_and_words(console: Any) -> None:
    rows = console.locator(".devices li")
    rows.first.wait_for()
    told = rows.all_inner_texts()
    assert any("scoreboard: ok" in each for each in told)
    assert all(each[0] in "✓!✕⊘" for each in told)


def test_a_device_is_lost_on_demand_and_comes_back(console: Any, racing: SimulatedTable) -> None:
    part, left = console.locator(".faults-part"), console.locator(".devices li", has_text="left")
    part.get_by_label("Kind of fault").select_option("unplug")
    part.get_by_label("What goes wrong").select_option("left")
    part.get_by_label("How long").select_option("")
    part.get_by_role("button", name="Inject").click()
    part.locator(".faults").get_by_text("left: plug pulled").wait_for()
    left.get_by_text("left: lost").wait_for()
    part.get_by_role("button", name="End: left").click()
    left.get_by_text("left: ok").wait_for()
    part.locator(".faults li").wait_for(state="detached")
    part.get_by_role("button", name="Inject").click()
    left.get_by_text("left: lost").wait_for()
    console.get_by_role("button", name="Undo").click()
    left.get_by_text("left: ok").wait_for()


def test_a_backup_is_downloaded_whole_and_said_to_be_sound(console: Any, tmp_path: Path) -> None:
    console.locator(".data-part summary").click()
    with console.expect_download() as saved:
        console.get_by_role("button", name="Download a backup").click()
    saved.value.save_as(tmp_path / "backup.db")
    contents = examine(str(tmp_path / "backup.db"))
    assert contents.is_sound
    console.get_by_text(f"Saved and checked: {saved.value.suggested_filename}").wait_for()
    assert "store restore" in console.locator(".data-part pre").inner_text()


def test_results_are_exported(console: Any, tmp_path: Path) -> None:
    console.locator(".data-part summary").click()
    console.get_by_label("What", exact=True).select_option("rounds")
    with console.expect_download() as saved:
        console.get_by_role("button", name="Export").click()
    saved.value.save_as(tmp_path / "rounds.csv")
    assert (tmp_path / "rounds.csv").read_text().startswith("round,match,number,day")


def test_audits_and_the_log_are_read(console: Any) -> None:
    console.locator(".audits-part summary").click()
    console.locator(".audits-part table").wait_for(state="attached")
    console.locator(".audits-part").get_by_text("parts").first.wait_for()
    console.locator(".log-part summary").click()
    console.locator(".log-part").get_by_text("starts with a simulated table").first.wait_for()


def test_a_display_shows_what_the_operator_wants(
    console: Any, racing: SimulatedTable, open_page: OpenPage
) -> None:
    display = open_page(racing, "/display")
    display.wait_for_selector("body[data-shows=table]")
    console.locator(".displays-part summary").click()
    console.locator(".displays-part select").first.select_option("finish")
    display.wait_for_selector("body[data-shows=finish]")
    console.get_by_role("button", name="Undo").click()
    display.wait_for_selector("body[data-shows=table]")


def test_who_is_not_on_this_machine_needs_the_pin(racing: SimulatedTable, open_page: OpenPage) -> None:
    pin = Access(racing.sockets / ACCESS_FILE).new_pin()
    page = open_page(
        racing, "/console?lang=de", PHONE, forgive="status of 403", extra_http_headers=THROUGH_A_PROXY
    )
    page.get_by_label("PIN").fill("0" * 5)
    page.keyboard.press("Enter")
    page.get_by_text("Das ist nicht die PIN.").wait_for()
    assert page.locator(".game-part").count() == 0
    page.get_by_label("PIN").fill(pin)
    page.keyboard.press("Enter")
    page.locator(".game-part").wait_for()
    page.reload()
    page.locator(".game-part").wait_for()
    page.get_by_role("button", name="Abmelden").click()
    page.get_by_label("PIN").wait_for()


def test_nobody_types_a_pin_in_before_it_is_known_whether_one_is_needed(
    racing: SimulatedTable, open_page: OpenPage
) -> None:
    me = Held("**/api/me")
    page = open_page(racing, "/console?lang=de", held=me, extra_http_headers=THROUGH_A_PROXY)
    page.locator(".page-head .phase:not(:empty)").wait_for()
    assert page.get_by_label("PIN").count() == 0
    me.let_go()
    page.get_by_label("PIN").wait_for()


def test_a_pin_is_typed_in_while_the_page_connects(racing: SimulatedTable, open_page: OpenPage) -> None:
    stream = Held("**/api/stream*")
    page = open_page(racing, "/console?lang=de", held=stream, extra_http_headers=THROUGH_A_PROXY)
    page.get_by_label("PIN").fill("12345")
    stream.let_go()
    page.locator(".page-head .phase:not(:empty)").wait_for()
    assert page.get_by_label("PIN").input_value() == "12345"


def test_it_speaks_every_language(racing: SimulatedTable, open_page: OpenPage) -> None:
    text = WORDS.read_text()
    words = json.loads(text[text.index("{") :].rstrip().removesuffix(";"))
    page = open_page(racing, "/console")
    for language in LANGUAGES:
        page.goto(f"{racing.url}/console?lang={language}")
        page.wait_for_selector(f"html[lang={language}] .game-part")
        for selector, key in (
            (".game-part h2", "game"),
            (".settings-part h2", "settings"),
            (".faults-part h2", "part faults"),
            (".log-part h2", "part log"),
            ("[data-tell=pause]", "tell pause"),
        ):
            assert page.locator(selector).first.text_content() == words[key][language]


def test_it_fits_on_a_phone_and_works_with_keys(racing: SimulatedTable, open_page: OpenPage) -> None:
    page = open_page(racing, "/console?lang=de", PHONE)
    page.locator(".game-part").wait_for()
    page.locator(".log-part summary").focus()
    page.keyboard.press("Enter")
    page.locator(".log-part td").first.wait_for()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_axe_finds_nothing_serious(racing: SimulatedTable, open_page: OpenPage) -> None:
    page = open_page(racing, "/console?lang=en", PHONE, reduced_motion="reduce")
    page.locator(".game-part").wait_for()
    for part in ("displays", "rounds", "data", "audits", "log"):
        page.locator(f".{part}-part summary").click()
    page.locator(".log-part td").first.wait_for()
    page.locator(".data-part pre").wait_for()
    page.wait_for_selector("html[data-link=live]")
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
