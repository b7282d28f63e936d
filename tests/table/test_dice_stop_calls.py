"""A player of dice stops the round by holding the own button: a stray slap has taken its last die."""

from __future__ import annotations

import pytest

from firmware_host.durations import MS
from firmware_host.effects import RoundFinished, Verdict
from firmware_host.places import Slot
from firmware_host.settings import Settings
from firmware_host.stamps import Stamp
from firmware_host.states import Phase, SlotState
from firmware_host.table.dice_round import NoneLeftCall
from tests.table.driver import BLUE, GREEN, ONE_TO_GO, RED, SLAP_NS, TAP_NS, Driver

R6 = Slot(RED, 6)


@pytest.fixture
def driver() -> Driver:
    """Seat 1 holds one die, and seat 2 six."""
    driver = Driver()
    driver.start_from(ONE_TO_GO)
    return driver


def rob(driver: Driver) -> Stamp:
    """Seat 2 slaps for the last die of seat 1 a moment before seat 1 does; the slap of seat 1."""
    driver.slap_for(2, R6, SLAP_NS)
    driver.wait(20 * MS)
    slap = driver.press(1)
    driver.wait(TAP_NS)
    driver.release(1, 2)
    driver.wait(driver.known_after_ns)
    assert driver.verdicts == [(2, Verdict.ACCEPTED), (1, Verdict.TOO_LATE)]
    return slap


def ends(driver: Driver) -> list[RoundFinished]:
    return driver.all_of(RoundFinished)


def test_it_ends_with_the_last_slap_if_that_was_a_moment_ago(driver: Driver) -> None:
    slap = rob(driver)
    driver.wait(driver.settings.claim_late_ns // 2)
    driver.hold(1)
    assert ends(driver) == [RoundFinished(1, slap)]


def test_it_ends_with_the_press_if_the_last_slap_was_long_ago(driver: Driver) -> None:
    rob(driver)
    driver.wait(driver.settings.claim_late_ns)
    press = driver.press(1)
    driver.wait(driver.settings.hold_ns + driver.known_after_ns)
    assert ends(driver) == [RoundFinished(1, press)]


def test_it_ends_with_the_die_that_the_last_slap_was_early_for(driver: Driver) -> None:
    driver.press(1)
    driver.wait(driver.settings.claim_early_ns // 2)
    placed = driver.fill(R6)
    driver.wait(SLAP_NS)
    driver.press(2)
    driver.wait(TAP_NS)
    driver.release(1, 2)
    driver.wait(500 * MS)
    assert driver.verdicts == [(2, Verdict.ACCEPTED), (1, Verdict.TOO_LATE)]
    driver.hold(1)
    assert ends(driver) == [RoundFinished(1, placed)]


def test_whoever_keeps_the_button_of_the_last_slap_down_has_called_with_it(driver: Driver) -> None:
    """A rival has that die, and another die is put down while the button is down."""
    driver.slap_for(2, R6, SLAP_NS)
    driver.wait(20 * MS)
    slap = driver.press(1)
    driver.wait(TAP_NS)
    driver.release(2)
    driver.wait(400 * MS)
    driver.fill(Slot(GREEN, 1))
    driver.wait(SLAP_NS)
    driver.tap(2)
    driver.wait(driver.settings.hold_ns)
    assert driver.verdicts == [(2, Verdict.ACCEPTED), (1, Verdict.TOO_LATE), (2, Verdict.NOT_RUNNING)]
    assert ends(driver) == [RoundFinished(1, slap)]
    assert driver.state(Slot(GREEN, 1)) is SlotState.ILLEGAL


def test_a_last_slap_that_was_early_and_is_kept_down_ends_the_round_with_its_die(driver: Driver) -> None:
    driver.wait(1 * MS)
    driver.press(1)
    driver.wait(driver.settings.claim_early_ns // 2)
    placed = driver.fill(R6)
    driver.wait(SLAP_NS)
    driver.tap(2)
    driver.wait(driver.settings.hold_ns)
    assert driver.verdicts == [(2, Verdict.ACCEPTED), (1, Verdict.TOO_LATE)]
    assert ends(driver) == [RoundFinished(1, placed)]


def test_a_last_slap_that_is_kept_down_has_its_die_at_once(driver: Driver) -> None:
    driver.fill(R6)
    driver.wait(SLAP_NS)
    slap = driver.press(1)
    driver.wait(driver.known_after_ns)
    assert ends(driver) == [RoundFinished(1, slap)]


def test_a_false_claim_that_is_kept_down_is_no_call(driver: Driver) -> None:
    driver.hold(1)
    assert driver.verdicts == [(1, Verdict.FALSE_CLAIM)]
    assert not ends(driver)


def test_what_was_placed_since_counts_for_nobody(driver: Driver) -> None:
    rob(driver)
    driver.wait(driver.settings.claim_early_ns + driver.settings.early_wait_ns)
    driver.play(2, Slot(GREEN, 1), Slot(GREEN, 2))
    assert driver.dice.position.left == (1, 3, 0, 0)
    driver.hold(1)
    assert driver.phase() is Phase.SETTLE
    for slot in (Slot(GREEN, 1), Slot(GREEN, 2)):
        assert driver.history(slot)[-1] == SlotState.ILLEGAL.word
    assert driver.state(R6) is SlotState.COUNTED
    assert str(driver.dice.position).split()[0] == "r6y0g0b0"
    assert driver.dice.position.left == (1, 5, 0, 0)
    assert driver.dice.owed_by[2] == 5


def test_what_was_placed_since_without_a_slap_counts_for_nobody_either() -> None:
    """Seat 1 is locked, so its press does not sign the die."""
    driver = Driver(settings=Settings(locks="strict"))
    driver.start_from(ONE_TO_GO)
    rob(driver)
    driver.wait(driver.settings.second_slap_ns)
    driver.tap(1)
    driver.wait(500 * MS)
    driver.fill(Slot(BLUE, 1))
    driver.wait(SLAP_NS)
    driver.hold(1)
    assert [verdict for _, verdict in driver.verdicts[2:]] == [Verdict.FALSE_CLAIM, Verdict.LOCKED]
    assert driver.history(Slot(BLUE, 1)) == [SlotState.OPEN.word, SlotState.ILLEGAL.word]
    assert str(driver.dice.position).split()[0] == "r6y0g0b0"


def test_a_call_that_can_not_be_true_ends_nothing(driver: Driver) -> None:
    rob(driver)
    driver.hold(2)
    assert not ends(driver) and driver.phase() is Phase.PLAY


def test_a_second_call_changes_nothing(driver: Driver) -> None:
    slap = rob(driver)
    driver.hold(1)
    driver.dice.say_none_left([NoneLeftCall(1, driver.stamp)], driver.now_ns)
    assert ends(driver) == [RoundFinished(1, slap)] and driver.dice.end is not None
    assert driver.dice.end.stamp == slap
