"""A reader gathers from every page, in every language, what the table wants."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.games.games import Table
from firmware_host.games.leftover_check import Settle
from firmware_host.games.phase_states import Paused
from firmware_host.games.phases import CheckStep
from firmware_host.lab.bots.page_reading import PageReader, PageReading, Wish
from firmware_host.model.effects import Judged, Verdict
from firmware_host.model.phrases import Phrase, say
from firmware_host.model.places import Colour, Slot
from firmware_host.model.settings import LANGUAGES, Settings
from firmware_host.model.states import Phase
from firmware_host.model.times import MS, exactly
from firmware_host.show.news import ShowState
from firmware_host.show.pages import page, verdict_text
from hw.scoreboard.charset import ASCII, respelled, to_ascii
from tests.games.deeds import Deed, perform, stories
from tests.games.driver import Driver, reach, reach_idle_pause

READERS = {language: PageReader(language, to_ascii) for language in LANGUAGES}

WISHES = {
    Phase.ATTRACT: Wish.SIT,
    Phase.JOIN: Wish.SIT,
    Phase.COUNTDOWN: Wish.WAIT,
    Phase.SCORES: Wish.SCORED,
    Phase.RESULT: Wish.WAIT,
}


def read(view: ShowState, now_ns: int) -> PageReading:
    """What a person reads on the display now."""
    language = view.session.settings.language
    return READERS[language].read(tuple(to_ascii(line).rstrip() for line in page(view, now_ns)))


def meant(view: ShowState, now_ns: int) -> PageReading:
    """What the table wants to say."""
    session = view.session
    seats = sorted(session.seated)
    if session.phase is Phase.PLAY:
        assert session.round is not None
        return PageReading(Wish.PLAY, counts=tuple(session.round.tally[seat - 1] for seat in seats))
    if isinstance(session.state, Settle):
        counts = tuple(session.state.counts[seat - 1] for seat in seats)
        seat = session.state.disputing or 0
        return {
            CheckStep.LATE: PageReading(Wish.STOP),
            CheckStep.ASK: PageReading(Wish.ASK, counts=counts),
            CheckStep.CHECK: PageReading(Wish.CHECK, counts=counts),
            CheckStep.ENTRY: PageReading(Wish.ENTER, seat=seat),
            CheckStep.CONFIRM: PageReading(Wish.CONFIRM, seat=seat),
        }[session.state.step]
    if session.phase is Phase.CLEAR:
        if session.occupied:
            return PageReading(Wish.TAKE_OFF)
        below = page(view, now_ns)[1]
        if "+" in below or "-" in below:  # it is the turn of the totals
            return PageReading(Wish.DEAL)
        assert session.match is not None
        counts = tuple(session.match.deal[seat - 1] for seat in seats)
        same = len(set(counts)) == 1
        return PageReading(Wish.DEAL, counts=counts[:1] if same else counts)
    if isinstance(session.state, Paused) and session.interrupted and not session.state.by_operator:
        # What lies otherwise than before, and what can be done about it, take turns.
        language, (first, below) = session.settings.language, page(view, now_ns)
        if below != say(language, Phrase.HOLD_TO_GO_ON):
            return PageReading(Wish.WAIT)
        return PageReading(Wish.RESUME if first == say(language, Phrase.WAS_OFF) else Wish.HOLD)
    if isinstance(session.state, Paused):
        broken = session.blocking is not None  # somebody goes and looks at it
        return PageReading(Wish.WAIT if session.state.by_operator or broken else Wish.HOLD)
    return PageReading(WISHES[session.phase])


def broken_call(view: ShowState, now_ns: int) -> bool:
    """Whether the start call takes both lines, so that there is no room for counts."""
    return " ".join(page(view, now_ns)) == say(view.session.settings.language, Phrase.START)


def understood(view: ShowState, now_ns: int) -> None:
    expected = meant(view, now_ns)
    if broken_call(view, now_ns):
        expected = expected._replace(counts=())
    assert read(view, now_ns) == expected


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("phase", Phase)
def test_every_phase_is_understood(phase: Phase, language: str) -> None:
    driver = reach(phase, Settings(language=language))
    understood(driver.view, driver.now_ns)


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_idle_pause_asks_to_hold(language: str) -> None:
    driver = reach_idle_pause(Settings(language=language))
    assert read(driver.view, driver.now_ns) == PageReading(Wish.HOLD)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_dispute_is_understood(language: str) -> None:
    driver = reach(Phase.SETTLE, Settings(language=language))
    driver.hold(2)
    assert read(driver.view, driver.now_ns) == PageReading(Wish.ENTER, seat=2)
    driver.tap(2)
    driver.until_deadline()
    assert read(driver.view, driver.now_ns) == PageReading(Wish.CONFIRM, seat=2)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_question_whose_die_it_is_and_a_wrong_sum_are_understood(language: str) -> None:
    driver = Driver(settings=Settings(language=language))
    driver.start_from("r5y0g0b0 1/6,6/6,-,-")
    driver.fill(Slot(Colour.RED, 6))
    driver.wait(100 * MS)
    driver.fill(Slot(Colour.BLUE, 1))
    driver.tap(1)
    driver.until_deadline()
    driver.until_deadline()
    assert read(driver.view, driver.now_ns) == PageReading(Wish.ASK, counts=(0, 6))
    driver.until_deadline()
    for _ in range(6):  # two texts take turns
        assert read(driver.view, driver.now_ns) == PageReading(Wish.CHECK, counts=(0, 6))
        driver.wait(700 * MS)


@given(st.sampled_from(LANGUAGES), stories)
def test_everything_that_can_be_on_the_scoreboard_is_understood(language: str, story: list[Deed]) -> None:
    driver = Driver(Table(rounds=2), Settings(language=language), watch=understood)
    for deed in story:
        perform(driver, deed)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("verdict", Verdict)
def test_under_a_verdict_the_round_goes_on(language: str, verdict: Verdict) -> None:
    judged = Judged(verdict, 4, exactly(0), 0, Slot(Colour.GREEN, 6), 420_000_000)
    first = to_ascii(verdict_text(language, judged, 20))
    assert READERS[language].read((first, "1:6 2:6 3:6 4:6")) == PageReading(Wish.PLAY, counts=(6,) * 4)


def test_counts_without_the_seats_numbers_are_counts_too() -> None:
    assert READERS["en"].read(("Wrong? Hold button!", "12 0 3 4")).counts == (12, 0, 3, 4)


def test_a_blank_display_says_nothing() -> None:
    assert READERS["en"].read(("", "")) == PageReading(Wish.WAIT)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("count", [1, 9, 10, 24])
def test_numbers_are_read_however_the_display_spells_the_words_around_them(language: str, count: int) -> None:
    """Where there is room, an umlaut takes two letters."""

    def spelled(text: str) -> str:
        return to_ascii(respelled(text, language, ASCII, 20))

    reader = PageReader(language, spelled)
    assert reader.read((spelled(say(language, Phrase.WHOSE, n=count)), "3 0")).wish is Wish.ASK
    holds = reader.read((spelled(say(language, Phrase.HOLDS, seat=2, n=count)), ""))
    assert holds == PageReading(Wish.CONFIRM, seat=2)
    dealt = reader.read((spelled(say(language, Phrase.DEAL)), spelled(say(language, Phrase.EACH, n=count))))
    assert dealt == PageReading(Wish.DEAL, counts=(count,))
