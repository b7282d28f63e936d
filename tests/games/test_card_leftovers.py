"""After the stop call: leftover Ligretto cards are shown, disputed, entered, and scored."""

from __future__ import annotations

import pytest

from firmware_host.games.phases import CheckStep
from firmware_host.model.effects import (
    Corrected,
    Cue,
    Judged,
    LeftoverScanned,
    RoundFinished,
    RoundScored,
    RoundStuck,
)
from firmware_host.model.events import Pause, Resume, SetLeftover, TagSeen
from firmware_host.model.places import Card, Colour, DieFace, Pad, Pile, Stranger
from firmware_host.model.states import Phase
from firmware_host.model.times import MS, S
from tests.games.card_driver import LONG_PRESS, PILES_AND_CALLS, CardDriver, playing
from tests.games.driver import MOMENT_NS

RED, YELLOW, GREEN, BLUE = Colour
START = "10,3,10,- r1.1.1.2"
"""Three of seat 1's cards lie in the centre, one of seat 2's, and none of seat 3's."""


@pytest.fixture
def late() -> CardDriver:
    """Seat 1 has just called stop."""
    driver = playing(START)
    driver.stop(1)
    assert driver.settle.step is CheckStep.LATE
    return driver


@pytest.fixture
def check(late: CardDriver) -> CardDriver:
    """The same, with the counts on show."""
    late.until_deadline()
    assert late.settle.step is CheckStep.CHECK
    return late


def scan(driver: CardDriver, *cards: Card) -> None:
    """Cards are shown to their owners' pads, one after the other."""
    for card in cards:
        driver.arm(card)
        driver.disarm(card)


def scored(driver: CardDriver) -> RoundScored:
    driver.wait(2 * driver.settings.leftover_ns)
    return driver.last(RoundScored)


# -- scores


def test_nobody_has_more_left_than_it_was_dealt(check: CardDriver) -> None:
    scan(check, *(Card(2, BLUE, number) for number in (5, 6, 7, 8)))
    assert check.settle.counts == [0, 3, 0, 0] and len(check.all_of(LeftoverScanned)) == 3


def test_a_scan_gives_everybody_time_to_look_again(check: CardDriver) -> None:
    check.wait(check.settings.leftover_ns - 1 * S)
    check.arm(Card(3, BLUE, 7))
    scanned_ns = check.now_ns
    check.until(scanned_ns + check.settings.leftover_ns - 1)
    assert check.phase() is Phase.SETTLE
    check.wait(1)
    assert check.phase() is Phase.SCORES


def test_who_shows_one_more_card_has_not_agreed_yet(check: CardDriver) -> None:
    check.tap(1, 3)
    check.arm(Card(3, BLUE, 7))
    check.tap(2)
    assert check.phase() is Phase.SETTLE
    check.tap(1, 2, 3)
    assert check.phase() is Phase.SCORES


def test_a_card_that_was_found_before_the_question_and_counts_after_it_is_no_answer() -> None:
    driver = playing()
    driver.stop(1)
    driver.until_deadline(100 * MS)
    driver.show(Pad(3), Card(3, BLUE, 7))
    driver.wait(driver.counts_after_ns)
    assert driver.settle.step is CheckStep.CHECK and driver.session.tags.lying(Pad(3))
    assert driver.settle.counts == [0, 0, 0, 0]


@pytest.mark.parametrize(
    ("pad", "tag", "cue"),
    [
        (2, Stranger("04a1b2c3"), Cue.UNKNOWN),
        (2, DieFace(1, 1), Cue.WRONG_KIND),
        (2, Card(3, RED, 1), Cue.NOT_YOURS),
        (4, Card(4, RED, 1), Cue.NOT_YOURS),
        (2, Card(2, RED, 4), Cue.IN_CENTRE),
    ],
)
def test_what_is_no_leftover_is_said(
    check: CardDriver, pad: int, tag: Card | DieFace | Stranger, cue: Cue
) -> None:
    check.show(Pad(pad), tag)
    check.wait(check.counts_after_ns)
    assert check.cues == [cue] and check.settle.counts == [0, 0, 0, 0]
    check.withdraw(Pad(pad), tag)
    check.wait(check.counts_after_ns)
    assert check.cues == [cue]


def test_tags_on_piles_are_no_leftovers(check: CardDriver) -> None:
    check.lay(1, Card(2, BLUE, 7))
    assert check.settle.counts == [0, 0, 0, 0] and not check.cues


# -- while late stamps come in


def test_a_wrong_tag_during_the_stop_call_is_said_once(late: CardDriver) -> None:
    late.arm(Card(2, BLUE, 7))
    late.show(Pad(3), Stranger("04a1b2c3"))
    late.wait(late.counts_after_ns)
    assert late.cues == [Cue.UNKNOWN]


def laid_before_the_stop(*shown: Card) -> CardDriver:
    """Seat 2 lays red five, takes it back and shows it to its pad, and seat 1 calls stop meanwhile."""
    driver = playing(START, table=PILES_AND_CALLS)
    driver.show(Pile(1), Card(2, RED, 5))
    driver.wait(60 * MS)
    driver.show(Pad(2), Card(2, RED, 5))
    driver.wait(40 * MS)
    driver.call_down(1)
    driver.wait(driver.known_after_ns + MOMENT_NS)
    assert driver.phase() is Phase.SETTLE and not driver.played
    for card in shown:
        driver.show(Pad(card.seat), card)
        driver.wait(10 * MS)
    driver.until_deadline()
    assert driver.played == [Card(2, RED, 5)]
    return driver


def test_a_card_that_turns_out_to_be_played_is_no_leftover() -> None:
    """Seat 2 was dealt three, and shows one that it has played and three that it has not."""
    driver = laid_before_the_stop(Card(2, BLUE, 7))
    assert not driver.all_of(LeftoverScanned)
    driver.withdraw(Pad(2), Card(2, RED, 5))
    driver.withdraw(Pad(2), Card(2, BLUE, 7))
    driver.wait(driver.counts_after_ns)
    scan(driver, Card(2, RED, 5), Card(2, BLUE, 7), Card(2, BLUE, 8), Card(2, BLUE, 9))
    assert driver.settle.counts == [0, 3, 0, 0] and driver.cues[-1] is Cue.IN_CENTRE
    assert scored(driver).scores == (3, 2 - 6, 0, 0)


def test_a_button_that_is_still_down_at_the_end_gets_its_answer() -> None:
    """It went down before the end, and can't become a call any more."""
    driver = playing(START, table=LONG_PRESS)
    driver.press(1)
    driver.wait(driver.settings.hold_ns - 200 * MS)
    driver.press(2)
    driver.wait(10 * S)
    assert driver.all_of(RoundFinished)[0].seat == 1
    assert [seat for seat, _ in driver.verdicts] == [2]


def test_a_stop_by_a_long_press_is_shown_as_long_as_any() -> None:
    """It is dated by its press, so it is old already when it is known."""
    driver = playing(START, table=LONG_PRESS)
    driver.hold(1)
    deadline_ns = driver.settle.deadline_ns
    assert deadline_ns is not None
    assert deadline_ns >= driver.settle.entered_ns + driver.settings.stop_ns


# -- disputes, and the operator


def dispute(driver: CardDriver, seat: int, cards: int) -> None:
    """A seat holds its button, presses once for each card, and waits."""
    driver.hold(seat)
    for _ in range(cards):
        driver.tap(seat)
    driver.until_deadline()
    assert driver.settle.step is CheckStep.CONFIRM


def test_nobody_can_enter_more_than_it_was_dealt(check: CardDriver) -> None:
    dispute(check, 2, 5)
    assert check.settle.entered == 3


def test_an_operator_who_says_the_same_makes_no_correction(check: CardDriver) -> None:
    check.command(SetLeftover(2, 0, check.exactly))
    assert not check.all_of(Corrected)


def test_a_card_that_is_shown_during_a_dispute_is_not_lost(check: CardDriver) -> None:
    """Seat 3 shows what it has left while seat 2 enters a number: it need not show it again."""
    check.hold(2)
    assert check.settle.step is CheckStep.ENTRY
    scan(check, Card(3, BLUE, 7))
    check.tap(2)
    check.until_deadline()
    check.tap(1, 3)
    assert check.settle.counts == [0, 1, 1, 0]


# -- a call that was wrong


def refute(driver: CardDriver) -> None:
    """Seat 1, which has called stop, shows a card that it has left."""
    scan(driver, Card(1, BLUE, 7))
    driver.wait(driver.settings.leftover_ns)


def test_others_with_cards_left_refute_nobody(check: CardDriver) -> None:
    scan(check, Card(2, BLUE, 7))
    assert scored(check).finisher == 1


def test_a_wrong_call_locks_once_however_often_the_round_stands_still(check: CardDriver) -> None:
    refute(check)
    check.count_down_from_here()
    for command in (Pause, Resume):
        check.command(command(check.exactly))
        check.wait(100 * MS)
    assert [judged.cue for judged in check.all_of(Judged)] == [Cue.WRONG_STOP]


def test_a_round_can_get_stuck_after_a_wrong_call() -> None:
    driver = playing(START, table=LONG_PRESS)
    driver.hold(1)
    driver.until_deadline()
    refute(driver)
    driver.count_down_from_here()
    driver.press(1, 2, 3)
    driver.wait(driver.settings.all_hold_ns + driver.known_after_ns + MOMENT_NS)
    assert len(driver.all_of(RoundStuck)) == 1
    driver.release(1, 2, 3)
    driver.until_deadline()
    scan(driver, Card(1, BLUE, 7))
    result = scored(driver)
    assert result.finisher is None and result.scores == (1, 1, 0, 0)


def test_a_second_call_by_who_called_in_vain(check: CardDriver) -> None:
    refute(check)
    check.count_down_from_here()
    check.stop(1)
    check.until_deadline()
    refute(check)
    assert check.phase() is Phase.COUNTDOWN
    assert [effect.seat for effect in check.all_of(RoundFinished)] == [1, 1]


def test_a_card_whose_word_came_late_in_the_stop_call_gets_its_verdict() -> None:
    """It was laid before the call, and the reader was slow: every attempt gets exactly one answer."""
    driver = playing(START, table=PILES_AND_CALLS)
    laid = driver.exactly
    driver.wait(MOMENT_NS)
    driver.call_down(1)
    driver.wait(driver.known_after_ns + MOMENT_NS)
    driver.until_deadline(100 * MS)
    assert driver.settle.step is CheckStep.LATE
    driver.late(TagSeen(Pile(1), Card(2, RED, 5), laid, late=True))
    driver.wait(1 * S)
    assert driver.verdicts_of(2) != []
