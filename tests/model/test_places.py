"""The places of the board, tags and readers, and their texts."""

from __future__ import annotations

import pytest
from hypothesis import strategies as st

from firmware_host.model.errors import MalformedText
from firmware_host.model.places import (
    ALL_SLOTS,
    SLOT_INDEX,
    Button,
    Card,
    Colour,
    DieFace,
    Pad,
    Pile,
    Slot,
    Spot,
    Stranger,
    Tag,
    format_spot,
    format_tag,
    parse_spot,
    parse_tag,
)

TAG_FORM = "it looks like 'card 3 red 7', 'die 5 face 2' or 'unknown 04a1b2c3'"
SPOT_FORM = "it looks like 'pad 3', 'pile 4' or 'red 1'"

tags: st.SearchStrategy[Tag] = st.one_of(
    st.builds(Card, st.integers(1, 12), st.sampled_from(Colour), st.integers(1, 10)),
    st.builds(DieFace, st.integers(1, 24), st.integers(1, 6)),
    st.builds(
        Stranger,
        st.sampled_from([4, 7, 10]).flatmap(lambda n: st.binary(min_size=n, max_size=n)).map(bytes.hex),
    ),
)
spots: st.SearchStrategy[Spot] = st.one_of(
    st.integers(1, 12).map(Pad), st.integers(1, 48).map(Pile), st.sampled_from(ALL_SLOTS)
)


@pytest.mark.parametrize(
    ("tag", "text"),
    [
        (Card(3, Colour.RED, 7), "card 3 red 7"),
        (DieFace(5, 2), "die 5 face 2"),
        (Stranger("04a1"), "unknown 04a1"),
    ],
)
def test_tags_look_like_this(tag: Tag, text: str) -> None:
    assert format_tag(tag) == text
    assert parse_tag(text.split()) == tag


@pytest.mark.parametrize(
    ("spot", "text"), [(Pad(3), "pad 3"), (Pile(4), "pile 4"), (Slot(Colour.RED, 1), "red 1")]
)
def test_places_look_like_this(spot: Spot, text: str) -> None:
    assert format_spot(spot) == text
    assert parse_spot(text.split()) == spot


def test_the_number_of_a_stranger_is_in_small_letters() -> None:
    assert parse_tag(["unknown", "04A1"]) == Stranger("04a1")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", f"the tag is missing; {TAG_FORM}"),
        ("red 7", f"'red 7' is no tag; {TAG_FORM}"),
        ("card 3 pink 7", f"'card 3 pink 7' is no tag; {TAG_FORM}"),
        ("card 3 red", f"'card 3 red' is no tag; {TAG_FORM}"),
        ("card 3 red 7 8", f"'card 3 red 7 8' is no tag; {TAG_FORM}"),
        ("die 5", f"'die 5' is no tag; {TAG_FORM}"),
        ("die 5 side 2", f"'die 5 side 2' is no tag; {TAG_FORM}"),
        ("unknown", f"'unknown' is no tag; {TAG_FORM}"),
        ("unknown 04a", f"'unknown 04a' is no tag; {TAG_FORM}"),
        ("unknown 04xx", f"'unknown 04xx' is no tag; {TAG_FORM}"),
        ("word " * 20, f"'{('word ' * 20)[:57]}...' is no tag; {TAG_FORM}"),
        ("card 0 red 7", "'card 0 red 7' does not exist; sets of cards are numbered from 1 to 12"),
        ("card 13 red 7", "'card 13 red 7' does not exist; sets of cards are numbered from 1 to 12"),
        ("card x red 7", "'card x red 7' does not exist; sets of cards are numbered from 1 to 12"),
        ("card 3 red 11", "'card 3 red 11' does not exist; cards of a colour are numbered from 1 to 10"),
        ("die 25 face 2", "'die 25 face 2' does not exist; dice are numbered from 1 to 24"),
        ("die -1 face 2", "'die -1 face 2' does not exist; dice are numbered from 1 to 24"),
        ("die 5 face 7", "'die 5 face 7' does not exist; faces are numbered from 1 to 6"),
    ],
)
def test_what_is_no_tag_is_refused_with_the_reason(text: str, message: str) -> None:
    with pytest.raises(MalformedText) as error:
        parse_tag(text.split())
    assert str(error.value) == message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", f"the reader's place is missing; {SPOT_FORM}"),
        ("pad", f"'pad' is no reader's place; {SPOT_FORM}"),
        ("seat 3", f"'seat 3' is no reader's place; {SPOT_FORM}"),
        ("pad 3 4", f"'pad 3 4' is no reader's place; {SPOT_FORM}"),
        ("pad 13", "'pad 13' does not exist; pads are numbered from 1 to 12"),
        ("pad 0", "'pad 0' does not exist; pads are numbered from 1 to 12"),
        ("pile 49", "'pile 49' does not exist; piles are numbered from 1 to 48"),
        ("red 7", "'red 7' does not exist; places of a row are numbered from 1 to 6"),
        ("red x", "'red x' does not exist; places of a row are numbered from 1 to 6"),
    ],
)
def test_what_is_no_place_is_refused_with_the_reason(text: str, message: str) -> None:
    with pytest.raises(MalformedText) as error:
        parse_spot(text.split())
    assert str(error.value) == message


def test_places_go_row_by_row() -> None:
    assert list(ALL_SLOTS) == sorted(ALL_SLOTS)
    assert [ALL_SLOTS[SLOT_INDEX[slot]] for slot in ALL_SLOTS] == list(ALL_SLOTS)


def test_places_and_buttons_have_names_for_people() -> None:
    assert str(Slot(Colour.GREEN, 4)) == "green 4"
    assert str(Button(3)) == "seat 3"


def test_no_button_is_ever_taken_for_a_slot() -> None:
    assert not {Button(seat) for seat in range(1, 5)} & set(ALL_SLOTS)
