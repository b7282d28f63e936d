"""The operator's console while a match is played: what it does to the game is done, asked about or undone.

Nobody plays at this table and its time stands still unless a test lets it pass, so a test has as long as it
needs: no phase ends by itself while a browser is slow.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from firmware_host.feed.addresses import TELL_SOCKET
from firmware_host.feed.feed_client import tell_table
from firmware_host.model.states import Phase
from firmware_host.model.times import S
from tests.browser.conftest import OpenPage
from tests.browser.held import Held
from tests.browser.tables import wait_for
from tests.run.evenings import ONE_DIE, R1, Evening, win_with_one_die
from tests.web.browsers import wait_until
from tests.web.live_tables import LiveTable
from tests.web.serving import Served, served, settings_in

pytestmark = pytest.mark.xdist_group("browser")


class OperatedTable:
    """A table of a test's own, where its pages are, and what it told."""

    def __init__(self, live: LiveTable, web: Served) -> None:
        self.live = live
        self.url = f"http://127.0.0.1:{web.port}"
        self._effects: list[dict[str, Any]] = []
        web.server.hub.readers.append(lambda told: self._effects.extend(told.get("effects", [])))

    @property
    def phase(self) -> Phase:
        return self.live.ask(lambda evening: evening.phase)

    def at(self, phase: Phase) -> None:
        """Wait until the table is at that, because of what was clicked."""
        wait_for(phase.name, lambda: self.phase is phase)

    def told(self, kind: str) -> dict[str, Any]:
        """The only effect of that kind, as soon as it was told."""
        effects: list[dict[str, Any]] = wait_for(
            kind, lambda: [each for each in self._effects if each["is"] == kind]
        )
        (effect,) = effects
        return effect


@contextmanager
def operated(folder: Path, **config: Any) -> Iterator[OperatedTable]:
    """A table with that configuration and its pages."""
    (folder / "table").mkdir()
    live = LiveTable(folder / "table", simulated=True, **config)
    live.start()
    try:
        with served(settings_in(folder), live.found) as web:
            wait_until(lambda: web.server.hub.connected)
            yield OperatedTable(live, web)
    finally:
        live.stop()


@pytest.fixture
def table(tmp_path: Path) -> Iterator[OperatedTable]:
    with operated(tmp_path) as each:
        yield each


@pytest.fixture
def short(tmp_path: Path) -> Iterator[OperatedTable]:
    with operated(tmp_path, **ONE_DIE) as each:
        yield each


@pytest.fixture
def console(table: OperatedTable, open_page: OpenPage) -> Any:
    return opened(table, open_page)


def opened(table: OperatedTable, open_page: OpenPage, held: Held | None = None) -> Any:
    """The console, open; a simulated table that only this machine can reach asks nobody for a PIN."""
    page = open_page(table, "/console?lang=en", forgive="status of 503", held=held)
    page.locator(".game-part").wait_for()
    return page


def press(page: Any, word: str) -> None:
    """Press that button as soon as the table allows it."""
    page.locator(f"[data-tell={word}]:not(:disabled)").click()


def test_a_pause_can_be_undone(table: OperatedTable, console: Any) -> None:
    table.live.ask(lambda evening: evening.play())
    press(console, "pause")
    table.at(Phase.PAUSED)
    console.get_by_role("status").get_by_text("The round is paused.").wait_for()
    console.get_by_role("button", name="Undo").click()
    wait_for("the round to go on", lambda: table.phase in (Phase.COUNTDOWN, Phase.PLAY))


def test_a_round_is_void_only_if_the_operator_is_sure(table: OperatedTable, console: Any) -> None:
    table.live.ask(lambda evening: evening.play())
    press(console, "void")
    console.get_by_role("button", name="Cancel").click()
    console.locator("dialog").wait_for(state="detached")
    assert table.phase is Phase.PLAY
    press(console, "void")
    console.get_by_role("dialog").get_by_role("button", name="Void the round …").click()
    table.at(Phase.CLEAR)
    assert table.told("RoundVoided")["reason"] == "operator"


def test_a_match_is_started_with_a_deal_and_ended(table: OperatedTable, console: Any) -> None:
    start = console.locator("[data-tell=start]")
    start.wait_for()
    for seat, count in enumerate((7, 5, 6, 6), start=1):
        console.get_by_label(f"How much seat {seat} is dealt").fill(str(count))
    start.click()
    table.at(Phase.CLEAR)
    match = table.live.ask(lambda evening: evening.host.session.match)
    assert match is not None and match.deal == (7, 5, 6, 6)
    press(console, "end")
    console.get_by_role("dialog").get_by_role("button", name="End the match …").click()
    table.at(Phase.ATTRACT)
    assert table.told("MatchAbandoned")


def test_a_count_is_typed_in_while_the_usual_deal_arrives(table: OperatedTable, open_page: OpenPage) -> None:
    settings = Held("**/api/tell")
    console = opened(table, open_page, settings)
    deal = [console.get_by_label(f"How much seat {seat} is dealt") for seat in (1, 2, 3, 4)]
    deal[3].fill("4")
    deal[0].focus()
    settings.let_go(2)
    wait_for("the usual deal", lambda: [each.input_value() for each in deal] == ["6", "6", "6", "4"])
    console.keyboard.type("8")
    console.locator("[data-tell=start]").click()
    match = wait_for("a match", lambda: table.live.ask(lambda evening: evening.host.session.match))
    assert match.deal == (8, 6, 6, 4)


def test_a_setting_is_typed_in_while_all_of_them_are_read_again(table: OperatedTable, console: Any) -> None:
    def rounds() -> int | None:
        return table.live.ask(lambda evening: evening.host.wanted_config.rounds)

    before = rounds()
    field = console.get_by_label("Rounds")
    field.fill("1")
    assert tell_table(table.live.folder / TELL_SOCKET, "set volume 0")["ok"]
    table.live.ask(lambda evening: evening.tap(1))
    table.at(Phase.JOIN)
    wait_for("what was read", lambda: console.get_by_label("Volume").input_value() == "0")
    assert rounds() == before, "half of a number is told"
    console.keyboard.type("2")
    console.keyboard.press("Enter")
    wait_for("twelve rounds", lambda: rounds() == 12)
    assert field.input_value() == "12"


def test_a_leftover_count_can_be_typed_in(short: OperatedTable, open_page: OpenPage) -> None:
    def stop(evening: Evening) -> None:
        evening.play()
        evening.place(1, R1)
        evening.until_phase(Phase.SETTLE)
        evening.wait(3 * S)  # no late slap can come in any more

    short.live.ask(stop)
    console = opened(short, open_page)
    row = console.locator(".counts .seat-row:not([hidden])", has=console.get_by_label("seat 2"))
    row.get_by_role("spinbutton").fill("0")
    row.get_by_role("button").click()
    console.get_by_role("status").get_by_text("has 0 left").wait_for()
    corrected = short.told("Corrected")
    assert (corrected["seat"], corrected["before"], corrected["after"]) == (2, 1, 0)
    assert corrected["by"] == "operator"


def test_a_seat_gets_a_name_and_loses_it_again(table: OperatedTable, console: Any) -> None:
    def name() -> str | None:
        return table.live.ask(lambda evening: evening.host.roster.names.get(2))

    console.get_by_label("Name at seat 2").fill("Ada")
    console.keyboard.press("Enter")
    wait_for("the name", lambda: name() == "Ada")
    assert table.phase is Phase.ATTRACT, "Enter in a name starts no match"
    console.get_by_role("button", name="Undo").click()
    wait_for("a guest", lambda: name() is None)


def test_a_past_round_is_shown(short: OperatedTable, open_page: OpenPage) -> None:
    def play(evening: Evening) -> None:
        win_with_one_die(evening)
        evening.written()

    short.live.ask(play)
    console = opened(short, open_page)
    console.locator(".rounds-part summary").click()
    console.locator(".rounds button").last.click()
    dialog = console.get_by_role("dialog")
    wait_for(
        "the picture",
        lambda: console.evaluate("document.querySelector('dialog .story')?.naturalWidth > 0"),
    )
    assert "since start" in dialog.locator("pre").inner_text()
    dialog.get_by_role("button", name="Close").click()
    dialog.wait_for(state="detached")
