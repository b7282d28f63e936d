"""A table that was away while it paused, or at which something is broken as well."""

from __future__ import annotations

import pytest

from firmware_host.durations import MS, S
from firmware_host.effects import Refused
from firmware_host.events import Pause, Resume
from firmware_host.states import Phase
from tests.table.driver import reach, reach_idle_pause, reach_impaired_pause
from tests.table.mishaps import NEEDED, R1, REPAIRS, happen
from tests.table.test_interrupted import B1, gone, in_play, until_back, without_red_1

# -- pauses, and devices that fail at the same time


def test_a_pause_of_the_operator_stays() -> None:
    driver = reach(Phase.PAUSED)
    room = driver.session.room
    away = driver.interrupt()
    assert driver.lines() == ("Paused", "")
    until_back(driver, away)
    driver.wait(10 * S)
    assert driver.session.room is room and not driver.session.interrupted
    driver.hold(1)
    driver.hold(1, 2)
    assert driver.session.room is room
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


def test_an_idle_pause_stays_one() -> None:
    driver = reach_idle_pause()
    room, deadline_ns = driver.session.room, driver.session.room.deadline_ns
    away = driver.interrupt()
    until_back(driver, away)
    driver.wait(10 * S)
    assert driver.session.room is room and room.deadline_ns == deadline_ns
    assert driver.lines() == ("Paused", "Hold to go on")
    driver.hold(1)
    assert driver.phase() is Phase.PLAY


@pytest.mark.parametrize("what", NEEDED)
def test_what_was_broken_before_has_to_be_back_as_well(what: str) -> None:
    driver = reach(Phase.PLAY)
    happen(driver, NEEDED[what])
    driver.interrupt()
    driver.wait(10 * S)
    assert driver.phase() is Phase.PAUSED and not driver.session.interrupted
    happen(driver, REPAIRS[what])
    assert driver.phase() is Phase.COUNTDOWN


@pytest.mark.parametrize("what", NEEDED)
def test_what_breaks_while_it_waits_has_to_be_back_as_well(what: str) -> None:
    driver = reach(Phase.PLAY)
    driver.interrupt()
    happen(driver, NEEDED[what])
    driver.wait(10 * S)
    assert driver.phase() is Phase.PAUSED and not driver.session.interrupted
    happen(driver, REPAIRS[what])
    assert driver.phase() is Phase.COUNTDOWN


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


def test_whoever_goes_on_all_the_same_accepts_what_is_broken_as_well() -> None:
    driver = reach_impaired_pause()
    driver.interrupt()
    driver.hold(1)
    assert driver.phase() is Phase.PLAY
    assert driver.session.blocking is None and driver.session.impaired


def test_what_was_accepted_before_is_accepted_still() -> None:
    driver = reach_impaired_pause()
    driver.hold(1)
    driver.interrupt()
    driver.wait(6 * S)
    assert driver.phase() is Phase.PLAY
    assert driver.session.impaired
