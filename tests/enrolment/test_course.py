"""The way through all that is to be enrolled."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from firmware_host.config.tags import Enrolled, Registry
from firmware_host.enrolment.course import Course
from firmware_host.enrolment.news import Kept, Stayed
from tests.enrolment.driving import REDS, A, B, C, D

ONE, TWO, THREE, FOUR = REDS


def course(tags: dict[str, Enrolled] | None = None, *, again: bool = False) -> Course:
    return Course(REDS, Registry(tags or {}), again=again)


def test_all_is_gone_through_in_its_order() -> None:
    way = course()
    asked = []
    for uid in (A, B, C, D):
        asked.append((way.asked, way.number, way.left))
        assert way.keep(uid) == Kept(way.wanted, uid)
        way.go_on()
    assert asked == [(ONE, 1, 4), (TWO, 2, 3), (THREE, 3, 2), (FOUR, 4, 1)]
    assert (way.asked, way.left) == (None, 0)


def test_what_has_a_tag_is_not_asked_for() -> None:
    way = course({A: TWO, D: FOUR})
    assert way.items == (ONE, THREE)
    assert course({A: ONE, B: TWO, C: THREE, D: FOUR}).asked is None


def test_once_more_what_has_a_tag_is_asked_for_too() -> None:
    way = course({A: ONE}, again=True)
    assert way.items == REDS
    assert way.keep(A) == Stayed(ONE, A)
    way.go_on()
    assert way.asked == TWO


def test_a_new_tag_takes_the_place_of_the_old_one() -> None:
    way = course({A: ONE}, again=True)
    assert way.keep(B) == Kept(ONE, B, None, A)
    assert way.registry == {B: ONE}


def test_what_has_lost_its_tag_comes_up_once_more() -> None:
    way = course({A: ONE, B: TWO}, again=True)
    way.keep(A)
    way.go_on()
    assert way.keep(A) == Kept(TWO, A, ONE, B)
    assert way.registry == {A: TWO}
    asked: list[Enrolled | None] = []
    for uid in (C, D):
        way.go_on()
        asked.append(way.asked)
        way.keep(uid)
    way.go_on()
    assert [*asked, way.asked] == [THREE, FOUR, ONE]


def test_what_was_skipped_does_not_come_up_again() -> None:
    way = course()
    assert [way.skip(), way.skip(), way.skip(), way.skip()] == list(REDS)
    assert (way.asked, way.left) == (None, 4)


def test_one_can_go_back_to_the_first() -> None:
    way = course()
    way.skip()
    way.keep(A)
    assert way.back() and way.asked == TWO
    assert way.back() and way.asked == ONE
    assert not way.back()
    way.keep(B)
    way.go_on()
    assert (way.asked, dict(way.registry)) == (THREE, {A: TWO, B: ONE})


def test_what_one_has_gone_back_over_is_asked_for_again() -> None:
    for again in (False, True):
        way = course({A: ONE, B: TWO} if again else {}, again=again)
        for uid in (A, B):
            if again:
                way.keep(uid)
                way.go_on()
            else:
                way.skip()
        way.back()
        way.back()
        way.keep(A)
        way.go_on()
        assert way.asked == TWO


def test_only_once_more_or_for_what_one_went_back_to_a_tag_may_move() -> None:
    way = course({D: FOUR})
    assert not way.may_rob(FOUR)
    way.keep(A)
    way.back()
    assert way.may_rob(FOUR)
    way.keep(A)
    way.go_on()
    assert not way.may_rob(ONE)


def test_even_then_the_tag_of_what_was_gone_through_is_safe() -> None:
    way = course({D: FOUR}, again=True)
    way.keep(A)
    way.go_on()
    assert way.may_rob(FOUR)
    assert not way.may_rob(ONE)


@given(
    st.dictionaries(st.sampled_from([A, B, C, D]), st.sampled_from(REDS)).filter(
        lambda tags: len(set(tags.values())) == len(tags)
    ),
    st.booleans(),
    st.lists(st.sampled_from(["skip", "back", A, B, C, D, "eeeeeeee", "ffffffff"]), max_size=30),
)
def test_one_tag_each_whatever_is_done(tags: dict[str, Enrolled], again: bool, deeds: list[str]) -> None:
    """And it ends only when all that has no tag was skipped."""
    way, expected, skipped = course(tags, again=again), dict(tags), set()
    for deed in deeds:
        item = way.asked
        if deed == "back":
            way.back()
            skipped.discard(way.asked)
        elif item is None:
            break
        elif deed == "skip":
            way.skip()
            skipped.add(item)
        else:
            way.keep(deed)
            expected = {uid: tag for uid, tag in expected.items() if uid != deed and tag != item}
            expected[deed] = item
            way.go_on()
        assert dict(way.registry) == expected
        if way.asked is None:
            assert set(way.items) - set(expected.values()) <= skipped
