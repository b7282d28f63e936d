"""When the show looks different next: exactly then, and never in the past."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.model.places import Card, Pad, Slot
from firmware_host.model.states import Phase
from firmware_host.model.times import MS, S
from firmware_host.show.lamps import BEATS, TICK_NS, Lamp, frame
from firmware_host.show.pages import CALL_NS, TURN_NS, page
from firmware_host.show.picture import CUE_NS, START_FLASH_NS, STOP_FLASH_NS, lamps, next_beat_ns
from tests.games.card_driver import CardDriver
from tests.games.driver import ONE_TO_GO, RED, Driver, next_change, reach
from tests.show.cards import finish, lay, playing
from tests.show.test_lamps import lamps as any_lamp

TWELVE = "10,10,10,10,10,10,10,10,10,10,10,10 r1.12.12"


def check_takes_turns(driver: Driver) -> None:
    """Check that the page changes with the next turn, and that this is said before."""
    turn_ns = next_change(driver.view, driver.now_ns)
    assert turn_ns is not None and turn_ns % TURN_NS == 0
    assert 0 < turn_ns - driver.now_ns <= TURN_NS
    assert page(driver.view, turn_ns - 1) != page(driver.view, turn_ns)


@given(st.lists(any_lamp, max_size=6), st.integers(0, 10 * S))
def test_the_next_beat_is_exactly_when_the_frame_differs(burning: list[Lamp], now_ns: int) -> None:
    now = frame(burning, now_ns)
    ticks = range(now_ns // TICK_NS + 1, now_ns // TICK_NS + BEATS + 1)
    differing = [tick * TICK_NS for tick in ticks if frame(burning, tick * TICK_NS) != now]
    next_ns = next_beat_ns(frozenset(lamp.beat for lamp in burning), now_ns)
    assert next_ns == (differing[0] if differing else None)
    if next_ns is not None:
        assert frame(burning, next_ns - 1) == now


@pytest.mark.parametrize(
    "phase", [Phase.JOIN, Phase.PAUSED, Phase.SETTLE, Phase.SCORES, Phase.CLEAR, Phase.RESULT]
)
def test_most_phases_stand_still_until_something_happens(phase: Phase) -> None:
    driver = reach(phase)
    driver.wait(3 * S)
    assert next_change(driver.view, driver.now_ns) is None


def test_the_countdown_changes_with_each_number(countdown: Driver) -> None:
    begin_ns, count_ns = countdown.now_ns, countdown.settings.count_ns
    assert next_change(countdown.view, begin_ns) == begin_ns + count_ns
    assert next_change(countdown.view, begin_ns + count_ns - 1) == begin_ns + count_ns
    assert next_change(countdown.view, begin_ns + count_ns) == begin_ns + 2 * count_ns


def test_the_start_call_stands_for_a_while(play: Driver) -> None:
    flash_end_ns = play.now_ns + START_FLASH_NS
    assert next_change(play.view, play.now_ns) == flash_end_ns
    assert lamps(play.view, flash_end_ns - 1) != lamps(play.view, flash_end_ns)
    assert next_change(play.view, flash_end_ns) == play.now_ns + CALL_NS
    assert next_change(play.view, play.now_ns + CALL_NS) is None


def test_the_flash_of_the_stop_call_ends(driver: Driver) -> None:
    driver.start_from(ONE_TO_GO)
    driver.wait(CALL_NS)
    driver.play(1, Slot(RED, 6))
    flash_end_ns = driver.session.state.entered_ns + STOP_FLASH_NS
    assert next_change(driver.view, driver.now_ns) == flash_end_ns
    assert lamps(driver.view, flash_end_ns - 1) != lamps(driver.view, flash_end_ns)


def test_a_verdict_leaves_the_panel_first_and_then_the_scoreboard(play: Driver) -> None:
    play.wait(CALL_NS)
    play.play(1, Slot(RED, 1))
    decided_ns = play.news.judged[1].decided_ns
    panel_ns, board_ns = decided_ns + CUE_NS, decided_ns + CALL_NS
    assert next_change(play.view, play.now_ns) == panel_ns
    assert lamps(play.view, panel_ns - 1) != lamps(play.view, panel_ns)
    assert next_change(play.view, panel_ns) == board_ns
    assert page(play.view, board_ns - 1) != page(play.view, board_ns)
    assert next_change(play.view, board_ns) is None


def test_the_last_standings_roll_by() -> None:
    driver = reach(Phase.RESULT)
    driver.until_deadline()
    check_takes_turns(driver)


def test_what_is_broken_rolls_by() -> None:
    driver = reach(Phase.ATTRACT)
    driver.device("leds", "lost", needed=False)
    check_takes_turns(driver)
    driver.device("leds", "ok", needed=False)
    assert next_change(driver.view, driver.now_ns) is None


def test_a_round_that_misses_something_stands_still(impaired: Driver) -> None:
    impaired.wait(CALL_NS)
    assert next_change(impaired.view, impaired.now_ns) is None


def test_a_refusal_leaves_the_panel_first_and_then_the_scoreboard(cards: CardDriver) -> None:
    finish(cards)
    lay(cards, Pad(2), Card(1, RED, 9))
    refused_ns = cards.now_ns
    panel_ns, board_ns = refused_ns + CUE_NS, refused_ns + CALL_NS
    assert next_change(cards.view, refused_ns) == panel_ns
    assert lamps(cards.view, panel_ns - 1) != lamps(cards.view, panel_ns)
    assert next_change(cards.view, panel_ns) == board_ns
    turn_ns = next_change(cards.view, board_ns)
    assert turn_ns is not None and turn_ns % TURN_NS == 0  # what to do about a wrong count takes its turn


@pytest.mark.parametrize("seats", [3, 12])
def test_between_changes_a_table_of_cards_looks_the_same(seats: int) -> None:
    driver = playing(",".join(["10"] * seats) + " r1.2 - b3.3.1", seats)
    lay(driver, Pad(2), Card(1, RED, 3))
    driver.play_card(Card(1, RED, 3))
    now_ns, end_ns = driver.now_ns, driver.now_ns + 5 * S
    while now_ns < end_ns:
        next_ns = next_change(driver.view, now_ns) or end_ns
        shown = page(driver.view, now_ns), lamps(driver.view, now_ns)
        for t_ns in range(now_ns, next_ns, 100 * MS):
            assert (page(driver.view, t_ns), lamps(driver.view, t_ns)) == shown
        now_ns = next_ns
