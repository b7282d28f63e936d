"""A player who has no dice left calls stop by holding the button."""

from __future__ import annotations

import pytest

from firmware_host.games.dice.calls import NoneLeftCall
from firmware_host.model.effects import Judged, RoundFinished, RoundVoided, TieBroken, Verdict
from firmware_host.model.events import Pause, Resume
from firmware_host.model.places import Button, Slot
from firmware_host.model.states import Phase, SlotState
from firmware_host.model.times import MS, S, Stamp
from tests.games.driver import BLUE, GREEN, ONE_TO_GO, RED, SLAP_NS, TAP_NS, YELLOW, Driver

R6, Y5, B1 = Slot(RED, 6), Slot(YELLOW, 5), Slot(BLUE, 1)


@pytest.fixture
def robbed() -> Driver:
    """Seat 1 has put down its last die, but a stray slap of seat 2 has taken it."""
    driver = Driver()
    driver.start_from("r5y4g0b0 1/6,3/6,5/6,-")
    driver.fill(R6)
    driver.wait(SLAP_NS)
    driver.press(2)
    driver.wait(20 * MS)
    driver.press(1)
    driver.wait(TAP_NS)
    driver.release(1, 2)
    driver.wait(300 * MS)
    assert driver.verdicts == [(2, Verdict.ACCEPTED), (1, Verdict.TOO_LATE)]
    return driver


def finished(driver: Driver) -> list[RoundFinished]:
    return driver.all_of(RoundFinished)


def test_who_has_no_part_in_the_match_has_no_say_in_voiding_its_round() -> None:
    driver = Driver()
    driver.start_from("r5y2g0b0 2/6,3/6,-,-")
    driver.wait(100 * MS)
    driver.press(4)
    driver.wait(1 * MS)
    driver.hold(1, 2)
    (voided,) = driver.all_of(RoundVoided)
    assert voided.seats == (1, 2) and len(voided.held) == 2


def test_who_does_not_play_can_not_call_stop(robbed: Driver) -> None:
    robbed.hold(4)
    assert robbed.phase() is Phase.PLAY


def test_the_end_is_not_before_the_last_die_that_was_counted(robbed: Driver) -> None:
    """The press that becomes the call may have been a moment before a slap that counts."""
    robbed.fill(Y5)
    robbed.wait(SLAP_NS)
    robbed.press(1)  # this signs yellow 5, so it has to be another press that calls
    robbed.wait(TAP_NS)
    robbed.release(1)
    robbed.wait(100 * MS)
    assert [each.seat for each in finished(robbed)] == [1]


def test_when_one_of_all_lets_go_who_still_holds_has_called_stop(robbed: Driver) -> None:
    slap = robbed.all_of(Judged)[-1].stamp
    robbed.press(1)
    robbed.wait(800 * MS)
    robbed.press(2, 3)
    robbed.wait(500 * MS)
    assert robbed.phase() is Phase.PLAY  # seat 1 has held it long enough, and the others may
    robbed.release(2)
    robbed.wait(100 * MS)
    assert finished(robbed) == [RoundFinished(1, slap)]


def test_a_button_that_is_held_on_calls_nothing_later(robbed: Driver) -> None:
    """Seat 3 leans on its button; that a die lies there without an owner for a moment makes it no call."""
    robbed.press(3)
    robbed.wait(2 * S)
    for slot in (Y5, B1, Slot(BLUE, 2), Slot(BLUE, 3), Slot(BLUE, 4)):
        robbed.fill(slot)
        robbed.wait(50 * MS)
    robbed.tap(2)
    assert robbed.phase() is Phase.PLAY
    assert finished(robbed) == []


def test_a_pause_takes_back_a_press_that_might_have_become_a_call(robbed: Driver) -> None:
    """And what waited for it is judged in the pause."""
    robbed.press(1)
    robbed.wait(200 * MS)
    robbed.fill(Y5)
    robbed.wait(SLAP_NS)
    robbed.press(3)
    robbed.wait(50 * MS)
    robbed.command(Pause(robbed.exactly))
    robbed.wait(500 * MS)
    assert (3, Verdict.ACCEPTED) in robbed.verdicts
    robbed.command(Resume(robbed.exactly))
    robbed.wait(2 * S)
    assert robbed.phase() is Phase.PLAY


def test_a_button_that_is_not_listened_to_holds_nobody_up(robbed: Driver) -> None:
    robbed.press(1)
    robbed.wait(100 * MS)
    robbed.fill(Y5)
    robbed.wait(SLAP_NS)
    robbed.press(3)
    robbed.mask(Button(1))
    robbed.wait(200 * MS)
    assert (3, Verdict.ACCEPTED) in robbed.verdicts


def test_after_a_wrong_stop_call_what_was_lost_before_excuses_no_other(robbed: Driver) -> None:
    """The counts were checked by everybody, so only what happens from then on can make them wrong again."""
    robbed.hold(1)
    robbed.until_deadline()
    robbed.hold(1)
    robbed.tap(1)  # it holds one die after all
    robbed.until_deadline()
    robbed.tap(2, 3)
    while robbed.phase() is Phase.SETTLE:
        robbed.until_deadline()
    robbed.count_down()
    robbed.hold(1)
    assert robbed.phase() is Phase.PLAY


def robbed_twice(first: int, second: int) -> Driver:
    """Two seats have been robbed of their last dice by slaps of seat 4, one after the other."""
    driver = Driver()
    driver.start_from("r4y2g0b0 1/3,1/3,1/3,6/6")
    for seat, slot in ((first, Slot(RED, 5)), (second, R6)):
        driver.fill(slot)
        driver.wait(SLAP_NS)
        driver.tap(4)
        driver.tap(seat)
        driver.wait(1 * S)
    return driver


@pytest.mark.parametrize(("first", "second"), [(2, 3), (3, 2), (1, 2), (2, 1)])
def test_of_calls_at_the_same_moment_the_one_whose_last_slap_was_first_counts(
    first: int, second: int
) -> None:
    driver = robbed_twice(first, second)
    driver.hold(first, second)
    assert [each.seat for each in finished(driver)] == [first]


def test_where_the_last_slaps_were_together_the_tie_break_chooses_the_call() -> None:
    winners = set()
    for seed in range(12):
        driver = Driver(seed=seed)
        driver.start_from("r4y2g0b0 1/3,1/3,1/3,6/6")
        driver.fill(Slot(RED, 5))
        driver.wait(SLAP_NS)
        driver.tap(4)
        driver.press(2, 3)
        driver.wait(TAP_NS)
        driver.release(2, 3)
        driver.wait(500 * MS)
        driver.hold(2, 3)
        assert driver.last(TieBroken).seats == (2, 3)
        winners |= {each.seat for each in finished(driver)}
    assert winners == {2, 3}


# -- when the round has ended


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


def test_a_second_call_changes_nothing(driver: Driver) -> None:
    slap = rob(driver)
    driver.hold(1)
    driver.dice.say_none_left([NoneLeftCall(1, driver.stamp)], driver.now_ns)
    assert finished(driver) == [RoundFinished(1, slap)] and driver.dice.end is not None
    assert driver.dice.end.stamp == slap
