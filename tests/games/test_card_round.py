"""Pads, slaps and piles, as the session judges them."""

from __future__ import annotations

import pytest

from firmware_host.games.phase_states import COUNT_FROM
from firmware_host.model.effects import CardArmed, CardPlayed, Cue, Judged, RoundStarted, TieBroken, Verdict
from firmware_host.model.events import Pause, Resume, StartMatch, TagSeen, Withdrawn
from firmware_host.model.places import Button, Card, Colour, DieFace, Pad, Pile, Slot
from firmware_host.model.settings import Settings
from firmware_host.model.states import Phase
from firmware_host.model.times import MS, S, Stamp
from firmware_host.timing.lanes import TagLane
from tests.games.card_driver import LONG_PRESS, LOOK_NS, PILE_READERS, CardDriver, playing
from tests.games.driver import TAP_NS

RED, YELLOW, GREEN, BLUE = Colour


@pytest.fixture
def piles() -> CardDriver:
    """A round of cards whose places have readers."""
    return playing(table=PILE_READERS)


# -- pads and slaps


def test_a_card_on_the_pad_is_armed_and_a_slap_plays_it(cards: CardDriver) -> None:
    cards.arm(Card(1, RED, 1))
    assert cards.last(CardArmed) == CardArmed(Card(1, RED, 1), Pile(1), cards.now_ns)
    assert cards.round.on_pad(1).card == Card(1, RED, 1) and cards.round.on_pad(1).place == 1
    cards.tap(1)
    assert cards.verdicts == [(1, Verdict.ACCEPTED)]
    assert cards.last(CardPlayed).pile == Pile(1)
    assert cards.round.on_pad(1).card is None and cards.round.on_pad(1).place is None
    assert cards.round.tally == (1, 0, 0, 0)
    assert cards.round.owed == cards.round.dealt == (10, 10, 10, 10)


def test_the_round_begins_with_what_each_seat_has_to_get_rid_of() -> None:
    assert playing("10,8,-,10").last(RoundStarted).hands == (10, 8, 0, 10)


def test_slapping_without_a_card_is_a_false_claim_and_locks_from_the_second_one_on(cards: CardDriver) -> None:
    cards.miss(1)
    warning = cards.last(Judged)
    assert (warning.verdict, warning.locked_until_ns) == (Verdict.FALSE_CLAIM, 0)
    stamp = cards.press(1)
    cards.wait(TAP_NS)
    cards.release(1)
    cards.wait(1 * S)
    judged = cards.last(Judged)
    assert (judged.verdict, judged.what) == (Verdict.FALSE_CLAIM, None)
    assert judged.decided_ns >= stamp.latest_ns + cards.settings.card_late_ns + cards.settings.tag_settle_ns
    assert judged.locked_until_ns == stamp.latest_ns + cards.settings.lock_ns


def test_a_tag_at_a_slot_is_no_matter_of_cards(cards: CardDriver) -> None:
    cards.show(Slot(RED, 1), DieFace(1, 1))
    cards.wait(500 * MS)
    assert not cards.cues and not cards.verdicts


def test_the_later_of_two_is_told_who_was_before_it() -> None:
    driver = playing("10,10,10,10 r4")
    driver.arm(Card(1, RED, 2), Card(2, RED, 2))
    driver.press(2)
    driver.wait(20 * MS)
    driver.tap(1)
    judged = driver.last(Judged)
    assert (judged.seat, judged.verdict, judged.rival, judged.margin_ns) == (1, Verdict.TOO_LATE, 2, 21 * MS)
    assert [won.stamp for won in driver.all_of(Judged) if won.seat == 2] == [judged.rival_stamp]


# -- before the start, in pauses


def check_in_time(driver: CardDriver) -> None:
    """Seat 1 is first with a card, and has it though its button stays down for a while."""
    driver.arm(Card(1, RED, 1), Card(2, RED, 1))
    driver.tap(2)
    driver.swap(Card(2, RED, 1), Card(2, RED, 2))
    driver.swap(Card(1, RED, 1), Card(1, RED, 2))
    driver.press(1)
    driver.wait(20 * MS)
    driver.press(2)
    driver.wait(300 * MS)
    assert driver.played == [Card(2, RED, 1), Card(1, RED, 2)]
    assert driver.verdicts_of(2) == [Verdict.ACCEPTED, Verdict.TOO_LATE]


def test_a_press_in_the_doubt_of_the_start_call_blocks_nobody() -> None:
    """It may have come just after the call, so it is judged; and then its seat plays on."""
    driver = CardDriver(LONG_PRESS)
    driver.command(StartMatch((10, 10, 0, 0), driver.exactly))
    driver.wait(COUNT_FROM * driver.settings.count_ns - driver.settings.stamp_uncertainty_ns // 2)
    assert driver.phase() is Phase.COUNTDOWN
    driver.press(1)
    driver.wait(TAP_NS)
    driver.release(1)
    driver.wait(3 * S)
    check_in_time(driver)


@pytest.mark.parametrize("down", [True, False])
def test_a_press_without_a_card_from_before_a_pause_blocks_nobody(down: bool) -> None:
    """It can't become a call any more; whether it is judged or not, its seat plays on after the pause."""
    driver = playing(table=LONG_PRESS)
    driver.press(1)
    if down:
        driver.wait(driver.known_after_ns)
    driver.command(Pause(driver.exactly))
    driver.wait(TAP_NS)
    driver.release(1)
    driver.wait(5 * S)
    driver.command(Resume(driver.exactly))
    driver.wait(100 * MS)
    check_in_time(driver)


def test_a_press_without_a_card_whose_button_is_masked_blocks_nobody() -> None:
    driver = playing(table=LONG_PRESS)
    driver.press(1)
    driver.wait(driver.known_after_ns)
    driver.mask(Button(1))
    driver.wait(1 * S)
    driver.unmask(Button(1))
    driver.wait(10 * S)
    assert driver.phase() is Phase.PLAY
    check_in_time(driver)


def test_tags_come_and_go_during_countdown_and_pause() -> None:
    driver = CardDriver()
    driver.arm(Card(1, RED, 1))
    driver.command(StartMatch((10, 10, 0, 0), driver.exactly))
    driver.show(Pad(2), Card(2, BLUE, 1))
    driver.count_down()
    assert (driver.round.on_pad(1).card, driver.round.on_pad(2).card) == (Card(1, RED, 1), Card(2, BLUE, 1))
    driver.command(Pause(driver.exactly))
    driver.swap(Card(1, RED, 1), Card(1, GREEN, 1))
    driver.tap(1)
    assert driver.verdicts == [(1, Verdict.NOT_RUNNING)]
    driver.command(Resume(driver.exactly))
    driver.tap(1, 2)
    assert driver.played == [Card(1, GREEN, 1), Card(2, BLUE, 1)]


# -- piles with readers


def test_a_card_beside_one_that_does_not_belong_there_is_one_too_many(piles: CardDriver) -> None:
    piles.lay(1, Card(1, BLUE, 9))
    assert piles.verdicts == [(1, Verdict.ILLEGAL)]
    assert piles.last(Judged).locked_until_ns == 0
    piles.lay(1, Card(2, RED, 1))
    assert piles.cues == [Cue.TWO_TAGS] and piles.centre == []
    piles.withdraw(Pile(1), Card(1, BLUE, 9))
    piles.withdraw(Pile(1), Card(2, RED, 1))
    piles.wait(piles.counts_after_ns)
    piles.lay(1, Card(2, RED, 1))
    assert piles.centre == ["r2"]


@pytest.mark.parametrize("honest", [1, 3])
def test_who_lays_one_card_beside_a_rival_who_lays_two_is_the_same_from_any_seat(honest: int) -> None:
    driver = playing("10,10,10,10 r4", table=PILE_READERS)
    driver.show(Pile(1), Card(honest, RED, 2))
    driver.wait(LOOK_NS)
    driver.show(Pile(1), Card(4 - honest, RED, 2))
    driver.show(Pile(1), Card(4 - honest, BLUE, 9))
    driver.wait(driver.judged_after_ns)
    assert driver.played == [Card(honest, RED, 2)]


def test_a_card_laid_on_one_that_is_not_judged_yet_follows_it() -> None:
    """A quick hand lays the next card before the table has decided on the last."""
    driver = playing("10,10,10,10 r4", table=PILE_READERS)
    driver.show(Pile(1), Card(1, RED, 2))
    driver.wait(100 * MS)
    driver.show(Pile(1), Card(2, RED, 3))
    driver.wait(500 * MS)
    assert driver.centre == ["r4.1.2"]


def test_a_card_laid_in_a_pause_counts_for_nothing(piles: CardDriver) -> None:
    piles.command(Pause(piles.exactly))
    piles.wait(10 * MS)
    piles.lay(1, Card(1, RED, 1))
    assert piles.verdicts == [(1, Verdict.NOT_RUNNING)] and piles.centre == []


@pytest.mark.parametrize("other", [1, 3])
def test_a_card_of_nobody_who_plays_is_in_the_way_whoever_it_would_be(other: int) -> None:
    """Found by the same look as seat 2's: a verdict does not hang on which number is lower."""
    deal = ["10", "10", "10"]
    deal[other - 1] = "-"
    driver = playing(",".join(deal), table=PILE_READERS)
    driver.show(Pile(1), Card(other, RED, 1))
    driver.show(Pile(1), Card(2, GREEN, 1))
    driver.wait(driver.judged_after_ns)
    assert sorted(cue.value for cue in driver.cues) == ["not-yours", "two-tags"] and driver.centre == []


def test_nobody_ties_with_oneself(piles: CardDriver) -> None:
    """One seat lays a card after the other on one place: the first opens a pile, the second is illegal."""
    piles.show(Pile(1), Card(1, RED, 1))
    piles.wait(LOOK_NS)
    piles.show(Pile(1), Card(1, BLUE, 1))
    piles.wait(piles.judged_after_ns)
    assert piles.centre == ["r1"] and not piles.all_of(TieBroken)
    assert piles.verdicts == [(1, Verdict.ACCEPTED), (1, Verdict.ILLEGAL)]


def test_a_cue_excuses_one_slap_for_each_state_of_the_pad() -> None:
    """Hammering with a card that was played still on the pad, until the next one counts, does not pay."""
    cards = playing(settings=Settings(locks="strict"))
    cards.play_card(Card(1, RED, 1))
    cards.wait(1 * S)
    cards.effects.clear()
    cards.arm(Card(1, RED, 1))
    cards.miss(1)
    assert cards.last(Judged).cue is Cue.IN_CENTRE and cards.last(Judged).locked_until_ns == 0
    cards.miss(1)
    assert cards.last(Judged).cue is Cue.IN_CENTRE and cards.last(Judged).locked_until_ns > cards.now_ns
    cards.arm(Card(1, RED, 2))
    cards.tap(1)
    assert cards.last(Judged).verdict is Verdict.LOCKED


def test_a_card_that_came_and_went_while_the_computer_stood_still_is_no_ghost() -> None:
    lane = TagLane(150 * MS)
    came, gone = Stamp(100 * MS, 140 * MS), Stamp(500 * MS, 620 * MS)
    for event in (Withdrawn(Pad(1), Card(1, RED, 1), gone), TagSeen(Pad(1), Card(1, RED, 1), came)):
        lane.put(event, 10 * S)
    assert [type(event) for _, event in lane.take(10 * S)] == [TagSeen, Withdrawn]
