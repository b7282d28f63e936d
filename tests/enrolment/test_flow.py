"""What a tag that comes means, and what is waited for then."""

from __future__ import annotations

import pytest

from firmware_host.durations import MS, S
from firmware_host.enrolment.flow import FAREWELL_NS, MOVE_NS, SETTLE_NS, TABLE
from firmware_host.enrolment.happenings import Found, Key, Lost
from firmware_host.enrolment.news import (
    Asked,
    AtFirst,
    Blinded,
    Chosen,
    Crowded,
    Elsewhere,
    GoneSoon,
    Kept,
    Known,
    LiesThere,
    Skipped,
    Stayed,
)
from firmware_host.enrolment.phases import Notice, Phase, Sign
from firmware_host.places import Pile
from tests.enrolment.driving import PADS, REDS, A, B, C, D, Person

ONE, TWO, THREE, FOUR = REDS


def test_the_table_says_what_comes_of_every_sign_in_every_phase() -> None:
    assert set(TABLE) == set(Phase)
    assert all(set(row) == set(Sign) for row in TABLE.values())


# -- as it should go


def test_tags_are_taken_one_by_one_until_all_is_done() -> None:
    person = Person()
    assert person.news == [Asked(ONE, 1, 4, None)]
    assert person.show(A) == [Chosen(0), Kept(ONE, A), Asked(TWO, 2, 4, 0)]
    person.show(B)
    person.show(C)
    assert person.show(D) == [Kept(FOUR, D)]
    assert person.at(Phase.DONE)
    person.wait(FAREWELL_NS)
    assert person.at(Phase.OVER)
    assert person.tags == {A: ONE, B: TWO, C: THREE, D: FOUR}


def test_a_tag_counts_when_it_has_been_alone_for_long_enough_and_not_before() -> None:
    person = Person()
    person.put(A)
    assert person.wait(SETTLE_NS - 1) == []
    assert person.wait(1) == [Kept(ONE, A)]


def test_the_next_one_is_asked_for_when_the_reader_is_empty() -> None:
    person = Person()
    person.put(A)
    assert person.wait(1 * S) == [Kept(ONE, A)]
    assert person.put(B) == []
    assert person.take(A) == []
    assert person.at(Phase.CLEARING)
    assert person.wait(1 * S) == []
    assert person.take(B) == [Asked(TWO, 2, 4, 0)]
    assert person.tags == {A: ONE}


# -- which reader


def test_the_first_pad_is_the_one_from_then_on() -> None:
    person = Person()
    person.show(A, reader=1)
    assert person.put(B, reader=0) == [Elsewhere(0, B)]
    assert person.wait(1 * S) == []
    assert person.tags == {A: ONE}
    person.show(C, reader=1)
    assert person.tags == {A: ONE, C: TWO}


def test_where_there_are_pads_other_readers_have_to_be_chosen() -> None:
    person = Person()
    assert person.show(A, reader=2) == [Elsewhere(2, A)]
    chosen = Person(reader=2)
    chosen.show(A, reader=2)
    assert chosen.tags == {A: ONE}


def test_without_pads_any_reader_will_do() -> None:
    person = Person(spots=[Pile(1), Pile(2)])
    person.show(A, reader=1)
    assert person.tags == {A: ONE}


# -- what lies there already


def test_what_lay_on_a_pad_before_counts_after_it_was_taken_off() -> None:
    person = Person()
    assert person.put(A, early=True) == [LiesThere(0)]
    assert person.wait(10 * S) == []
    assert person.take(A) == []
    assert person.show(A)[0] == Chosen(0)
    assert person.tags == {A: ONE}


def test_what_lies_on_another_reader_from_the_start_is_nobodys_business() -> None:
    person = Person()
    assert person.put(A, reader=2, early=True) == []


def test_what_lay_on_the_chosen_reader_before_has_to_be_taken_off() -> None:
    person = Person(reader=0)
    assert person.put(A, early=True) == [LiesThere(0)]
    assert (person.flow.phase, person.flow.notice) == (Phase.CLEARING, Notice.OLD)
    assert person.put(B) == []
    assert person.wait(10 * S) == []
    person.take(B)
    assert person.take(A) == [Asked(ONE, 1, 4, 0)]
    person.show(A)
    assert person.tags == {A: ONE}


def test_a_tag_that_comes_beside_an_old_one_is_one_too_many() -> None:
    person = Person()
    person.put(A, early=True)
    assert person.put(B) == [Chosen(0), Crowded((A, B))]
    assert person.take(B) == [LiesThere(0)]
    assert person.wait(10 * S) == []
    person.take(A)
    person.show(A)
    assert person.tags == {A: ONE}


# -- what is not right


def test_two_at_once_are_not_taken_and_the_one_that_is_left_is() -> None:
    person = Person()
    person.put(A)
    assert person.put(B) == [Crowded((A, B))]
    assert person.wait(10 * S) == []
    assert person.take(A) == []
    assert person.wait() == [Kept(ONE, B)]


def test_two_at_once_may_both_go() -> None:
    person = Person()
    person.put(A)
    person.put(B)
    person.take(A)
    assert person.take(B) == [GoneSoon()]
    person.put(A)
    person.put(B)
    person.put(C)
    person.take(C)
    assert person.at(Phase.CROWDED)


def test_a_tag_that_does_not_stay_is_not_taken() -> None:
    person = Person()
    assert person.show(A, for_ns=SETTLE_NS - 1)[-1] == GoneSoon()
    assert person.flow.notice is Notice.GONE
    assert person.wait(10 * S) == []
    assert person.tags == {}


def test_a_tag_of_another_one_is_refused() -> None:
    person = Person(tags={D: FOUR})
    assert person.show(D) == [Chosen(0), Known(D, FOUR, False), Asked(ONE, 1, 3, 0)]
    assert person.flow.known == FOUR
    assert person.tags == {D: FOUR}


def test_it_stays_refused_however_long_it_lies() -> None:
    person = Person(tags={D: FOUR})
    person.leave(D)
    assert person.tags == {D: FOUR}


# -- once more


def test_once_more_a_tag_moves_if_it_is_left_there() -> None:
    person = Person(tags={D: FOUR}, again=True)
    person.put(D)
    assert person.wait() == [Known(D, FOUR, True)]
    assert person.wait(MOVE_NS - 1) == []
    assert person.wait(1) == [Kept(ONE, D, FOUR)]
    assert person.tags == {D: ONE}


def test_once_more_a_tag_stays_what_it_is_if_it_is_taken_off() -> None:
    person = Person(tags={D: FOUR}, again=True)
    person.put(D)
    person.wait()
    assert person.take(D) == [Asked(ONE, 1, 4, 0)]
    assert person.wait(10 * S) == []
    assert person.tags == {D: FOUR}


def test_a_second_tag_stops_a_move() -> None:
    person = Person(tags={D: FOUR}, again=True)
    person.put(D)
    person.wait()
    assert person.put(A) == [Crowded((D, A))]
    person.wait(10 * S)
    assert person.tags == {D: FOUR}


def test_once_more_its_own_tag_stays() -> None:
    person = Person(tags={A: ONE}, again=True)
    assert person.show(A)[1:] == [Stayed(ONE, A), Asked(TWO, 2, 4, 0)]


def test_a_tag_that_was_only_left_lying_does_not_move_on() -> None:
    """A reader that misses it for a moment lets it go and come again."""
    person = Person(again=True)
    person.show(A)
    person.leave(A)
    assert person.tags == {A: ONE}


# -- keys


def test_one_that_is_skipped_stays_without_a_tag() -> None:
    person = Person()
    assert person.press(Key.SKIP) == [Skipped(ONE), Asked(TWO, 2, 4, None)]
    person.show(A)
    assert person.tags == {A: TWO}
    assert person.course.left == 3


def test_what_lies_there_when_somebody_skips_counts_for_nothing() -> None:
    person = Person()
    person.put(A)
    assert person.press(Key.SKIP) == [Skipped(ONE), LiesThere(0)]
    assert person.wait(1 * S) == []
    assert person.take(A) == [Asked(TWO, 2, 4, 0)]


def test_what_has_its_tag_can_not_be_skipped_any_more() -> None:
    person = Person()
    person.put(A)
    person.wait()
    assert person.press(Key.SKIP) == []
    assert person.take(A) == [Asked(TWO, 2, 4, 0)]


def test_when_the_last_is_skipped_it_is_done() -> None:
    person = Person([ONE])
    assert person.press(Key.SKIP) == [Skipped(ONE)]
    assert person.at(Phase.DONE)
    assert person.press(Key.BACK) == [Asked(ONE, 1, 1, None)]
    assert person.press(Key.SKIP) == [Skipped(ONE)]
    person.wait(FAREWELL_NS)
    assert person.at(Phase.OVER)


def test_one_can_go_back_and_give_another_tag() -> None:
    person = Person()
    person.show(A)
    assert person.press(Key.BACK) == [Asked(ONE, 1, 4, 0)]
    assert person.show(B) == [Kept(ONE, B, None, A), Asked(TWO, 2, 4, 0)]
    assert person.tags == {B: ONE}


def test_one_can_go_back_while_the_tag_still_lies_there() -> None:
    person = Person()
    person.put(A)
    person.wait()
    assert person.press(Key.BACK) == [LiesThere(0)]
    assert person.flow.notice is Notice.OLD
    assert person.take(A) == [Asked(ONE, 1, 4, 0)]


def test_two_that_were_mixed_up_are_put_right_by_going_back() -> None:
    person = Person()
    person.show(B)
    person.show(A)
    person.press(Key.BACK)
    person.press(Key.BACK)
    person.leave(A)
    person.show(B)
    assert person.tags == {A: ONE, B: TWO}


def test_before_the_first_there_is_none() -> None:
    person = Person()
    assert person.press(Key.BACK) == [AtFirst()]


@pytest.mark.parametrize("lying", [0, 1, 2])
def test_it_can_be_ended_at_any_time(lying: int) -> None:
    person = Person()
    for uid in (A, B)[:lying]:
        person.put(uid)
    person.press(Key.QUIT)
    assert person.at(Phase.OVER)
    assert person.wait(10 * S) == []
    assert person.press(Key.BACK) == person.press(Key.SKIP) == []
    assert person.tags == {}


# -- readers come and go


def test_a_lost_reader_is_waited_for() -> None:
    person = Person()
    person.show(A)
    assert person.do(Lost(0)) == [Blinded(0)]
    assert person.do(Lost(0)) == []
    assert person.at(Phase.BLIND)
    assert person.do(Found(0)) == [Asked(TWO, 2, 4, 0)]
    person.show(B)
    assert person.tags == {A: ONE, B: TWO}


def test_a_tag_that_was_under_way_when_the_reader_was_lost_is_not_taken() -> None:
    person = Person()
    person.put(A)
    person.do(Lost(0))
    assert person.wait(10 * S) == []
    assert person.do(Found(0)) == [LiesThere(0)]
    assert person.put(A) == [], "the reader tells once more what still is there"
    assert person.wait(10 * S) == []
    assert person.take(A) == [Asked(ONE, 1, 4, 0)]


def test_a_tag_that_was_taken_before_the_reader_was_lost_stays_taken() -> None:
    person = Person()
    person.put(A)
    person.wait()
    person.do(Lost(0))
    assert person.do(Found(0)) == [LiesThere(0)]
    assert person.flow.notice is Notice.KEPT
    assert person.take(A) == [Asked(TWO, 2, 4, 0)]


def test_and_it_may_be_gone_before_anybody_says_that_the_reader_is_back() -> None:
    person = Person()
    person.put(A)
    person.wait()
    person.do(Lost(0))
    assert person.take(A) == []
    assert person.do(Found(0)) == [Asked(TWO, 2, 4, 0)]


def test_other_readers_may_be_lost() -> None:
    person = Person()
    assert person.do(Lost(1)) == []
    person.show(A)
    assert person.do(Found(1)) == []
    assert person.do(Lost(2)) == []
    assert person.at(Phase.ASKING)


def test_another_reader_that_is_back_is_of_no_use() -> None:
    person = Person(reader=0)
    person.do(Lost(0))
    assert person.do(Found(1)) == []
    assert person.at(Phase.BLIND)


def test_before_the_first_tag_one_pad_is_enough() -> None:
    person = Person()
    assert person.do(Lost(0)) == []
    assert person.do(Lost(1)) == [Blinded(0)]
    assert person.do(Found(1)) == [Asked(ONE, 1, 4, None)]
    person.show(A, reader=1)
    assert person.tags == {A: ONE}


def test_a_lost_reader_keeps_nobody_from_skipping() -> None:
    person = Person([ONE, TWO])
    person.do(Lost(0))
    person.do(Lost(1))
    assert person.press(Key.SKIP) == [Skipped(ONE)]
    assert person.at(Phase.BLIND)
    assert person.press(Key.SKIP) == [Skipped(TWO)]
    assert person.at(Phase.DONE)


def test_a_tag_that_nobody_knows_of_may_go() -> None:
    assert Person().take(A) == []


def test_pads_are_told_from_other_readers() -> None:
    assert [str(spot) for spot in PADS] == ["pad 1", "pad 2", "pile 1"]


def test_time_alone_changes_nothing() -> None:
    person = Person()
    assert person.wait(3600 * S + 1 * MS) == []
