"""Countdown, play and pause: the clock of a round, and what counts by it."""

from __future__ import annotations

import pytest

from firmware_host.games.phase_states import Countdown
from firmware_host.model.effects import Judged, RoundFinished, RoundStarted, Verdict
from firmware_host.model.events import Pause, Resume, VoidRound
from firmware_host.model.places import Slot
from firmware_host.model.states import Phase, SlotState
from firmware_host.model.times import MS, S, exactly
from tests.games.driver import GREEN, MOMENT_NS, RED, YELLOW, Driver, reach

TWO_ROWS = "r5y4g0b0 1/6,2/6,-,-"
"""Seat 1 holds one die and seat 2 two; red 6 and yellow 5 are free."""


def left(driver: Driver) -> tuple[int, ...]:
    return driver.dice.position.left


# -- three, two, one


def test_the_countdown_shows_three_two_one(countdown: Driver) -> None:
    state = countdown.session.state
    assert isinstance(state, Countdown)
    begin_ns, count_ns = state.entered_ns, countdown.settings.count_ns
    shown = [state.number(begin_ns + step * count_ns // 2) for step in range(6)]
    assert shown == [3, 3, 2, 2, 1, 1]
    assert state.number(begin_ns + 3 * count_ns) == 1


@pytest.mark.parametrize(("phase", "wait_ns"), [(Phase.COUNTDOWN, 2900 * MS), (Phase.PAUSED, 1 * MS)])
def test_slaps_and_dice_while_no_round_runs_count_for_nothing(phase: Phase, wait_ns: int) -> None:
    driver = reach(phase)
    driver.wait(wait_ns)
    driver.fill(Slot(RED, 1))
    driver.tap(1)
    driver.wait(1 * S)
    assert driver.verdicts == [(1, Verdict.NOT_RUNNING)]
    assert driver.state(Slot(RED, 1)) is SlotState.ILLEGAL


def test_a_die_at_the_very_moment_of_the_start_call_counts(countdown: Driver) -> None:
    countdown.wait(3 * S - countdown.settings.stamp_uncertainty_ns)
    countdown.fill(Slot(RED, 1))
    countdown.tap(1)
    countdown.wait(1 * S)
    assert countdown.state(Slot(RED, 1)) is SlotState.COUNTED


# -- pause


def test_the_operator_may_end_an_idle_pause_too(idle: Driver) -> None:
    idle.command(Resume(idle.exactly))
    assert idle.phase() is Phase.PLAY


def test_a_passer_by_does_not(idle: Driver) -> None:
    idle.hold(4)
    idle.tap(1, 2)
    assert idle.phase() is Phase.PAUSED


def test_a_die_stamped_before_the_pause_counts_though_it_is_known_after_it(play: Driver) -> None:
    play.fill(Slot(RED, 1))
    play.wait(1 * MS)
    play.command(Pause(play.exactly))
    play.wait(1 * S)
    assert play.state(Slot(RED, 1)) is SlotState.OPEN


def test_a_pause_counts_from_its_own_stamp(driver: Driver) -> None:
    driver.start(12, 12)
    driver.fill(Slot(RED, 1))
    driver.wait(100 * MS)
    pause = exactly(driver.now_ns)
    driver.wait(5 * MS)
    driver.press(1)
    driver.command(Pause(pause))
    driver.wait(1 * S)
    assert driver.verdicts == [(1, Verdict.NOT_RUNNING)]


def test_a_die_can_be_signed_after_the_end_even_if_there_was_a_pause_meanwhile(driver: Driver) -> None:
    driver.start_from(TWO_ROWS)
    driver.fill(Slot(RED, 6))
    driver.slap_for(1, Slot(YELLOW, 5), 200 * MS)
    driver.wait(5 * MS)
    driver.press(2)
    driver.wait(2 * MS)
    driver.command(Pause(driver.exactly))
    driver.wait(2 * MS)
    driver.command(Resume(driver.exactly))
    driver.wait(500 * MS)
    assert driver.verdicts == [(1, Verdict.ACCEPTED), (2, Verdict.ACCEPTED)]
    assert driver.last(RoundFinished).seat == 1


# -- stuck


def test_one_after_the_other_is_not_together(play: Driver) -> None:
    play.hold(1)
    play.hold(2)
    play.hold(1, 3)
    assert play.phase() is Phase.PLAY


def test_a_button_that_ended_the_pause_does_not_help_to_void_the_round(idle: Driver) -> None:
    idle.wait(MOMENT_NS)
    idle.press(1)
    idle.wait(3 * S)
    assert idle.phase() is Phase.PLAY
    idle.hold(2)
    assert idle.phase() is Phase.PLAY


# -- void


@pytest.mark.parametrize("phase", [Phase.COUNTDOWN, Phase.PLAY, Phase.PAUSED, Phase.SETTLE])
def test_a_void_round_is_played_again(phase: Phase) -> None:
    driver = reach(phase)
    before = driver.session.match
    driver.command(VoidRound(driver.exactly))
    assert driver.phase() is Phase.CLEAR
    assert driver.session.match == before
    driver.clear_board()
    driver.tap(1, 2)
    driver.count_down()
    assert before is not None and left(driver) == before.deal
    assert driver.last(RoundStarted).number == before.round_number


def test_a_void_round_takes_its_open_slaps_with_it(play: Driver) -> None:
    play.fill(Slot(GREEN, 1))
    play.press(1)
    play.wait(1 * MS)
    play.command(VoidRound(play.exactly))
    play.wait(1 * S)
    assert play.all_of(Judged) == []


def test_an_operator_can_take_over_an_idle_pause(idle: Driver) -> None:
    idle.command(Pause(idle.exactly))
    idle.hold(1)
    assert idle.phase() is Phase.PAUSED
    idle.command(Resume(idle.exactly))
    assert idle.phase() is Phase.PLAY
