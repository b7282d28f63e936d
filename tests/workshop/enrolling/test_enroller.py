"""What a tag that comes means, and what is waited for then."""

from __future__ import annotations

import pytest

from firmware_host.model.places import Card, DieFace, Pile
from firmware_host.model.times import MS, S
from firmware_host.workshop.enrolling.enroller import FAREWELL_NS, MOVE_NS, SETTLE_NS, EnrolState
from tests.workshop.enrolling.enrolling_person import REDS, A, B, C, D, Person

ONE, TWO, THREE, FOUR = REDS
CHOSEN = "pad-1 is the one: hold the others to it too"
LIES_THERE = "something lies on pad-1; take it off first"
TOO_SHORT = "that was gone too soon; hold it there until it is read"
REFUSED = "take it off (to change what is enrolled, start with --again, or press b)"
OFFERED = "leave it there for 3 s to change that, or take it off"


def asked(card: Card, number: int = 0, of: int = 4, where: str = "pad-1") -> str:
    return f"card 1 {card}  ({number or card.number} of {of}): hold it to {where}"


def saved(uid: str, card: Card, rest: str = "") -> str:
    return f"{uid} is card 1 {card} now{rest}; take it off"


def crowded(*uids: str) -> str:
    return f"more than one at once ({', '.join(uids)}); leave only one"


def elsewhere(name: str, uid: str) -> str:
    return f"{name} has read {uid}, which does not count there (see --reader)"


# -- as it should go


def test_tags_are_taken_one_by_one_until_all_is_done() -> None:
    person = Person()
    assert person.begun == [asked(ONE, where="any pad")]
    assert person.show(A) == [CHOSEN, saved(A, ONE), asked(TWO)]
    person.show(B)
    person.show(C)
    assert person.show(D) == [saved(D, FOUR)]
    person.wait(2 * S)
    assert person.at(EnrolState.DONE), "the end is said for a while"
    person.wait(FAREWELL_NS)
    assert person.at(EnrolState.OVER)
    assert person.tags == {A: ONE, B: TWO, C: THREE, D: FOUR}


def test_a_die_is_laid_down_with_its_face_up() -> None:
    person = Person([DieFace(5, 2)], spots=[Pile(1)])
    assert person.begun == ["die 5 face 2  (1 of 1): lay it on any reader, 2 up"]


def test_a_tag_counts_when_it_has_been_alone_for_long_enough_and_not_before() -> None:
    person = Person()
    person.put(A)
    assert person.wait(SETTLE_NS - 1) == []
    assert person.wait(1) == [saved(A, ONE)]


def test_the_next_one_is_asked_for_when_the_reader_is_empty() -> None:
    person = Person()
    person.put(A)
    assert person.wait(1 * S) == [saved(A, ONE)]
    assert person.put(B) + person.take(A) == []
    assert person.at(EnrolState.SAVED)
    assert person.wait(1 * S) == []
    assert person.take(B) == [asked(TWO)]
    assert person.tags == {A: ONE}


# -- which reader


def test_the_first_pad_is_the_one_from_then_on() -> None:
    person = Person()
    person.show(A, reader=1)
    assert person.put(B, reader=0) == [elsewhere("pad-1", B)]
    assert person.wait(1 * S) == []
    person.show(C, reader=1)
    assert person.tags == {A: ONE, C: TWO}


def test_where_there_are_pads_other_readers_have_to_be_chosen() -> None:
    assert Person().show(A, reader=2) == [elsewhere("pile-1", A)]
    chosen = Person(reader=2)
    chosen.show(A, reader=2)
    assert chosen.tags == {A: ONE}


def test_without_pads_any_reader_will_do() -> None:
    person = Person(spots=[Pile(1), Pile(2)])
    assert person.begun == [asked(ONE, where="any reader")]
    person.show(A, reader=1)
    assert person.tags == {A: ONE}


# -- what lies there already


@pytest.mark.parametrize("reader", [None, 0])
def test_what_lay_on_a_pad_before_counts_after_it_was_taken_off(reader: int | None) -> None:
    person = Person(reader=reader)
    assert person.put(A, early=True) == [LIES_THERE]
    assert person.at(EnrolState.ASKING if reader is None else EnrolState.TAKE_OFF)
    assert person.wait(10 * S) == []
    assert person.take(A) == ([] if reader is None else [asked(ONE)])
    assert saved(A, ONE) in person.show(A)


def test_what_lies_on_another_reader_from_the_start_does_not_matter() -> None:
    assert Person().put(A, reader=2, early=True) == []


def test_all_that_lies_on_the_chosen_reader_has_to_be_taken_off() -> None:
    person = Person(reader=0)
    person.put(A, early=True)
    assert person.put(B) + person.wait(10 * S) + person.take(B) == []
    assert person.take(A) == [asked(ONE)]


def test_a_tag_that_comes_beside_an_old_one_is_one_too_many() -> None:
    person = Person()
    person.put(A, early=True)
    assert person.put(B) == [CHOSEN, crowded(A, B)]
    assert person.take(B) == [LIES_THERE]
    assert person.wait(10 * S) == []
    person.take(A)
    person.show(A)
    assert person.tags == {A: ONE}


# -- what is not right


def test_two_at_once_are_not_taken_and_the_one_that_is_left_is() -> None:
    person = Person()
    person.put(A)
    assert person.put(B) == [crowded(A, B)]
    assert person.wait(10 * S) + person.take(A) == []
    assert person.wait() == [saved(B, ONE)]


def test_two_at_once_may_both_go() -> None:
    person = Person()
    person.put(A)
    person.put(B)
    person.take(A)
    assert person.take(B) == [TOO_SHORT]
    person.put(A)
    person.put(B)
    assert person.put(C) + person.take(C) == []
    assert person.at(EnrolState.CROWDED)


def test_a_tag_that_does_not_stay_is_not_taken() -> None:
    person = Person()
    assert person.show(A, for_ns=SETTLE_NS - 1) == [CHOSEN, TOO_SHORT]
    assert person.at(EnrolState.TOO_SHORT)
    assert person.wait(10 * S) == []
    assert person.tags == {}


def test_a_tag_of_another_one_is_refused_however_long_it_lies() -> None:
    person = Person(tags={D: FOUR})
    refused = f"{D} is card 1 red 4 already; {REFUSED}"
    assert person.show(D) == [CHOSEN, refused, asked(ONE, of=3)]
    assert person.enroller.known == FOUR
    person.leave(D)
    assert person.tags == {D: FOUR}


# -- once more


def test_once_more_a_tag_moves_if_it_is_left_there() -> None:
    person = Person(tags={D: FOUR}, again=True)
    person.put(D)
    assert person.wait() == [f"{D} is card 1 red 4 already; {OFFERED}"]
    assert person.wait(MOVE_NS - 1) == []
    assert person.wait(1) == [saved(D, ONE, ", and no longer card 1 red 4")]
    assert person.tags == {D: ONE}


def test_once_more_a_tag_stays_what_it_is_if_it_is_taken_off() -> None:
    person = Person(tags={D: FOUR}, again=True)
    person.put(D)
    person.wait()
    assert person.take(D) == [asked(ONE)]
    assert person.wait(10 * S) == []
    assert person.tags == {D: FOUR}


def test_a_second_tag_stops_a_move() -> None:
    person = Person(tags={D: FOUR}, again=True)
    person.put(D)
    person.wait()
    assert person.put(A) == [crowded(D, A)]
    person.wait(10 * S)
    assert person.tags == {D: FOUR}


def test_once_more_its_own_tag_stays() -> None:
    person = Person(tags={A: ONE}, again=True)
    assert person.show(A)[1:] == [f"{A} is card 1 red 1, as before; take it off", asked(TWO)]


def test_a_tag_that_was_only_left_lying_does_not_move_on() -> None:
    """A reader that misses it for a moment lets it go and come again."""
    person = Person(again=True)
    person.show(A)
    person.leave(A)
    assert person.tags == {A: ONE}


# -- keys


def test_one_that_is_skipped_stays_without_a_tag() -> None:
    person = Person()
    assert person.press("s") == ["card 1 red 1 is left out", asked(TWO, where="any pad")]
    person.show(A)
    assert person.tags == {A: TWO}
    assert person.worklist.left == 3


def test_what_lies_there_when_somebody_skips_counts_for_nothing() -> None:
    person = Person()
    person.put(A)
    assert person.press("s") == ["card 1 red 1 is left out", LIES_THERE]
    assert person.wait(1 * S) == []
    assert person.take(A) == [asked(TWO)]


def test_what_has_its_tag_can_not_be_skipped_any_more() -> None:
    person = Person()
    person.put(A)
    person.wait()
    assert person.press("s") == []
    assert person.take(A) == [asked(TWO)]


def test_when_the_last_is_skipped_it_is_done() -> None:
    person = Person([ONE])
    skipped = ["card 1 red 1 is left out"]
    assert person.press("s") == skipped
    assert person.at(EnrolState.DONE)
    assert person.press("s") == []
    assert person.press("b") == [asked(ONE, of=1, where="any pad")]
    assert person.press("s") == skipped
    person.wait(FAREWELL_NS)
    assert person.at(EnrolState.OVER)


def test_one_can_go_back_and_give_another_tag() -> None:
    person = Person()
    person.show(A)
    assert person.press("b") == [asked(ONE)]
    assert person.show(B) == [saved(B, ONE, f", instead of {A}"), asked(TWO)]
    assert person.tags == {B: ONE}


def test_one_can_go_back_while_the_tag_still_lies_there() -> None:
    person = Person()
    person.put(A)
    person.wait()
    assert person.press("b") == [LIES_THERE]
    assert person.at(EnrolState.TAKE_OFF)
    assert person.take(A) == [asked(ONE)]


def test_two_that_were_mixed_up_are_put_right_by_going_back() -> None:
    person = Person()
    person.show(B)
    person.show(A)
    person.press("b")
    person.press("b")
    person.leave(A)
    person.show(B)
    assert person.tags == {A: ONE, B: TWO}


def test_before_the_first_there_is_none() -> None:
    assert Person().press("b") == ["there is none before this one"]


def test_other_keys_mean_nothing() -> None:
    assert Person().press("x") == []


@pytest.mark.parametrize("lying", [0, 1, 2])
def test_it_can_be_ended_at_any_time(lying: int) -> None:
    person = Person()
    for uid in (A, B)[:lying]:
        person.put(uid)
    person.press("q")
    assert person.at(EnrolState.OVER)
    assert person.wait(10 * S) + person.press("b") + person.press("s") == []
    assert person.tags == {}


# -- readers come and go


def test_a_lost_reader_is_waited_for() -> None:
    person = Person()
    person.show(A)
    assert person.lose(0) == ["it goes on when pad-1 is back, or with another --reader"]
    assert person.lose(0) == []
    assert person.at(EnrolState.LOST)
    assert person.find(0) == [asked(TWO)]
    person.show(B)
    assert person.tags == {A: ONE, B: TWO}


def test_a_tag_that_was_under_way_when_the_reader_was_lost_is_not_taken() -> None:
    person = Person()
    person.put(A)
    person.lose(0)
    assert person.wait(10 * S) == []
    assert person.find(0) == [LIES_THERE]
    assert person.put(A) == [], "the reader reports again what still is there"
    assert person.wait(10 * S) == []
    assert person.take(A) == [asked(ONE)]


@pytest.mark.parametrize("gone", [False, True])
def test_a_tag_that_was_saved_before_the_reader_was_lost_stays_saved(gone: bool) -> None:
    person = Person()
    person.put(A)
    person.wait()
    person.lose(0)
    if gone:  # before anybody says that the reader is back
        assert person.take(A) == []
        assert person.find(0) == [asked(TWO)]
    else:
        assert person.find(0) == [LIES_THERE]
        assert person.at(EnrolState.SAVED)
        assert person.take(A) == [asked(TWO)]


def test_other_readers_may_be_lost() -> None:
    person = Person()
    assert person.lose(1) == []
    person.show(A)
    assert person.find(1) + person.lose(2) == []
    assert person.at(EnrolState.ASKING)


def test_another_reader_that_is_back_is_of_no_use() -> None:
    person = Person(reader=0)
    person.lose(0)
    assert person.find(1) == []
    assert person.at(EnrolState.LOST)


def test_before_the_first_tag_one_pad_is_enough() -> None:
    person = Person()
    assert person.lose(0) == []
    assert person.lose(1) == ["it goes on when pad-1 is back, or with another --reader"]
    assert person.find(1) == [asked(ONE, where="any pad")]
    person.show(A, reader=1)
    assert person.tags == {A: ONE}


def test_with_a_lost_reader_one_can_still_skip() -> None:
    person = Person([ONE, TWO])
    person.lose(0)
    person.lose(1)
    assert person.press("s") == ["card 1 red 1 is left out"]
    assert person.at(EnrolState.LOST)
    assert person.press("s") == ["card 1 red 2 is left out"]
    assert person.at(EnrolState.DONE)
    assert person.lose(0) == []


def test_a_tag_that_nobody_knows_of_may_go() -> None:
    assert Person().take(A) == []


def test_time_alone_changes_nothing() -> None:
    assert Person().wait(3600 * S + 1 * MS) == []
