"""What may happen to a real die on a real board, slot by slot."""

from __future__ import annotations

from firmware_host.model.effects import Judged, Verdict
from firmware_host.model.events import Emptied, Filled
from firmware_host.model.places import Slot
from firmware_host.model.states import Phase, SlotState
from firmware_host.model.times import MS, S, Stamp
from tests.games.driver import GREEN, RED, Driver

LAPSE_NS = 4 * S
"""Longer than a die may wait for its owner."""

R1, R2, R3 = (Slot(RED, number) for number in (1, 2, 3))


def height(driver: Driver) -> int:
    """Of the red row."""
    return driver.dice.position.heights[RED]


def settle(driver: Driver) -> None:
    """Let everything that lies or was slapped become known."""
    driver.wait(100 * MS)


def put_down(driver: Driver, slot: Slot) -> None:
    driver.fill(slot)
    settle(driver)


def take_off(driver: Driver, slot: Slot) -> None:
    driver.empty(slot)
    settle(driver)


def lift_from_below(driver: Driver) -> None:
    """Red 1 and 2 come down, nobody slaps, and red 1 is taken away again."""
    driver.fill(R1)
    driver.wait(1 * MS)
    put_down(driver, R2)
    take_off(driver, R1)


# -- knocked off


def test_an_unclaimed_die_that_is_put_back_still_waits(play: Driver) -> None:
    lift_from_below(play)
    put_down(play, R1)
    assert play.history(R1) == ["open", "missing", "open"]


def test_an_unclaimed_die_lapses_while_it_is_missing(play: Driver) -> None:
    lift_from_below(play)
    play.wait(LAPSE_NS)
    assert play.history(R1) == ["open", "missing"]
    play.play(1, R1)  # so putting it back is placing it anew
    assert play.verdicts == [(1, Verdict.ACCEPTED)]
    assert play.history(R1) == ["open", "missing", "open", "counted"]


def test_a_lapsed_die_put_back_after_the_end_stays_lapsed(driver: Driver) -> None:
    driver.start_from("r4y0g0b0 2/6,6/6,-,-")
    driver.fill(Slot(RED, 5))
    driver.wait(LAPSE_NS)
    driver.play(1, Slot(RED, 6), Slot(GREEN, 1))
    assert driver.phase() is Phase.SETTLE
    take_off(driver, Slot(RED, 5))
    put_down(driver, Slot(RED, 5))
    assert driver.history(Slot(RED, 5)) == ["open", "lapsed", "missing", "lapsed"]


# -- what a sensor can say twice


def test_filling_a_filled_slot_changes_nothing(play: Driver) -> None:
    play.play(1, R1)
    play.late(Filled(R1, play.stamp, late=True))
    settle(play)
    assert play.history(R1) == ["open", "counted"]


def test_emptying_an_empty_slot_changes_nothing(play: Driver) -> None:
    play.late(Emptied(R1, play.stamp, late=True))
    settle(play)
    assert play.history(R1) == []


def test_emptying_a_missing_die_again_changes_nothing(play: Driver) -> None:
    play.play(1, R1)
    take_off(play, R1)
    play.late(Emptied(R1, play.stamp, late=True))
    settle(play)
    assert play.history(R1) == ["open", "counted", "missing"]


# -- the order of landing


def test_lifting_and_placing_at_one_moment_keep_their_order_in_one_slot(play: Driver) -> None:
    put_down(play, R1)
    play.empty(R1)
    put_down(play, R1)
    assert play.history(R1) == ["open", "free", "open"]


# -- late news


def test_late_news_of_a_slot_do_not_stall_the_table(play: Driver) -> None:
    """A stale edge comes in after a newer one of the same slot was let through."""
    placed = play.fill(R1)
    play.until(placed.earliest_ns + play.settings.settle_ns)
    play.tick()
    stale = Stamp(placed.earliest_ns - 1 * MS, placed.latest_ns - 1 * MS)
    play.late(Emptied(R1, stale, late=True))
    due_ns = play.session.state.due_after_ns(play.now_ns)
    assert due_ns is not None and due_ns > play.now_ns
    play.wait(1 * S)


# -- who may slap


def test_whoever_loses_a_race_is_told_by_how_much(play: Driver) -> None:
    play.slap_for(2, R1)
    play.wait(3 * MS)
    play.press(1)
    play.wait(1 * S)
    lost = play.last(Judged)
    assert (lost.verdict, lost.seat, lost.rival, lost.margin_ns) == (Verdict.TOO_LATE, 1, 2, 3 * MS)
    assert [(won.seat, won.stamp) for won in play.all_of(Judged)][:-1] == [(lost.rival, lost.rival_stamp)]


# -- a counted die is taken back


def test_a_counted_die_can_not_be_taken_back_when_another_lies_on_it(play: Driver) -> None:
    play.play(1, R1)
    play.wait(500 * MS)
    play.empty(R1)
    play.wait(200 * MS)
    play.play(2, R2)
    play.wait(play.settings.just_lost_ns)
    play.tap(1)
    play.wait(500 * MS)
    assert play.verdicts[-1] == (1, Verdict.FALSE_CLAIM)
    assert play.state(R1) is SlotState.MISSING
