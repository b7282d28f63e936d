"""Before each round everything is dealt, and the table waits as long as people are busy with it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from firmware_host.durations import S
from firmware_host.effects import MatchAbandoned, MatchEnded
from firmware_host.places import Card, Colour, Pad, Slot
from firmware_host.settings import Settings
from firmware_host.states import AbandonReason, Phase
from firmware_host.table.session import Table
from tests.table.card_driver import CALL_BUTTONS, CardDriver
from tests.table.driver import RED, Driver, reach

CARD = Card(1, Colour.RED, 7)


def sorting(settings: Settings | None = None) -> CardDriver:
    """Two players have sat down to play cards, and sort them now."""
    driver = CardDriver(replace(CALL_BUTTONS, seats=2, rounds=1), settings)
    driver.tap(1, 2)
    driver.until_deadline()
    assert driver.phase() is Phase.CLEAR
    return driver


@pytest.mark.parametrize("seats", [(1, 2), (1, 2, 3, 4), (2, 4)])
def test_the_first_round_begins_when_all_who_sat_down_have_pressed(seats: tuple[int, ...]) -> None:
    driver = Driver()
    driver.tap(*seats)
    driver.until_deadline()
    for seat in seats[:-1]:
        driver.tap(seat)
        assert driver.phase() is Phase.CLEAR
    driver.tap(seats[-1])
    assert driver.path == ["JOIN", "CLEAR", "COUNTDOWN"]


def test_a_match_that_was_never_dealt_is_given_up() -> None:
    driver = Driver()
    driver.tap(1, 2)
    driver.until_deadline()
    driver.until_deadline()
    assert driver.phase() is Phase.ATTRACT
    assert [each.reason for each in driver.all_of(MatchAbandoned)] == [AbandonReason.UNREADY]
    assert driver.all_of(MatchEnded) == []


def test_a_hand_that_is_still_on_its_button_has_not_dealt() -> None:
    driver = Driver()
    driver.tap(1, 2)
    driver.press(2)
    driver.until_deadline()
    assert driver.phase() is Phase.CLEAR
    driver.release(2)
    driver.tap(1)
    assert driver.phase() is Phase.CLEAR


def test_an_operator_who_starts_a_match_has_seen_to_the_deal() -> None:
    driver = reach(Phase.COUNTDOWN)
    assert driver.path == ["COUNTDOWN"]


def test_each_tag_that_comes_or_goes_gives_the_whole_time_once_more() -> None:
    driver = sorting()
    wait_ns = driver.settings.clear_ns - 5 * S
    for deed in (driver.show, driver.withdraw, driver.show):
        driver.wait(wait_ns)
        deed(Pad(1), CARD)
    driver.wait(wait_ns)
    assert driver.phase() is Phase.CLEAR
    driver.tap(1, 2)
    assert driver.phase() is Phase.COUNTDOWN


def test_a_tag_that_lies_there_already_gives_no_time() -> None:
    driver = sorting()
    driver.arm(CARD)
    deadline_ns = driver.session.room.deadline_ns
    driver.wait(10 * S)
    driver.arm(CARD)
    assert driver.session.room.deadline_ns == deadline_ns


@pytest.mark.parametrize(
    ("settings", "most_ns"),
    [(Settings(), 600 * S), (Settings(clear_ns=700 * S), 700 * S)],
    ids=["as long as a pause", "but at least the time to clear"],
)
def test_a_noisy_reader_does_not_hold_up_an_empty_table_for_ever(settings: Settings, most_ns: int) -> None:
    driver = sorting(settings)
    entered_ns = driver.session.room.entered_ns
    while driver.phase() is Phase.CLEAR:
        driver.arm(CARD)
        driver.disarm(CARD)
        driver.wait(50 * S)
        assert driver.now_ns < entered_ns + most_ns + 60 * S
    assert driver.session.room.entered_ns == entered_ns + most_ns


def test_when_the_match_is_over_nobody_waits_for_tags() -> None:
    driver = sorting()
    driver.tap(1, 2)
    driver.until_deadline()
    driver.show(Pad(2), Card(2, Colour.BLUE, 5))
    driver.stop(1)
    driver.until_deadline()
    driver.tap(1, 2)
    driver.tap(1, 2)
    assert driver.path[-3:] == ["SCORES", "CLEAR", "RESULT"]


def test_dice_that_are_dealt_from_a_full_board_come_off_first() -> None:
    driver = Driver(Table(rounds=1))
    driver.fill(Slot(RED, 1))
    driver.tap(1, 2)
    driver.until_deadline()
    assert driver.lines()[0] == "Take all dice off"
    driver.tap(1, 2)
    assert driver.phase() is Phase.CLEAR
    driver.clear_board()
    assert driver.lines() == ("Deal, then press", "12 each")
    driver.tap(1, 2)
    assert driver.phase() is Phase.COUNTDOWN
