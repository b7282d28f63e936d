"""Buttons and slots that are not listened to: whom that concerns, and who waits for them."""

from __future__ import annotations

import pytest

from firmware_host.games.games import Table
from firmware_host.model.effects import SlotChanged
from firmware_host.model.events import EndMatch, StartMatch
from firmware_host.model.places import Button, Slot
from firmware_host.model.states import Phase, SlotState
from firmware_host.model.times import MS, S
from tests.games.driver import MOMENT_NS, Driver, reach
from tests.games.mishaps import NEEDED, R1, happen

# -- whose button


def test_a_button_that_was_masked_before_anybody_sat_there_matters_when_its_seat_plays() -> None:
    """Nobody can sit down by a masked button, but the operator may deal to its seat."""
    driver = Driver()
    happen(driver, lambda driver: driver.mask(Button(3), "stuck"))
    driver.command(StartMatch((8, 8, 8), driver.exactly))
    driver.wait(3 * S)
    assert driver.phase() is Phase.PAUSED
    assert driver.session.blocking is not None and driver.session.blocking.name == "seat 3"


def test_a_button_that_was_masked_when_its_seat_played_does_not_matter_to_others(play: Driver) -> None:
    happen(play, NEEDED["the button of a player is masked"])
    play.command(EndMatch(play.exactly))
    play.command(StartMatch((12, 0, 12), play.exactly))
    play.wait(3 * S)
    assert play.phase() is Phase.PLAY


def test_a_seat_that_joined_and_jams_its_button_holds_up_the_start(driver: Driver) -> None:
    driver.tap(1)
    driver.tap(2)
    happen(driver, lambda driver: driver.mask(Button(2), "stuck"))
    driver.wait(driver.settings.join_ns)
    assert driver.phase() is Phase.CLEAR
    driver.tap(1)
    assert driver.phase() is Phase.COUNTDOWN
    driver.wait(3 * S)
    assert driver.phase() is Phase.PAUSED


def test_a_masked_button_is_not_held(play: Driver) -> None:
    """It went down before it was masked, and counts neither as a call nor for a void round."""
    play.wait(MOMENT_NS)
    play.press(1)
    play.wait(2 * S)
    assert set(play.session.holding) == {1}
    play.press(2)
    play.wait(500 * MS)
    happen(play, lambda play: play.mask(Button(1), "stuck"))
    assert not play.session.holding
    play.wait(3 * S)
    assert play.phase() is Phase.PAUSED


def test_a_press_that_is_masked_is_no_answer() -> None:
    driver = reach(Phase.SCORES)
    driver.wait(MOMENT_NS)
    driver.press(1)
    driver.wait(1 * MS)
    driver.mask(Button(1))
    driver.wait(100 * MS)
    driver.release(1)
    driver.wait(100 * MS)
    assert not driver.session.pressing
    assert driver.phase() is Phase.SCORES


# -- a masked slot is a slot that nobody knows of


def test_a_die_that_is_gone_after_the_storm_is_missing(play: Driver) -> None:
    play.play(1, R1)
    happen(play, lambda play: play.mask(R1))
    play.empty(R1)
    play.unmask(R1)
    play.wait(100 * MS)
    assert play.state(R1) is SlotState.MISSING
    assert play.all_of(SlotChanged)[-1].state is SlotState.MISSING


def next_clear(rounds: int = 2) -> Driver:
    """The board is to be cleared after the first round, and dice lie on red 1 to 6."""
    driver = Driver(Table(rounds=rounds))
    driver.end_round()
    driver.tap(1, 2)
    driver.tap(1, 2)
    assert driver.phase() is Phase.CLEAR
    return driver


def all_but(driver: Driver, slot: Slot) -> None:
    for each in sorted(driver.session.occupied - {slot}):
        driver.empty(each)
    driver.wait(100 * MS)


def test_a_slot_that_chatters_keeps_nobody_from_being_ready() -> None:
    driver = next_clear()
    all_but(driver, R1)
    driver.tap(1, 2)
    assert driver.phase() is Phase.CLEAR
    happen(driver, lambda driver: driver.mask(R1))
    driver.tap(1, 2)
    assert driver.phase() is Phase.COUNTDOWN


def test_a_press_from_before_the_last_slot_was_masked_is_no_readiness() -> None:
    driver = next_clear()
    all_but(driver, R1)
    driver.press(1, 2)
    driver.wait(1 * MS)
    driver.mask(R1)
    driver.wait(100 * MS)
    driver.release(1, 2)
    driver.wait(100 * MS)
    assert driver.phase() is Phase.CLEAR


def test_a_press_while_another_thing_goes_wrong_is_a_readiness() -> None:
    driver = next_clear()
    driver.clear_board()
    driver.wait(MOMENT_NS)
    driver.press(1, 2)
    driver.wait(100 * MS)
    driver.device("leds", "lost", needed=False)
    happen(driver, lambda driver: driver.mask(R1))
    driver.release(1, 2)
    driver.wait(100 * MS)
    assert driver.phase() is Phase.COUNTDOWN


def test_what_lies_there_after_all_has_to_be_taken_off() -> None:
    driver = next_clear()
    all_but(driver, R1)
    happen(driver, lambda driver: driver.mask(R1))
    driver.tap(1)
    driver.unmask(R1)
    driver.wait(100 * MS)
    driver.tap(2)
    assert driver.phase() is Phase.CLEAR
    driver.clear_board()
    driver.tap(1, 2)
    assert driver.phase() is Phase.COUNTDOWN


def test_what_is_found_to_lie_there_when_the_round_runs_is_illegal() -> None:
    driver = next_clear()
    all_but(driver, R1)
    happen(driver, lambda driver: driver.mask(R1))
    driver.tap(1, 2)
    driver.wait(1 * S)
    driver.unmask(R1)
    driver.wait(3 * S)
    assert driver.phase() is Phase.PLAY
    assert driver.state(R1) is SlotState.ILLEGAL


def test_after_the_last_round_a_board_that_may_be_empty_is_enough() -> None:
    driver = next_clear(rounds=1)
    all_but(driver, R1)
    assert driver.phase() is Phase.CLEAR
    happen(driver, lambda driver: driver.mask(R1))
    assert driver.phase() is Phase.RESULT


def test_a_match_may_be_called_though_a_slot_chatters(driver: Driver) -> None:
    driver.fill(R1)
    happen(driver, lambda driver: driver.mask(R1))
    driver.command(StartMatch((12, 12), driver.exactly))
    assert driver.phase() is Phase.COUNTDOWN


@pytest.mark.parametrize("phase", [Phase.SCORES, Phase.CLEAR, Phase.RESULT])
def test_nobody_waits_for_the_answer_of_a_button_that_is_not_listened_to(phase: Phase) -> None:
    driver = reach(phase)
    happen(driver, NEEDED["the button of a player is masked"])
    assert driver.phase() is phase
    driver.tap(4)
    assert driver.phase() is phase
    driver.tap(1)
    assert driver.phase() is not phase
