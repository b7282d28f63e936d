"""Playing in the browser: people who click, type and touch, against simulated ones and against each other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import PHONE, OpenPage
from tests.browser.tables import SimulatedTable, Witness, wait_for

pytestmark = pytest.mark.xdist_group("browser")

MATCH_S = 400.0
LANGUAGES = ("de", "en", "es", "fr", "it", "nl")
NEXT = """() => {
  const node = document.querySelector("[data-next]");
  if (!node) return "";
  return node.matches(".slap") ? "slap" : "click";
}"""
CLICK = """() => {
  const node = document.querySelector("[data-next]");
  node?.dispatchEvent(new MouseEvent("click", { bubbles: true }));
}"""
NOTE_TOUCH = """() => {
  const slap = document.querySelector(".slap");
  slap.addEventListener("pointerdown", (event) => { window.touched = event.pointerType; });
}"""

Started = Callable[..., SimulatedTable]


@pytest.fixture
def start(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Started]:
    """Starts tables with people who play as slowly as in the demo."""
    tables: list[SimulatedTable] = []

    def started(*options: str) -> SimulatedTable:
        table = SimulatedTable(
            tmp_path_factory.mktemp("play"), "--skill", "beginner", "--seed", "7", *options
        )
        tables.append(table)
        table.start_daemon()
        table.start_web()
        return table

    yield started
    for each in tables:
        each.close()


@pytest.fixture
def witness_of() -> Iterator[Callable[[SimulatedTable], Witness]]:
    """Reads the feed beside the browser."""
    witnesses: list[Witness] = []

    def witness(table: SimulatedTable) -> Witness:
        witnesses.append(Witness(table))
        return witnesses[-1]

    yield witness
    for each in witnesses:
        each.close()


def sit(page: Any, seat: int) -> None:
    """Click "sit here", and wait until the seat is free."""
    page.click(f"[data-sit='{seat}']")
    page.wait_for_selector(".play[data-sitting]")


def play_on(page: Any, until: Callable[[], object], keyboard: bool = False) -> None:
    """Do what the page says, again and again, as somebody would who has never played."""

    def step() -> object:
        what = page.evaluate(NEXT)
        if what == "slap":
            page.keyboard.press(" ")
        elif what and keyboard:
            key = page.evaluate("() => document.querySelector('[data-next] kbd')?.textContent ?? ''")
            page.keyboard.press(key)
        elif what:
            page.evaluate(CLICK)  # what has gone meanwhile is not clicked
        page.wait_for_timeout(20)
        return until()

    wait_for("the end of the game", step, MATCH_S)


def verdicts(witness: Witness, seat: int, *wanted: str) -> list[dict[str, Any]]:
    return [each for each in witness.saw("Judged") if each["seat"] == seat and each["verdict"] in wanted]


def test_somebody_plays_a_whole_match_of_dice(
    start: Started, open_page: OpenPage, witness_of: Callable[[SimulatedTable], Witness]
) -> None:
    table = start("--speed", "6", "--rounds", "2")
    witness = witness_of(table)
    page = open_page(table, "/play")
    sit(page, 2)
    play_on(page, lambda: witness.saw("MatchEnded"))
    (ended,) = witness.saw("MatchEnded")
    assert len(witness.saw("RoundScored")) == 2
    assert len(verdicts(witness, 2, "accepted")) >= 6
    assert max(scored["scores"][1] for scored in witness.saw("RoundScored")) > 0, "nobody would win like that"
    wanted = "You have won the match!" if 2 in ended["winners"] else "The match is over."
    page.wait_for_function(
        "words => document.querySelector('.next-words').textContent.startsWith(words)", arg=wanted
    )


def test_somebody_plays_a_round_of_cards(
    start: Started, open_page: OpenPage, witness_of: Callable[[SimulatedTable], Witness]
) -> None:
    table = start("--game", "cards", "--speed", "6", "--rounds", "1")
    witness = witness_of(table)
    page = open_page(table, "/play")
    sit(page, 3)
    play_on(page, lambda: witness.saw("RoundScored"))
    assert len(verdicts(witness, 3, "accepted")) >= 5
    assert [played for played in witness.saw("CardPlayed") if played["card"].startswith("card 3 ")]


def test_cards_are_laid_onto_piles_where_those_have_readers(
    start: Started, open_page: OpenPage, witness_of: Callable[[SimulatedTable], Witness]
) -> None:
    table = start("--profile", "cards2-piles", "--seats", "2", "--speed", "6", "--rounds", "1")
    witness = witness_of(table)
    page = open_page(table, "/play")
    sit(page, 1)
    play_on(page, lambda: len(verdicts(witness, 1, "accepted")) >= 3)


def test_the_keyboard_is_enough(
    start: Started, open_page: OpenPage, witness_of: Callable[[SimulatedTable], Witness]
) -> None:
    table = start("--speed", "6", "--rounds", "1")
    witness = witness_of(table)
    page = open_page(table, "/play")
    page.wait_for_selector("[data-sit='2']")
    page.focus("[data-sit='2']")
    page.keyboard.press("Enter")
    page.wait_for_selector(".play[data-sitting]")
    play_on(page, lambda: len(verdicts(witness, 2, "accepted")) >= 2, keyboard=True)


def test_of_two_browsers_that_race_for_one_place_the_earlier_press_wins(
    start: Started, open_page: OpenPage, witness_of: Callable[[SimulatedTable], Witness]
) -> None:
    table = start("--seats", "2", "--rounds", "1", "--speed", "3")
    witness = witness_of(table)
    one, other, crowd = open_page(table, "/play"), open_page(table, "/play"), open_page(table, "/")
    sit(one, 1)
    sit(other, 2)

    def get_ready() -> bool:
        for page in (one, other):
            if page.evaluate(NEXT) == "slap":
                page.keyboard.press(" ")
        return bool(one.query_selector("[data-does=throw][data-next]"))

    wait_for("the start", get_ready)

    def put_one_down() -> bool:
        """Throw until a die fits, and put it down without a slap."""
        if one.query_selector(".own-die[data-next]"):
            one.click(".own-die[data-next]")
            return True
        if one.query_selector("[data-does=throw]:not(:disabled)"):
            one.click("[data-does=throw]")
        one.wait_for_timeout(50)
        return False

    wait_for("a die that fits", put_one_down)
    one.wait_for_selector(".slap[data-next]")
    other.keyboard.down(" ")
    one.keyboard.down(" ")
    lost = wait_for("the loser", lambda: verdicts(witness, 1, "too-late"))[0]
    (won,) = verdicts(witness, 2, "accepted")
    assert won["what"] == lost["what"] and lost["rival"] == 2
    assert won["stamp"][1] < lost["stamp"][0] and lost["margin_ns"] > 0
    contest = crowd.wait_for_selector(".event[data-contest]")
    assert contest.query_selector(".badge").text_content() == "2"
    assert contest.query_selector(".rival .badge").text_content() == "1"
    one.keyboard.up(" ")
    other.keyboard.up(" ")
    finish = open_page(table, "/finish")
    finish.wait_for_selector(".finish-picture:not([hidden])")
    (shown,) = finish.evaluate("async () => (await (await fetch('/api/contests?last=5')).json()).contests")
    assert [rival["seat"] for rival in shown["rivals"]] == [2, 1] and shown["what"] == won["what"]


def test_a_seat_is_kept_over_a_reload_and_refused_to_others(start: Started, open_page: OpenPage) -> None:
    table = start()
    page, stranger = open_page(table, "/play"), open_page(table, "/play")
    sit(page, 2)
    stranger.click("[data-sit='2']")
    stranger.wait_for_selector(".refused:not(:empty)")
    assert stranger.text_content(".refused") == "Somebody sits there already."
    page.reload()
    page.wait_for_selector(".play[data-sitting]")
    assert page.get_attribute(".seat[data-mine]", "data-seat") == "2"
    page.click(".leave")
    page.wait_for_selector("[data-sit]")
    sit(stranger, 2)


def test_a_visitor_plays_on_after_the_daemon_and_the_web_process_were_killed(
    start: Started, open_page: OpenPage, witness_of: Callable[[SimulatedTable], Witness]
) -> None:
    table = start("--speed", "6")
    page = open_page(table, "/play")
    sit(page, 2)
    page.wait_for_selector("[data-does=throw][data-next], .slap[data-next]")
    table.kill_daemon()
    page.wait_for_selector("html:not([data-link=live])")
    table.start_daemon()
    page.wait_for_selector(".play[data-sitting]")
    table.kill_web()
    page.wait_for_selector("html[data-link=lost]")
    table.start_web()
    page.wait_for_selector("html[data-link=live]")
    witness = witness_of(table)
    play_on(page, lambda: verdicts(witness, 2, "accepted"))


@pytest.mark.parametrize("game", ["dice", "cards"])
def test_it_fits_a_phone_and_is_played_by_touch(start: Started, open_page: OpenPage, game: str) -> None:
    table = start("--game", game, "--speed", "6")
    page = open_page(table, "/play", PHONE, has_touch=True, is_mobile=True)
    page.tap("[data-sit='1']")
    page.wait_for_selector(".cup, .own-card")
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    slap = page.locator(".slap").bounding_box()
    assert slap["y"] + slap["height"] <= PHONE["height"] and slap["height"] >= 44 and slap["width"] >= 200
    page.evaluate(NOTE_TOUCH)
    page.tap(".slap")
    page.wait_for_selector(".seat[data-mine][data-felt], .slap[data-felt]")
    assert page.evaluate("() => window.touched") == "touch"


def test_on_a_phone_the_button_stays_below_the_finger_when_a_verdict_is_told(
    start: Started, open_page: OpenPage
) -> None:
    page = open_page(start("--speed", "6"), "/play", PHONE, has_touch=True, is_mobile=True)
    sit(page, 1)
    tops: dict[bool, float] = {}

    def both() -> bool:
        told = bool(page.text_content(".told-me"))
        if page.evaluate(
            "() => Boolean(document.querySelector('.own-die'))"
        ):  # dice are in front of the seat
            tops[told] = page.locator(".slap").bounding_box()["y"]
        return len(tops) == 2

    play_on(page, both)
    assert tops[True] == tops[False]


def test_who_has_no_part_in_a_match_is_told_so(start: Started, open_page: OpenPage) -> None:
    table = start("--speed", "6")
    page = open_page(table, "/play")
    sit(page, 3)

    def started() -> bool:
        table.tell("end")
        return bool(table.tell("start 6,6,0,6").get("ok"))

    wait_for("a match of the others", started)
    page.wait_for_selector(".next-words:has-text('played without you')")
    assert page.evaluate(NEXT) == ""


def test_every_language(dice: SimulatedTable, open_page: OpenPage) -> None:
    chosen = set()
    for language in LANGUAGES:
        page = open_page(dice, f"/play?lang={language}")
        page.wait_for_selector(f"html[lang={language}]")
        page.wait_for_selector("[data-sit='2']")
        chosen.add(page.text_content(".chooser h2"))
        sit(page, 2)
        chosen.add(page.text_content(".next-words"))
        page.click(".leave")
        page.wait_for_selector("[data-sit='2']")
    assert len(chosen) == 2 * len(LANGUAGES) and "" not in chosen


def test_a_dragged_die_goes_where_it_is_dropped(start: Started, open_page: OpenPage) -> None:
    table = start("--speed", "6")
    page = open_page(table, "/play")
    sit(page, 2)

    def thrown() -> bool:
        if page.evaluate(NEXT) == "slap":
            page.keyboard.press(" ")
        if page.query_selector(".own-die"):
            return True
        if page.query_selector("[data-does=throw][data-next]"):
            page.click("[data-does=throw]")
        page.wait_for_timeout(40)
        return False

    wait_for("thrown dice", thrown)
    page.locator(".own-die").first.drag_to(page.locator(".place[data-place='green 6']"))
    page.wait_for_selector(".place[data-place='green 6'][data-own]")
    page.wait_for_selector(".place[data-place='green 6'][data-state=illegal]")
    page.click(".place[data-place='green 6']")
    page.wait_for_selector(".place[data-place='green 6'][data-state=free]")


def test_a_store_that_is_lost_is_on_the_page(browser: Any, open_page: OpenPage, tmp_path: Path) -> None:
    (tmp_path / "ligretto-table").mkdir()
    (tmp_path / "ligretto-table" / "simulated.db").write_text("of somebody else")
    table = SimulatedTable(tmp_path)
    try:
        table.start_daemon()
        table.start_web()
        page = open_page(table, "/play")
        page.wait_for_selector(".troubles:has-text('store')")
    finally:
        table.close()
