"""After the last claim: late stamps, and the check of the leftover dice."""

from __future__ import annotations

import pytest

from firmware_host.arbiter.locks import LOCK_SCALES
from firmware_host.durations import MS, S
from firmware_host.effects import (
    Corrected,
    Refused,
    RoundScored,
    RoundStarted,
    RoundVoided,
    SlotChanged,
    Verdict,
)
from firmware_host.events import SetLeftover
from firmware_host.places import Slot
from firmware_host.settings import Settings
from firmware_host.states import Corrector, Phase, SlotState, VoidReason
from firmware_host.table.dice_leftovers import DiceSettle
from firmware_host.table.phases import CheckStep
from tests.table.driver import BLUE, GREEN, MOMENT_NS, RED, SLAP_NS, YELLOW, Driver

WORKED_EXAMPLE = "r5y4g4b2 1/6,3/6,1/6,4/6"
"""Seat 1 holds one die; when it is placed, the others are left with 3, 1 and 4."""

R6 = Slot(RED, 6)


@pytest.fixture
def ended(driver: Driver) -> Driver:
    """The worked example, just ended by seat 1."""
    driver.start_from(WORKED_EXAMPLE)
    driver.play(1, R6)
    assert room(driver).step is CheckStep.LATE
    return driver


@pytest.fixture
def check(ended: Driver) -> Driver:
    """The same, with the counts on show."""
    ended.until_deadline()
    assert room(ended).step is CheckStep.CHECK
    return ended


def room(driver: Driver) -> DiceSettle:
    assert isinstance(driver.session.room, DiceSettle), driver.phase()
    return driver.session.room


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


def test_the_stop_call_stands_for_a_while(ended: Driver) -> None:
    check_ns = room(ended).end.stamp.latest_ns + ended.settings.stop_ns
    ended.until(check_ns - 1)
    assert room(ended).step is CheckStep.LATE
    ended.until(check_ns)
    assert room(ended).step is CheckStep.CHECK


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
    assert room(driver).step is CheckStep.LATE
    driver.until_deadline()
    assert room(driver).step is CheckStep.CHECK
    assert driver.verdicts == [(1, Verdict.ACCEPTED), (2, Verdict.FALSE_CLAIM)]


def test_a_claim_from_before_the_end_still_lowers_a_count(driver: Driver) -> None:
    driver.start_from(WORKED_EXAMPLE)
    driver.fill(R6)
    end = driver.slap_for(1, Slot(YELLOW, 5))
    driver.wait(driver.settings.stamp_uncertainty_ns)  # may still be before the end
    driver.press(2)
    driver.until(end.latest_ns + driver.settings.settle_ns)
    assert room(driver).counts == [0, 3, 1, 4]
    driver.until_deadline()
    assert room(driver).counts == [0, 2, 1, 4]


def test_a_slap_while_late_stamps_come_in_is_answered(ended: Driver) -> None:
    ended.tap(2)
    assert ended.verdicts[-1] == (2, Verdict.NOT_RUNNING)


def test_a_die_that_nobody_signs_for_a_while_after_the_end_belongs_to_nobody(driver: Driver) -> None:
    driver.start_from(WORKED_EXAMPLE)
    driver.fill(Slot(BLUE, 3))
    driver.wait(1 * MS)
    driver.fill(R6)
    driver.wait(SLAP_NS)
    driver.tap(3)  # claims the older one and is done
    driver.until_deadline()
    assert room(driver).caller == 3
    driver.wait(4 * S)  # longer than it might have been claimed
    assert [change.state for change in driver.all_of(SlotChanged) if change.slot == R6] == [
        SlotState.OPEN,
        SlotState.LAPSED,
    ]


def test_the_operator_cannot_correct_before_everything_is_known(ended: Driver) -> None:
    (refused,) = ended.command(SetLeftover(2, 1, ended.exactly))
    assert isinstance(refused, Refused)
    assert "late slaps may still come in" in refused.reason


def test_a_call_before_the_check_is_no_dispute(driver: Driver) -> None:
    driver.start_from(WORKED_EXAMPLE)
    driver.press(2)
    driver.wait(driver.settings.hold_ns - 50 * MS)
    driver.play(1, R6)
    driver.wait(100 * MS)
    assert room(driver).step is CheckStep.LATE
    driver.until_deadline()
    assert room(driver).step is CheckStep.CHECK


# -- everybody agrees


def test_the_worked_example(check: Driver) -> None:
    check.until_deadline()
    assert check.last(RoundScored).leftovers == (0, 3, 1, 4)
    assert check.last(RoundScored).scores == (8, -3, -1, -4)


def test_the_counts_stand_as_soon_as_everybody_has_agreed(check: Driver) -> None:
    check.tap(1, 2, 3)
    assert check.phase() is Phase.SETTLE
    check.tap(4)
    assert check.phase() is Phase.SCORES


def test_pressing_twice_is_not_agreeing_for_two(check: Driver) -> None:
    for _ in range(4):
        check.tap(1)
    assert check.phase() is Phase.SETTLE


def test_a_passer_by_agrees_to_nothing() -> None:
    driver = Driver()
    driver.end_round("r5y0g0b0 1/6,6/6,-,-")
    driver.tap(1, 3)
    driver.hold(4)
    assert room(driver).step is CheckStep.CHECK


# -- a seat holds another number


def test_a_disputed_count_is_entered_by_pressing_and_confirmed_by_the_others(check: Driver) -> None:
    enter(check, 4, 3)
    assert (room(check).step, room(check).disputing, room(check).entered) == (CheckStep.CONFIRM, 4, 3)
    check.tap(1, 2, 3)
    assert check.last(Corrected) == Corrected(4, 4, 3, Corrector.PLAYERS)
    assert room(check).step is CheckStep.CHECK
    agree(check)
    assert check.last(RoundScored).scores == (7, -3, -1, -3)


def test_one_of_three_has_no_veto_but_is_waited_for(check: Driver) -> None:
    enter(check, 4, 3)
    check.tap(1, 2)
    assert room(check).step is CheckStep.CONFIRM
    check.until_deadline()
    assert check.last(Corrected) == Corrected(4, 4, 3, Corrector.PLAYERS)


def test_without_the_word_of_half_the_others_the_tables_count_stands(check: Driver) -> None:
    enter(check, 4, 3)
    check.tap(4)  # its own word does not count
    check.tap(1)
    check.until_deadline()
    assert room(check).step is CheckStep.CHECK
    assert room(check).counts == [0, 3, 1, 4]
    assert check.all_of(Corrected) == []


def test_entering_what_the_table_says_anyway_changes_nothing(check: Driver) -> None:
    enter(check, 4, 4)
    check.tap(1, 2, 3)
    assert room(check).counts == [0, 3, 1, 4]
    assert check.all_of(Corrected) == []
    assert room(check).step is CheckStep.CHECK


def test_whoever_enters_nothing_has_changed_its_mind(check: Driver) -> None:
    check.hold(4)
    check.until_deadline()
    assert (room(check).step, room(check).disputing) == (CheckStep.CHECK, 0)
    assert room(check).counts == [0, 3, 1, 4]


def test_a_second_long_press_means_none(check: Driver) -> None:
    check.hold(4)
    check.tap(4)
    check.hold(4)
    assert (room(check).step, room(check).entered) == (CheckStep.CONFIRM, 0)
    check.tap(1, 2, 3)
    assert check.last(Corrected) == Corrected(4, 4, 0, Corrector.PLAYERS)


def test_nobody_else_can_end_the_entry(check: Driver) -> None:
    check.hold(4)
    check.hold(3)
    assert (room(check).step, room(check).disputing) == (CheckStep.ENTRY, 4)


def test_the_press_that_disputes_is_none_for_a_die(check: Driver) -> None:
    check.wait(MOMENT_NS)
    check.press(4)
    check.wait(check.settings.hold_ns + check.known_after_ns)
    check.release(4)
    check.wait(check.known_after_ns)
    assert (room(check).step, room(check).entered) == (CheckStep.ENTRY, 0)


def test_only_the_disputing_seat_enters(check: Driver) -> None:
    check.hold(4)
    check.tap(1, 2, 3)
    assert (room(check).step, room(check).entered) == (CheckStep.ENTRY, 0)


def test_each_press_gives_more_time_to_enter(check: Driver) -> None:
    check.hold(4)
    for _ in range(3):
        check.wait(check.settings.entry_ns - 1 * S)
        check.tap(4)
    assert (room(check).step, room(check).entered) == (CheckStep.ENTRY, 3)


def test_nobody_can_enter_more_dice_than_were_dealt_nor_for_ever(check: Driver) -> None:
    check.hold(4)
    for _ in range(6):
        check.tap(4)
    deadline_ns = room(check).deadline_ns
    check.tap(4)
    assert (room(check).entered, room(check).deadline_ns) == (6, deadline_ns)


def test_a_seat_may_dispute_only_once(check: Driver) -> None:
    enter(check, 4, 0)
    check.hold(4)
    assert room(check).step is CheckStep.CHECK


def test_all_seats_may_dispute_one_after_the_other(check: Driver) -> None:
    for seat in (4, 3, 2, 1):
        check.hold(seat)
        assert (room(check).step, room(check).disputing) == (CheckStep.ENTRY, seat)
        check.until_deadline()
        assert room(check).step is CheckStep.CHECK


def test_a_dispute_takes_back_what_was_agreed(check: Driver) -> None:
    check.tap(1, 2, 3)
    enter(check, 3, 0)
    check.tap(4)
    assert check.phase() is Phase.SETTLE


def test_a_press_from_before_the_question_is_no_answer(ended: Driver) -> None:
    ended.wait(1700 * MS)
    ended.press(1, 2, 3, 4)
    ended.until_deadline()
    ended.release(1, 2, 3, 4)
    ended.wait(ended.known_after_ns)
    assert room(ended).step is CheckStep.CHECK
    assert room(ended).agreed == set()


def test_a_press_from_before_the_question_is_no_answer_though_it_is_known_after_it(ended: Driver) -> None:
    ended.until_deadline(ended.settings.settle_ns // 2)
    ended.tap(1, 2, 3, 4)
    assert room(ended).agreed == set()


def test_a_press_that_began_in_time_may_still_become_a_dispute(check: Driver) -> None:
    check.wait(check.settings.leftover_ns - 200 * MS)
    check.hold(4)
    assert (room(check).step, room(check).disputing) == (CheckStep.ENTRY, 4)


def test_presses_are_waited_for_only_once(check: Driver) -> None:
    check.wait(check.settings.leftover_ns - 100 * MS)
    check.press(1)
    check.until_deadline()
    assert room(check).step is CheckStep.CHECK
    check.release(1)
    check.until_deadline(100 * MS)
    check.press(2)
    check.wait(100 * MS)
    assert check.phase() is Phase.SCORES


def test_the_last_seat_to_answer_can_still_dispute(check: Driver) -> None:
    """Its press must not pass for agreement before it is known not to be a call."""
    check.tap(1, 2, 3)
    check.hold(4)
    assert check.phase() is Phase.SETTLE
    assert (room(check).step, room(check).disputing) == (CheckStep.ENTRY, 4)


# -- the operator's word


def test_the_operator_may_enter_any_count(check: Driver) -> None:
    check.command(SetLeftover(3, 2, check.exactly))
    assert check.last(Corrected) == Corrected(3, 1, 2, Corrector.OPERATOR)
    agree(check)
    assert check.last(RoundScored).leftovers == (0, 3, 2, 4)
    assert sum(check.last(RoundScored).scores) == 0


def test_the_operators_word_ends_a_dispute(check: Driver) -> None:
    check.hold(4)
    check.command(SetLeftover(4, 5, check.exactly))
    assert (room(check).step, room(check).disputing) == (CheckStep.CHECK, 0)


@pytest.mark.parametrize(("seat", "count"), [(0, 1), (5, 1), (2, 7)])
def test_a_count_that_cannot_be_is_refused(check: Driver, seat: int, count: int) -> None:
    (refused,) = check.command(SetLeftover(seat, count, check.exactly))
    assert isinstance(refused, Refused)
    assert f"seat {seat} can't hold {count}" in refused.reason
    assert room(check).counts == [0, 3, 1, 4]


# -- the finisher holds dice after all


def test_a_refuted_finisher_plays_on_with_everybody_else(check: Driver) -> None:
    enter(check, 1, 1)
    check.tap(2, 3, 4)
    agree(check)  # others may have something to correct too
    assert check.phase() is Phase.COUNTDOWN
    check.count_down()
    assert str(check.dice.position) == "r6y4g4b2 1/6,3/6,1/6,4/6"
    check.wait(check.settings.lock_ns)
    check.play(1, Slot(YELLOW, 5))
    check.until_deadline()
    assert room(check).caller == 1
    assert room(check).counts == [0, 3, 1, 4]


def test_a_refuted_finisher_need_not_be_the_first_in_the_end(check: Driver) -> None:
    check.command(SetLeftover(1, 2, check.exactly))
    agree(check)
    check.count_down()
    check.play(3, Slot(GREEN, 5))
    assert room(check).caller == 3


def test_whoever_else_has_no_dice_has_finished_instead(check: Driver) -> None:
    check.command(SetLeftover(3, 0, check.exactly))
    check.command(SetLeftover(1, 1, check.exactly))
    check.until_deadline()
    assert check.last(RoundScored).scores == (-1, -3, 8, -4)


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


def test_the_round_is_void_if_the_counts_need_more_dice_than_lie_there(check: Driver) -> None:
    check.command(SetLeftover(4, 1, check.exactly))
    check.command(SetLeftover(1, 1, check.exactly))
    agree(check)
    assert check.phase() is Phase.CLEAR
    assert check.all_of(RoundScored) == []
    assert check.last(RoundVoided).reason == "unsettled"


def test_a_corrected_round_lives_on_when_an_unclaimed_die_is_lifted() -> None:
    driver = Driver()
    driver.start_from("r5y3g0b0 2/6,3/7,-,-")
    driver.fill(Slot(YELLOW, 4))
    driver.wait(4 * S)  # nobody claims it
    driver.play(1, R6, Slot(GREEN, 1))
    driver.until_deadline()
    driver.until_deadline()  # nobody has signed it meanwhile
    for seat, count in ((1, 1), (2, 2)):
        driver.command(SetLeftover(seat, count, driver.exactly))  # so it still is nobody's
    agree(driver)
    driver.count_down()
    driver.empty(Slot(YELLOW, 4))
    driver.wait(1 * S)
    assert driver.phase() is Phase.PLAY
    assert driver.state(Slot(YELLOW, 4)) is SlotState.FREE


def test_an_operator_who_interrupts_a_dispute_leaves_the_seat_its_right(check: Driver) -> None:
    check.hold(2)
    check.command(SetLeftover(3, 2, check.exactly))
    assert room(check).step is CheckStep.CHECK
    check.hold(2)
    assert (room(check).step, room(check).disputing) == (CheckStep.ENTRY, 2)


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
    while room(driver).step is CheckStep.LATE:
        driver.until_deadline()
    assert room(driver).step is CheckStep.ASK
    return driver


def test_a_die_without_an_owner_can_be_signed_until_it_is_asked_for() -> None:
    driver = unowned(*ONE)
    end_ns = room(driver).end.stamp.latest_ns
    driver.until(end_ns + driver.settings.sign_late_ns - 1 * MS)
    assert room(driver).step is CheckStep.LATE
    driver.press(3)
    driver.wait(100 * MS)
    assert driver.verdicts[-1] == (3, Verdict.ACCEPTED)
    assert room(driver).step is CheckStep.CHECK  # nothing has to be asked
    assert room(driver).counts == [0, 3, 0, 4]


def test_who_signs_its_last_die_late_has_not_finished() -> None:
    driver = unowned(*ONE)
    driver.wait(500 * MS)
    driver.tap(3)
    agree(driver)
    assert driver.last(RoundScored).finisher == 1
    assert driver.last(RoundScored).scores == (7, -3, 0, -4)


def test_a_die_without_an_owner_is_asked_for_and_a_press_takes_it() -> None:
    driver = asking(*ONE)
    assert driver.lines()[0] == "Whose die? (1)"
    driver.tap(4)
    assert driver.last(Corrected) == Corrected(4, 4, 3, Corrector.OWNER)
    assert room(driver).step is CheckStep.CHECK
    driver.until_deadline()  # the sum is right, so nobody is asked again
    assert driver.last(RoundScored).scores == (7, -3, -1, -3)


def test_each_press_takes_one_die_and_gives_more_time() -> None:
    driver = asking(*TWO)
    assert driver.lines()[0] == "Whose die? (2)"
    driver.wait(driver.settings.ask_ns - 500 * MS)
    driver.tap(4)
    assert driver.lines()[0] == "Whose die? (1)"
    driver.wait(driver.settings.ask_ns - 500 * MS)
    assert room(driver).step is CheckStep.ASK
    driver.tap(4)
    assert room(driver).step is CheckStep.CHECK
    assert room(driver).counts == [0, 3, 1, 2]


def test_who_has_none_left_and_who_does_not_play_takes_no_die() -> None:
    driver = asking(*ONE)
    driver.tap(1)
    driver.hold(2)
    assert room(driver).step is CheckStep.ASK
    assert room(driver).counts == [0, 3, 1, 4]
    two = Driver()
    two.start_from("r5y0g0b0 1/6,6/6,-,-")
    two.fill(R6)
    two.fill(Slot(BLUE, 1))
    two.wait(SLAP_NS)
    two.tap(1)
    two.until_deadline()
    two.until_deadline()
    assert room(two).step is CheckStep.ASK
    two.tap(3, 4)
    assert room(two).step is CheckStep.ASK


def test_a_die_that_nobody_wants_is_left_when_time_is_up() -> None:
    driver = asking(*ONE)
    driver.until_deadline()
    assert room(driver).step is CheckStep.CHECK
    assert room(driver).counts == [0, 3, 1, 4]
    agree(driver)
    assert driver.last(RoundScored).scores == (8, -3, -1, -4)


def test_the_operator_may_answer_the_question() -> None:
    driver = asking(*ONE)
    driver.command(SetLeftover(2, 2, driver.exactly))
    assert room(driver).step is CheckStep.CHECK
    assert room(driver).counts == [0, 2, 1, 4]


# -- the sum


def test_counts_that_can_not_be_right_are_shown_once_more() -> None:
    driver = asking(*ONE)
    driver.until_deadline()
    shown = {driver.lines()[0]}
    for _ in range(8):
        driver.wait(500 * MS)
        shown.add(driver.lines()[0])
    assert shown == {"Sum can't be right", "Wrong? Hold button!"}
    driver.until_deadline()
    assert room(driver).step is CheckStep.CHECK
    driver.until_deadline()
    assert driver.phase() is Phase.SCORES


def test_everybody_may_correct_a_wrong_sum_when_it_is_shown_once_more() -> None:
    driver = asking(*ONE)
    driver.until_deadline()
    driver.until_deadline()
    enter(driver, 4, 3)
    driver.tap(1, 2, 3)
    driver.until_deadline()
    assert driver.last(RoundScored).leftovers == (0, 3, 1, 3)


# -- who has finished


def test_the_one_whose_last_die_was_signed_first_has_finished() -> None:
    """Seat 1 has finished, and seat 3 may have been as early; then seat 1 turns out to hold dice."""
    driver = Driver()
    driver.start_from(WORKED_EXAMPLE)
    driver.fill(R6)
    driver.fill(Slot(BLUE, 3))
    driver.wait(SLAP_NS)
    driver.press(1)
    driver.wait(driver.settings.stamp_uncertainty_ns)
    driver.press(3)
    driver.wait(100 * MS)
    driver.until_deadline()
    assert room(driver).counts == [0, 3, 0, 4]
    driver.command(SetLeftover(1, 1, driver.exactly))
    agree(driver)
    assert driver.last(RoundScored).finisher == 3


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


def test_when_the_sum_is_right_every_die_has_an_owner_and_the_round_goes_on() -> None:
    driver = asking(*ONE)
    assert driver.state(Slot(BLUE, 3)) is SlotState.LAPSED
    for seat, count in ((1, 1), (2, 2), (4, 3)):
        driver.command(SetLeftover(seat, count, driver.exactly))
    agree(driver)
    driver.count_down()
    assert driver.state(Slot(BLUE, 3)) is SlotState.COUNTED
    driver.tap(2)
    driver.wait(500 * MS)
    assert driver.verdicts[-1] == (2, Verdict.FALSE_CLAIM)  # so there is nothing left to sign
