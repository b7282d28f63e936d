"""After the last claim: late stamps, and the check of the leftover dice."""

from __future__ import annotations

import pytest

from firmware_host.games.dice.dice_phases import DiceSettle
from firmware_host.games.phases import CheckStep
from firmware_host.games.round import LOCK_SCALES
from firmware_host.model.effects import Corrected, Refused, RoundStarted, RoundVoided, SlotChanged, Verdict
from firmware_host.model.events import SetLeftover
from firmware_host.model.places import Slot
from firmware_host.model.settings import Settings
from firmware_host.model.states import Phase, SlotState, VoidReason
from firmware_host.model.times import MS, S
from tests.games.driver import BLUE, MOMENT_NS, RED, SLAP_NS, YELLOW, Driver

WORKED_EXAMPLE = "r5y4g4b2 1/6,3/6,1/6,4/6"
"""Seat 1 holds one die; when it is placed, the others are left with 3, 1 and 4."""

R6 = Slot(RED, 6)


@pytest.fixture
def ended(driver: Driver) -> Driver:
    """The worked example, just ended by seat 1."""
    driver.start_from(WORKED_EXAMPLE)
    driver.play(1, R6)
    assert settle(driver).step is CheckStep.LATE
    return driver


@pytest.fixture
def check(ended: Driver) -> Driver:
    """The same, with the counts on show."""
    ended.until_deadline()
    assert settle(ended).step is CheckStep.CHECK
    return ended


def settle(driver: Driver) -> DiceSettle:
    assert isinstance(driver.session.state, DiceSettle), driver.phase()
    return driver.session.state


def agree(driver: Driver) -> None:
    """Nobody says anything until the counts are final."""
    while driver.phase() is Phase.SETTLE:
        driver.until_deadline()


def enter(driver: Driver, seat: int, dice: int) -> None:
    """A seat disputes: it holds its button, presses once for each die, and waits."""
    driver.hold(seat)
    for _ in range(dice):
        driver.tap(seat)
    driver.until_deadline()


# -- late stamps


def test_however_short_the_stop_call_every_slap_from_before_the_end_is_judged_first() -> None:
    driver = Driver(settings=Settings(stop_ns=0))
    driver.start_from(WORKED_EXAMPLE)
    driver.fill(R6)
    overlap_ns = 2 * driver.settings.stamp_uncertainty_ns
    driver.wait(driver.settings.claim_late_ns + overlap_ns)  # the last moment to claim it
    driver.press(1)
    driver.wait(overlap_ns)  # may still be before the end, but is too late to have lost anything
    driver.press(2)
    driver.wait(200 * MS)
    assert settle(driver).step is CheckStep.LATE
    driver.until_deadline()
    assert settle(driver).step is CheckStep.CHECK
    assert driver.verdicts == [(1, Verdict.ACCEPTED), (2, Verdict.FALSE_CLAIM)]


def test_a_die_that_nobody_signs_for_a_while_after_the_end_belongs_to_nobody(driver: Driver) -> None:
    driver.start_from(WORKED_EXAMPLE)
    driver.fill(Slot(BLUE, 3))
    driver.wait(1 * MS)
    driver.fill(R6)
    driver.wait(SLAP_NS)
    driver.tap(3)  # claims the older one and is done
    driver.until_deadline()
    assert settle(driver).caller == 3
    driver.wait(4 * S)  # longer than it might have been claimed
    assert [change.state for change in driver.all_of(SlotChanged) if change.slot == R6] == [
        SlotState.OPEN,
        SlotState.LAPSED,
    ]


# -- everybody agrees


def test_pressing_twice_is_not_agreeing_for_two(check: Driver) -> None:
    for _ in range(4):
        check.tap(1)
    assert check.phase() is Phase.SETTLE


def test_a_passer_by_agrees_to_nothing() -> None:
    driver = Driver()
    driver.end_round("r5y0g0b0 1/6,6/6,-,-")
    driver.tap(1, 3)
    driver.hold(4)
    assert settle(driver).step is CheckStep.CHECK


# -- a seat holds another number


def test_entering_what_the_table_says_anyway_changes_nothing(check: Driver) -> None:
    enter(check, 4, 4)
    check.tap(1, 2, 3)
    assert settle(check).counts == [0, 3, 1, 4]
    assert check.all_of(Corrected) == []
    assert settle(check).step is CheckStep.CHECK


def test_nobody_else_can_end_the_entry(check: Driver) -> None:
    check.hold(4)
    check.hold(3)
    assert (settle(check).step, settle(check).disputing) == (CheckStep.ENTRY, 4)


def test_the_press_that_disputes_is_none_for_a_die(check: Driver) -> None:
    check.wait(MOMENT_NS)
    check.press(4)
    check.wait(check.settings.hold_ns + check.known_after_ns)
    check.release(4)
    check.wait(check.known_after_ns)
    assert (settle(check).step, settle(check).entered) == (CheckStep.ENTRY, 0)


def test_only_the_disputing_seat_enters(check: Driver) -> None:
    check.hold(4)
    check.tap(1, 2, 3)
    assert (settle(check).step, settle(check).entered) == (CheckStep.ENTRY, 0)


def test_each_press_gives_more_time_to_enter(check: Driver) -> None:
    check.hold(4)
    for _ in range(3):
        check.wait(check.settings.entry_ns - 1 * S)
        check.tap(4)
    assert (settle(check).step, settle(check).entered) == (CheckStep.ENTRY, 3)


def test_all_seats_may_dispute_one_after_the_other(check: Driver) -> None:
    for seat in (4, 3, 2, 1):
        check.hold(seat)
        assert (settle(check).step, settle(check).disputing) == (CheckStep.ENTRY, seat)
        check.until_deadline()
        assert settle(check).step is CheckStep.CHECK


def test_a_dispute_takes_back_what_was_agreed(check: Driver) -> None:
    check.tap(1, 2, 3)
    enter(check, 3, 0)
    check.tap(4)
    assert check.phase() is Phase.SETTLE


def test_a_press_that_began_in_time_may_still_become_a_dispute(check: Driver) -> None:
    check.wait(check.settings.leftover_ns - 200 * MS)
    check.hold(4)
    assert (settle(check).step, settle(check).disputing) == (CheckStep.ENTRY, 4)


def test_presses_are_waited_for_only_once(check: Driver) -> None:
    check.wait(check.settings.leftover_ns - 100 * MS)
    check.press(1)
    check.until_deadline()
    assert settle(check).step is CheckStep.CHECK
    check.release(1)
    check.until_deadline(100 * MS)
    check.press(2)
    check.wait(100 * MS)
    assert check.phase() is Phase.SCORES


# -- the operator's word


def test_the_operators_word_ends_a_dispute(check: Driver) -> None:
    check.hold(4)
    check.command(SetLeftover(4, 5, check.exactly))
    assert (settle(check).step, settle(check).disputing) == (CheckStep.CHECK, 0)


@pytest.mark.parametrize(("seat", "count"), [(0, 1), (5, 1), (2, 7)])
def test_a_count_that_cannot_be_is_refused(check: Driver, seat: int, count: int) -> None:
    (refused,) = check.command(SetLeftover(seat, count, check.exactly))
    assert isinstance(refused, Refused)
    assert f"seat {seat} can't hold {count}" in refused.reason
    assert settle(check).counts == [0, 3, 1, 4]


# -- the finisher holds dice after all


def test_the_new_finisher_may_hold_dice_too(check: Driver) -> None:
    for seat, count in ((3, 0), (1, 1), (3, 1)):
        check.command(SetLeftover(seat, count, check.exactly))
    agree(check)
    check.count_down()
    assert check.last(RoundStarted).hands == (1, 3, 1, 4)


def test_the_round_is_void_if_nothing_tells_which_of_several_without_dice_has_finished(check: Driver) -> None:
    """None of them has signed a last die."""
    for seat, count in ((2, 0), (3, 0), (1, 4)):
        check.command(SetLeftover(seat, count, check.exactly))
    check.until_deadline()
    assert check.last(RoundVoided).reason is VoidReason.UNSETTLED


def test_an_operator_who_interrupts_a_dispute_leaves_the_seat_its_right(check: Driver) -> None:
    check.hold(2)
    check.command(SetLeftover(3, 2, check.exactly))
    assert settle(check).step is CheckStep.CHECK
    check.hold(2)
    assert (settle(check).step, settle(check).disputing) == (CheckStep.ENTRY, 2)


# -- dice without an owner


def unowned(*slots: Slot) -> Driver:
    """The worked example, ended by seat 1 while these dice lie there without an owner."""
    driver = Driver()
    driver.start_from(WORKED_EXAMPLE)
    driver.fill(R6)
    driver.wait(SLAP_NS)
    for slot in slots:
        driver.fill(slot)
    driver.tap(1)
    return driver


ONE, TWO = (Slot(BLUE, 3),), (Slot(BLUE, 3), Slot(YELLOW, 5))


def asking(*slots: Slot) -> Driver:
    """The same, with the question whose dice they are."""
    driver = unowned(*slots)
    while settle(driver).step is CheckStep.LATE:
        driver.until_deadline()
    assert settle(driver).step is CheckStep.ASK
    return driver


def test_who_has_none_left_and_who_does_not_play_takes_no_die() -> None:
    driver = asking(*ONE)
    driver.tap(1)
    driver.hold(2)
    assert settle(driver).step is CheckStep.ASK
    assert settle(driver).counts == [0, 3, 1, 4]
    two = Driver()
    two.start_from("r5y0g0b0 1/6,6/6,-,-")
    two.fill(R6)
    two.fill(Slot(BLUE, 1))
    two.wait(SLAP_NS)
    two.tap(1)
    two.until_deadline()
    two.until_deadline()
    assert settle(two).step is CheckStep.ASK
    two.tap(3, 4)
    assert settle(two).step is CheckStep.ASK


# -- who has finished


@pytest.mark.parametrize("locks", LOCK_SCALES)
def test_a_refuted_caller_is_locked_from_the_start_call_on(locks: str) -> None:
    """There is no warning, however mild the locks for false claims are."""
    driver = Driver(settings=Settings(locks=locks))
    driver.start_from(WORKED_EXAMPLE)
    driver.play(1, R6)
    driver.until_deadline()
    driver.command(SetLeftover(1, 1, driver.exactly))
    agree(driver)
    driver.count_down()
    driver.fill(Slot(YELLOW, 5))
    driver.tap(1)
    assert driver.verdicts[-1] == (1, Verdict.LOCKED)
    driver.tap(2)
    assert driver.verdicts[-1] == (2, Verdict.ACCEPTED)
