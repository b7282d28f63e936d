"""The board's places and their order in every frame."""

from firmware_host.model.places import ALL_SLOTS, SLOT_INDEX, Button, Colour, Slot


def test_the_board_has_four_rows_of_six() -> None:
    assert len(ALL_SLOTS) == 24
    assert {colour: sum(slot.colour is colour for slot in ALL_SLOTS) for colour in Colour} == dict.fromkeys(
        Colour, 6
    )


def test_places_go_row_by_row() -> None:
    assert list(ALL_SLOTS) == sorted(ALL_SLOTS)
    assert [ALL_SLOTS[SLOT_INDEX[slot]] for slot in ALL_SLOTS] == list(ALL_SLOTS)


def test_places_and_buttons_have_names_for_people() -> None:
    assert str(Slot(Colour.GREEN, 4)) == "green 4"
    assert str(Button(3)) == "seat 3"


def test_no_button_is_ever_taken_for_a_slot() -> None:
    assert not {Button(seat) for seat in range(1, 5)} & set(ALL_SLOTS)
