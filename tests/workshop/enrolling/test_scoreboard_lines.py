"""What the scoreboard says while tags are enrolled."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.model.places import Card, Colour, DieFace, Pad, Pile, Slot
from firmware_host.model.settings import LANGUAGES
from firmware_host.model.times import S
from firmware_host.workshop.enrolling.enroller import (
    BLINK_NS,
    NOTICE_NS,
    SETTLE_NS,
    TURN_NS,
    lines_due_ns,
    scoreboard_lines,
)
from tests.workshop.enrolling.enrolling_person import REDS, A, B, D, Person

ONE, TWO, THREE, FOUR = REDS


def said(person: Person, after_ns: int = 0, language: str = "en", columns: int = 20) -> tuple[str, str]:
    return scoreboard_lines(person.enroller, language, columns, person.now_ns + after_ns)


def test_it_says_what_to_hold_where_and_in_turns_how_far_it_is() -> None:
    person = Person()
    assert said(person) == ("seat 1: red 1", "Hold to any pad")
    assert said(person, TURN_NS) == ("seat 1: red 1", "1 of 4")
    assert said(person, 2 * TURN_NS) == ("seat 1: red 1", "Hold to any pad")
    person.show(A)
    assert said(person) == ("seat 1: red 2", "Hold to pad 1")
    person.put(B)
    assert said(person) == ("seat 1: red 2", "Hold to pad 1")


def test_without_pads_it_may_be_any_reader() -> None:
    person = Person(spots=[Pile(1), Slot(Colour.YELLOW, 3)])
    assert said(person)[1] == "Hold to any reader"
    person.show(A, reader=1)
    assert said(person)[1] == "Hold to yellow 3"
    assert said(Person(spots=[Pile(7)], reader=0))[1] == "Hold to pile 7"


def test_a_die_lies_on_the_reader_as_it_will_on_the_board() -> None:
    assert said(Person([DieFace(5, 2)]))[0] == "die 5: 2 up"


def test_what_was_saved_blinks_until_it_is_taken_off() -> None:
    person = Person()
    person.put(A)
    person.wait()
    lines = [said(person, turn * BLINK_NS) for turn in range(4)]
    assert lines == [("seat 1: red 1", "Saved: take it off"), ("", "Saved: take it off")] * 2
    person.take(A)
    assert said(person)[0] == "seat 1: red 2"


def test_two_at_once() -> None:
    person = Person()
    person.put(A)
    person.put(B)
    assert said(person) == ("two at once", "Leave only one")


def test_gone_too_soon_is_said_for_a_while() -> None:
    person = Person()
    person.show(A, for_ns=SETTLE_NS // 2)
    assert said(person) == ("seat 1: red 1", "gone too soon")
    assert said(person, NOTICE_NS)[1] == "1 of 4"


@pytest.mark.parametrize(("again", "upper"), [(False, "Please take it off"), (True, "Change? Leave it on")])
def test_a_tag_of_another_one_that_is_refused_or_may_move(again: bool, upper: str) -> None:
    person = Person(tags={D: FOUR}, again=again)
    person.put(D)
    person.wait()
    assert said(person) == ("This already is", "seat 1: red 4")
    assert said(person, TURN_NS) == (upper, "seat 1: red 4")


def test_something_lies_there() -> None:
    person = Person(reader=0)
    person.put(A, early=True)
    assert said(person) == ("seat 1: red 1", "Please take it off")


def test_something_lies_on_one_of_the_pads_that_may_be_chosen() -> None:
    person = Person()
    person.put(A, reader=1, early=True)
    assert said(person) == ("seat 1: red 1", "Please take it off")
    assert said(person, TURN_NS) == ("seat 1: red 1", "Hold to any pad")
    person.take(A, reader=1)
    assert said(person) == ("seat 1: red 1", "Hold to any pad")


def test_a_reader_is_lost() -> None:
    person = Person(reader=1)
    person.lose(1)
    assert said(person) == ("Check: pad 2", "")
    unchosen = Person()
    unchosen.lose(0)
    unchosen.lose(1)
    assert said(unchosen) == ("Check: pad 1", "")


def test_the_end_says_how_many_are_without() -> None:
    person = Person()
    for _ in REDS:
        person.press("s")
    assert said(person) == ("Done", "Without a tag: 4")
    person.wait(10 * S)
    assert said(person) == ("Done", "Without a tag: 4")


def test_it_is_cut_to_the_display() -> None:
    assert said(Person(), columns=8) == ("seat 1: ", "Hold to ")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_longest_card_at_the_longest_reader(language: str) -> None:
    person = Person([Card(12, Colour.YELLOW, 10)], spots=[Pad(12)], reader=0)
    for after_ns in (0, TURN_NS):
        whole = said(person, after_ns, language, columns=40)
        assert said(person, after_ns, language) == whole


def test_they_may_change_with_each_blink() -> None:
    person = Person()
    since_ns = person.enroller.since_ns
    assert [
        lines_due_ns(person.enroller, since_ns + after_ns) - since_ns for after_ns in (0, 1, BLINK_NS)
    ] == [*(BLINK_NS, BLINK_NS, 2 * BLINK_NS)]


@given(st.integers(0, 10 * S), st.integers(0, 10 * S))
def test_between_two_due_moments_it_says_the_same(at_ns: int, later_ns: int) -> None:
    person = Person()
    person.put(A)
    person.wait()
    now_ns = person.now_ns + at_ns
    due_ns = lines_due_ns(person.enroller, now_ns)
    assert now_ns < due_ns <= now_ns + BLINK_NS
    within_ns = now_ns + later_ns % (due_ns - now_ns)
    assert scoreboard_lines(person.enroller, "en", 20, now_ns) == scoreboard_lines(
        person.enroller, "en", 20, within_ns
    )
