"""When the show looks different next: exactly then, and never in the past."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.durations import S
from firmware_host.places import Slot
from firmware_host.show.changes import next_beat_ns, next_change_ns
from firmware_host.show.lamps import BEATS, TICK_NS, Lamp, frame
from firmware_host.show.pages import CALL_NS, TURN_NS, page
from firmware_host.show.picture import CUE_NS, lamps
from firmware_host.table.phases import Phase
from tests.show.test_lamps import lamps as any_lamp
from tests.table.driver import RED, reach, reach_impaired_pause


@given(st.lists(any_lamp, max_size=6), st.integers(0, 10 * S))
def test_the_next_beat_is_exactly_when_the_frame_differs(burning: list[Lamp], now_ns: int) -> None:
    now = frame(burning, now_ns)
    ticks = range(now_ns // TICK_NS + 1, now_ns // TICK_NS + BEATS + 1)
    differing = [tick * TICK_NS for tick in ticks if frame(burning, tick * TICK_NS) != now]
    next_ns = next_beat_ns(burning, now_ns)
    assert next_ns == (differing[0] if differing else None)
    if next_ns is not None:
        assert frame(burning, next_ns - 1) == now


@pytest.mark.parametrize(
    "phase", [Phase.JOIN, Phase.PAUSED, Phase.SETTLE, Phase.SCORES, Phase.CLEAR, Phase.RESULT]
)
def test_most_phases_stand_still_until_something_happens(phase: Phase) -> None:
    driver = reach(phase)
    driver.wait(3 * S)
    assert next_change_ns(driver.session, driver.now_ns) is None


def test_the_countdown_changes_with_each_number() -> None:
    driver = reach(Phase.COUNTDOWN)
    begin_ns, count_ns = driver.now_ns, driver.settings.count_ns
    assert next_change_ns(driver.session, begin_ns) == begin_ns + count_ns
    assert next_change_ns(driver.session, begin_ns + count_ns - 1) == begin_ns + count_ns
    assert next_change_ns(driver.session, begin_ns + count_ns) == begin_ns + 2 * count_ns


def test_the_start_call_stands_for_a_while() -> None:
    driver = reach(Phase.PLAY)
    assert next_change_ns(driver.session, driver.now_ns) == driver.now_ns + CALL_NS
    assert next_change_ns(driver.session, driver.now_ns + CALL_NS) is None


def test_a_verdict_leaves_the_panel_first_and_then_the_scoreboard() -> None:
    driver = reach(Phase.PLAY)
    driver.wait(CALL_NS)
    driver.play(1, Slot(RED, 1))
    decided_ns = driver.session.judged[1].decided_ns
    panel_ns, board_ns = decided_ns + CUE_NS, decided_ns + CALL_NS
    assert next_change_ns(driver.session, driver.now_ns) == panel_ns
    assert lamps(driver.session, panel_ns - 1) != lamps(driver.session, panel_ns)
    assert next_change_ns(driver.session, panel_ns) == board_ns
    assert page(driver.session, board_ns - 1) != page(driver.session, board_ns)
    assert next_change_ns(driver.session, board_ns) is None


def test_the_last_standings_roll_by() -> None:
    driver = reach(Phase.RESULT)
    driver.until_deadline()
    turn_ns = next_change_ns(driver.session, driver.now_ns)
    assert turn_ns is not None and turn_ns % TURN_NS == 0
    assert 0 < turn_ns - driver.now_ns <= TURN_NS
    assert page(driver.session, turn_ns - 1) != page(driver.session, turn_ns)


def test_without_standings_nothing_rolls() -> None:
    driver = reach(Phase.ATTRACT)
    assert next_change_ns(driver.session, driver.now_ns) is None


def test_what_is_broken_rolls_by() -> None:
    driver = reach(Phase.ATTRACT)
    driver.device("leds", "lost", needed=False)
    turn_ns = next_change_ns(driver.session, driver.now_ns)
    assert turn_ns is not None and turn_ns % TURN_NS == 0
    assert 0 < turn_ns - driver.now_ns <= TURN_NS
    assert page(driver.session, turn_ns - 1) != page(driver.session, turn_ns)
    driver.device("leds", "ok", needed=False)
    assert next_change_ns(driver.session, driver.now_ns) is None


def test_a_round_that_misses_something_stands_still() -> None:
    driver = reach_impaired_pause()
    driver.wait(CALL_NS)
    assert next_change_ns(driver.session, driver.now_ns) is None
