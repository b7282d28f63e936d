"""What lies otherwise since the table was away, and how people go on."""

from __future__ import annotations

import pytest

from firmware_host.durations import MS, S
from firmware_host.effects import Verdict
from firmware_host.events import Resume
from firmware_host.places import Button
from firmware_host.show.pages import page
from firmware_host.states import Phase, SlotState
from tests.table.driver import Driver
from tests.table.mishaps import R1, R2
from tests.table.test_interrupted import B1, come, gone, in_play, without_red_1

# -- something lies otherwise


def test_a_die_that_is_missing_has_to_be_put_back() -> None:
    driver = without_red_1(30 * S)
    assert driver.phase() is Phase.PAUSED
    assert driver.dice.misplaced == (R1,)
    driver.fill(R1)
    driver.wait(driver.known_after_ns + driver.settings.settle_ns)
    assert driver.phase() is Phase.COUNTDOWN
    driver.count_down()
    assert driver.state(R1) is SlotState.COUNTED
    assert driver.verdicts == [(1, Verdict.ACCEPTED)]


def test_a_die_that_was_added_has_to_go() -> None:
    driver = in_play()
    away = driver.interrupt()
    driver.late(come(R2, away))
    driver.wait(30 * S)
    assert driver.phase() is Phase.PAUSED
    assert driver.state(R2) is SlotState.ILLEGAL
    driver.empty(R2)
    driver.wait(4 * S)
    assert driver.phase() is Phase.PLAY
    driver.play(2, R2)
    assert driver.verdicts[-1] == (2, Verdict.ACCEPTED)


def test_every_place_that_looks_otherwise_is_named_in_turn_and_what_can_be_done() -> None:
    driver = in_play()
    away = driver.interrupt()
    driver.late(gone(R1, away))
    driver.late(come(B1, away))
    driver.wait(300 * MS)
    heard = [page(driver.view, driver.now_ns + turn * 3 * S) for turn in range(4)]
    assert {above for above, _ in heard} == {"Table was off"}
    assert {below for _, below in heard} == {
        "Check: red 1",
        "Check: blue 1",
        "Hold to go on",
        "Void: all hold",
    }


def test_whoever_holds_a_button_goes_on_all_the_same() -> None:
    driver = without_red_1()
    driver.hold(2)
    assert driver.phase() is Phase.PLAY
    assert not driver.session.interrupted and not driver.session.impaired
    driver.fill(R1)
    driver.wait(300 * MS)
    assert driver.state(R1) is SlotState.COUNTED


def test_nobody_needs_wait_for_the_table_to_be_sure() -> None:
    driver = in_play()
    driver.interrupt()
    driver.hold(1)
    assert driver.phase() is Phase.PLAY
    driver.wait(5 * S)
    assert driver.path[-2:] == ["PAUSED", "PLAY"]


def test_all_who_hold_together_make_the_round_void() -> None:
    driver = without_red_1()
    driver.hold(1, 2)
    assert driver.phase() is Phase.CLEAR
    assert driver.session.match is not None and driver.session.match.round_number == 1
    assert not driver.session.troubles.all


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
