"""Every line and address that a profile needs has a name that says what it is for."""

from __future__ import annotations

import pytest

from firmware_host.profile.profile import chip_names, lamp_name, line_names
from firmware_host.run.table_files import load_profile
from firmware_host.show.lamps import frame_length, panel_lamp_index, pile_lamp_index
from tests.workshop.doctor.finding import CARDS, DICE, TAGGED, profile_with
from wiring import profile_names


def test_lines_are_named_by_what_they_are_for() -> None:
    names = line_names(profile_with(DICE, reset=26))
    assert names == {
        5: "seat 1",
        6: "seat 2",
        12: "lamp of seat 1",
        13: "seat 3",
        16: "lamp of seat 2",
        17: "interrupt of left",
        19: "seat 4",
        20: "lamp of seat 3",
        21: "lamp of seat 4",
        26: "reset line",
        27: "interrupt of right",
    }
    assert 26 not in line_names(TAGGED)
    assert line_names(CARDS)[22] == "call 1"


def test_addresses_are_named_by_their_chips() -> None:
    assert chip_names(DICE) == {0x20: "left", 0x21: "right", 0x70: "rows"}


@pytest.mark.parametrize("name", profile_names())
def test_every_lamp_has_a_name_of_its_own(name: str) -> None:
    profile = load_profile(name)
    lamps = range(frame_length(profile.seats, profile.piles))
    assert len({lamp_name(profile, lamp) for lamp in lamps}) == len(lamps)
    assert lamp_name(profile, panel_lamp_index(2, profile.piles)) == "seat 2"
    if profile.piles:
        assert lamp_name(profile, pile_lamp_index(3, 0)) == "pile 3, head"
        assert lamp_name(profile, pile_lamp_index(3, 10)) == "pile 3, number 10"
