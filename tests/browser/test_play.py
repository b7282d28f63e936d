"""Playing in the browser: people who click, type and touch, against simulated ones and against each other."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from typing import Any, TypeVar

import pytest

from firmware_host.model.phrases import LANGUAGES
from firmware_host.model.states import Phase
from firmware_host.model.times import MS
from firmware_host.web.web_table import PAGES
from tests.browser.conftest import PHONE, OpenPage
from tests.browser.peopled_tables import PeopledTable
from tests.browser.tables import Witness, wait_for

pytestmark = pytest.mark.xdist_group("browser")

T = TypeVar("T")
NEXT = """() => {
  const node = document.querySelector("[data-next]");
  if (!node) return "";
  return node.matches(".slap") ? " " : node.querySelector("kbd")?.textContent || "click";
}"""
"""The key for what the page says, or that there is none for it."""
CLICK = """() => {
  const node = document.querySelector("[data-next]");
  node?.dispatchEvent(new MouseEvent("click", { bubbles: true }));
}"""
NOTE_TOUCH = """() => {
  const slap = document.querySelector(".slap");
  slap.addEventListener("pointerdown", (event) => { window.touched = event.pointerType; });
  const note = () => { window.felt ||= slap.matches("[data-felt]"); };
  new MutationObserver(note).observe(slap, { attributes: true });
}"""
SLAP = " "
SEE_MS = 20
"""Somebody looks so long before the next thing is done."""
ACTS_NS = 100 * MS
WAITS_NS = 250 * MS
"""What somebody does takes so long, and what one waits for is looked at so often."""

Start = Callable[..., PeopledTable]
WitnessOf = Callable[[PeopledTable], Witness]


@pytest.fixture
def start(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Start]:
    """Starts tables with people who play slowly."""
    with ExitStack() as tables:

        def started(profile: str = "dice4", at: Phase = Phase.COUNTDOWN, **more: Any) -> PeopledTable:
            folder = tmp_path_factory.mktemp("play")
            table = tables.enter_context(closing(PeopledTable(folder, profile, skill="beginner", **more)))
            table.until_phase(at)
            return table

        yield started


@pytest.fixture
def witness_of() -> Iterator[WitnessOf]:
    """Reads the feed beside the browser."""
    with ExitStack() as witnesses:
        yield lambda table: witnesses.enter_context(closing(Witness(table)))


def sit(table: PeopledTable, page: Any, seat: int) -> None:
    """Click "sit here", and let time pass until the seat is free."""
    page.click(f"[data-sit='{seat}']")
    sits_down(table, page)


def sits_down(table: PeopledTable, page: Any) -> None:
    """Let time pass until the visitor has the seat."""
    until(table, page, "a free seat", lambda: page.query_selector(".play[data-sitting]"))


def until(table: PeopledTable, page: Any, what: str, so: Callable[[], T], each_ns: int = WAITS_NS) -> T:
    """Let time pass until that is so, and give the page the time to follow."""

    def seen() -> T:
        page.wait_for_timeout(SEE_MS)
        return so()

    return table.until(what, seen, each_ns)


def do_next(page: Any, keyboard: bool = False) -> bool:
    """Do what the page says, as somebody would who has never played; whether it says anything."""
    what = page.evaluate(NEXT)
    if what == SLAP or (what and keyboard):
        page.keyboard.press(what)
    elif what:
        page.evaluate(CLICK)  # what has gone meanwhile is not clicked
    return bool(what)


def play_on(table: PeopledTable, page: Any, over: Callable[[], object], keyboard: bool = False) -> None:
    """Do what the page says, again and again."""

    def step() -> object:
        if not do_next(page, keyboard):
            table.let(WAITS_NS)
        return over()

    until(table, page, "the end of the game", step, ACTS_NS)


def verdicts(witness: Witness, seat: int, *wanted: str) -> list[dict[str, Any]]:
    return [each for each in witness.saw("Judged") if each["seat"] == seat and each["verdict"] in wanted]


def test_somebody_plays_a_whole_match_of_dice(
    start: Start, open_page: OpenPage, witness_of: WitnessOf
) -> None:
    table = start(at=Phase.ATTRACT, deal=(3, 3, 3, 3), rounds=2)
    witness = witness_of(table)
    page = open_page(table, "/play")
    sit(table, page, 2)
    play_on(table, page, lambda: witness.saw("MatchEnded"))
    (ended,) = witness.saw("MatchEnded")
    assert len(witness.saw("RoundScored")) == 2
    assert len(verdicts(witness, 2, "accepted")) >= 3
    assert max(scored["scores"][1] for scored in witness.saw("RoundScored")) > 0, "nobody would win like that"
    wanted = "You have won the match!" if 2 in ended["winners"] else "The match is over."
    page.locator(".next-words").get_by_text(wanted).wait_for()


def test_somebody_plays_a_round_of_cards(start: Start, open_page: OpenPage, witness_of: WitnessOf) -> None:
    table = start("cards4", deal=(0, 0, 3, 3))
    witness = witness_of(table)
    page = open_page(table, "/play")
    sit(table, page, 3)
    play_on(table, page, lambda: witness.saw("RoundScored"))
    assert len(verdicts(witness, 3, "accepted")) >= 3
    assert [played for played in witness.saw("CardPlayed") if played["card"].startswith("card 3 ")]


def test_cards_are_laid_onto_piles_where_those_have_readers(
    start: Start, open_page: OpenPage, witness_of: WitnessOf
) -> None:
    table = start("cards2-piles", deal=(10, 10))
    witness = witness_of(table)
    page = open_page(table, "/play")
    sit(table, page, 1)
    play_on(table, page, lambda: len(verdicts(witness, 1, "accepted")) >= 3)


def test_the_keyboard_is_enough(start: Start, open_page: OpenPage, witness_of: WitnessOf) -> None:
    table = start()
    witness = witness_of(table)
    page = open_page(table, "/play")
    page.focus("[data-sit='2']")
    page.keyboard.press("Enter")
    sits_down(table, page)
    play_on(table, page, lambda: len(verdicts(witness, 2, "accepted")) >= 2, keyboard=True)


def test_of_two_browsers_that_race_for_one_place_the_earlier_press_wins(
    start: Start, open_page: OpenPage, witness_of: WitnessOf
) -> None:
    table = start(deal=(12, 12, 0, 0))
    witness = witness_of(table)
    one, other, crowd = open_page(table, "/play"), open_page(table, "/play"), open_page(table, "/")
    sit(table, one, 1)
    sit(table, other, 2)

    until(table, one, "the start", lambda: one.query_selector("[data-does=throw][data-next]"))

    def put_one_down() -> bool:
        """Throw until a die fits, and put it down without a slap."""
        if one.query_selector(".own-die[data-next]"):
            one.click(".own-die[data-next]")
            return True
        if one.query_selector("[data-does=throw]:not(:disabled)"):
            one.click("[data-does=throw]")
        return False

    until(table, one, "a die that fits", put_one_down)
    until(table, one, "its place", lambda: one.query_selector(".slap[data-next]"))
    for seat, page in ((2, other), (1, one)):
        page.keyboard.down(" ")
        wait_for(f"the press of seat {seat}", lambda seat=seat: table.presses(seat))  # type: ignore[misc]
    lost = table.until("the loser", lambda: verdicts(witness, 1, "too-late"))[0]
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


def test_a_seat_is_kept_over_a_reload_and_refused_to_others(start: Start, open_page: OpenPage) -> None:
    table = start()
    page, stranger = open_page(table, "/play"), open_page(table, "/play")
    sit(table, page, 2)
    stranger.click("[data-sit='2']")
    stranger.wait_for_selector(".refused:not(:empty)")
    assert stranger.text_content(".refused") == "Somebody sits there already."
    page.reload()
    page.wait_for_selector(".play[data-sitting]")
    assert page.get_attribute(".seat[data-mine]", "data-seat") == "2"
    page.click(".leave")
    page.wait_for_selector("[data-sit]")
    sit(table, stranger, 2)


@pytest.mark.parametrize(("profile", "dealt"), [("dice4", 6), ("cards4", 10)])
def test_it_fits_a_phone_and_is_played_by_touch(
    start: Start, open_page: OpenPage, profile: str, dealt: int
) -> None:
    table = start(profile, deal=(dealt,) * 4)
    page = open_page(table, "/play", PHONE, has_touch=True, is_mobile=True)
    page.tap("[data-sit='1']")
    until(table, page, "dice or cards", lambda: page.query_selector(".cup, .own-card[data-card]"))
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    slap = page.locator(".slap").bounding_box()
    assert slap["y"] + slap["height"] <= PHONE["height"] and slap["height"] >= 44 and slap["width"] >= 200
    page.evaluate(NOTE_TOUCH)
    page.tap(".slap")
    page.wait_for_function("() => window.felt")
    assert page.evaluate("() => window.touched") == "touch"


def test_on_a_phone_the_button_stays_below_the_finger_when_a_verdict_is_told(
    start: Start, open_page: OpenPage
) -> None:
    table = start()
    page = open_page(table, "/play", PHONE, has_touch=True, is_mobile=True)
    sit(table, page, 1)
    tops: dict[bool, float] = {}

    def both() -> bool:
        told = bool(page.text_content(".told-me"))
        if page.query_selector(".own-die"):  # dice are in front of the seat
            tops[told] = page.locator(".slap").bounding_box()["y"]
        return len(tops) == 2

    play_on(table, page, both)
    assert tops[True] == tops[False]


def test_who_has_no_part_in_a_match_is_told_so(start: Start, open_page: OpenPage) -> None:
    table = start()
    page = open_page(table, "/play")
    sit(table, page, 3)

    def started() -> bool:
        table.tell("end")
        return bool(table.tell("start 6,6,0,6").get("ok"))

    table.until("a match of the others", started)
    page.wait_for_selector(".next-words:has-text('played without you')")
    assert page.evaluate(NEXT) == ""


def test_every_language(start: Start, open_page: OpenPage) -> None:
    table = start()
    chosen = set()
    page = open_page(table, "/play")
    for language in LANGUAGES:
        page.goto(f"{table.url}/play?lang={language}")
        page.wait_for_selector(f"html[lang={language}]")
        page.wait_for_selector("[data-sit='2']")
        chosen.add(page.text_content(".chooser h2"))
    sit(table, page, 2)
    for language in LANGUAGES:
        page.goto(f"{table.url}/play?lang={language}")
        page.wait_for_selector(f"html[lang={language}] .play[data-sitting]")
        chosen.add(page.wait_for_selector(".next-words:not(:empty)").text_content())
    assert len(chosen) == 2 * len(LANGUAGES) and "" not in chosen


def test_every_next_step_and_every_refusal_has_words() -> None:
    """Those that a page does not name with `say(…)`; the others are in tests/web/test_page_words.py."""
    keys = set(re.findall(r'^  "([^"]+)": row\(', (PAGES / "play_words.js").read_text(), re.MULTILINE))
    steps = set(re.findall(r'say: "(n-[a-z-]+)"', (PAGES / "next_step.js").read_text()))
    assert len(steps) > 20 and steps <= keys
    codes = ("taken", "nobody", "idle", "elsewhere", "code", "refused")
    assert {f"no-{code}" for code in codes} == {key for key in keys if key.startswith("no-")}


def test_a_dragged_die_goes_where_it_is_dropped(start: Start, open_page: OpenPage) -> None:
    table = start()
    page = open_page(table, "/play")
    sit(table, page, 2)

    def thrown() -> bool:
        if page.query_selector(".own-die"):
            return True
        if page.query_selector("[data-does=throw][data-next]"):
            page.click("[data-does=throw]")
        return False

    def place(state: str) -> str:
        return f".place[data-place='green 6'][{state}]"

    until(table, page, "thrown dice", thrown)
    page.locator(".own-die").first.drag_to(page.locator(".place[data-place='green 6']"))
    page.wait_for_selector(place("data-own"))
    until(table, page, "a wrong die", lambda: page.query_selector(place("data-state=illegal")))
    page.click(".place[data-place='green 6']")
    page.wait_for_selector(place("data-own"), state="detached")
    until(table, page, "a free place", lambda: page.query_selector(place("data-state=free")))
