"""Each lamp burns once, under its own name; all burn together in each colour."""

from __future__ import annotations

from dataclasses import replace

import pytest

from firmware_host.model.phrases import Phrase
from firmware_host.model.places import Button, Colour, Slot
from firmware_host.model.settings import LANGUAGES
from firmware_host.service.checks import STEP_NS, CheckedLamp, Symbol, lamp_groups, lamp_index, lamp_name
from firmware_host.service.page import PanelInfo
from firmware_host.show.lamps import frame_length
from hw.scoreboard.charset import ASCII, respelled, to_ascii
from tests.service.operator import CARDS, DICE, SMALL, TABLES, Operator


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
    ("piles", "place", "index", "name"),
    [
        (0, Slot(Colour.YELLOW, 2), 7, "gelb 2"),
        (0, Symbol(Colour.BLUE), 27, "Zeichen blau"),
        (0, Button(3), 30, "Platz 3"),
        (8, CheckedLamp(1, 0), 0, "Stapel 1: Kopf"),
        (8, CheckedLamp(2, 10), 21, "Stapel 2: 10"),
        (8, Button(1), 88, "Platz 1"),
    ],
)
def test_lamps_have_places_and_names(
    piles: int, place: Slot | Symbol | CheckedLamp | Button, index: int, name: str
) -> None:
    assert lamp_index(place, piles) == index
    assert lamp_name("de", place) == name


@pytest.mark.parametrize(("seats", "piles"), [(4, 0), (12, 48), (2, 8)])
def test_the_groups_have_the_lamps_of_the_frame_in_their_order(seats: int, piles: int) -> None:
    lamps = [lamp_index(place, piles) for group in lamp_groups(seats, piles) for place in group]
    assert lamps == list(range(frame_length(seats, piles)))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("seats", "piles"), [(4, 0), (12, 48), (2, 8)])
def test_every_lamp_has_a_name_of_its_own_that_fits(language: str, seats: int, piles: int) -> None:
    names = [lamp_name(language, place) for group in lamp_groups(seats, piles) for place in group]
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
