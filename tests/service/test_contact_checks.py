"""Buttons are named with their bounces; slots and readers tell what comes and what lies where."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from firmware_host.model.phrases import Phrase
from firmware_host.model.places import Button, Colour, Pad, Pile, Slot
from firmware_host.model.times import S
from firmware_host.service.page import PanelInfo
from firmware_host.service.panel import ALONE_NS
from tests.service.operator import CARDS, DICE, SMALL, Operator

RED_3 = Slot(Colour.RED, 3)


def at(title: Phrase, info: PanelInfo = DICE, columns: int = 20) -> Operator:
    """An operator at that test."""
    operator = Operator(info, columns)
    operator.go(Phrase.TESTS, title)
    return operator


def test_it_names_the_button_that_came_and_how_often_it_bounced() -> None:
    operator = at(Phrase.BUTTONS)
    assert operator.above == "Press the buttons"
    assert operator.below == "hold 1:back 0/4"
    operator.bounce(3, edges=5)
    assert operator.above == "seat 3 bounces 4"
    operator.bounce(3, edges=3, down=False)
    assert operator.above == "seat 3 bounces 6"
    operator.bounce(3, edges=1)
    assert operator.above == "seat 3 bounces 0"
    assert operator.below == "hold 1:back 1/4"


def test_the_buttons_that_drive_the_panel_are_tested_like_any_other() -> None:
    operator = at(Phrase.BUTTONS)
    operator.tap(1)
    operator.tap(2)
    assert operator.above == "seat 2 bounces 0"
    assert operator.below == "hold 1:back 2/4"
    assert operator.hold(1) == "Buttons"


def test_edges_from_before_the_test_are_not_counted_in_it(operator: Operator) -> None:
    operator.bounce(1, edges=7)
    operator.bounce(1, edges=7, down=False)
    operator.ring()
    operator.go(Phrase.TESTS, Phrase.BUTTONS)
    operator.bounce(1, edges=2)
    assert operator.above == "seat 1 bounces 1"


def test_a_button_that_comes_up_late_does_not_count_for_another() -> None:
    operator = at(Phrase.BUTTONS)
    operator.bounce(3, edges=2)
    operator.bounce(4, edges=3)
    operator.bounce(3, edges=9, down=False)
    assert operator.above == "seat 4 bounces 2"


def test_a_worn_button_still_fits_into_the_line() -> None:
    operator = at(Phrase.BUTTONS)
    operator.bounce(3, edges=500)
    assert operator.above == "seat 3 bounces 99"


def test_call_buttons_are_counted_too() -> None:
    operator = at(Phrase.BUTTONS, CARDS)
    operator.bounce(12, edges=2, call=True)
    assert operator.above == "stop 12 bounces 1"
    assert operator.below == "hold 1:back 1/24"


def test_the_panels_of_the_seats_that_came_burn() -> None:
    operator = at(Phrase.BUTTONS)
    assert operator.burning == {}
    operator.bounce(3, edges=1)
    operator.bounce(4, edges=1)
    operator.bounce(4, edges=1, down=False)
    assert operator.burning == {30: 7, 31: 2}


def test_slots_tell_when_they_are_filled_and_emptied() -> None:
    operator = at(Phrase.SENSORS)
    assert operator.above == "Put something down"
    assert operator.below == "hold 1:back"
    operator.panel.contact(RED_3, True, operator.now_ns)
    assert operator.above == "red 3: filled"
    assert operator.burning == {2: 7}
    operator.panel.contact(RED_3, False, operator.now_ns)
    assert operator.above == "red 3: empty"
    assert operator.burning == {2: 2}


def test_what_lay_there_before_burns_but_is_no_news(operator: Operator) -> None:
    operator.panel.contact(RED_3, True, operator.now_ns)
    operator.go(Phrase.TESTS, Phrase.SENSORS)
    assert operator.above == "Put something down"
    assert operator.burning == {2: 7}


def test_readers_tell_which_tag_came_and_went() -> None:
    operator = at(Phrase.SENSORS, CARDS)
    assert operator.above == "Hold up a tag"
    operator.panel.tag(Pad(3), "card 3 red 7", True, operator.now_ns)
    assert operator.above == "seat 3: card 3 red 7"
    assert operator.burning == {48 * 11 + 2: 7}
    operator.panel.tag(Pad(3), "card 3 red 7", False, operator.now_ns)
    assert operator.said(line=0) == ["seat 3: card 3 red 7", "gone"]
    operator.panel.tag(Pile(2), "card 1 blue 1", True, operator.now_ns)
    assert operator.said(line=0) == ["pile 2: card 1 blue", "1"]
    assert operator.burning == {11: 7, 48 * 11 + 2: 2}


def test_a_reader_under_a_place_has_the_lamp_of_the_place() -> None:
    operator = at(Phrase.SENSORS)
    operator.panel.contact(RED_3, True, operator.now_ns)
    operator.panel.tag(RED_3, "die 3 face 3", True, operator.now_ns)
    assert operator.above == "red 3: die 3 face 3"
    operator.panel.contact(RED_3, False, operator.now_ns)
    assert operator.burning == {2: 7}


def test_a_wide_scoreboard_shows_the_longest_tag_at_once() -> None:
    operator = at(Phrase.SENSORS, CARDS, columns=40)
    operator.panel.tag(Pad(12), "unknown 04a1b2c4d5e6f7", False, operator.now_ns)
    assert operator.said(line=0) == ["seat 12: unknown 04a1b2c4d5e6f7 gone"]


@given(st.text("abcdefghij 0123456789", max_size=60))
def test_whatever_a_tag_is_called_every_word_of_it_is_shown(text: str) -> None:
    operator = at(Phrase.SENSORS, replace(SMALL, readers=True))
    operator.panel.tag(Pad(2), text, True, operator.now_ns)
    told = " ".join(operator.said(line=0, for_ns=50 * S)).split()
    assert told[:2] == ["seat", "2:"]
    assert told[2:] == ([word[:20] for word in text.split()] or ["filled"])


def test_a_place_that_comes_for_the_first_time_is_a_sign_of_life() -> None:
    operator = at(Phrase.SENSORS)
    operator.wait(ALONE_NS // 2)
    operator.panel.contact(RED_3, True, operator.now_ns)
    operator.wait(ALONE_NS - 1)
    assert not operator.over()
    operator.wait(1)
    assert operator.over()


def test_a_place_that_chatters_does_not_keep_it_open() -> None:
    operator = at(Phrase.SENSORS)
    for beat in range(100):
        operator.wait(1 * S)
        operator.panel.contact(RED_3, beat % 2 == 0, operator.now_ns)
    assert operator.over()


def test_on_other_pages_nobody_asks_what_lies_where(operator: Operator) -> None:
    operator.panel.contact(RED_3, True, operator.now_ns)
    operator.panel.contact(Button(3), True, operator.now_ns)
    assert operator.above == "Tests"
    assert operator.burning == {28: 7, 29: 7}
