"""Stop and stuck, by call buttons and by long presses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from firmware_host.games.games import CARD_GAME, Table
from firmware_host.model.effects import (
    Cue,
    Judged,
    RoundFinished,
    RoundScored,
    RoundStuck,
    TieBroken,
    Verdict,
)
from firmware_host.model.events import Pause, Pressed, Resume, VoidRound
from firmware_host.model.places import Button, Call, Card, Colour, Pad, Pile
from firmware_host.model.states import Phase
from firmware_host.model.times import MS, S, Stamp
from tests.games.card_driver import (
    CALL_BUTTONS,
    LONG_PRESS,
    PILE_READERS,
    PILES_AND_CALLS,
    CardDriver,
    playing,
)
from tests.games.driver import MOMENT_NS, TAP_NS

RED, YELLOW, GREEN, BLUE = Colour
TWO = "10,10,-,-"
THREE = "10,10,10,-"


def long_press(text: str = TWO, seed: int = 1) -> CardDriver:
    return playing(text, table=LONG_PRESS, seed=seed)


def finished(driver: CardDriver) -> list[int]:
    return [effect.seat for effect in driver.all_of(RoundFinished)]


def stuck(driver: CardDriver) -> int:
    return len(driver.all_of(RoundStuck))


@pytest.fixture
def hands() -> CardDriver:
    """A round of two in which a long press is the stop call."""
    return long_press()


def pause_for(driver: CardDriver, duration_ns: int) -> None:
    driver.command(Pause(driver.exactly))
    driver.wait(duration_ns)
    driver.command(Resume(driver.exactly))


# -- the call button


def test_a_call_that_came_late_counts_and_takes_nothing_back(cards: CardDriver) -> None:
    """An expander that was busy reports a call button late; nobody wins anything by that."""
    cards.arm(Card(2, RED, 1))
    stamp = cards.exactly
    cards.wait(200 * MS)
    cards.tap(2)
    cards.late(Pressed(1, stamp, late=True, call=True))
    cards.wait(1 * S)
    assert cards.played == [Card(2, RED, 1)] and finished(cards) == [1]


def test_a_call_that_came_much_too_late_is_none(cards: CardDriver) -> None:
    stamp = cards.exactly
    cards.wait(1100 * MS)
    cards.late(Pressed(1, stamp, late=True, call=True))
    assert cards.news.unjudged == {1: cards.now_ns}
    cards.wait(1 * S)
    assert cards.phase() is Phase.PLAY


@pytest.mark.parametrize("gap_ns", [0, 100_000, 200_000])
def test_calls_in_one_moment_are_one_call_of_both(cards: CardDriver, gap_ns: int) -> None:
    """Nothing is won by calling, so nobody is chosen, and nobody's luck in real dead heats is used up."""
    cards.call_down(1)
    cards.wait(gap_ns)
    cards.call_down(3)
    cards.wait(1 * S)
    assert cards.round.end is not None and cards.round.end.seats == (1, 3) and finished(cards) == [1]
    assert not cards.all_of(TieBroken)


def test_a_jammed_call_button_stands_in_the_way_of_its_own_seat_only() -> None:
    driver = playing(TWO)
    driver.mask(Call(3), "stuck")
    driver.wait(1 * S)
    assert driver.phase() is Phase.PLAY
    driver.mask(Call(2), "stuck")
    driver.wait(1 * S)
    assert driver.phase() is Phase.PAUSED
    driver.unmask(Call(2))
    driver.wait(1 * S)
    assert driver.phase() is Phase.COUNTDOWN


# -- slaps around the stop call


def test_a_slap_with_a_narrower_stamp_after_the_call_does_not_overtake_it(cards: CardDriver) -> None:
    """Lines may differ in how exact they are."""
    cards.arm(Card(2, RED, 1))
    called = cards.call_down(3)
    cards.until(called.latest_ns + 1)
    cards._soon(Button(2), Pressed(2, cards.exactly))
    cards.wait(1 * S)
    assert finished(cards) == [3] and cards.played == []
    assert cards.verdicts_of(2) == [Verdict.NOT_RUNNING]


def test_a_slap_just_before_the_call_for_which_no_card_is_read_is_no_false_claim(cards: CardDriver) -> None:
    """It may have been meant as a call."""
    cards.tap(2)
    cards.wait(50 * MS)
    cards.call(3)
    cards.wait(1 * S)
    assert finished(cards) == [3]
    assert cards.verdicts_of(2) == [Verdict.NOT_RUNNING]


# -- long presses


def test_a_long_press_in_spite_of_others_who_tap() -> None:
    driver = long_press(THREE)
    driver.press(1)
    for _ in range(4):
        driver.wait(100 * MS)
        driver.press(2, 3)
        driver.wait(TAP_NS)
        driver.release(2, 3)
    driver.wait(1 * S)
    assert finished(driver) == [1]
    assert driver.verdicts_of(1) == []


def test_a_long_press_whose_card_is_read_late_plays_it_and_stops_when_it_is_long(hands: CardDriver) -> None:
    """It was a slap, so that it dates no call."""
    stamp = hands.press(1)
    hands.wait(50 * MS)
    hands.show(Pad(1), Card(1, RED, 1))
    hands.wait(2 * S)
    hold_ns = hands.settings.hold_ns
    called = Stamp(stamp.earliest_ns + hold_ns, stamp.latest_ns + hold_ns)
    assert hands.played == [Card(1, RED, 1)] and hands.verdicts == [(1, Verdict.ACCEPTED)]
    assert hands.all_of(RoundFinished) == [RoundFinished(1, called)]


def test_who_does_not_play_can_not_stop_by_a_long_press(hands: CardDriver) -> None:
    hands.press(3)
    hands.wait(2 * S)
    assert hands.phase() is Phase.PLAY
    hands.release(3)
    hands.wait(1 * S)
    assert hands.phase() is Phase.PLAY


def test_a_long_press_that_began_before_the_round_is_no_call() -> None:
    driver = CardDriver(LONG_PRESS)
    driver.press(1)
    driver.wait(200 * MS)
    driver.start_cards(TWO)
    driver.wait(5 * S)
    assert driver.phase() is Phase.PLAY and not finished(driver)


def test_a_pause_during_a_long_press_takes_it_back(hands: CardDriver) -> None:
    hands.press(1)
    hands.wait(500 * MS)
    pause_for(hands, 200 * MS)
    hands.wait(3 * S)
    assert hands.phase() is Phase.PLAY and not finished(hands)


def test_a_long_press_that_a_pause_cuts_off_is_no_call(hands: CardDriver) -> None:
    """Whether the button was let go in time is not known yet when the pause begins."""
    hands.press(1)
    hands.wait(hands.settings.hold_ns + MOMENT_NS)
    hands.command(Pause(hands.exactly))
    hands.wait(1 * S)
    assert finished(hands) == [] and hands.phase() is Phase.PAUSED


# -- all together


def test_a_slap_of_a_card_that_is_held_is_no_call_when_another_lets_go(hands: CardDriver) -> None:
    hands.arm(Card(1, RED, 1))
    hands.press(1, 2)
    hands.wait(hands.settings.hold_ns + 100 * MS)
    hands.release(2)
    hands.wait(1 * S)
    assert hands.played == [Card(1, RED, 1)] and finished(hands) == []
    assert hands.phase() is Phase.PLAY


def test_a_hold_that_is_long_enough_before_the_last_one_comes_down_is_stop(hands: CardDriver) -> None:
    hands.press(1)
    hands.wait(hands.settings.hold_ns + MOMENT_NS)
    hands.press(2)
    hands.wait(3 * S)
    assert finished(hands) == [1] and not stuck(hands)


def test_when_one_of_all_lets_go_the_others_have_called_stop() -> None:
    driver = long_press(THREE)
    stamp = driver.press(1, 2, 3)
    driver.wait(1500 * MS)
    driver.release(2)
    driver.wait(1 * S)
    assert driver.round.end is not None and driver.round.end.seats == (1, 3)
    assert driver.last(RoundFinished) == RoundFinished(1, stamp)
    assert not stuck(driver) and not driver.verdicts


def test_when_one_of_all_lets_go_too_soon_who_holds_on_calls_stop_when_it_is_long_enough() -> None:
    driver = long_press()
    driver.press(1)
    driver.wait(900 * MS)
    driver.press(2)
    driver.wait(600 * MS)
    driver.release(1)  # it was a hold, the other is none yet
    driver.wait(2 * S)
    assert finished(driver) == [2]


def test_a_hold_that_came_to_nothing_blocks_nobody() -> None:
    """All held, none called in the end: then a slap counts from when it is made, and not from its end."""
    driver = playing("10,10,-,- r1", table=LONG_PRESS)
    for seat in (1, 2):
        driver.arm(Card(seat, BLUE, 9))
        driver.disarm(Card(seat, BLUE, 9))
    driver.wait(2 * S)
    driver.press(1)
    driver.wait(900 * MS)
    driver.press(2)
    driver.wait(600 * MS)
    driver.release(1)
    driver.wait(100 * MS)
    driver.release(2)
    driver.wait(5 * S)
    assert driver.phase() is Phase.PLAY
    driver.arm(Card(1, GREEN, 1))
    driver.press(1)
    driver.wait(300 * MS)
    assert driver.played == [Card(1, GREEN, 1)]


@pytest.mark.parametrize(
    ("cut_off", "phase"),
    [
        (lambda hands: hands.mask(Button(2), "chatters"), Phase.PAUSED),
        (lambda hands: hands.command(VoidRound(hands.exactly)), Phase.CLEAR),
        (lambda hands: pause_for(hands, MOMENT_NS), Phase.PLAY),
    ],
    ids=["a masked button", "a void round", "a pause"],
)
def test_what_comes_between_a_hold_of_all_takes_it_back(
    hands: CardDriver, cut_off: Callable[[CardDriver], object], phase: Phase
) -> None:
    hands.press(1, 2)
    hands.wait(1500 * MS)
    cut_off(hands)
    hands.wait(3 * S)
    assert hands.phase() is phase and not stuck(hands) and not finished(hands)


def test_who_is_stuck_can_slap_until_the_end(hands: CardDriver) -> None:
    """A slap with a card is played though the button stays down and all are stuck after it."""
    hands.arm(Card(2, BLUE, 1))
    hands.press(1, 2)
    hands.wait(4 * S)
    assert hands.played == [Card(2, BLUE, 1)] and stuck(hands) == 1
    assert hands.verdicts == [(2, Verdict.ACCEPTED)]


def test_a_call_of_two_at_once_stands_if_one_of_them_was_right(cards: CardDriver) -> None:
    cards.call_down(1)
    cards.call_down(3)
    cards.wait(1 * S)
    cards.until_deadline()
    cards.arm(Card(1, BLUE, 7))
    cards.until_deadline()
    assert cards.phase() is Phase.SCORES
    scored = cards.last(RoundScored)
    assert scored.finisher == 3 and scored.leftovers == (1, 0, 0, 0)


def test_nobody_waits_for_a_button_that_is_not_listened_to() -> None:
    """Seat 3's button is jammed, and people play on: then all others can call stuck, and stop as well."""
    driver = long_press(THREE)
    driver.mask(Button(3), "stuck")
    driver.wait(1 * S)
    driver.command(Resume(driver.exactly))
    driver.wait(100 * MS)
    driver.press(1, 2)
    driver.wait(3 * S)
    assert stuck(driver) == 1 and not finished(driver)


def test_where_cards_are_laid_nothing_counts_after_the_first_long_press_though_all_are_down() -> None:
    driver = playing("10,10,-,- r1", table=PILE_READERS)
    driver.press(1)
    driver.wait(950 * MS)
    driver.press(2)
    driver.wait(200 * MS)
    driver.show(Pile(1), Card(2, RED, 2))
    driver.wait(900 * MS)
    driver.release(2)
    driver.wait(1 * S)
    assert finished(driver) == [1] and driver.centre == ["r1"]


def test_a_press_that_becomes_a_call_is_not_locked_as_well(hands: CardDriver) -> None:
    hands.tap(1)  # nothing on the pad: locked for a second
    hands.press(1)
    hands.wait(2 * S)
    assert hands.verdicts == [(1, Verdict.FALSE_CLAIM)] and finished(hands) == [1]


# -- calls that can't be right


TWO_OF_THREE = "3,3,3,- r1.1"
"""Seat 1 was dealt three Ligretto cards, and two of its cards lie in the centre."""


def standard(table: Table) -> Table:
    return replace(table, expert=False)


def wrong_stops(driver: CardDriver) -> list[int]:
    return [judged.seat for judged in driver.all_of(Judged) if judged.cue is Cue.WRONG_STOP]


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


def test_all_hold_for_stuck_and_one_lets_go_early_locks_nobody() -> None:
    """Those who can't have finished did not mean to call stop."""
    driver = playing(TWO_OF_THREE, table=standard(LONG_PRESS))
    driver.press(1, 2, 3)
    driver.wait(1500 * MS)
    driver.release(2)
    driver.wait(2 * S)
    assert driver.phase() is Phase.PLAY and not driver.verdicts


def test_stuck_is_dated_by_the_long_presses_that_lead_to_it() -> None:
    """The first time seat 1 lets go: nobody else can stop the round, and it goes on."""
    driver = playing("3,10,10,10 r1.1.1", table=Table(game=CARD_GAME, seats=4))
    driver.press(1, 2, 3, 4)
    driver.wait(driver.settings.hold_ns + driver.known_after_ns + MOMENT_NS)
    driver.release(1)
    driver.wait(300 * MS)
    assert driver.phase() is Phase.PLAY
    again = driver.press(1)
    driver.wait(driver.settings.all_hold_ns + driver.known_after_ns + MOMENT_NS)
    assert len(driver.all_of(RoundStuck)) == 1
    assert driver.round.end is not None and again.surely_before(driver.round.end.stamp)
