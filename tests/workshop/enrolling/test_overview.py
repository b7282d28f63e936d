"""What is enrolled, what is missing, and what does not belong to the table."""

from __future__ import annotations

from firmware_host.model.places import Card, Colour, DieFace
from firmware_host.profile.tags import Enrolled
from firmware_host.run.table_files import load_profile
from firmware_host.workshop.enrolling.worklist import needed, overview, strangers

CARDS = needed([load_profile("cards2-piles")])
DICE = needed([load_profile("dice4-rfid")])


def test_seats_and_dice_in_a_few_lines() -> None:
    without = {Card(1, Colour.RED, 7), *(Card(2, Colour.BLUE, number) for number in range(1, 11))}
    there: set[Enrolled] = {item for item in CARDS + DICE if item not in without}
    there -= {DieFace(5, face) for face in range(3, 7)}
    assert overview(CARDS + DICE, there) == [
        "        red       yellow  green  blue",
        "seat 1  1-6 8-10  all     all    all",
        "seat 2  all       all     all    -",
        "           faces",
        "dice 1-4   all",
        "die 5      1-2",
        "dice 6-24  all",
    ]


def test_only_where_there_is_something_to_tell() -> None:
    missing: set[Enrolled] = {Card(2, Colour.GREEN, 3), DieFace(5, 3), DieFace(5, 4)}
    assert overview(CARDS + DICE, missing, skip_empty=True) == [
        "        red  yellow  green  blue",
        "seat 2  -    -       3      -",
        "       faces",
        "die 5  3-4",
    ]
    assert overview(CARDS + DICE, set(), skip_empty=True) == []


def test_a_table_has_mostly_one_game() -> None:
    assert [line.split() for line in overview(DICE, set())] == [["faces"], ["dice", "1-24", "-"]]
    assert len(overview(CARDS, set())) == 3


def test_what_the_table_does_not_need_is_told_by_seat_and_game() -> None:
    tags: dict[str, Enrolled] = {
        "a": Card(1, Colour.RED, 1),
        "b": Card(3, Colour.RED, 1),
        "c": Card(3, Colour.RED, 2),
    }
    others: dict[str, Enrolled] = {"d": Card(4, Colour.RED, 1), "e": DieFace(1, 1)}
    lines = {"a": 2, "b": 3, "c": 4, "d": 9, "e": 7}
    assert strangers(CARDS, tags | others, lines) == [
        "3-4: tags of seat 3, which this table does not have",
        "9: tags of seat 4, which this table does not have",
        "7: tags of dice, which are not played with at this table",
    ]
    assert strangers(DICE, tags, lines) == ["2-4: tags of cards, which are not played with at this table"]
    assert strangers(DICE, {"e": DieFace(1, 1)}, lines) == []
