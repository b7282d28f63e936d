"""A table that was away: what lies otherwise, what paused or was broken already, and how people go on."""

from __future__ import annotations

import pytest

from firmware_host.model.effects import Refused
from firmware_host.model.events import Pause, Resume
from firmware_host.model.places import Button
from firmware_host.model.states import Phase
from firmware_host.model.times import MS, S
from tests.games.driver import Driver, reach
from tests.games.mishaps import NEEDED, R1, REPAIRS, happen
from tests.games.test_interrupted import B1, gone, in_play, until_back, without_red_1

# -- something lies otherwise


def test_nobody_needs_wait_for_the_table_to_be_sure() -> None:
    driver = in_play()
    driver.interrupt()
    driver.hold(1)
    assert driver.phase() is Phase.PLAY
    driver.wait(5 * S)
    assert driver.path[-2:] == ["PAUSED", "PLAY"]


@pytest.mark.parametrize("gap_ms", [0, 300, 900, 1500])
def test_who_lets_go_before_the_other_has_held_long_enough_leaves_it_to_the_other(gap_ms: int) -> None:
    """Two press, one lets go: it is no call for a void round, and whoever still holds wants to play."""
    driver = without_red_1()
    driver.press(1)
    driver.wait(100 * MS)
    driver.press(2)
    driver.wait(300 * MS)
    driver.release(2)
    driver.wait(gap_ms * MS)
    assert driver.phase() is (Phase.PLAY if gap_ms >= 900 else Phase.PAUSED)
    driver.wait(1500 * MS)
    assert driver.phase() is Phase.PLAY


def test_two_of_three_who_hold_wait_for_each_other() -> None:
    driver = Driver()
    driver.start(8, 8, 8)
    driver.play(1, R1)
    away = driver.interrupt()
    driver.late(gone(R1, away))
    driver.wait(1 * S)
    driver.press(1, 2)
    driver.wait(5 * S)
    assert driver.phase() is Phase.PAUSED
    driver.release(1)
    driver.wait(100 * MS)
    assert driver.phase() is Phase.PLAY


def test_somebody_who_does_not_play_is_not_asked() -> None:
    driver = without_red_1()
    driver.hold(4)
    assert driver.phase() is Phase.PAUSED
    driver.press(4)
    driver.wait(2 * S)
    driver.hold(1)
    assert driver.phase() is Phase.PLAY


def test_somebody_who_does_not_play_can_not_keep_all_others_from_a_void_round() -> None:
    driver = without_red_1()
    driver.press(4)
    driver.wait(2 * S)
    driver.hold(1, 2)
    assert driver.phase() is Phase.CLEAR


def test_a_button_that_is_not_listened_to_needs_not_be_held() -> None:
    driver = Driver()
    driver.start(8, 8, 8)
    driver.play(1, R1)
    driver.mask(Button(3), "stuck")
    driver.wait(300 * MS)
    assert driver.phase() is Phase.PAUSED
    away = driver.interrupt()
    driver.late(gone(R1, away))
    driver.wait(1 * S)
    driver.hold(1, 2)
    assert driver.phase() is Phase.CLEAR


def test_a_short_press_means_nothing() -> None:
    driver = without_red_1(0)
    driver.tap(1)
    driver.tap(1, 2)
    assert driver.phase() is Phase.PAUSED


def test_what_the_operator_says_counts() -> None:
    driver = without_red_1(5 * S)
    driver.command(Resume(driver.exactly))
    assert driver.phase() is Phase.PLAY
    assert not driver.session.interrupted


# -- pauses, and what is broken as well


def test_a_pause_of_the_operator_stays() -> None:
    driver = reach(Phase.PAUSED)
    state = driver.session.state
    away = driver.interrupt()
    assert driver.lines() == ("Paused", "")
    until_back(driver, away)
    driver.wait(10 * S)
    assert driver.session.state is state and not driver.session.interrupted
    driver.hold(1)
    driver.hold(1, 2)
    assert driver.session.state is state
    driver.command(Resume(driver.exactly))
    assert driver.phase() is Phase.PLAY


def test_a_hold_in_a_pause_of_the_operator_means_nothing_though_a_die_is_missing() -> None:
    driver = in_play()
    driver.command(Pause(driver.exactly))
    away = driver.interrupt()
    driver.late(gone(R1, away))
    driver.wait(1 * S)
    driver.hold(1)
    driver.hold(1, 2)
    driver.press(1)
    driver.wait(2 * S)
    driver.press(2)
    driver.wait(100 * MS)
    driver.release(2)
    driver.wait(1 * S)
    assert driver.phase() is Phase.PAUSED and driver.session.interrupted


def test_the_operator_may_pause_what_waits() -> None:
    driver = without_red_1()
    driver.command(Pause(driver.exactly))
    driver.fill(R1)
    driver.wait(10 * S)
    assert driver.phase() is Phase.PAUSED and not driver.session.interrupted
    assert any(isinstance(effect, Refused) for effect in driver.command(Pause(driver.exactly)))


def test_an_idle_pause_stays_one(idle: Driver) -> None:
    state, deadline_ns = idle.session.state, idle.session.state.deadline_ns
    away = idle.interrupt()
    until_back(idle, away)
    idle.wait(10 * S)
    assert idle.session.state is state and state.deadline_ns == deadline_ns
    assert idle.lines() == ("Paused", "Hold to go on")
    idle.hold(1)
    assert idle.phase() is Phase.PLAY


@pytest.mark.parametrize("what", NEEDED)
@pytest.mark.parametrize("first", ["it breaks", "the table goes off"])
def test_what_breaks_before_or_while_it_waits_has_to_be_back_as_well(
    play: Driver, first: str, what: str
) -> None:
    if first == "the table goes off":
        play.interrupt()
    happen(play, NEEDED[what])
    if first == "it breaks":
        play.interrupt()
    play.wait(10 * S)
    assert play.phase() is Phase.PAUSED and not play.session.interrupted
    happen(play, REPAIRS[what])
    assert play.phase() is Phase.COUNTDOWN


@pytest.mark.parametrize("what", NEEDED)
def test_what_is_back_before_the_board_is_as_it_was_does_not_let_the_round_go_on(what: str) -> None:
    driver = reach(Phase.PLAY)
    driver.play(1, B1)
    happen(driver, NEEDED[what])
    away = driver.interrupt()
    driver.late(gone(B1, away))
    driver.wait(3 * S)
    happen(driver, REPAIRS[what])
    driver.wait(3 * S)
    assert driver.phase() is Phase.PAUSED and driver.session.interrupted
    driver.fill(B1)
    driver.wait(300 * MS)
    assert driver.phase() is Phase.COUNTDOWN


def test_whoever_goes_on_all_the_same_accepts_what_is_broken_as_well(impaired: Driver) -> None:
    impaired.interrupt()
    impaired.hold(1)
    assert impaired.phase() is Phase.PLAY
    assert impaired.session.blocking is None and impaired.session.impaired


def test_what_was_accepted_before_is_accepted_still(impaired: Driver) -> None:
    impaired.hold(1)
    impaired.interrupt()
    impaired.wait(6 * S)
    assert impaired.phase() is Phase.PLAY
    assert impaired.session.impaired
