"""Card tables: the profiles that ship, and what is said about faults."""

import pytest

from firmware_host.model.places import Button, Call, Pad, Pile
from firmware_host.profile.profile import GPIO, Bank, LampWire, Profile
from firmware_host.profile.profile_reading import parse_profile
from tests.profile.profiles import (
    BREADBOARD,
    CARDS4,
    CARDS12,
    PILES,
    changed,
    faults_of,
    without,
)

CALLS_ON_AN_EXPANDER = (
    CARDS4.replace("1 = 22\n", '1 = "calls A0"\n')
    .replace("2 = 23\n", '2 = "calls A1"\n')
    .replace("3 = 24\n", '3 = "calls A2"\n')
    .replace("4 = 25\n", '4 = "calls B0"\n')
    .replace("[i2c]", "[banks.calls]\naddress = 0x20\ninterrupt = 22\n\n[i2c]")
)


def profile_with_calls_on_an_expander() -> Profile:
    return parse_profile(CALLS_ON_AN_EXPANDER, "calls on an expander")


# -- the profiles that ship


def test_the_table_for_four_has_pads_and_call_buttons() -> None:
    profile = parse_profile(CARDS4, "cards4")
    assert (profile.game, profile.seats, profile.piles, profile.ownership) == ("cards", 4, 16, "slap")
    assert [profile.line_of(Button(seat)) for seat in range(1, 5)] == [5, 6, 13, 19]
    assert [profile.line_of(Call(seat)) for seat in range(1, 5)] == [22, 23, 24, 25]
    assert profile.direct_lines == profile.lines
    assert [reader.at for reader in profile.readers] == [Pad(1), Pad(2), Pad(3), Pad(4)]
    assert (profile.crowd, profile.identified, profile.pads) == (1, False, profile.readers)
    assert (profile.sign, profile.columns) == ("cd5220", 20)


def test_the_table_for_twelve_is_as_big_as_tables_get() -> None:
    profile = parse_profile(CARDS12, "cards12")
    assert (profile.seats, profile.piles, profile.crowd) == (12, 48, 1)
    assert [reader.seat for reader in profile.pads] == list(range(1, 13))
    assert [chip.address for chip in profile.led_chips] == list(range(0x70, 0x76))
    assert GPIO not in {wire.chip for wire in profile.lamp_wires}


def test_the_table_on_a_breadboard_has_two_buttons_and_two_pads_and_nothing_else() -> None:
    profile = parse_profile(BREADBOARD, "cards2")
    assert profile.lines == {5: Button(1), 6: Button(2)}
    assert [reader.at for reader in profile.readers] == [Pad(1), Pad(2)]
    assert (profile.banks, profile.led_chips, profile.lamp_wires, profile.sign_port) == ((), (), (), "")


def test_the_table_on_a_breadboard_can_grow_into_one_for_four() -> None:
    small, large = parse_profile(BREADBOARD, "cards2"), parse_profile(CARDS4, "cards4")
    assert small.lines.items() <= large.lines.items()
    assert {(pad.name, pad.at) for pad in small.pads} <= {(pad.name, pad.at) for pad in large.pads}


def test_a_table_without_pads_has_a_reader_at_every_pile() -> None:
    profile = parse_profile(PILES, "cards2-piles")
    assert [reader.at for reader in profile.readers] == [Pile(number) for number in range(1, 9)]
    assert (profile.crowd, profile.pads) == (4, ())
    assert {reader.seat for reader in profile.readers} == {0}


@pytest.mark.parametrize("text", [CARDS4, CARDS12, PILES])
def test_every_lamp_of_a_card_table_is_wired(text: str) -> None:
    profile = parse_profile(text, "cards")
    heads = [11 * pile for pile in range(profile.piles)]
    assert {wire.lamp for wire in profile.lamp_wires} == set(range(profile.piles * 11 + profile.seats))
    assert [masks_of(profile, head) for head in heads] == [[4, 2, 1]] * profile.piles
    assert all(masks_of(profile, lamp) == [7] for lamp in range(profile.piles * 11) if lamp not in heads)
    leds = [(wire.chip, wire.led) for wire in profile.lamp_wires]
    assert len(set(leds)) == len(leds)


def masks_of(profile: Profile, lamp: int) -> list[int]:
    return [wire.mask for wire in profile.lamp_wires if wire.lamp == lamp]


def test_a_pile_is_thirteen_leds_in_a_row() -> None:
    wires = parse_profile(CARDS4, "cards4").lamp_wires
    assert wires[13:26] == (
        LampWire(11, 4, "piles-1", 16),
        LampWire(11, 2, "piles-1", 17),
        LampWire(11, 1, "piles-1", 18),
        *(LampWire(11 + number, 7, "piles-1", 18 + number) for number in range(1, 11)),
    )
    assert wires[8 * 13] == LampWire(88, 4, "piles-2", 0)
    panel = tuple(LampWire(179, mask, "piles-2", led) for mask, led in ((4, 29), (2, 30), (1, 31)))
    assert wires[-3:] == panel


def test_nine_piles_fit_one_chip() -> None:
    """117 of 128 LEDs."""
    ten = PILES
    for pile in range(8):
        ten = changed(ten, f'"piles {16 * pile}"', f'"piles {13 * pile}"')
    ten = changed(ten, '"piles 13 14 15", "piles 29 30 31"', '"gpio 12", "gpio 16"')
    assert parse_profile(ten, "cards").lamp_wires[8 * 13 - 1] == LampWire(87, 7, "piles", 103)
    last = changed(ten, '"piles 91"', '"piles 115"')
    assert parse_profile(last, "cards").lamp_wires[8 * 13 - 1] == LampWire(87, 7, "piles", 127)


def test_call_buttons_lamps_and_a_sign_can_be_left_out() -> None:
    plain = without(CARDS4, "[calls]", "1 = 22", "2 = 23", "3 = 24", "4 = 25")
    assert set(parse_profile(plain, "cards").lines.values()) == {Button(seat) for seat in range(1, 5)}
    dark = PILES[: PILES.index("[lamps]")] + PILES[PILES.index("[readers]") :]
    assert parse_profile(dark, "cards").lamp_wires == ()


# -- one fault, one message


def test_call_buttons_may_be_on_an_expander_and_race_buttons_may_not() -> None:
    assert profile_with_calls_on_an_expander().banks == (
        Bank(name="calls", address=0x20, interrupt=22, pins={0: 100, 1: 101, 2: 102, 8: 108}),
    )
    assert profile_with_calls_on_an_expander().line_of(Call(4)) == 108
    clash = changed(CALLS_ON_AN_EXPANDER, '4 = "calls B0"', '4 = "calls A2"')
    assert faults_of(clash) == [
        "29: calls.4 is 'calls A2'; allowed: a pin of its own: 'calls A2' is taken by calls.3 in line 28"
    ]


def test_calls_that_are_all_missing_are_told_once() -> None:
    text = without(CARDS4, "1 = 22", "2 = 23", "3 = 24", "4 = 25")
    assert faults_of(text) == [
        "25: calls has none for seat 1, 2, 3, 4; allowed: a call button at every seat, or no section [calls]"
    ]


def test_piles_that_are_no_list_are_told() -> None:
    before, after = PILES.index("piles = ["), PILES.index("seats = [")
    text = PILES[:before] + "piles = 8\n" + PILES[after:]
    assert faults_of(text) == ["35: lamps.piles is 8; allowed: a list of 8 piles"]


def test_piles_without_any_chip_have_nowhere_to_be() -> None:
    text = without(PILES, "[leds.piles]", "address", "brightness")
    assert faults_of(text) == ["33: lamps.piles[1] is 'piles 0'; allowed: a chip of [leds]: none"]


@pytest.mark.parametrize(("seats", "found"), [(1, "for 1"), (13, "for 13")])
def test_the_number_of_seats_is_bounded(seats: int, found: str) -> None:
    """Nothing is said of the number of piles then: it hangs on the number of seats."""
    buttons = "".join(f"{seat} = {seat + 3}\n" for seat in range(1, seats + 1))
    text = f'title = "t"\ngame = "cards"\n[gpio]\nboard = "a020a0"\n[buttons]\n{buttons}[readers]\n'
    text += "".join(f'r-{seat} = {{ seat = {seat}, port = "/dev/{seat}" }}\n' for seat in range(1, seats + 1))
    assert faults_of(text) == [f"5: buttons is {found}; allowed: 2 to 12 seats for cards"]


def test_a_game_in_the_wrong_section_still_says_what_is_played() -> None:
    moved = changed(CARDS12, 'game = "cards"\n', "")
    assert faults_of(changed(moved, "[gpio]\n", '[gpio]\ngame = "cards"\n')) == [
        "15: gpio.game is out of place; allowed: above the first [section]"
    ]


def test_a_game_that_nothing_speaks_for_is_told() -> None:
    text = 'game = "chess"\n[i2c]\ngame = "cards"\n'
    assert faults_of(text)[1] == "1: game is 'chess'; allowed: dice or cards"
