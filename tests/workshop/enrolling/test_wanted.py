"""What a table needs tags for, and parts of that by name."""

from __future__ import annotations

from dataclasses import replace

import pytest

from firmware_host.model.errors import BadSettings
from firmware_host.model.places import Card, Colour, DieFace
from firmware_host.run.table_files import load_profile
from firmware_host.workshop.enrolling.worklist import extent, needed, select

CARDS4, DICE = load_profile("cards4"), load_profile("dice4-rfid")
NONE = "this table has no such tags"


def test_a_card_table_needs_the_sets_of_its_seats_colour_by_colour() -> None:
    items = needed([CARDS4])
    assert len(items) == len(set(items)) == 160
    assert items[:2] == (Card(1, Colour.RED, 1), Card(1, Colour.RED, 2))
    assert items[9:11] == (Card(1, Colour.RED, 10), Card(1, Colour.YELLOW, 1))
    assert items[39:41] == (Card(1, Colour.BLUE, 10), Card(2, Colour.RED, 1))


def test_a_dice_table_needs_all_dice_face_by_face() -> None:
    items = needed([DICE])
    assert len(items) == len(set(items)) == 144
    assert items[5:7] == (DieFace(1, 6), DieFace(2, 1))


def test_a_table_for_both_games_needs_both_and_cards_come_first() -> None:
    assert needed([DICE, CARDS4]) == needed([CARDS4, DICE]) == needed([CARDS4]) + needed([DICE])


def test_without_readers_no_tags_are_needed() -> None:
    assert needed([replace(CARDS4, readers=()), load_profile("dice4")]) == ()


@pytest.mark.parametrize(
    ("text", "count", "first"),
    [
        ("seat 3", 40, Card(3, Colour.RED, 1)),
        ("Seat 3  GREEN", 10, Card(3, Colour.GREEN, 1)),
        ("seat 3 red 7", 1, Card(3, Colour.RED, 7)),
        ("card 3 red 7", 1, Card(3, Colour.RED, 7)),
        ("die 5", 6, DieFace(5, 1)),
        ("die 5 face 2", 1, DieFace(5, 2)),
        ("cards", 160, Card(1, Colour.RED, 1)),
        ("dice", 144, DieFace(1, 1)),
    ],
)
def test_parts_have_names(text: str, count: int, first: Card | DieFace) -> None:
    items = select([text], needed([CARDS4, DICE]), NONE)
    assert (len(items), items[0]) == (count, first)


def test_several_parts_come_in_the_order_of_the_table_and_nothing_twice() -> None:
    items = select(["seat 2 red", "card 1 blue 10", "card 2 red 3"], needed([CARDS4]), NONE)
    assert items == (Card(1, Colour.BLUE, 10), *(Card(2, Colour.RED, number) for number in range(1, 11)))


FORMLESS = [
    "",
    "seat",
    "seat x",
    "seat n",
    "seat 1 pink",
    "seat 1 red x",
    "seat red 1",
    "card 1 red",
    "die",
    "7",
]


@pytest.mark.parametrize("text", [*FORMLESS, "die 5 face"])
def test_what_names_nothing_says_what_would(text: str) -> None:
    with pytest.raises(BadSettings, match=r"names no cards and no dice; it looks like 'seat 3', "):
        select([text], needed([CARDS4, DICE]), NONE)


def test_all_that_is_wrong_is_told_at_once() -> None:
    with pytest.raises(BadSettings) as error:
        select(["seat 5", "seat 1", "bla", "die 1"], needed([CARDS4]), NONE)
    assert [fault.split(";")[0] for fault in error.value.faults] == [
        "'seat 5': this table has no such tags",
        "'bla' names no cards and no dice",
        "'die 1': this table has no such tags",
    ]


def test_how_much_a_table_needs_in_a_few_words() -> None:
    assert extent(needed([CARDS4, DICE])) == "the cards of seats 1-4, dice 1-24"
    assert extent([Card(1, Colour.RED, 1), Card(3, Colour.RED, 1)]) == "the cards of seats 1, 3"
    assert extent([]) == "nothing"
