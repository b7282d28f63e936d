"""Which item comes next, and what happens to the tags."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from firmware_host.profile.tags import Enrolled
from firmware_host.workshop.enrolling.worklist import Worklist
from tests.workshop.enrolling.enrolling_person import REDS, A, B, C, D, worklist

ONE, TWO, THREE, FOUR = REDS


def keep(work: Worklist, *uids: str) -> list[Enrolled | None]:
    """Give a tag to one item after another; gives what was asked for before each, and in the end."""
    asked = [work.asked]
    for uid in uids:
        work.keep(uid)
        saved = work.saved
        work.go_on()
        assert (saved, work.saved) == (True, False)
        asked.append(work.asked)
    return asked


def test_what_has_a_tag_is_not_asked_for() -> None:
    assert worklist(tags={A: TWO, D: FOUR}).items == (ONE, THREE)
    assert worklist(tags={A: ONE, B: TWO, C: THREE, D: FOUR}).asked is None


def test_what_has_lost_its_tag_comes_up_once_more() -> None:
    work = worklist(tags={A: ONE, B: TWO}, again=True)
    assert keep(work, A, A) == [ONE, TWO, THREE]
    assert work.text.registry == {A: TWO}
    assert keep(work, C, D) == [THREE, FOUR, ONE]


def test_what_one_has_gone_back_over_is_asked_for_again() -> None:
    work = worklist()
    work.skip()
    work.skip()
    again = worklist(tags={A: ONE, B: TWO}, again=True)
    keep(again, A, B)
    for each in (work, again):
        each.back()
        each.back()
        assert keep(each, A) == [ONE, TWO]


def test_only_once_more_or_for_what_one_went_back_to_a_tag_may_move() -> None:
    work = worklist(tags={D: FOUR})
    assert not work.may_take_tag_of(FOUR)
    work.keep(A)
    work.back()
    assert work.may_take_tag_of(FOUR)
    keep(work, A)
    assert not work.may_take_tag_of(ONE)


def test_even_then_the_tag_of_what_was_gone_through_is_safe() -> None:
    work = worklist(tags={C: THREE, D: FOUR}, again=True)
    keep(work, A)
    work.skip()
    work.skip()
    assert work.may_take_tag_of(THREE), "it was left out, and not shown"
    assert not work.may_take_tag_of(ONE)


@given(
    st.dictionaries(st.sampled_from([A, B, C, D]), st.sampled_from(REDS)).filter(
        lambda tags: len(set(tags.values())) == len(tags)
    ),
    st.booleans(),
    st.lists(st.sampled_from(["skip", "back", A, B, C, D, "eeeeeeee", "ffffffff"]), max_size=30),
)
def test_one_tag_each_whatever_is_done(tags: dict[str, Enrolled], again: bool, deeds: list[str]) -> None:
    """And it ends only when all that has no tag was skipped."""
    work, expected, skipped = worklist(tags=tags, again=again), dict(tags), set()
    for deed in deeds:
        item = work.asked
        if deed == "back":
            work.back()
            skipped.discard(work.asked)
        elif item is None:
            break
        elif deed == "skip":
            work.skip()
            skipped.add(item)
        else:
            keep(work, deed)
            expected = {uid: tag for uid, tag in expected.items() if uid != deed and tag != item}
            expected[deed] = item
        assert work.text.registry == expected
        if work.asked is None:
            assert set(work.items) - set(expected.values()) <= skipped
