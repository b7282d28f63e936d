"""What the scoreboard says: every phase, every language, and never too long."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.games.games import Table
from firmware_host.model.effects import Judged, Verdict
from firmware_host.model.events import Filled, Pause
from firmware_host.model.phrases import Phrase, say
from firmware_host.model.places import ALL_SLOTS, Button, Colour, Slot, Source
from firmware_host.model.settings import LANGUAGES, Settings
from firmware_host.model.states import Phase
from firmware_host.model.times import MS, US, S, Stamp, exactly
from firmware_host.show.pages import CALL_NS, TURN_NS, WIN_NS, headline, margin_text, page, verdict_text
from hw.scoreboard.charset import to_ascii
from tests.games.driver import (
    BLUE,
    GREEN,
    ONE_TO_GO,
    RED,
    YELLOW,
    Driver,
    reach,
    reach_idle_pause,
    reach_impaired_pause,
)


def judged(verdict: Verdict, slot: Slot | None = None, margin_ns: int | None = None) -> Judged:
    return Judged(verdict, 2, exactly(0), 0, slot, margin_ns)


# -- every phase, every language


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("phase", "phrase", "numbers", "below"),
    [
        (Phase.ATTRACT, Phrase.PRESS_TO_PLAY, {}, ""),
        (Phase.JOIN, Phrase.PRESS_TO_SIT, {}, "- 2 - -"),
        (Phase.COUNTDOWN, Phrase.ROUND, {"n": 1, "of": 6}, "3"),
        (Phase.SETTLE, Phrase.LEFT_RIGHT, {}, "1:0 2:6"),
        (Phase.SCORES, Phrase.DONE, {"seat": 1}, "1:+6 2:-6"),
        (Phase.RESULT, Phrase.WINNER, {"seats": 1}, "1:+6 2:-6"),
    ],
    ids=lambda value: value.name if isinstance(value, Phase) else "",
)
def test_every_phase_has_its_page(
    language: str, phase: Phase, phrase: Phrase, numbers: dict[str, object], below: str
) -> None:
    driver = reach(phase, Settings(language=language))
    assert driver.lines() == (say(language, phrase, **numbers), below)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_deal_that_is_the_same_for_all_is_one_number(language: str) -> None:
    driver = reach(Phase.CLEAR, Settings(language=language))
    assert driver.lines() == (say(language, Phrase.DEAL), say(language, Phrase.EACH, n=12))


@pytest.mark.parametrize(("seats", "deal"), [((1, 2, 3, 4), "1:7 2:7 3:5 4:5"), ((1, 4), "1:13 4:11")])
def test_a_deal_that_differs_is_shown_seat_by_seat(seats: tuple[int, ...], deal: str) -> None:
    driver = Driver(Table(handicap=(-2, -2)))
    driver.tap(*seats)
    driver.until_deadline()
    assert driver.lines() == ("Deal, then press", deal)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_pause_says_how_to_go_on_unless_the_operator_paused(language: str) -> None:
    settings = Settings(language=language)
    paused = say(language, Phrase.PAUSED)
    assert reach_idle_pause(settings).lines() == (paused, say(language, Phrase.HOLD_TO_GO_ON))
    assert reach(Phase.PAUSED, settings).lines() == (paused, "")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("reason", "phrase"), [("power", Phrase.WAS_OFF), ("service", Phrase.PAUSED)], ids=["power", "service"]
)
def test_a_table_that_was_away_says_so_and_then_what_lies_otherwise_and_what_can_be_done(
    language: str, reason: str, phrase: Phrase
) -> None:
    driver = reach(Phase.PLAY, Settings(language=language))
    away = driver.interrupt(reason)
    above = say(language, phrase)
    assert driver.lines() == (above, "")
    found = Stamp(away.earliest_ns + 1, away.latest_ns)
    for slot in (Slot(YELLOW, 6), Slot(GREEN, 1)):
        driver.late(Filled(slot, found, late=True))
    driver.wait(300 * MS)
    turns = [page(driver.view, driver.now_ns + turn * TURN_NS) for turn in range(4)]
    assert {turn[0] for turn in turns} == {above}
    assert {turn[1] for turn in turns} == {
        say(language, Phrase.CHECK, what=f"{say(language, YELLOW)} 6"),
        say(language, Phrase.CHECK, what=f"{say(language, GREEN)} 1"),
        say(language, Phrase.HOLD_TO_GO_ON),
        say(language, Phrase.HOLD_TO_VOID),
    }
    assert all(len(line) <= 20 for turn in turns for line in turn)


def test_what_is_broken_is_named_once_the_table_has_got_over_being_away(impaired: Driver) -> None:
    impaired.interrupt()
    assert impaired.lines() == ("Table was off", "")
    impaired.wait(3 * S)
    assert impaired.lines() == ("Check: left", "Hold to go on")


@pytest.mark.parametrize("phase", Phase)
@pytest.mark.parametrize("columns", [20, 24, 40])
def test_no_line_is_longer_than_the_display(phase: Phase, columns: int) -> None:
    for language in LANGUAGES:
        driver = reach(phase, Settings(language=language))
        shown = driver.lines(columns)
        assert len(shown) == 2 and all(len(line) <= columns for line in shown)


# -- the calls


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_start_call_is_on_show_whole_when_the_round_starts(language: str) -> None:
    driver = reach(Phase.PLAY, Settings(language=language))
    call = say(language, Phrase.START)
    expected = (call, "1:12 2:12") if len(call) <= 20 else tuple(call.rsplit(" ", 1))
    assert driver.lines() == expected
    assert " ".join(expected).startswith(call)
    driver.wait(CALL_NS)
    assert driver.lines() == (say(language, Phrase.ROUND, n=1, of=6), "1:12 2:12")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_stop_call_is_on_show_whole_when_the_round_ends(language: str) -> None:
    driver = Driver(settings=Settings(language=language))
    driver.start_from(ONE_TO_GO)
    driver.play(1, Slot(RED, 6))
    driver.until_deadline(100 * MS)
    assert driver.lines() == (say(language, Phrase.STOP_DICE), "1:0 2:6")


# -- attract


# -- counting down, counting up


def test_the_countdown_counts(countdown: Driver) -> None:
    shown = []
    while countdown.phase() is Phase.COUNTDOWN:
        shown.append(countdown.lines()[1])
        countdown.wait(1 * S)
    assert shown == ["3", "2", "1"]


# -- verdicts while playing


def test_the_latest_verdict_is_the_headline(play: Driver) -> None:
    play.play(1, Slot(RED, 1))
    play.play(2, Slot(BLUE, 1))
    assert play.lines()[0] == "2 counts blue 1"


def test_the_headline_stands_for_a_while(play: Driver) -> None:
    play.play(1, Slot(RED, 1))
    latest = headline(play.news, play.now_ns)
    assert isinstance(latest, Judged)
    play.until(latest.decided_ns + CALL_NS)
    assert headline(play.news, play.now_ns) is None
    assert play.lines()[0] == "Round 1/6"


def test_a_win_stands_for_a_while_whatever_is_decided_meanwhile(play: Driver) -> None:
    play.slap_for(1, Slot(RED, 1))
    play.wait(3 * MS)
    play.press(2)
    play.wait(200 * MS)
    assert play.lines()[0] == "1 counts red 1"
    play.until(play.news.judged[1].decided_ns + WIN_NS)
    assert play.lines()[0] == "2 too late +3.0ms"


def test_a_win_stands_though_its_own_seat_slaps_again(play: Driver) -> None:
    play.play(1, Slot(RED, 1))
    play.wait(play.settings.second_slap_ns)
    play.tap(1)
    play.wait(300 * MS)
    assert play.verdicts == [(1, Verdict.ACCEPTED), (1, Verdict.FALSE_CLAIM)]
    assert play.now_ns < play.all_of(Judged)[0].decided_ns + WIN_NS
    assert play.lines()[0] == "1 counts red 1"


@pytest.mark.parametrize("verdict", [Verdict.LOCKED, Verdict.NOT_RUNNING])
def test_some_verdicts_are_no_news(play: Driver, verdict: Verdict) -> None:
    play.news.judged[2] = Judged(verdict, 2, play.stamp, play.now_ns)
    assert headline(play.news, play.now_ns) is None


@pytest.mark.parametrize(
    ("verdict", "slot", "margin_ns", "text"),
    [
        (Verdict.ACCEPTED, Slot(RED, 3), None, "2 counts red 3"),
        (Verdict.TOO_LATE, Slot(RED, 3), 3_100 * US, "2 too late +3.1ms"),
        (Verdict.ILLEGAL, Slot(BLUE, 6), None, "2 wrong place blue 6"),
        (Verdict.ILLEGAL, Slot(GREEN, 6), None, "2 wrong place"),  # would be too long
        (Verdict.FALSE_CLAIM, None, None, "2 false claim"),
        (Verdict.LOCKED, None, None, "2 locked"),
        (Verdict.NOT_RUNNING, None, None, "2 not running"),
        (Verdict.DEAD_HEAT_WON, Slot(RED, 3), None, "2 DEAD HEAT won"),
        (Verdict.DEAD_HEAT_LOST, Slot(RED, 3), -1, "2 DEAD HEAT lost"),
    ],
)
def test_a_verdict_says_who_and_what_and_if_there_is_room_where_or_by_how_much(
    verdict: Verdict, slot: Slot | None, margin_ns: int | None, text: str
) -> None:
    assert verdict_text("en", judged(verdict, slot, margin_ns), 20) == text


@given(
    st.sampled_from(LANGUAGES),
    st.sampled_from(Verdict),
    st.builds(Slot, st.sampled_from(Colour), st.integers(1, 6)),
    st.integers(0, 10 * S),
)
def test_every_verdict_fits_in_every_language(
    language: str, verdict: Verdict, slot: Slot, margin_ns: int
) -> None:
    text = verdict_text(language, judged(verdict, slot, margin_ns), 20)
    assert text.startswith("2 ") and len(text) <= 20


@pytest.mark.parametrize(
    ("margin_ns", "text"),
    [
        (0, "+0us"),
        (50 * US, "+50us"),
        (999_499, "+999us"),
        (999_500, "+1.0ms"),
        (1 * MS, "+1.0ms"),
        (3_149 * US, "+3.1ms"),
        (99_949 * US, "+99.9ms"),
        (99_950 * US, "+0.10s"),
        (100 * MS, "+0.10s"),
        (420 * MS, "+0.42s"),
    ],
)
def test_margins_are_for_people(margin_ns: int, text: str) -> None:
    assert margin_text(margin_ns) == text


# -- the leftover check


def test_a_dispute_page_by_page(driver: Driver) -> None:
    driver.end_round("r5y0g0b0 1/6,6/6,6/6,-")
    assert driver.lines() == ("Wrong? Hold button!", "1:0 2:6 3:6")
    driver.hold(3)
    assert driver.lines() == ("3: press per die", "0")
    driver.tap(3)
    driver.tap(3)
    assert driver.lines() == ("3: press per die", "2")
    driver.until_deadline()
    assert driver.lines() == ("Seat 3 holds 2?", "Others: press = yes")
    driver.tap(1, 2)
    assert driver.lines() == ("Wrong? Hold button!", "1:0 2:6 3:2")


# -- clearing


# -- what is broken


def mask(driver: Driver, source: Source) -> None:
    driver.mask(source)
    driver.wait(driver.known_after_ns)


def below(driver: Driver, turns: int) -> list[str]:
    """The second line of so many turns of the attract page."""
    first_ns = driver.now_ns // TURN_NS * TURN_NS
    shown = [page(driver.view, first_ns + turn * TURN_NS) for turn in range(turns)]
    assert {first for first, _ in shown} == {"Press to play"}
    return [second for _, second in shown]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_round_that_misses_something_says_what_to_look_at_and_how_to_go_on(language: str) -> None:
    go_on = say(language, Phrase.HOLD_TO_GO_ON)
    check = say(language, Phrase.CHECK, what="left")
    assert reach_impaired_pause(Settings(language=language)).lines() == (check, go_on)
    red_3, seat_2 = f"{say(language, RED)} 3", say(language, Phrase.SEAT, seat=2)
    for source, name in ((Slot(RED, 3), red_3), (Button(2), seat_2)):
        driver = reach(Phase.PLAY, Settings(language=language))
        mask(driver, source)
        assert driver.lines() == (say(language, Phrase.CHECK, what=name), go_on)


@pytest.mark.parametrize("language", LANGUAGES)
def test_whatever_may_be_masked_fits_in_a_line_in_every_spelling(language: str) -> None:
    driver = Driver(settings=Settings(language=language))
    sources: list[Source] = [*ALL_SLOTS, *map(Button, range(1, 5))]
    for source in sources:
        mask(driver, source)
    turns = [page(driver.view, turn * TURN_NS, 40)[1] for turn in range(1 + len(sources))]
    checks = {to_ascii(text) for text in turns if text}
    assert len(checks) == len(sources)
    assert all(len(text) <= 20 and text[-1].isdigit() for text in checks)


def test_a_long_name_is_cut(driver: Driver) -> None:
    driver.device("the expander under the left half", "lost")
    assert max(map(len, below(driver, 2))) == 20


def test_the_first_of_several_is_asked_about(impaired: Driver) -> None:
    mask(impaired, Slot(RED, 3))
    assert impaired.lines()[0] == "Check: left"
    impaired.device("left", "ok")
    assert impaired.lines()[0] == "Check: red 3"


def test_what_nothing_hangs_on_is_not_asked_about(idle: Driver) -> None:
    idle.device("leds", "lost", needed=False)
    mask(idle, Button(4))
    assert idle.lines() == ("Paused", "Hold to go on")
    idle.device("left", "lost")
    assert idle.lines() == ("Check: left", "Hold to go on")


def test_a_pause_of_the_operator_is_one_whatever_is_broken(impaired: Driver) -> None:
    impaired.command(Pause(impaired.exactly))
    assert impaired.lines() == ("Paused", "")


def test_an_idle_table_tells_what_is_broken_one_after_the_other(driver: Driver) -> None:
    driver.device("leds", "lost", needed=False)
    mask(driver, Slot(YELLOW, 6))
    mask(driver, Button(4))
    shown = below(driver, 8)
    assert set(shown) == {"", "Check: leds", "Check: yellow 6", "Check: seat 4"}
    assert shown[:4] == shown[4:]


def test_an_idle_table_still_tells_the_standings_and_the_winners() -> None:
    driver = reach(Phase.RESULT)
    driver.until_deadline()
    driver.device("leds", "lost", needed=False)
    assert set(below(driver, 3)) == {"1:+6 2:-6", "Winner: 1", "Check: leds"}
    driver.device("leds", "ok", needed=False)
    assert set(below(driver, 3)) == {"1:+6 2:-6", "Winner: 1"}


def test_a_board_that_seems_full_may_have_lost_its_sensors() -> None:
    driver = Driver(Table(rounds=2))
    driver.end_round()
    driver.tap(1, 2)
    driver.tap(1, 2)
    driver.device("left", "lost")
    assert driver.lines() == ("Take all dice off", "Check: left")
    driver.clear_board()
    assert driver.lines() == ("Deal, then press", "1:+6 2:-6")
