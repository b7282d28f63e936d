"""Stop calls that can't be right, those that turn out to be wrong, and what they cost."""

from __future__ import annotations

from dataclasses import replace

import pytest

from firmware_host.durations import MS, S
from firmware_host.effects import Cue, Judged, RoundFinished, Verdict
from firmware_host.events import Interrupted, SetLeftover
from firmware_host.places import Card, Colour, Pile
from firmware_host.stamps import Stamp
from firmware_host.states import AwayReason, Phase
from firmware_host.table.session import Table
from tests.table.card_driver import (
    CALL_BUTTONS,
    LONG_PRESS,
    PILE_READERS,
    PILES_AND_CALLS,
    CardDriver,
    playing,
)

RED, YELLOW, GREEN, BLUE = Colour
TWO_OF_THREE = "3,3,3,- r1.1"
"""Seat 1 was dealt three Ligretto cards, and two of its cards lie in the centre."""


def standard(table: Table) -> Table:
    return replace(table, expert=False)


def wrong_stops(driver: CardDriver) -> list[int]:
    return [judged.seat for judged in driver.all_of(Judged) if judged.cue is Cue.WRONG_STOP]


def test_a_call_with_too_few_cards_in_the_centre_is_refused_at_once_and_locks() -> None:
    driver = playing(TWO_OF_THREE, table=standard(CALL_BUTTONS))
    stamp = driver.call(1)
    driver.wait(driver.known_after_ns)
    judged = driver.last(Judged)
    assert (judged.verdict, judged.cue) == (Verdict.FALSE_CLAIM, Cue.WRONG_STOP)
    assert stamp.earliest_ns <= judged.locked_until_ns - driver.settings.lock_ns <= stamp.latest_ns
    assert driver.phase() is Phase.PLAY and not driver.all_of(RoundFinished)


def test_the_lock_for_a_long_press_begins_when_it_became_a_call() -> None:
    driver = playing(TWO_OF_THREE, table=standard(LONG_PRESS))
    stamp = driver.press(1)
    driver.wait(driver.settings.hold_ns + 50 * MS)
    judged = driver.last(Judged)
    assert judged.cue is Cue.WRONG_STOP and judged.stamp == stamp
    assert judged.locked_until_ns == stamp.latest_ns + driver.settings.hold_ns + driver.settings.lock_ns


@pytest.mark.parametrize("table", [CALL_BUTTONS, LONG_PRESS])
def test_the_last_card_counts_though_it_was_slapped_just_before_the_call(table: Table) -> None:
    driver = playing(TWO_OF_THREE, table=standard(table))
    driver.arm(Card(1, RED, 3))
    driver.tap(1)
    if table is CALL_BUTTONS:
        driver.call(1)
    else:
        driver.hold(1)
    driver.wait(1 * S)
    assert driver.phase() is Phase.SETTLE and not wrong_stops(driver)


def test_the_last_card_counts_though_its_reader_at_the_pile_tells_of_it_after_the_call() -> None:
    driver = playing(TWO_OF_THREE, table=standard(PILES_AND_CALLS))
    driver.show(Pile(1), Card(1, RED, 3))
    driver.wait(100 * MS)
    driver.call(1)
    driver.wait(2 * S)
    assert driver.phase() is Phase.SETTLE and not wrong_stops(driver)
    other = playing(TWO_OF_THREE, table=standard(PILES_AND_CALLS))
    other.call(1)
    other.wait(2 * S)
    other.show(Pile(1), Card(1, RED, 3))
    other.wait(2 * S)
    assert wrong_stops(other) == [1] and other.phase() is Phase.PLAY


def test_a_card_that_was_laid_while_the_button_was_down_comes_after_the_call() -> None:
    driver = playing(TWO_OF_THREE, table=standard(PILE_READERS))
    driver.press(1)
    driver.wait(200 * MS)
    driver.show(Pile(1), Card(1, RED, 3))
    driver.wait(2 * S)
    assert wrong_stops(driver) == [1] and driver.phase() is Phase.PLAY


def test_where_the_table_may_have_missed_cards_it_takes_players_at_their_word() -> None:
    driver = playing(TWO_OF_THREE, table=standard(CALL_BUTTONS))
    driver.command(Interrupted(AwayReason.POWER, Stamp(driver.now_ns - 1 * S, driver.now_ns)))
    driver.wait(10 * S)
    assert driver.phase() is Phase.PLAY
    driver.call(2)
    driver.wait(1 * S)
    assert driver.phase() is Phase.SETTLE and driver.settle.counts == [1, 0, 3, 0]


def test_all_hold_for_stuck_and_one_lets_go_early_locks_nobody() -> None:
    """Those who can't have finished did not mean to call stop."""
    driver = playing(TWO_OF_THREE, table=standard(LONG_PRESS))
    driver.press(1, 2, 3)
    driver.wait(1500 * MS)
    driver.release(2)
    driver.wait(2 * S)
    assert driver.phase() is Phase.PLAY and not driver.verdicts


@pytest.mark.parametrize("table", [CALL_BUTTONS, LONG_PRESS, PILE_READERS])
def test_a_stop_that_turns_out_to_be_wrong_locks_its_caller_when_the_round_goes_on(table: Table) -> None:
    driver = playing(TWO_OF_THREE, table=table)
    if table is CALL_BUTTONS:
        driver.call(1)
    else:
        driver.hold(1)
    driver.wait(3 * S)
    assert driver.phase() is Phase.SETTLE
    driver.command(SetLeftover(1, 2, driver.exactly))
    driver.wait(driver.settings.leftover_ns + 3 * driver.settings.count_ns + 100 * MS)
    assert driver.phase() is Phase.PLAY and wrong_stops(driver) == [1]
    assert driver.last(Judged).locked_until_ns > driver.now_ns
    if table is PILE_READERS:
        driver.show(Pile(1), Card(1, RED, 3))
        driver.wait(800 * MS)
        assert driver.last(Judged).verdict is Verdict.LOCKED


def test_slaps_after_a_press_that_may_be_a_stop_wait_for_it() -> None:
    driver = playing("2,2,2,- r1.1", table=standard(LONG_PRESS))
    driver.arm(Card(2, RED, 3), Card(3, BLUE, 1))
    driver.press(1)
    driver.wait(100 * MS)
    driver.tap(2)
    driver.wait(500 * MS)
    assert not driver.verdicts
    driver.release(1)
    driver.wait(driver.known_after_ns)
    assert driver.verdicts == [(2, Verdict.ACCEPTED), (1, Verdict.FALSE_CLAIM)]


def test_a_seat_that_can_not_stop_the_round_holds_nobody_up() -> None:
    driver = playing(TWO_OF_THREE, table=standard(LONG_PRESS))
    driver.arm(Card(2, RED, 3))
    driver.press(1)
    driver.wait(400 * MS)  # no card can be read for the press any more
    driver.tap(2)
    assert driver.verdicts == [(2, Verdict.ACCEPTED)]
