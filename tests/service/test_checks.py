"""The tests of service mode: buttons, what lies where, lamps, the scoreboard, and what was counted."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.model.phrases import Phrase
from firmware_host.model.places import Button, Colour, Pad, Pile, Slot
from firmware_host.model.settings import LANGUAGES
from firmware_host.model.states import Condition, DeviceCondition
from firmware_host.model.times import S
from firmware_host.service.checks import CONDITION_NAMES, PATTERNS, STEP_NS, TINT_NAMES, TINTS, lamp_name
from firmware_host.service.page import PanelInfo
from firmware_host.service.panel import ALONE_NS
from firmware_host.show.lamps import Tint, frame_length
from hw.scoreboard.charset import ASCII, respelled, to_ascii
from tests.service.operator import CARDS, DICE, SMALL, TABLES, Operator

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


def test_edges_from_before_the_test_are_not_counted_in_it(operator: Operator) -> None:
    operator.bounce(1, edges=7)
    operator.bounce(1, edges=7, down=False)
    operator.ring()
    operator.go(Phrase.TESTS, Phrase.BUTTONS)
    operator.bounce(1, edges=2)
    assert operator.above == "seat 1 bounces 1"


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


# -- each lamp burns once, under its own name; all burn together in each colour


@pytest.mark.parametrize("info", TABLES.values(), ids=TABLES)
def test_each_lamp_burns_once_under_its_own_name(info: PanelInfo) -> None:
    operator = Operator(info)
    operator.go(Phrase.TESTS, Phrase.LAMPS)
    named: dict[str, dict[int, int]] = {}
    for _ in range(frame_length(info.seats, info.piles)):
        named[operator.above] = operator.burning
        operator.tap(1)
    assert sorted(lamp for lit in named.values() for lamp in lit) == list(range(len(operator.panel.frame())))
    assert all(list(lit.values()) == [7] for lit in named.values())
    assert operator.burning == next(iter(named.values()))  # round and round


@pytest.mark.parametrize(
    ("piles", "lamp", "name"),
    [
        (0, 7, "gelb 2"),
        (0, 27, "Zeichen blau"),
        (0, 30, "Platz 3"),
        (8, 0, "Stapel 1: Kopf"),
        (8, 21, "Stapel 2: 10"),
        (8, 88, "Platz 1"),
    ],
)
def test_lamps_have_names(piles: int, lamp: int, name: str) -> None:
    assert lamp_name("de", lamp, piles) == name


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("seats", "piles"), [(4, 0), (12, 48), (2, 8)])
def test_every_lamp_has_a_name_of_its_own_that_fits(language: str, seats: int, piles: int) -> None:
    names = [lamp_name(language, lamp, piles) for lamp in range(frame_length(seats, piles))]
    assert all(len(to_ascii(respelled(name, language, ASCII, 99))) <= 20 for name in names)
    assert len(set(names)) == len(names)


def test_it_runs_by_itself_and_goes_on_from_where_it_was_put(operator: Operator) -> None:
    operator.go(Phrase.TESTS, Phrase.LAMPS)
    assert operator.above == "red 1"
    operator.wait(STEP_NS)
    assert operator.above == "red 2"
    assert operator.tap(1) == "red 3"
    operator.wait(2 * STEP_NS)
    assert operator.above == "red 5"
    operator.wait(25 * STEP_NS)
    assert operator.above == "seat 2"
    operator.wait(3 * STEP_NS)
    assert operator.above == "red 1"


@pytest.mark.parametrize(
    ("info", "firsts"),
    [
        (DICE, ["red 1", "yellow 1", "green 1", "blue 1", "symbol red", "seat 1", "red 1"]),
        (replace(SMALL, piles=2), ["pile 1: head", "pile 2: head", "seat 1", "pile 1: head"]),
    ],
)
def test_the_second_button_jumps_to_the_next_row_or_pile(info: PanelInfo, firsts: list[str]) -> None:
    operator = Operator(info)
    operator.go(Phrase.TESTS, Phrase.LAMPS)
    assert [operator.above, *(operator.tap(2) for _ in firsts[1:])] == firsts


def test_all_lamps_burn_in_every_colour() -> None:
    operator = Operator(CARDS)
    operator.go(Phrase.TESTS, Phrase.COLOURS)
    seen = []
    for _ in range(7):
        (tint,) = set(operator.panel.frame())
        seen.append((operator.above, tint))
        operator.tap(1)
    assert seen == [
        ("All: red", 4),
        ("All: green", 2),
        ("All: blue", 1),
        ("All: yellow", 6),
        ("All: cyan", 3),
        ("All: magenta", 5),
        ("All: white", 7),
    ]
    assert operator.above == "All: red"
    assert operator.tap(2) == "All: red"


def test_every_colour_and_every_condition_has_a_name() -> None:
    assert set(TINTS) == set(TINT_NAMES) == set(Tint) - {Tint.OFF}
    assert set(CONDITION_NAMES) == set(Condition) - {Condition.OK}


# -- every column of both lines is filled once with each pattern


@pytest.mark.parametrize("columns", [20, 40, 80])
def test_patterns_fill_one_line_after_the_other(columns: int) -> None:
    operator = Operator(CARDS, columns)
    operator.go(Phrase.TESTS, Phrase.SCOREBOARD)
    hint = "1:next hold 1:back"
    patterns = [(pattern * 80)[:columns] for pattern in PATTERNS]
    seen = []
    for _ in range(2 * len(PATTERNS)):
        seen.append(operator.panel.lines(columns))
        operator.tap(1)
    assert seen == [*((pattern, hint) for pattern in patterns), *((hint, pattern) for pattern in patterns)]
    assert operator.panel.lines(columns) == seen[0]


# -- counters and devices are read page by page, forwards and backwards, whole


def test_counters_are_paged_through_both_ways(operator: Operator) -> None:
    operator.go(Phrase.AUDITS)
    assert operator.above == "Matches: 12"
    assert operator.said(line=1) == ["1:next 2:previous", "hold 1:back"]
    assert operator.tap(1) == "Dead heats: 123"
    operator.tap(1)
    assert operator.said(line=0) == ["Unused buttons: 2 3", "5 7 11 12"]
    assert operator.tap(1) == "hours: 9999"
    assert operator.tap(1) == "Matches: 12"
    assert operator.tap(2) == "hours: 9999"


def test_a_single_counter_needs_no_paging() -> None:
    operator = Operator(replace(DICE, audits=(("rounds", "7"),)))
    operator.go(Phrase.AUDITS)
    assert operator.said(line=1) == ["hold 1:back"]
    assert operator.tap(1) == operator.tap(2) == "Rounds: 7"


def test_without_counters_it_says_so() -> None:
    operator = Operator(SMALL)
    operator.go(Phrase.AUDITS)
    assert operator.above == "Nothing counted yet"
    assert operator.tap(1) == operator.tap(2) == "Nothing counted yet"


def test_devices_that_are_not_well_are_named_with_what_to_do(operator: Operator) -> None:
    operator.go(Phrase.TESTS, Phrase.DEVICES)
    said = ["scoreboard: degraded", "garbled; look at the", "plug"]
    assert operator.said(line=0) == said
    operator.tap(1)
    assert " ".join(operator.said(line=0)) == "pad 12: lost no answer; check its cable and the supply"


def test_devices_come_and_go_while_somebody_reads() -> None:
    operator = Operator(replace(DICE, health=()))
    operator.go(Phrase.TESTS, Phrase.DEVICES)
    assert operator.above == "All devices are fine"
    operator.panel.health(DeviceCondition("leds", Condition.LOST, "no answer"))
    assert operator.above == "leds: lost no answer"
    operator.panel.health(DeviceCondition("i2c", Condition.DEGRADED, "slow"))
    operator.tap(1)
    assert operator.above == "i2c: degraded slow"
    operator.panel.health(DeviceCondition("i2c", Condition.OK))
    assert operator.above == "leds: lost no answer"
    operator.panel.health(DeviceCondition("leds", Condition.OK))
    assert operator.above == "All devices are fine"
