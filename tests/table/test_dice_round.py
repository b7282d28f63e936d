"""What may happen to a real die on a real board, slot by slot."""

from __future__ import annotations

from firmware_host.durations import MS, S
from firmware_host.effects import Judged, Verdict
from firmware_host.events import Emptied, Filled
from firmware_host.places import Slot
from firmware_host.stamps import Stamp
from firmware_host.states import Phase, SlotState
from tests.table.driver import GREEN, RED, Driver

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


# -- the straight way


def test_a_legal_die_waits_for_its_owner_and_counts(play: Driver) -> None:
    put_down(play, R1)
    assert play.state(R1) is SlotState.OPEN
    play.tap(2)
    assert play.history(R1) == ["open", "counted"]
    assert play.dice.position.left == (12, 11, 0, 0)


def test_dice_of_a_position_are_counted_already(driver: Driver) -> None:
    driver.start_from("r2y0g0b1 5/6,4/6,-,-")
    counted = driver.dice.position.board
    assert {slot for slot in counted if driver.state(slot) is SlotState.COUNTED} == counted
    assert driver.dice.board.states.count(SlotState.FREE) == 21


def test_the_next_place_is_the_next_number_of_the_row(play: Driver) -> None:
    play.play(1, R1, R2, R3)
    assert height(play) == 3
    assert play.verdicts == [(1, Verdict.ACCEPTED)] * 3


# -- where it does not belong


def test_a_die_that_skips_a_number_is_illegal_until_it_is_taken_off(play: Driver) -> None:
    put_down(play, R2)
    take_off(play, R2)
    assert play.history(R2) == ["illegal", "free"]
    assert height(play) == 0


def test_whoever_slaps_for_an_illegal_die_is_told_so(play: Driver) -> None:
    play.fill(R2)
    play.tap(1)
    play.wait(1 * S)
    assert play.verdicts == [(1, Verdict.ILLEGAL)]
    assert play.last(Judged).what == R2


def test_an_illegal_die_does_not_become_legal_by_lying_there(play: Driver) -> None:
    put_down(play, R2)
    play.play(1, R1)
    assert play.state(R2) is SlotState.ILLEGAL
    take_off(play, R2)
    put_down(play, R2)
    assert play.history(R2) == ["illegal", "free", "open"]


# -- nobody claims it


def test_a_die_that_nobody_claims_lapses(play: Driver) -> None:
    play.fill(R1)
    play.wait(LAPSE_NS)
    assert play.history(R1) == ["open", "lapsed"]
    play.tap(1)
    play.wait(1 * S)
    assert play.verdicts == [(1, Verdict.FALSE_CLAIM)]


def test_a_lapsed_die_counts_when_it_is_lifted_and_placed_again(play: Driver) -> None:
    play.fill(R1)
    play.wait(LAPSE_NS)
    take_off(play, R1)
    assert height(play) == 0
    play.play(1, R1)
    assert play.history(R1) == ["open", "lapsed", "free", "open", "counted"]


def test_so_does_one_under_another_die(play: Driver) -> None:
    play.fill(R1)
    play.wait(LAPSE_NS)
    play.play(2, R2)
    take_off(play, R1)
    play.play(1, R1)
    assert play.history(R1) == ["open", "lapsed", "missing", "open", "counted"]
    assert play.dice.position.left == (11, 11, 0, 0)


def test_a_die_can_be_taken_back_before_it_counts(play: Driver) -> None:
    put_down(play, R1)
    take_off(play, R1)
    assert play.history(R1) == ["open", "free"]
    play.tap(1)
    play.wait(1 * S)
    assert play.verdicts == [(1, Verdict.FALSE_CLAIM)]


# -- knocked off


def test_a_counted_die_that_is_knocked_off_still_counts(play: Driver) -> None:
    play.play(1, R1)
    take_off(play, R1)
    assert height(play) == 1 and play.dice.position.left[0] == 11
    put_down(play, R1)
    assert play.history(R1) == ["open", "counted", "missing", "counted"]


def test_a_row_grows_over_a_die_that_is_missing(play: Driver) -> None:
    play.play(1, R1)
    play.empty(R1)
    play.play(2, R2)
    assert play.verdicts[-1] == (2, Verdict.ACCEPTED)


def test_an_unclaimed_die_under_another_can_be_claimed_while_it_is_missing(play: Driver) -> None:
    lift_from_below(play)
    play.tap(1)
    put_down(play, R1)
    assert play.last(Judged).what == R1
    assert play.history(R1) == ["open", "missing", "counted"]


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


def test_two_dice_at_one_moment_land_in_the_order_that_suits_the_players(play: Driver) -> None:
    play.fill(R2)
    play.wait(play.settings.stamp_uncertainty_ns)  # the stamps still overlap
    put_down(play, R1)
    assert height(play) == 2
    assert [play.state(slot) for slot in (R1, R2)] == [SlotState.OPEN, SlotState.OPEN]


def test_two_dice_surely_one_after_the_other_do_not(play: Driver) -> None:
    play.fill(R2)
    play.wait(1 * MS)
    put_down(play, R1)
    assert [play.state(slot) for slot in (R1, R2)] == [SlotState.OPEN, SlotState.ILLEGAL]


def test_lifting_and_placing_at_one_moment_keep_their_order_in_one_slot(play: Driver) -> None:
    put_down(play, R1)
    play.empty(R1)
    put_down(play, R1)
    assert play.history(R1) == ["open", "free", "open"]


# -- late news


def test_a_claim_on_a_late_die_is_marked_as_doubtful(play: Driver) -> None:
    play.late(Filled(R1, play.stamp, late=True))
    settle(play)
    play.tap(1)
    assert play.last(Judged).verdict is Verdict.ACCEPTED
    assert play.last(Judged).doubtful
    play.play(1, R2)
    assert not play.last(Judged).doubtful


def test_late_news_of_a_slot_do_not_stall_the_table(play: Driver) -> None:
    """A stale edge comes in after a newer one of the same slot was let through."""
    placed = play.fill(R1)
    play.until(placed.earliest_ns + play.settings.settle_ns)
    play.tick()
    stale = Stamp(placed.earliest_ns - 1 * MS, placed.latest_ns - 1 * MS)
    play.late(Emptied(R1, stale, late=True))
    due_ns = play.session.due_after_ns(play.now_ns)
    assert due_ns is not None and due_ns > play.now_ns
    play.wait(1 * S)


# -- who may slap


def test_a_seat_without_dice_is_not_in_the_round(play: Driver) -> None:
    play.fill(R1)
    play.tap(3)
    assert play.verdicts == [(3, Verdict.NOT_RUNNING)]


def test_whoever_loses_a_race_is_told_by_how_much(play: Driver) -> None:
    play.slap_for(2, R1)
    play.wait(3 * MS)
    play.press(1)
    play.wait(1 * S)
    lost = play.last(Judged)
    assert (lost.verdict, lost.seat, lost.rival, lost.margin_ns) == (Verdict.TOO_LATE, 1, 2, 3 * MS)
    assert [(won.seat, won.stamp) for won in play.all_of(Judged)][:-1] == [(lost.rival, lost.rival_stamp)]


# -- a counted die is taken back


def test_a_wrong_die_that_has_counted_is_taken_back_by_its_seat(play: Driver) -> None:
    play.play(1, R1)
    play.wait(500 * MS)
    play.empty(R1)
    play.wait(200 * MS)
    play.tap(1)
    assert play.verdicts == [(1, Verdict.ACCEPTED), (1, Verdict.TAKEN_BACK)]
    assert play.history(R1) == ["open", "counted", "missing", "free"]
    assert play.dice.position.left[0] == play.dice.position.dealt[0]
    play.play(2, R1)
    assert play.verdicts[-1] == (2, Verdict.ACCEPTED)


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


def test_a_counted_die_can_not_be_taken_back_from_under_another(play: Driver) -> None:
    play.play(1, R1, R2)
    play.wait(500 * MS)
    play.empty(R1)
    play.wait(200 * MS)
    play.tap(1)
    play.wait(500 * MS)
    assert play.verdicts[-1] == (1, Verdict.FALSE_CLAIM)


def test_a_counted_die_that_was_put_back_is_not_taken_back_by_a_slap(play: Driver) -> None:
    play.play(1, R1)
    play.wait(500 * MS)
    play.empty(R1)
    play.wait(200 * MS)
    play.fill(R1)
    play.wait(200 * MS)
    play.tap(1)
    play.wait(500 * MS)
    assert play.verdicts[-1] == (1, Verdict.REPEATED)
    assert play.state(R1) is SlotState.COUNTED


def test_a_die_of_a_position_can_be_taken_back(driver: Driver) -> None:
    driver.start_from("r5y4g0b0 1/6,2/6,-,-")
    driver.empty(Slot(RED, 5))
    driver.wait(200 * MS)
    driver.tap(2)
    assert driver.verdicts == [(2, Verdict.TAKEN_BACK)]
    assert str(driver.dice.position) == "r4y4g0b0 1/6,3/6,-,-"
