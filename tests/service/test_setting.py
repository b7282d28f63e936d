"""Settings show at once, are confirmed by leaving their page, and only then are handed back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from firmware_host.model.phrases import Phrase
from firmware_host.model.settings import LANGUAGES
from firmware_host.service.page import Choice, PanelInfo
from firmware_host.service.panel import ALONE_NS
from tests.service.operator import CARDS, DICE, SMALL, Operator

DIMMED = replace(DICE, brightness=13)


def choices(operator: Operator) -> Mapping[str, Choice]:
    """What was handed back."""
    assert operator.outcome is not None
    return operator.outcome.choices


def leave(operator: Operator) -> Mapping[str, Choice]:
    """Leave by long presses."""
    while operator.outcome is None:
        operator.hold(1)
    return choices(operator)


def test_languages_call_themselves_by_their_names_and_come_round() -> None:
    operator = Operator(replace(DICE, language="de"))
    operator.go(Phrase.SETTINGS)
    names = [operator.above, *(operator.tap(2) for _ in LANGUAGES)]
    assert names == [*Phrase.LANGUAGE.value, Phrase.LANGUAGE.value[0]]
    assert leave(operator) == {}


@pytest.mark.parametrize("way", ["next", "back"])
def test_leaving_the_page_confirms(operator: Operator, way: str) -> None:
    operator.go(Phrase.SETTINGS)
    operator.tap(2)
    if way == "next":
        operator.tap(1)
    else:
        operator.hold(1)
    operator.wait(ALONE_NS)
    assert choices(operator) == {"language": "fr"}


def test_running_away_from_the_page_confirms_nothing_that_is_only_tried() -> None:
    operator = Operator(DIMMED)
    operator.go(Phrase.SETTINGS)
    operator.tap(2)
    operator.tap(1)
    operator.tap(2)
    assert operator.panel.brightness == 14
    operator.wait(ALONE_NS)
    assert choices(operator) == {"language": "fr"}
    assert operator.panel.brightness == 13


def test_brightness_is_seen_at_once_on_all_lamps_and_comes_round() -> None:
    operator = Operator(DIMMED)
    operator.go(Phrase.SETTINGS)
    operator.tap(1)
    assert operator.above == "Brightness: 13"
    assert set(operator.panel.frame()) == {7}
    seen = []
    for _ in range(17):
        operator.tap(2)
        told = "-" if operator.panel.brightness is None else operator.panel.brightness
        assert operator.above == f"Brightness: {told}"
        seen.append(operator.panel.brightness)
    assert seen == [14, None, 15, *range(14)]
    operator.tap(2)
    assert leave(operator) == {"brightness": 14}


def test_the_volume_is_heard_at_once_and_comes_round(operator: Operator) -> None:
    operator.go(Phrase.SETTINGS)
    operator.tap(1, 2)
    assert operator.above == "Volume: 7"
    seen = []
    for _ in range(12):
        operator.tap(2)
        assert operator.above == f"Volume: {operator.panel.volume}"
        seen.append(operator.panel.volume)
    assert seen == [8, 9, 10, *range(9)]
    assert leave(operator) == {"volume": 8}


def test_without_a_speaker_there_is_no_volume() -> None:
    operator = Operator(replace(DICE, volume=None))
    operator.go(Phrase.SETTINGS)
    assert not any(title.startswith("Volume") for title in (operator.tap(1) for _ in range(6)))
    assert operator.panel.volume is None


def test_the_game_can_be_chosen_where_there_are_two(operator: Operator) -> None:
    operator.go(Phrase.SETTINGS)
    operator.tap(1, 3)
    assert operator.above == "Game: dice"
    assert operator.tap(2) == "Game: cards"
    assert leave(operator) == {"game": "cards"}


def test_seats_are_closed_and_opened_one_by_one_each_by_the_light_of_its_lamp() -> None:
    operator = Operator(replace(DICE, open_seats=(1, 2, 4)))
    operator.go(Phrase.SETTINGS, Phrase.SEATS)
    assert operator.ring() == ["Seat 1: open", "Seat 2: open", "Seat 3: closed", "Seat 4: open"]
    assert operator.burning == {28: 7}
    assert operator.tap(2) == "Seat 1: closed"
    operator.tap(1, 2)
    assert operator.burning == {30: 7}
    assert operator.tap(2) == "Seat 3: open"
    assert leave(operator) == {"seats": (2, 3, 4)}


def test_as_many_seats_as_the_game_needs_stay_open() -> None:
    operator = Operator(SMALL)
    operator.go(Phrase.SETTINGS, Phrase.SEATS)
    assert operator.tap(2) == "At least 2 open"
    assert operator.tap(1) == "Seat 2: open"
    assert operator.tap(1) == "Seat 1: open"
    assert leave(operator) == {}


def test_a_seat_that_was_refused_may_be_opened_again() -> None:
    operator = Operator(replace(DICE, open_seats=(1, 3)))
    operator.go(Phrase.SETTINGS, Phrase.SEATS)
    operator.tap(1)
    assert operator.tap(2) == "Seat 2: open"
    operator.tap(1, 3)
    assert operator.tap(2) == "Seat 1: closed"
    assert operator.tap(2) == "Seat 1: open"
    assert leave(operator) == {"seats": (1, 2, 3)}


@pytest.mark.parametrize(("info", "most"), [(DICE, 11), (CARDS, 9)])
def test_handicaps_go_as_far_as_something_is_left_to_deal(info: PanelInfo, most: int) -> None:
    operator = Operator(replace(info, handicap=(0, 2)))
    operator.go(Phrase.SETTINGS, Phrase.HANDICAPS)
    operator.tap(1)
    assert operator.above == "Seat 2: 2 fewer"
    operator.tap(2, most - 2)
    assert operator.above == f"Seat 2: {most} fewer"
    assert operator.tap(2) == "Seat 2: 0 fewer"
    assert operator.tap(2) == "Seat 2: 1 more"
    assert operator.tap(2) == "Seat 2: 2 more"
    assert operator.tap(2) == "Seat 2: 1 fewer"
    assert leave(operator) == {"handicap": (0, 1, *[0] * (info.seats - 2))}


@pytest.mark.parametrize(("configured", "first"), [(None, "usual"), (3, "3"), (40, "40")])
def test_the_rounds_go_from_the_usual_number_to_twelve(configured: int | None, first: str) -> None:
    operator = Operator(replace(DICE, rounds=configured))
    operator.go(Phrase.SETTINGS)
    operator.tap(1, 3 + (len(DICE.games) > 1))
    assert operator.above == f"Match rounds: {first}"
    while operator.above != "Match rounds: usual":
        operator.tap(2)
    seen = [operator.tap(2) for _ in range(13)]
    assert seen == [*(f"Match rounds: {rounds}" for rounds in range(1, 13)), "Match rounds: usual"]
    assert operator.tap(2) == "Match rounds: 1"
    assert leave(operator) == {"rounds": 1}


def test_a_handicap_beyond_the_most_goes_on_with_none() -> None:
    operator = Operator(replace(DICE, handicap=(20,)))
    operator.go(Phrase.SETTINGS, Phrase.HANDICAPS)
    assert operator.above == "Seat 1: 20 fewer"
    assert operator.tap(2) == "Seat 1: 0 fewer"


def test_what_is_changed_and_changed_back_is_no_change() -> None:
    operator = Operator(DICE)
    operator.go(Phrase.SETTINGS, Phrase.SEATS)
    operator.tap(2)
    operator.tap(1, 4)
    operator.tap(2)
    assert leave(operator) == {}
