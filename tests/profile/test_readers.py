"""Readers of tags in profiles: where they are, and what is said where they can't be."""

import pytest

from firmware_host.model.places import ALL_SLOTS, Colour, Pad, Slot
from firmware_host.profile.profile import TagSpot
from firmware_host.profile.profile_reading import parse_profile
from tests.profile.profiles import CARDS4, DICE4, PILES, RFID, changed, faults_of, without

PAD_LINES = ("pad-1", "pad-2", "pad-3", "pad-4")
SLOT_LINES = tuple(f"{slot.colour.word}-{slot.number} " for slot in ALL_SLOTS)
BY_TAG = changed(RFID, 'ownership = "slap"', 'ownership = "tag" ')


# -- what a table may have


def test_the_dice_table_with_tags_knows_every_place() -> None:
    profile = parse_profile(RFID, "dice4-rfid")
    assert profile.readers[0] == TagSpot(name="red-1", at=Slot(Colour.RED, 1), port="/dev/ttyUSB5", group=1)
    assert [reader.at for reader in profile.readers] == [*ALL_SLOTS, *(Pad(seat) for seat in range(1, 5))]
    assert [(pad.name, pad.seat) for pad in profile.pads] == [(f"pad-{seat}", seat) for seat in range(1, 5)]
    assert (profile.identified, profile.crowd, profile.ownership) == (True, 6, "slap")


def test_the_dice_table_with_tags_differs_from_the_one_without_in_nothing_else() -> None:
    tagged, plain = parse_profile(RFID, "dice4-rfid"), parse_profile(DICE4, "dice4")
    assert (plain.readers, plain.identified, plain.crowd) == ((), False, 0)
    assert (tagged.lines, tagged.banks, tagged.lamp_wires) == (plain.lines, plain.banks, plain.lamp_wires)


def test_dice_may_be_owned_by_tag() -> None:
    assert parse_profile(BY_TAG, "dice").ownership == "tag"


def test_dice_tables_may_have_pads_alone_or_slot_readers_alone() -> None:
    pads = parse_profile(without(RFID, *SLOT_LINES), "dice")
    assert (len(pads.readers), pads.identified, pads.crowd) == (4, False, 1)
    slots = parse_profile(without(RFID, *PAD_LINES), "dice")
    assert (len(slots.readers), slots.identified, slots.pads) == (24, True, ())


def test_a_section_of_its_own_for_each_reader_is_as_good() -> None:
    """And a reader without a group is in the first."""
    sections = "".join(
        f'\n[readers.pad-{seat}]\nseat = {seat}\nport = "/dev/ttyUSB{seat}"\n' for seat in range(1, 5)
    )
    profile = parse_profile(DICE4 + sections, "dice4")
    assert profile.readers[1] == TagSpot(name="pad-2", at=Pad(2), port="/dev/ttyUSB2", group=1)
    assert profile.crowd == 4


# -- one fault, one message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (without(CARDS4, "pad-2", "pad-4"),
         "55: readers has none for pad 2, pad 4; allowed: a pad at every seat"),
        (without(PILES, "pile-8"), "45: readers has none for pile 8; allowed: a reader at every pile"),
        (without(CARDS4, *PAD_LINES),
         "55: readers is empty; allowed: a pad at every seat, or a reader at every pile"),
        (without(RFID, "pad-1"), "63: readers has none for pad 1; allowed: a pad at every seat, or at none"),
        (without(RFID, "blue-6"),
         "63: readers has none for blue 6; allowed: a reader at every place of the board, or at none"),
        (without(RFID, *SLOT_LINES[1:]),
         "63: readers has none for red 2, red 3, red 4, red 5, red 6, yellow 1 and 17 more; "
         "allowed: a reader at every place of the board, or at none"),
        (without(BY_TAG, *PAD_LINES), "15: ownership is 'tag'; allowed: "
         "slap, or tag with a reader at every place of the board and a pad at every seat"),
        (without(BY_TAG, *SLOT_LINES), "15: ownership is 'tag'; allowed: "
         "slap, or tag with a reader at every place of the board and a pad at every seat"),
        (without(BY_TAG, "pad-1"),
         "63: readers has none for pad 1; allowed: a pad at every seat, or at none"),
        (changed(CARDS4[: CARDS4.index("[readers]")], 'game = "cards"', 'game = "cards"\nreaders = 3'),
         "12: readers is 3; allowed: a section [readers]"),
    ],
)  # fmt: skip
def test_a_gap_has_one_clear_message(text: str, message: str) -> None:
    assert faults_of(text) == [message]


# -- several faults, several messages


def test_a_gap_beside_a_reader_that_is_nowhere_is_told_too() -> None:
    """The reader that is nowhere can fill but one of the two gaps."""
    assert faults_of(changed(without(CARDS4, "pad-3"), "{ seat = 2, ", "{ seat = 7, ")) == [
        "55: readers has none for pad 2, pad 3; allowed: a pad at every seat",
        "57: readers.pad-2.seat is 7; allowed: a number from 1 to 4",
    ]
