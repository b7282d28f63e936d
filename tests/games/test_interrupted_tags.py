"""What a table that was away does about dice and cards with tags."""

from __future__ import annotations

from dataclasses import replace

from firmware_host.games.phase_states import BACK_NS
from firmware_host.model.effects import Judged, RoundFinished, Verdict
from firmware_host.model.events import TagSeen, Withdrawn
from firmware_host.model.places import Card, Colour, DieFace, Pad, Pile, Slot
from firmware_host.model.states import Phase, SlotState
from firmware_host.model.times import MS, S
from firmware_host.run.table_files import table_of
from tests.games.card_driver import LONG_PRESS, PILE_READERS, CardDriver, playing
from tests.games.mishaps import R1
from tests.games.test_identified import LONG_NS, PROFILE, DiceHands
from tests.games.test_interrupted import come, found, until_back

# -- dice that are owned by tag


def owned() -> DiceHands:
    """A round in which each die counts for who has shown it; seat 1 has one left."""
    hands = DiceHands(table_of(replace(PROFILE, ownership="tag")))
    for die, seat in ((1, 1), (7, 2), (8, 2)):
        tag = DieFace(die, 1)
        hands.show(Pad(seat), tag)
        hands.wait(LONG_NS)
        hands.withdraw(Pad(seat), tag)
        hands.wait(LONG_NS)
    hands.start(1, 2)
    hands.wait(100 * MS)
    return hands


def test_a_die_that_counts_by_itself_does_so_though_the_table_was_away_but_doubtful() -> None:
    hands = owned()
    hands.put(Slot(Colour.YELLOW, 1), DieFace(7, 1))
    hands.wait(100 * MS)
    assert hands.verdicts == []
    hands.interrupt()
    (judged,) = hands.all_of(Judged)
    assert (judged.seat, judged.verdict, judged.doubtful) == (2, Verdict.ACCEPTED, True)
    hands.wait(6 * S)
    assert hands.phase() is Phase.PLAY


def test_the_last_die_that_counts_by_itself_ends_the_round_though_the_table_was_away() -> None:
    hands = owned()
    hands.put(R1, DieFace(1, 1))
    hands.wait(100 * MS)
    hands.interrupt()
    assert hands.path[-2:] == ["PAUSED", "SETTLE"]
    assert hands.last(RoundFinished).seat == 1


def test_a_die_that_comes_meanwhile_is_nobodys() -> None:
    hands = owned()
    away = hands.interrupt()
    hands.show(R1, DieFace(1, 1))
    hands.late(come(R1, away))
    hands.wait(10 * S)
    assert hands.verdicts == [] and hands.state(R1) is SlotState.ILLEGAL
    assert hands.phase() is Phase.PAUSED
    hands.lift(R1)
    hands.wait(10 * S)
    assert hands.phase() is Phase.PLAY
    assert hands.session.owners == {1: 1, 7: 2, 8: 2}


# -- cards


RED_3 = Card(2, Colour.RED, 3)


def until_play(driver: CardDriver) -> None:
    driver.wait(BACK_NS + driver.settings.settle_ns)
    driver.count_down()
    driver.wait(100 * MS)


def test_a_round_of_cards_only_waits_for_a_moment() -> None:
    driver = playing("10,10,10,10 r1.2")
    away = driver.interrupt()
    assert driver.lines() == ("Table was off", "")
    until_back(driver, away)
    assert driver.phase() is Phase.COUNTDOWN
    driver.count_down()
    assert driver.centre[0] == "r1.2"
    driver.play_card(RED_3)
    assert driver.played == [RED_3]


def test_a_card_that_stays_on_its_pad_is_armed_still() -> None:
    driver = playing("10,10,10,10 r1.2")
    driver.arm(RED_3)
    driver.interrupt()
    until_play(driver)
    driver.tap(2)
    assert driver.verdicts == [(2, Verdict.ACCEPTED)]


def test_a_card_that_was_taken_off_meanwhile_is_not_played() -> None:
    driver = playing("10,10,10,10 r1.2")
    driver.arm(RED_3)
    away = driver.interrupt()
    driver.late(Withdrawn(Pad(2), RED_3, found(away)))
    until_play(driver)
    driver.tap(2)
    assert driver.played == []


def test_a_card_that_came_to_a_pad_meanwhile_is_armed_when_the_round_goes_on() -> None:
    driver = playing("10,10,10,10 r1.2")
    away = driver.interrupt()
    driver.late(TagSeen(Pad(2), RED_3, found(away)))
    until_play(driver)
    assert driver.round.on_pad(2).card == RED_3
    driver.tap(2)
    assert driver.played == [RED_3]


def test_a_slap_for_a_card_under_way_is_decided_but_doubtful() -> None:
    driver = playing("10,10,10,10 r1.2")
    driver.arm(RED_3)
    driver.press(2)
    driver.wait(5 * MS)
    driver.interrupt()
    (judged,) = driver.all_of(Judged)
    assert (judged.verdict, judged.doubtful) == (Verdict.ACCEPTED, True)
    assert driver.played == [RED_3]


def test_a_long_press_that_was_cut_off_calls_no_stop() -> None:
    driver = playing("10,10,10,10", LONG_PRESS)
    driver.press(2)
    driver.wait(900 * MS)
    driver.interrupt()
    driver.wait(10 * S)
    assert driver.phase() is Phase.PLAY
    assert driver.path == ["COUNTDOWN", "PLAY", "PAUSED", "COUNTDOWN", "PLAY"]
    assert len(driver.verdicts) == 1  # it was a slap for nothing


def test_all_who_hold_when_it_goes_off_have_not_said_that_nobody_can_play() -> None:
    driver = playing("10,10", LONG_PRESS)
    driver.press(1, 2)
    driver.wait(900 * MS)
    driver.interrupt()
    assert driver.phase() is Phase.PAUSED


def test_a_call_of_stop_under_way_ends_the_round_though_it_waits(cards: CardDriver) -> None:
    cards.call_down(3)
    cards.wait(5 * MS)
    cards.interrupt()
    assert cards.path[-2:] == ["PAUSED", "SETTLE"]
    assert cards.last(RoundFinished).seat == 3
    assert not cards.session.troubles.all


def test_all_who_hold_together_make_a_round_of_cards_void_too() -> None:
    driver = playing("10,10,-,-", LONG_PRESS)
    driver.interrupt("service")
    driver.hold(1, 2)
    assert driver.phase() is Phase.CLEAR


def test_a_card_laid_on_a_pile_under_way_is_played_but_doubtful() -> None:
    driver = playing("10,10,10,10 r1.2", PILE_READERS)
    driver.show(Pile(1), RED_3)
    driver.wait(50 * MS)
    driver.interrupt()
    (judged,) = driver.all_of(Judged)
    assert (judged.verdict, judged.doubtful) == (Verdict.ACCEPTED, True)


def test_a_card_that_was_laid_on_a_pile_meanwhile_is_not_played() -> None:
    driver = playing("10,10,10,10 r1.2", PILE_READERS)
    away = driver.interrupt()
    driver.late(TagSeen(Pile(1), RED_3, found(away)))
    assert driver.last(Judged).verdict is Verdict.NOT_RUNNING
    assert driver.played == []


def test_a_leftover_count_that_was_shown_stays(cards: CardDriver) -> None:
    cards.stop(1)
    cards.until_deadline()
    cards.arm(Card(3, Colour.BLUE, 4))
    assert cards.settle.counts == [0, 0, 1, 0]
    cards.interrupt()
    cards.arm(Card(3, Colour.BLUE, 5))
    assert cards.settle.counts == [0, 0, 2, 0]
